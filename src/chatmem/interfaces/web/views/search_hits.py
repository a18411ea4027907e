"""Found memories on the page: their words with what was asked for marked, and why they are here."""

from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

from nicegui import ui
from nicegui.elements.mixins.text_element import TextElement

from chatmem.interfaces.web.saying import day_and_clock
from chatmem.interfaces.web.views.memory_card import open_card
from chatmem.interfaces.web.views.search_parts import score_bar
from chatmem.interfaces.web.views.section import named
from chatmem.interfaces.web.views.session_address import address_of
from chatmem.interfaces.web.visit import Visit
from chatmem.model import AtomicMemoryRecord, Hit
from chatmem.text.marks import find_marks

SHOWN_CHARS: Final = 360
_BEFORE_CHARS: Final = 90
_GAP: Final = "…"
Again = Callable[[], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Shown:
    """What every found memory is shown with.

    `again` is called when one was changed in its dialog; `titles` are of sessions, by their id.
    """

    visit: Visit
    query: str
    again: Again
    titles: Mapping[str, str]


def memory_card_of(shown: Shown, memory: AtomicMemoryRecord, hit: Hit | None = None) -> None:
    """A memory, with its score where there is one."""
    visit, words = shown.visit, shown.visit.words
    with ui.element("li").classes("w-full"), ui.card().classes("w-full gap-2 p-4"):
        with ui.row().classes("w-full items-start no-wrap gap-2"):
            marked_text(memory.content, shown.query).classes("grow min-w-0")
            button = ui.button(icon="open_in_full").props("flat round dense size=sm")
            button.on_click(partial(open_card, visit, memory.id, shown.again))
            named(button, words("search.open", start=" ".join(memory.content[:40].split())))
        _facts(shown, memory)
        if hit is not None:
            score_bar(words, hit)


def marked_text(text: str, query: str) -> ui.element:
    """The passage of the text where the query's words stand, these marked; never HTML."""
    with ui.element("p").classes("break-words whitespace-pre-line m-0") as passage:
        for part, is_marked in passage_of(text, query):
            TextElement(tag="mark" if is_marked else "span", text=part)
    return passage


def passage_of(text: str, query: str) -> Iterator[tuple[str, bool]]:
    """At most about `SHOWN_CHARS` of the text in parts, each with whether the query asks for it."""
    marks = find_marks(text, query)
    begin, end = 0, len(text)
    if len(text) > SHOWN_CHARS:
        first = marks[0][0] if marks else 0
        begin = max(0, min(first - _BEFORE_CHARS, len(text) - SHOWN_CHARS))
        end = begin + SHOWN_CHARS
    if begin > 0:
        yield _GAP, False
    place = begin
    for left, right in marks:
        if right <= begin or left >= end:
            continue
        left, right = max(left, begin), min(right, end)
        if left > place:
            yield text[place:left], False
        yield text[left:right], True
        place = right
    if place < end:
        yield text[place:end], False
    if end < len(text):
        yield _GAP, False


def _facts(shown: Shown, memory: AtomicMemoryRecord) -> None:
    """What kind of memory it is, from when, and whence."""
    visit, words = shown.visit, shown.visit.words
    with ui.row().classes("items-center gap-x-3 gap-y-1 text-xs muted w-full"):
        said_by = f"search.role_{memory.role}" if memory.role in ("user", "assistant") else None
        kind = words(said_by) if said_by else words(f"card.type_{memory.memory_type}")
        ui.label(kind).classes("tag")
        if memory.category:
            ui.label(words(f"card.category_{memory.category}")).classes("tag")
        if memory.kind:
            ui.label(words(f"card.kind_{memory.kind}"))
        if memory.role is None:
            ui.label(words(f"card.source_{memory.source}"))
        ui.label(day_and_clock(words, memory.timestamp))
        if memory.user_id != visit.memory.user_id:
            ui.label(words("search.shared_by", user=memory.user_id)).classes("break-all")
        elif memory.session_id:
            where = address_of(memory.session_id)
            title = shown.titles.get(memory.session_id, memory.session_id)
            label = words("search.in_session", session=title)
            ui.link(label, where).classes("frame-link").style("overflow-wrap: anywhere")
