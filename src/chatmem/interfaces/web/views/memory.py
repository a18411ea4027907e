"""MEMORY.md: what is remembered for good, to read and to write, and how much of it is used.

Source: S5.9.1, S5.9.2, S2.6.1.
"""

from fastapi import Request
from nicegui import ui

from chatmem.interfaces.web.views.document import DocumentEditor, Hooks, Source
from chatmem.interfaces.web.views.document_forgets import may_forget
from chatmem.interfaces.web.views.first_run import is_empty, welcome
from chatmem.interfaces.web.views.memory_automatic import AutomaticMemory
from chatmem.interfaces.web.views.memory_budget import BudgetMeter
from chatmem.interfaces.web.views.section import section
from chatmem.interfaces.web.visit import Visit


async def show(visit: Visit, request: Request) -> None:
    """The editor, the switch and the meter; for who has nothing yet, a welcome before them."""
    words, memory = visit.words, visit.memory
    if await visit.away(is_empty, visit):
        await welcome(visit)
    start = await visit.away(memory.main.read)
    with ui.element("div").classes("memory-top w-full"):
        automatic = AutomaticMemory(visit)
        meter = BudgetMeter(visit)
    await automatic.look()
    await meter.weigh(start.content)
    with section(words("memory.file"), "description"):
        ui.label(words("memory.file_about")).classes("muted text-sm -mt-2")

        async def may_save(before: str, after: str) -> bool:
            return await may_forget(visit, before, after)

        source = Source("MEMORY.md", memory.main.read, memory.main.write)
        DocumentEditor(visit, source, start, hooks=Hooks(on_text=meter.weigh, may_save=may_save))
