"""The background: rows get their vectors (`Indexer`), jobs are done (`Worker`).

Both work from tables, written in the transaction of what causes them, so a killed process goes on
where it stopped. Rows are found by keyword as soon as they are saved; vectors follow. A failed job
is tried again, each time later, and holds up no other; after `MOST_ATTEMPTS` it is given up until a
person, or something new in its session, asks for it again. The worker also retires idle working
memory and counts accesses.

Several processes may work on one folder, or from several machines on one database: a worker leases
a job while it does it. A lease expires; one of a process of this machine that is no longer running
ends at once.

Source: S2.1.2 (asynchronous), S2.2.2, S2.3.2, S3.1.3, S5.4, S5.5; decisions 4 and 5.
"""

import logging
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from itertools import islice
from typing import Final

import numpy as np

from chatmem.engine.factory import OpenPlace
from chatmem.engine.leases import LEASE, ended
from chatmem.engine.remember.append import CONSOLIDATION
from chatmem.engine.remember.extract import (
    EXTRACTION,
    FLUSH,
    SESSION_END,
    extract_rest,
    extract_turns,
    step_flush,
)
from chatmem.engine.remember.notes import update_from_session
from chatmem.engine.remember.settling import keep_limits, settle_written
from chatmem.engine.sessions import working_memory as working
from chatmem.engine.settings import EVICTION
from chatmem.engine.space import Space
from chatmem.engine.state import Engine, text_hash
from chatmem.errors import ChatmemError, DatabaseAwayError
from chatmem.extraction.flush import on_flush_given_up
from chatmem.model.time import moment_or_now, utc_now
from chatmem.providers.embedding import Embedder
from chatmem.storage.documents.ports import DocumentWatcher
from chatmem.storage.tables.owners import OWNER_BITS
from chatmem.storage.values import Job, Vectors

BATCH_ROWS = 256
STEP_ROWS = 16
"""Texts embedded between two pauses for callers: some 10 ms of work."""
_EMBED_RETRY_S = 30.0
_AWAY_S = 2.0
_LOOK_S = 20.0
"""Nobody wakes this process for what another has queued and does not embed."""
_log = logging.getLogger(__name__)

Progress = Callable[[int, int], None]


class BackgroundThread(ABC):
    """A daemon thread that works in steps until it is stopped, and makes way for callers."""

    name: str

    def __init__(self, engine: Engine, wake: threading.Event) -> None:
        self._engine = engine
        self._wake = wake
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name=self.name, daemon=True)
        self.working = threading.RLock()

    def start(self) -> None:
        """Begin; what an earlier process has left is taken up at once."""
        self._thread.start()

    def stop(self) -> None:
        """End after the step at hand; what is left stays in its table."""
        self._stop.set()
        self._wake.set()
        if self._thread.ident is not None:
            self._thread.join()

    @abstractmethod
    def step(self) -> None:
        """Do what is due, then wait for more."""

    def _run(self) -> None:
        self._engine.callers.work_behind(self._stop)
        while not self._stop.is_set():
            self._engine.callers.make_way()
            self._wake.clear()
            self.step()


class Indexer(BackgroundThread):
    """Empties the queue of vectors; `failure` says why the last attempt failed, None if not."""

    name = "chatmem-indexer"

    def __init__(self, engine: Engine) -> None:
        super().__init__(engine, engine.wake)
        self.failure: str | None = None

    def drain(self, progress: Progress | None = None) -> None:
        """Work in the caller's thread until no row waits.

        Raises:
            ProviderError: the embedder failed; the rows stay on the queue.
        """
        total = self._engine.store.dense.queue_length()
        done = 0
        while count := self._batch():
            done += count
            if progress is not None:
                progress(min(done, total), total)

    def step(self) -> None:
        """Empty the queue; after a failure wait before the next attempt."""
        try:
            while not self._stop.is_set() and self._batch():
                self._engine.jobs_wake.set()  # some jobs wait for the last of them
            self.failure = None
        except ChatmemError as error:
            self.failure = str(error)
            _log.warning("vectors are waiting: %s", error)
            self._stop.wait(_AWAY_S if isinstance(error, DatabaseAwayError) else _EMBED_RETRY_S)
        else:
            self._wake.wait(_LOOK_S)

    def _batch(self) -> int:
        """Embed and pack one batch; how many rows it was."""
        with self.working:
            store, embedder = self._engine.store, self._engine.embedder
            store.pack(self._engine.callers.make_way)
            if embedder is None or not store.dense.works:
                return 0
            store.dense.use(embedder.identity, embedder.dimension)
            if not (queued := store.dense.queued(BATCH_ROWS)):
                store.dense.finish()
                return 0
            texts = [text for _, text in queued]
            hashes = [text_hash(text) for text in texts]
            vectors = self._vectors(embedder, texts, hashes)
            with store.transaction():
                store.dense.put(queued, hashes, vectors)
            newest = queued if len(queued) < BATCH_ROWS else ()  # of an import more will follow
            for owner in {key >> OWNER_BITS for key, _ in newest}:  # their next search need not
                if (corpus := self._engine.corpora.get(owner)) is not None:
                    with store.snapshot():
                        self._engine.corpora.of(store, corpus.viewer).read_newest()
            return len(queued)

    def _vectors(self, embedder: Embedder, texts: list[str], hashes: list[int]) -> Vectors:
        """A vector a text, (n, dimension); equal texts are embedded once, known ones not at all."""
        found = dict(self._engine.store.dense.cached(hashes))
        fresh = {one: text for one, text in zip(hashes, texts, strict=True) if one not in found}
        for start in range(0, len(fresh), STEP_ROWS):
            self._engine.callers.make_way()
            step = dict(islice(fresh.items(), start, start + STEP_ROWS))
            found.update(zip(step, embedder.embed(list(step.values())), strict=True))
        return np.stack([found[text_hash] for text_hash in hashes]).astype(np.float32)


