"""Background work: what waits, what was given up and why, and trying that again."""

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Final

from nicegui import ui

from chatmem.engine.service import MemoryService
from chatmem.errors import SessionNotFoundError
from chatmem.interfaces.web.saying import counted, day_and_clock
from chatmem.interfaces.web.views.section import named
from chatmem.interfaces.web.views.session_address import address_of
from chatmem.interfaces.web.visit import Visit
from chatmem.model import JobReport

_LOOK_SECONDS: Final = 3.0
_LISTED: Final = 200
_SHOWN: Final = 8


@dataclass(frozen=True, slots=True)
class _Queue:
    jobs: tuple[JobReport, ...]
    vectors: int
    titles: Mapping[str, str]


class QueuePanel:
    """The jobs of this user, looked at again every few seconds."""

    def __init__(self, visit: Visit) -> None:
        self._visit = visit
        self._shown: _Queue | None = None
        self._place = ui.column().classes("w-full gap-3")
        ui.timer(_LOOK_SECONDS, self.load, immediate=False)

    async def load(self) -> None:
        """Show what waits now; where nothing has changed, nothing is drawn again."""
        found = await self._visit.away(self._look)
        if found == self._shown:
            return
        self._shown = found
        self._place.clear()
        with self._place:
            self._show(found)

    def _look(self) -> _Queue:
        memory = self._visit.memory
        jobs = tuple(memory.jobs.list(_LISTED))
        # Without a model for them, no vectors are made: nothing waits then.
        has_model = memory.settings.embedder.name != "none"
        waiting = memory.health().waiting_for_vectors if has_model else 0
        shown = [*_failed(jobs)[:_SHOWN], *_waiting(jobs)[:_SHOWN]]
        return _Queue(jobs, waiting, _titles(memory, shown))

    def _show(self, queue: _Queue) -> None:
        words = self._visit.words
        failed, waiting = _failed(queue.jobs), _waiting(queue.jobs)
        if not queue.jobs and not queue.vectors:
            ui.label(words("overview.idle")).classes("muted")
            return
        with ui.row().classes("w-full gap-x-5 gap-y-1"):
            if waiting:
                ui.label(counted(words, "overview.jobs", len(waiting)))
            if queue.vectors:
                ui.label(counted(words, "overview.vectors_wait", queue.vectors))
            if failed:
                ui.label(counted(words, "overview.failed", len(failed))).classes("field-error")
        for job in failed[:_SHOWN]:
            self._failure(job)
        if waiting:
            with ui.element("ul").classes("job-list w-full"):
                for job in waiting[:_SHOWN]:
                    self._waiting(job)
        left = max(0, len(failed) - _SHOWN) + max(0, len(waiting) - _SHOWN)
        if left:
            ui.label(words("overview.more_jobs", count=left)).classes("muted text-sm")

    def _failure(self, job: JobReport) -> None:
        words = self._visit.words
        with ui.element("div").classes("job-failed w-full"):
            with ui.row().classes("w-full items-center gap-2"):
                ui.label(self._what(job)).classes("font-medium break-words grow min-w-0")
                for name, icon, call in (
                    ("retry", "replay", self._visit.memory.jobs.retry),
                    ("discard", "close", self._visit.memory.jobs.discard),
                ):
                    button = ui.button(words(f"overview.{name}"), icon=icon)
                    button.props("outline dense no-caps size=sm padding='2px 8px'")
                    button.on_click(partial(self._do, call, job.number, name))
                    named(button, words(f"overview.{name}_one", what=self._what(job)))
            told = words("overview.attempts", count=job.attempts)
            ui.label(f"{told}: {job.error}" if job.error else told).classes(
                "muted text-sm break-words"
            )

    def _waiting(self, job: JobReport) -> None:
        words = self._visit.words
        with ui.element("li"), ui.row().classes("items-center gap-x-2 gap-y-0 w-full"):
            icon = "autorenew" if job.state == "running" else "schedule"
            ui.icon(icon, size="xs").classes("muted").props("aria-hidden=true")
            ui.label(words(f"overview.job_{job.kind}"))
            if job.session_id:
                where = address_of(job.session_id)
                link = ui.link(self._titled(job.session_id), where).classes("frame-link")
                link.style("overflow-wrap: anywhere")
            state = words(f"overview.state_{job.state}")
            due = day_and_clock(words, job.due_at)
            ui.label(f"{state} · {due}").classes("muted text-xs")

    def _what(self, job: JobReport) -> str:
        words = self._visit.words
        kind = words(f"overview.job_{job.kind}")
        return f"{kind} · {self._titled(job.session_id)}" if job.session_id else kind

    def _titled(self, session_id: str) -> str:
        return self._shown.titles.get(session_id, session_id) if self._shown else session_id

    async def _do(self, call: Callable[[int], None], number: int, name: str) -> None:
        await self._visit.away_for_long(call, number)
        ui.notify(self._visit.words(f"overview.{name}_done"), type="positive")
        await self.load()


def _failed(jobs: Iterable[JobReport]) -> list[JobReport]:
    return [job for job in jobs if job.state == "failed"]


def _waiting(jobs: Iterable[JobReport]) -> list[JobReport]:
    return [job for job in jobs if job.state != "failed"]


def _titles(memory: MemoryService, jobs: Iterable[JobReport]) -> dict[str, str]:
    """What the sessions of these jobs are called, where they have a name."""
    found = {}
    for session_id in {job.session_id for job in jobs if job.session_id}:
        with suppress(SessionNotFoundError):
            found[session_id] = memory.sessions.get(session_id).title or session_id
    return found
