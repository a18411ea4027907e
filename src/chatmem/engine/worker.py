"""The worker: jobs, idle sessions and access counters, in the background.

Jobs stand in a table, written in the transaction of what causes them, so a killed process goes on
where it stopped. A job that fails waits for another attempt and holds up no other; after
`MOST_ATTEMPTS` it is given up, until its session has something new.

Source: S2.1.2 (asynchronous), S2.2.2, S2.3.2, S3.1.3; decisions 4 and 5.
"""

import logging
import threading
import time
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta

from chatmem.engine import working
from chatmem.engine.documents import MemoryDocuments
from chatmem.engine.profiles import update_from_session
from chatmem.engine.state import Engine
from chatmem.engine.summarising import summarise
from chatmem.errors import ChatmemError
from chatmem.model.time import utc_now
from chatmem.storage.ports import Job, Owner

TICK_S = 1.0
SWEEP_S = 30.0
QUIET_S = 0.05
MOST_WAIT_S = 1.0
"""Callers come first: a job waits until none was seen for QUIET_S, but not for ever."""
MOST_ATTEMPTS = 5
_BATCH = 50
_RETRY_S = 60.0
_FAR = timedelta(days=365_000)
_log = logging.getLogger(__name__)

DocumentsOf = Callable[[str], MemoryDocuments]
Handler = Callable[[Engine, MemoryDocuments, Owner, str, datetime], object]


def _summary(
    engine: Engine, documents: MemoryDocuments, owner: Owner, session_id: str, now: datetime
) -> None:
    summarise(engine, owner, session_id, now)


def _analysis(
    engine: Engine, documents: MemoryDocuments, owner: Owner, session_id: str, now: datetime
) -> None:
    """Read the messages that wait for it; a configured model reads the last of them again."""
    with engine.store.transaction():
        working.settle(engine, owner, session_id)
    known = engine.store.working.get(owner, session_id)
    if engine.model_analyzer is None or known is None:
        return
    window = engine.store.conversations.window(owner, session_id, 4)
    said = [one for one in window if one.role == "user"]
    if said:
        found = engine.model_analyzer.analyse(said[-1].content, known.working)
        working.refine(engine, owner, said[-1], found)


HANDLERS: Mapping[str, Handler] = {
    "summary": _summary,
    "analysis": _analysis,
    "profile": update_from_session,
}
"""What is done for each kind of job."""


class Worker:
    """A daemon thread that does what is due; `documents_of` gives a user's documents."""

    def __init__(self, engine: Engine, documents_of: DocumentsOf) -> None:
        self._engine = engine
        self._documents_of = documents_of
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._working = threading.Lock()
        self._swept_s = float("-inf")

    def start(self) -> None:
        """Begin; jobs left over from an earlier process are taken up at once."""
        self._thread = threading.Thread(target=self._run, name="chatmem-worker", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End after the job at hand; what is left stays in the table."""
        self._stop.set()
        self._engine.jobs_wake.set()
        if self._thread is not None:
            self._thread.join()

    def run_all(self) -> None:
        """Do every job in the caller's thread, whenever it is due, and once each."""
        tried: set[int] = set()
        while jobs := self._jobs(utc_now() + _FAR, tried):
            for job in jobs:
                tried.add(job.number)
                self._do(job)

    def sweep(self, now: datetime) -> int:
        """How many idle working memories were let go, of all users. Source: S3.1.3."""
        gone = 0
        before = working.idle_since(self._engine, now)
        for owner, session_id in self._engine.store.working.idle(before, _BATCH):
            try:
                documents = self._documents_of(owner.user_id)
                working.retire(self._engine, documents, owner, session_id, now)
                gone += 1
            except ChatmemError as error:  # one user's broken folder must not keep all others
                _log.warning(
                    "the idle session %s of %s stays: %s", session_id, owner.user_id, error
                )
        return gone

    def _run(self) -> None:
        while not self._stop.is_set():
            self._engine.jobs_wake.clear()
            try:
                self._tick()
            except Exception as error:  # noqa: BLE001 - the thread goes on with what it can do
                _log.warning("background work waits: %s", error)
            self._engine.jobs_wake.wait(TICK_S)

    def _tick(self) -> None:
        self._engine.accesses.flush(self._engine.store)
        for job in self._jobs(utc_now(), set()):
            self._make_way()
            if self._stop.is_set():
                return
            self._do(job)
        if time.monotonic() - self._swept_s >= SWEEP_S:
            self._swept_s = time.monotonic()
            self.sweep(utc_now())

    def _jobs(self, now: datetime, tried: set[int]) -> list[Job]:
        found = self._engine.store.jobs.due(now, tuple(HANDLERS), _BATCH + len(tried))
        return [job for job in found if job.number not in tried]

    def _do(self, job: Job) -> None:
        store, now = self._engine.store, utc_now()
        with self._working:
            try:
                documents = self._documents_of(job.owner.user_id)
                HANDLERS[job.kind](self._engine, documents, job.owner, job.session_id, now)
            except Exception as error:  # noqa: BLE001 - one job's defect must not end all others
                _log.warning("%s of session %s failed: %s", job.kind, job.session_id, error)
                if job.attempts + 1 < MOST_ATTEMPTS:
                    retry_at = now + timedelta(seconds=_RETRY_S * 2**job.attempts)
                    with store.transaction():
                        store.jobs.failed(job, f"{job.kind}: {error}", retry_at)
                    return
            with store.transaction():
                store.jobs.done(job)

    def _make_way(self) -> None:
        """Let callers finish: Python runs one thread at a time, and theirs is what counts."""
        until = time.monotonic() + MOST_WAIT_S
        while time.monotonic() < until and not self._stop.is_set():
            quiet = self._engine.called_s + QUIET_S - time.monotonic()
            if quiet <= 0:
                return
            self._stop.wait(quiet)
