"""Who may see a memory, by name, and how a person changes it."""

from collections.abc import Awaitable, Callable

from nicegui import events, ui

from chatmem.interfaces.web.views.card_about import Known
from chatmem.interfaces.web.views.card_part import part
from chatmem.interfaces.web.views.section import named
from chatmem.interfaces.web.visit import Visit
from chatmem.model import VISIBILITIES, Visibility


def show_sharing(visit: Visit, known: Known, on_saved: Callable[[str], Awaitable[None]]) -> None:
    """The choice, and what it means for those whom this user lives or works with."""
    words, memory = visit.words, known.memory

    async def choose(event: events.ValueChangeEventArguments[Visibility]) -> None:
        await visit.away_for_long(visit.memory.update, memory.id, visibility=event.value)
        await on_saved(words("card.shared_now"))

    with part(words("card.who"), "visibility"):
        choices = {one: words(f"card.visibility_{one}") for one in VISIBILITIES}
        select = ui.select(choices, value=memory.visibility, on_change=choose)
        named(select, words("card.visibility")).props("outlined dense").classes("w-full sm:w-80")
        ui.label(_meaning(visit, known)).classes("muted text-sm break-words")


def _meaning(visit: Visit, known: Known) -> str:
    words, visibility = visit.words, known.memory.visibility
    if visibility == "private":
        return words("card.seen_by_nobody")
    names = words("card.comma").join(_named(visit, known, one) for one in known.viewers)
    if visibility == "public":
        return words("card.seen_by_all_and", names=names) if names else words("card.seen_by_all")
    if not any(circle.kind == visibility for circle in known.circles):
        return words(f"card.no_{visibility}")
    return words("card.seen_by", names=names) if names else words("card.hidden_from_others")


def _named(visit: Visit, known: Known, user_id: str) -> str:
    """A name with the role in the circle that makes it see this."""
    for circle in known.circles:
        for member in circle.members:
            if member.user_id == user_id and known.memory.visibility in (circle.kind, "public"):
                return visit.words("card.person", user=user_id, role=member.role)
    return user_id
