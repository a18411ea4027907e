"""The facts of a memory: when, how sure, how often used, where it is written."""

import json
from collections.abc import Awaitable, Callable

from nicegui import ui

from chatmem.interfaces.web.saying import counted, day_and_clock
from chatmem.interfaces.web.views.card_about import Known
from chatmem.interfaces.web.visit import Visit
from chatmem.interfaces.web.words import Words
from chatmem.model import AtomicMemoryRecord


def show_facts(visit: Visit, known: Known, show_other: Callable[[str], Awaitable[None]]) -> None:
    """The list of facts; `show_other` opens the memory that took this one's place."""
    words, memory = visit.words, known.memory
    with ui.element("dl").classes("w-full card-facts"):
        for name, text in _facts(words, memory):
            with ui.element("div"):
                with ui.element("dt"):
                    ui.label(words(f"card.{name}"))
                with ui.element("dd"):
                    ui.label(text).classes("break-words")
    successor = known.successor
    if successor is not None:
        with ui.row().classes("items-center gap-2 w-full card-successor"):
            ui.label(words("card.replaced_by")).classes("muted text-sm")
            ui.button(successor.content, on_click=lambda: show_other(successor.id)).props(
                "flat dense no-caps align=left"
            ).classes("max-w-full card-link")


def _facts(words: Words, memory: AtomicMemoryRecord) -> list[tuple[str, str]]:
    found = [("happened", day_and_clock(words, memory.timestamp))]
    if memory.create_time != memory.timestamp:
        found.append(("stored", day_and_clock(words, memory.create_time)))
    if memory.kind is not None:
        found.append(("kind", words(f"card.kind_{memory.kind}")))
    found += [
        ("source", words(f"card.source_{memory.source}")),
        ("importance", words("card.of_five", number=memory.importance)),
        ("confidence", f"{memory.confidence:.0%}"),
        ("used", _used(words, memory)),
    ]
    if memory.key is not None:
        value = memory.value
        shown = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        found.append(("key", memory.key if value is None else f"{memory.key} = {shown}"))
    if memory.tags:
        found.append(("tags", words("card.comma").join(memory.tags)))
    if memory.valid_from is not None and memory.valid_from != memory.timestamp:
        found.append(("valid_from", day_and_clock(words, memory.valid_from)))
    if memory.valid_to is not None:
        found.append(("valid_to", day_and_clock(words, memory.valid_to)))
    if memory.document is not None:
        found.append(("document", memory.document))
    found.append(("id", memory.id))
    return found


def _used(words: Words, memory: AtomicMemoryRecord) -> str:
    if not memory.access_count or memory.last_accessed is None:
        return words("card.never_used")
    when = day_and_clock(words, memory.last_accessed)
    return counted(words, "card.used_times", memory.access_count, when=when)