TICK_S = 1.0
SWEEP_S = 30.0
MOST_ATTEMPTS = 5
_BATCH = 50
_RETRY_S = 60.0
_FAR = timedelta(days=365_000)

Handler = Callable[[Space, str, datetime], datetime | None]
"""Does a job of a session, or memory; a time where it is too early for it: when it is due."""


def _analysis(space: Space, session_id: str, now: datetime) -> None:
    """Read the messages that wait for it; a configured model reads the last of them again."""
    working.settle(space, session_id)
    known, model = space.store.working.get(space.owner, session_id), space.engine.model_analyzer
    if model is None or known is None:
        return
    window = space.store.conversations.window(space.owner, session_id, 4)
    last = next((one for one in reversed(window) if one.role == "user"), None)
    if last is not None:
        found = working.analyse(space.engine, last.content, known.working.current_topic, model)
        working.refine(space, last, found)


HANDLERS: Mapping[str, Handler] = {
    "summary": working.summarise,
    "analysis": _analysis,
    "profile": update_from_session,
    EXTRACTION: extract_turns,
    CONSOLIDATION: settle_written,
    EVICTION: keep_limits,
}
"""What is done for each kind of job."""
TOGETHER: Final = (SESSION_END, FLUSH)
"""What is left of sessions is extracted for several of a user: an import has many short ones."""
_UNHURRIED = (SESSION_END, CONSOLIDATION)
"""They wait for the vectors: an import has many sessions, and searches come first."""
_HURRIED = tuple(kind for kind in (*HANDLERS, *TOGETHER) if kind not in _UNHURRIED)
PATIENCE = timedelta(minutes=5)
"""The longest wait for the vectors: an embedder may be away."""


