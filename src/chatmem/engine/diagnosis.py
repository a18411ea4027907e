"""Numbers and findings about an open memory: for `stats`, `doctor`, `jobs` and whoever watches."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from chatmem.engine.checks import checked_limit
from chatmem.engine.remember.markdown import Profiles
from chatmem.engine.space import SpacePart
from chatmem.engine.state import Engine
from chatmem.engine.worker import OpenMemory
from chatmem.errors import ChatmemError, InvalidInputError, ReaderWeightsError, StorageError
from chatmem.extraction.reader.network import read_weights
from chatmem.model import PROFILES, JobReport, MemoryFilter, Missing
from chatmem.model.time import moment_or_now


@dataclass(frozen=True, slots=True, kw_only=True)
class Stats:
    """Counts of one user, sizes of the whole database, and what is missing."""

    user_id: str
    users: int
    sessions: int
    messages: int
    short_term: int
    long_term: int
    waiting_for_vectors: int
    waiting_jobs: int
    database: str
    database_bytes: int
    schema_version: int
    backend: str
    embedder: str | None
    missing: tuple[Missing, ...]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at: its name, whether it is well, and what there is to say."""

    name: str
    ok: bool
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Health:
    """What works, and what waits.

    `can_serve` is whether the database answers. `degraded` is what was wanted and is not there:
    words or vectors alone find less, and work that was given up waits for a person.
    """

    can_serve: bool
    degraded: tuple[Missing, ...] = ()
    waiting_for_vectors: int = 0
    waiting_jobs: int = 0
    jobs_given_up: int = 0

    def has(self, capability: str) -> bool:
        """True where this is not among what is degraded."""
        return self.can_serve and all(one.what != capability for one in self.degraded)


PURGE_DUE = (
    "deleted text is still in the write-ahead log, since another program reads an older state of "
    "the database (a backup, perhaps): it goes once that ends"
)
CAPABILITIES = ("full_text", "vectors", "embedder", "indexer", "jobs", "settings", "purge")
"""What `Health.degraded` may name."""
_ASK = "`chatmem doctor` says why"
"""Reasons may hold addresses and words of other servers; whoever only watches gets none of them."""


