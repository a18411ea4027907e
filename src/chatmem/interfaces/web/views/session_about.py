"""What a session was about: its summary, its working memory, and what was learned from it."""

from functools import partial
from typing import Final

from nicegui import ui

from chatmem.engine.remember.extract import SESSION_END
from chatmem.engine.service import MemoryService
from chatmem.interfaces.web.saying import counted, day_and_clock
from chatmem.interfaces.web.views.memory_card import open_card
from chatmem.interfaces.web.views.section import section
from chatmem.interfaces.web.visit import Visit
from chatmem.model import JobReport, WorkingMemory
from chatmem.model.filter import MemoryFilter
from chatmem.model.time import utc_now

MOST_LEARNED: Final = 30
_ASKS: Final = 60
"""How often is looked for what comes of a session that has ended, a second apart."""

_AT_THE_END: Final = frozenset(("summary", SESSION_END))


class SessionAbout:
    """The cards beside the transcript."""

    def __init__(self, visit: Visit, session_id: str) -> None:
        self._visit = visit
        self._session_id = session_id
        self._is_waiting = False
        self._asked = 0

    async def show(self) -> None:
        """All of them."""
        await self._summary()
        await self._learned()
        await self._working()
        self._timer = ui.timer(1.0, self._look, active=False)

    def expect_summary(self) -> None:
        """The session was ended: its summary and its memories are on their way."""
        self._is_waiting, self._asked = True, 0
        self._summary.refresh()
        self._timer.activate()

    async def _look(self) -> None:
        self._asked += 1
        busy = await self._visit.away(_is_busy, self._visit.memory, self._session_id)
        if not busy or self._asked >= _ASKS:
            self._is_waiting = False
            self._timer.deactivate()
            self._summary.refresh()
            self._learned.refresh()

    @ui.refreshable_method
    async def _summary(self) -> None:
        words, visit = self._visit.words, self._visit
        found = await visit.away(visit.memory.sessions.summary, self._session_id)
        with section(words("sessions.summary"), "notes"):
            if self._is_waiting:
                ui.label(words("sessions.summary_coming")).classes("muted")
                return
            if found is None:
                ui.label(words("sessions.no_summary")).classes("muted")
                return
            ui.label(found.title).classes("font-semibold break-words max-w-full")
            ui.label(found.snippet).classes("break-words whitespace-pre-wrap max-w-full")
            by = (
                words("sessions.by_rules")
                if found.made_by == "rules"
                else words("sessions.by_model", model=found.made_by)
            )
            told = f"{by} · {day_and_clock(words, found.updated_at)}"
            ui.label(told).classes("muted text-sm break-words max-w-full")

    @ui.refreshable_method
    async def _learned(self) -> None:
        words, visit = self._visit.words, self._visit
        wanted = MemoryFilter(session_id=self._session_id, memory_type="long_term")
        found = await visit.away(visit.memory.browse, wanted, limit=MOST_LEARNED)
        with section(words("sessions.learned"), "psychology"):
            if not found.items:
                ui.label(words("sessions.nothing_learned")).classes("muted")
                return
            with ui.element("ul").classes("w-full flex flex-col gap-1 session-learned"):
                for one in found.items:
                    with ui.element("li").classes("w-full"):
                        ui.button(one.content, on_click=partial(self._open, one.id)).props(
                            "flat no-caps align=left dense"
                        ).classes("w-full text-left break-words session-memory")
            if found.total > len(found.items):
                left = found.total - len(found.items)
                ui.label(counted(words, "sessions.more_learned", left)).classes("muted text-sm")

    async def _open(self, memory_id: str) -> None:
        await open_card(self._visit, memory_id, self._learned.refresh)

    @ui.refreshable_method
    async def _working(self) -> None:
        words, visit = self._visit.words, self._visit
        found = await visit.away(visit.memory.sessions.working_memory, self._session_id)
        minutes = await visit.away(_idle_minutes, visit.memory)
        with section(words("sessions.working"), "bolt"):
            if found is None:
                ui.label(words("sessions.no_working", minutes=f"{minutes:g}")).classes("muted")
                return
            with ui.element("dl").classes("session-facts w-full"):
                for name, value in self._facts(found):
                    with ui.element("dt").classes("muted text-sm"):
                        ui.label(name)
                    with ui.element("dd").classes("break-words min-w-0"):
                        ui.label(value).classes("break-words")

    def _facts(self, working: WorkingMemory) -> list[tuple[str, str]]:
        words = self._visit.words
        facts = [
            (words("sessions.topic"), working.current_topic or words("sessions.no_topic")),
            (words("sessions.turns"), f"{working.turn_count:,}"),
        ]
        if working.last_emotion:
            facts.append((words("sessions.mood"), words(f"sessions.mood_{working.last_emotion}")))
        facts += [
            (_variable(self._visit, name), str(value))
            for name, value in working.context_variables.items()
        ]
        facts.append((words("sessions.active"), day_and_clock(words, working.updated_at)))
        return facts


def _idle_minutes(memory: MemoryService) -> float:
    return memory.settings.memory.working_memory_minutes


def _is_busy(memory: MemoryService, session_id: str) -> bool:
    """True while something is still to be made of the session. To be called away."""
    return any(
        one.session_id == session_id and one.kind in _AT_THE_END and _is_at_hand(one)
        for one in memory.jobs.list()
    )


def _is_at_hand(job: JobReport) -> bool:
    """False for one that was given up, or is tried again only later."""
    return job.state == "running" or (job.state == "waiting" and job.due_at <= utc_now())


def _variable(visit: Visit, name: str) -> str:
    """A variable's name as a person says it; one that nobody here knows as it is."""
    try:
        return visit.words(f"sessions.variable_{name}")
    except KeyError:
        return name
