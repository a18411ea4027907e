"""Accesses that are not counted yet: memories that were put into a prompt, once a turn.

A prompt is composed on the caller's time and must not wait for a writer; the counters follow with
the turn that is saved, or from the background.

Source: S3.2.3; decisions 3 ("access is counted once per turn").
"""

import hashlib
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from threading import Lock

from chatmem.errors import ChatmemError
from chatmem.storage.tables.store import Store
from chatmem.storage.values import Owner

_KEPT_TURNS = 10_000
_Place = tuple[int, str | None]


@dataclass(frozen=True, slots=True)
class Access:
    """One prompt's memories, and when it was composed."""

    owner: Owner
    memory_ids: tuple[str, ...]
    at: datetime


class Accesses:
    """What waits to be counted, and which turn of a session was counted last; thread-safe."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._waiting: dict[_Place, Access] = {}
        self._counted: OrderedDict[_Place, bytes] = OrderedDict()

    def note(
        self,
        owner: Owner,
        session_id: str | None,
        message: str,
        memory_ids: Sequence[str],
        at: datetime,
    ) -> None:
        """Remember what went into the prompt for this message; a second prompt for it is the same
        turn.
        """  # noqa: D205
        turn = hashlib.blake2b(message.encode("utf-8", "replace"), digest_size=16).digest()
        place = (owner.number, session_id)
        with self._lock:
            if self._counted.get(place) == turn:
                return
            self._counted[place] = turn
            self._counted.move_to_end(place)
            if len(self._counted) > _KEPT_TURNS:
                self._counted.popitem(last=False)
            before = self._waiting.get(place)
            ids = (*(before.memory_ids if before else ()), *memory_ids)
            if ids:
                self._waiting[place] = Access(owner, ids, at)

    def next_turn(self, owner: Owner, session_id: str) -> None:
        """A turn was saved: the same words said again are another turn."""
        with self._lock:
            self._counted.pop((owner.number, session_id), None)

    def flush(self, store: Store) -> int:
        """Count what waits, inside the caller's transaction or one of its own; how many."""
        if not self._waiting:
            return 0
        with store.transaction():
            with self._lock:
                waiting, self._waiting = self._waiting, {}
            try:
                for access in waiting.values():
                    store.memories.count_access(access.owner, access.memory_ids, access.at)
            except ChatmemError:
                with self._lock:
                    self._waiting = waiting | self._waiting
                raise
        return len(waiting)