class Diagnosis(SpacePart):
    """Says how an open memory is."""

    _opened: OpenMemory

    def stats(self) -> Stats:
        """Counts of this user, sizes and capabilities."""
        owner, store = self._owner, self._store
        messages, sessions = store.conversations.counts(owner)
        count = store.pages.count
        return Stats(
            user_id=owner.user_id,
            users=len(store.users()),
            sessions=sessions,
            messages=messages,
            short_term=count(owner, MemoryFilter(memory_type="short_term", state="all")),
            long_term=count(owner, MemoryFilter(memory_type="long_term", state="all")),
            waiting_jobs=store.jobs.state()[0],
            missing=self._engine.missing(),
            **store.facts(),
        )

    def health(self) -> Health:
        """How the whole place is, cheaply: no row of anybody's is read, nothing is repaired."""
        engine = self._engine
        try:
            missing = engine.missing()
            waiting = engine.store.dense.queue_length()
            jobs, trouble, given_up = engine.store.jobs.state()
            ignored = engine.stored_settings.rejected()
        except StorageError:
            return Health(can_serve=False)
        wanted = engine.settings.embedder.name != "none"
        degraded = [one for one in missing if wanted or one.what != "embedder"]
        if self._opened.indexer.failure is not None:
            degraded.append(Missing("indexer", f"the embedder fails: {_ASK}"))
        if given_up:
            degraded.append(Missing("jobs", f"{given_up} given up: {_ASK}"))
        elif trouble is not None:
            degraded.append(Missing("jobs", f"one failed and will be tried again: {_ASK}"))
        if ignored:
            degraded.append(Missing("settings", f"{len(ignored)} stored are ignored: {_ASK}"))
        if engine.store.purge_due:
            degraded.append(Missing("purge", PURGE_DUE))
        return Health(
            can_serve=True,
            degraded=tuple(degraded),
            waiting_for_vectors=waiting,
            waiting_jobs=jobs,
            jobs_given_up=given_up,
        )

    def diagnose(self) -> list[Finding]:
        """What works, what does not, and what to do about it."""
        engine, indexer = self._engine, self._opened.indexer
        intact = "intact, encrypted" if engine.store.encrypted else "intact"
        found = [_finding("database", engine.store.check(), intact)]
        missing = {one.what: one.why for one in engine.missing()}
        for name in ("full_text", "vectors", "embedder"):
            wanted = name != "embedder" or engine.settings.embedder.name != "none"
            well = name not in missing or not wanted
            runs_on = getattr(engine.embedder, "engine", None) if name == "embedder" else None
            available = f"available, on {runs_on}" if runs_on else "available"
            found.append(Finding(name, well, missing.get(name, available)))
        found.append(_reader(engine))
        found.append(_finding("settings", engine.stored_settings.rejected(), "all obeyed"))
        found.append(self._folded_in())
        waiting = engine.store.dense.queue_length()
        detail = f"{waiting} rows wait for their vector" if waiting else "up to date"
        found.append(Finding("vector queue", indexer.failure is None, indexer.failure or detail))
        found.append(_jobs(engine))
        purged = not engine.store.purge_due or engine.store.purge()
        found.append(Finding("purge", purged, "nothing deleted is left" if purged else PURGE_DUE))
        watcher = self._opened.watchers.get(self._owner.user_id)
        if watcher is not None:
            found.append(Finding("watcher", not watcher.why, watcher.why or "watching"))
        return found

    def _folded_in(self) -> Finding:
        try:
            self._documents.fold_in()
            profiles = Profiles(self._space, self._opened.space)
            for name in PROFILES:  # one that cannot be read is among the notices then
                profiles.visible(name)
            held = [notice.why for notice in self._documents.notices()]
        except ChatmemError as error:
            return Finding("documents", False, str(error))
        return _finding("documents", held, "in step with the index")


def _finding(name: str, troubles: Sequence[str], fine: str) -> Finding:
    return Finding(name, not troubles, "; ".join(troubles) or fine)


def _reader(engine: Engine) -> Finding:
    """Whether messages can be read for memories, and how many were too long for that."""
    try:
        read_weights()
    except ReaderWeightsError as error:
        return Finding("reader", False, str(error))
    unread = f"{engine.unread} messages were too long to be read" if engine.unread else ""
    return Finding("reader", True, unread or "reads messages for what is worth keeping")


def _jobs(engine: Engine) -> Finding:
    waiting, trouble, given_up = engine.store.jobs.state()
    detail = trouble or (f"{waiting} jobs wait" if waiting else "nothing waits")
    if given_up:
        how = "`chatmem jobs` says why, `chatmem jobs --retry NUMBER` tries one again"
        detail = f"{given_up} given up: {how}"
    return Finding("jobs", trouble is None and not given_up, detail)


class Jobs(SpacePart):
    """The jobs of one user; a number of none that was given up is an `InvalidInputError`."""

    def list(self, limit: int = 100) -> list[JobReport]:
        """Jobs that are not done: those given up first, then by the time when they are due."""
        return self._store.jobs.of_user(self._owner, checked_limit(limit))

    def retry(self, number: int, *, now: datetime | None = None) -> None:
        """Try a job again that was given up."""
        with self._store.transaction():
            _check(number, self._store.jobs.retry(self._owner, number, moment_or_now(now)))
        self._engine.jobs_wake.set()

    def discard(self, number: int) -> None:
        """Delete a job that was given up."""
        with self._store.transaction():
            _check(number, self._store.jobs.discard(self._owner, number))


def _check(number: int, found: bool) -> None:
    if not found:
        raise InvalidInputError(
            f"job: none with the number {number!r} was given up; `chatmem jobs` lists them"
        )
