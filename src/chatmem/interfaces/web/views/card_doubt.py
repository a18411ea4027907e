"""A memory that may be about the same as another one: a quiet note, and two answers."""

from collections.abc import Awaitable, Callable

from nicegui import ui

from chatmem.engine.remember.lifecycle import since
from chatmem.extraction.settle import MAYBE_TAG
from chatmem.interfaces.web.saying import day_and_clock
from chatmem.interfaces.web.views.card_about import Known
from chatmem.interfaces.web.visit import Visit


def show_doubt(
    visit: Visit,
    known: Known,
    show_other: Callable[[str], Awaitable[None]],
    on_decided: Callable[[str], Awaitable[None]],
) -> None:
    """The other one, and what may be made of it; nothing where there is no doubt."""
    words, memory, other = visit.words, known.memory, known.doubted
    if other is None:
        return

    async def keep_both() -> None:
        tags = tuple(tag for tag in memory.tags if tag != MAYBE_TAG)
        await visit.away_for_long(visit.memory.update, memory.id, tags=tags)
        await on_decided(words("card.doubt_both_kept"))

    async def retire_older() -> None:
        older, newer = (memory, other) if since(memory) < since(other) else (other, memory)
        await visit.away_for_long(visit.memory.supersede, older.id, newer.id)
        await on_decided(words("card.doubt_replaced"))

    with ui.column().classes("w-full gap-1 card-quote").props("role=note"):
        ui.label(words("card.doubt")).classes("muted text-sm")
        ui.button(other.content, on_click=lambda: show_other(other.id)).props(
            "flat dense no-caps align=left"
        ).classes("max-w-full card-link")
        ui.label(day_and_clock(words, since(other))).classes("muted text-sm")
        with ui.row().classes("gap-2"):
            for name, decide in (("doubt_both", keep_both), ("doubt_older", retire_older)):
                ui.button(words(f"card.{name}"), on_click=decide).props(
                    "outline dense no-caps color=primary"
                ).classes("px-2")
