"""Where a memory came from: the very messages, with the way to their session."""

from nicegui import ui

from chatmem.interfaces.web.saying import day_and_clock
from chatmem.interfaces.web.views.card_about import Known
from chatmem.interfaces.web.views.card_part import part
from chatmem.interfaces.web.views.session_address import address_of
from chatmem.interfaces.web.visit import Visit
from chatmem.storage.values import StoredMessage


def show_origin(visit: Visit, known: Known) -> None:
    """The messages, or how it came here without one."""
    words, memory = visit.words, known.memory
    with part(words("card.origin"), "format_quote"):
        for message in known.origin:
            _quote(visit, message)
        if not known.origin:
            ui.label(_without(visit, known)).classes("muted text-sm break-words")
        session = known.origin[0].session_id if known.origin else memory.session_id
        if session is not None:
            ui.link(words("card.to_session"), address_of(session)).classes("frame-link text-sm")


def _quote(visit: Visit, message: StoredMessage) -> None:
    words = visit.words
    who = message.speaker or words(f"card.said_by_{message.role}")
    with ui.element("figure").classes("w-full card-quote"):
        with ui.element("blockquote"):
            ui.label(message.content).classes("whitespace-pre-wrap break-words")
        with ui.element("figcaption"):
            when = day_and_clock(words, message.create_time)
            ui.label(f"{who} · {when}").classes("muted text-sm")


def _without(visit: Visit, known: Known) -> str:
    words, memory = visit.words, known.memory
    if memory.session_id is not None:
        return words("card.origin_session")
    reasons = [entry.reason for entry in known.history[:1]]
    if reasons == ["written into the daily log"]:
        return words("card.origin_daily")
    if reasons == ["asked to remember"]:
        return words("card.origin_asked")
    return words("card.origin_file") if memory.document else words("card.origin_unknown")