class Worker(BackgroundThread):
    """Does what is due, and looks for edits; `space_of` gives a user's space."""

    name = "chatmem-worker"

    def __init__(
        self,
        engine: Engine,
        space_of: Callable[[str], Space],
        watchers: Mapping[str, DocumentWatcher],
    ) -> None:
        super().__init__(engine, engine.jobs_wake)
        self._space_of = space_of
        self._watchers = watchers
        self._swept_s = float("-inf")
        self._ended: list[str] = []

    def run_all(self, now: datetime | None = None) -> None:
        """Do every job in the caller's thread, whether or not another attempt is due yet.

        What is throttled stays: its time comes with the clock and with more messages.
        """
        tried: set[int] = set()
        while groups := self._groups(utc_now() + _FAR, _HURRIED + _UNHURRIED, tried):
            for jobs in groups:
                if not self._do(jobs, moment_or_now(now)):
                    tried.update(job.number for job in jobs)

    def sweep(self, now: datetime) -> int:
        """How many idle working memories were retired, of all users. Source: S3.1.3."""
        count = 0
        before = working.idle_since(self._engine, now)
        for owner, session_id in self._engine.store.working.idle(before, _BATCH):
            try:
                working.retire(self._space_of(owner.user_id), session_id, now)
                count += 1
            except ChatmemError as error:  # one user's broken folder must not keep all others
                _log.warning("session %s of %s stays: %s", session_id, owner.user_id, error)
        return count

    def step(self) -> None:
        """Do what is due, then wait for more."""
        try:
            while self._tick():
                pass
        except Exception as error:  # noqa: BLE001 - the thread goes on with what it can do
            _log.warning("background work waits: %s", error)
        self._wake.wait(TICK_S)

    def _tick(self) -> bool:
        """True when more may be due already."""
        self._engine.accesses.flush(self._engine.store)
        with self.working:
            for watcher in list(self._watchers.values()):
                watcher.look()
        now = utc_now()
        waits = self._engine.embedder is not None and self._engine.store.dense.queue_length() > 0
        groups = self._groups(now, _HURRIED) + self._groups(now - PATIENCE * waits, _UNHURRIED)
        for jobs in groups:
            self._engine.callers.make_way()
            if self._stop.is_set():
                return False
            self._do(jobs, utc_now())
        if self._engine.store.purge_due:
            self._engine.store.purge()
        if time.monotonic() - self._swept_s >= SWEEP_S:
            self._swept_s = time.monotonic()
            self.sweep(utc_now())
        return sum(map(len, groups)) >= _BATCH

    def _groups(
        self, due: datetime, kinds: tuple[str, ...], tried: Collection[int] = ()
    ) -> list[list[Job]]:
        """Jobs that are due, in their order; those that are done together in one list."""
        holder, jobs = self._engine.holder, self._engine.store.jobs
        self._ended = ended(jobs.holders())
        together = () if self._engine.model_extractor else TOGETHER  # a model takes its time
        groups: dict[object, list[Job]] = {}
        for job in jobs.due(due, kinds, _BATCH + len(tried), holder, self._ended):
            if job.number not in tried:
                key = (job.owner, job.kind) if job.kind in together else job.number
                groups.setdefault(key, []).append(job)
        # First where all messages are read: they are known to those that quote some of them.
        return sorted(groups.values(), key=lambda jobs: jobs[0].kind not in together)

    def _do(self, jobs: Sequence[Job], now: datetime) -> bool:
        """True when they are done, which are of one user and of one kind."""
        store = self._engine.store
        with self.working:
            claim = (self._engine.holder, begins := utc_now(), begins + LEASE, self._ended)
            with store.transaction():
                jobs = [job for job in jobs if store.jobs.lease(job, *claim)]
            if not jobs:
                return False  # another process was faster
            first = jobs[0]
            try:
                space = self._space_of(first.owner.user_id)
                if first.kind in TOGETHER:
                    due = extract_rest(space, [job.session_id for job in jobs], now)
                else:
                    due = HANDLERS[first.kind](space, first.session_id, now)
            except DatabaseAwayError as error:  # no fault of the job's: it is no attempt
                _log.warning("%s of session %s waits: %s", first.kind, first.session_id, error)
                due = now + timedelta(seconds=_AWAY_S)
            except Exception as error:  # noqa: BLE001 - one job's defect must not end all others
                if len(jobs) > 1:
                    return all([self._do([job], now) for job in jobs])
                self._fail(first, error, now)
                return False
            with store.transaction():
                for job in jobs:
                    if due is None:
                        store.jobs.done(job)
                    else:
                        store.jobs.postponed(job, due)
        return due is None

    def _fail(self, job: Job, raised: Exception, now: datetime) -> None:
        # Only our own errors are known to hold nothing that somebody said.
        why = str(raised) if isinstance(raised, ChatmemError) else type(raised).__name__
        _log.warning("%s of session %s failed: %s", job.kind, job.session_id, why)
        error = f"{job.kind}: {raised}"
        jobs = self._engine.store.jobs
        with self._engine.store.transaction():
            if job.attempts + 1 < MOST_ATTEMPTS:
                jobs.failed(job, error, now + timedelta(seconds=_RETRY_S * 2**job.attempts))
                return
            jobs.give_up(job, error, now)
            if job.kind == FLUSH:  # the next event asks for it anew
                step_flush(self._engine.store, job.owner, job.session_id, on_flush_given_up, now)


class OpenMemory(OpenPlace):
    """An open place, and the threads that work in it behind its callers."""

    def __init__(self, engine: Engine) -> None:
        super().__init__(engine)
        self.indexer = Indexer(engine)
        self.worker = Worker(engine, self.space, self.watchers)
        if engine.in_background:
            self.indexer.start()
            self.worker.start()

    @contextmanager
    def closing(self, user_id: str) -> Iterator[None]:
        """Inside, nothing is done in the background; who asks for the user gets a new space."""
        with self.worker.working, self.indexer.working:
            self.let_go(user_id)
            try:
                yield
            finally:  # somebody may have asked meanwhile
                self.let_go(user_id)

    def close(self) -> None:
        """Stop everything; a second call does nothing."""
        self.worker.stop()  # before the place's lock: its job at hand may ask for documents
        self.indexer.stop()
        super().close()
