"""How an opened memory is, cheaply: asked every few seconds by whoever watches a server."""

from dataclasses import dataclass

from chatmem.engine.opened import Opened
from chatmem.errors import StorageError
from chatmem.model import Missing

_ASK = "`chatmem doctor` says why"
"""Reasons may hold addresses and words of other servers; whoever only watches gets none of them."""


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


CAPABILITIES = ("full_text", "vectors", "embedder", "indexer", "jobs", "settings")
"""What `Health.degraded` may name."""


def health_of(opened: Opened) -> Health:
    """How it is now; nothing is repaired, and no row of anybody's is read."""
    engine = opened.engine
    try:
        missing = engine.missing()
        waiting = engine.store.dense.queue_length()
        jobs, trouble = engine.store.jobs.state()
        given_up = engine.store.jobs.given_up()
        ignored = engine.live.rejected()
    except StorageError:
        return Health(can_serve=False)
    wanted = engine.settings.embedder.name != "none"
    degraded = [one for one in missing if wanted or one.what != "embedder"]
    if opened.indexer.failure is not None:
        degraded.append(Missing("indexer", f"the embedder fails: {_ASK}"))
    if given_up:
        degraded.append(Missing("jobs", f"{given_up} given up: {_ASK}"))
    elif trouble is not None:
        degraded.append(Missing("jobs", f"one failed and will be tried again: {_ASK}"))
    if ignored:
        degraded.append(Missing("settings", f"{len(ignored)} stored are ignored: {_ASK}"))
    return Health(
        can_serve=True,
        degraded=tuple(degraded),
        waiting_for_vectors=waiting,
        waiting_jobs=jobs,
        jobs_given_up=given_up,
    )
