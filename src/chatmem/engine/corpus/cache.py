"""What each viewer's search reads, kept until a row of it changes."""

from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock

from chatmem.engine.corpus.reach import Reach
from chatmem.engine.corpus.shared import SharedBlock
from chatmem.storage.tables.store import Store
from chatmem.storage.values import Owner

KEPT_BYTES = 64 << 20
"""Room for 30 owners of 1,000 rows with their vectors, or for a million rows without."""


@dataclass(slots=True)
class _Kept:
    own_version: int
    sharing_version: int
    reach: Reach


class Corpora:
    """Row facts, corpus, what others share, and, of small owners, vectors.

    Those of the least lately searched go first.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._kept: OrderedDict[int, _Kept] = OrderedDict()

    def get(self, store: Store, viewer: Owner) -> Reach:
        """What the viewer may see, as the open snapshot has it."""
        own, sharing = store.lexical.version(viewer), store.people.version()
        with self._lock:
            kept = self._kept.get(viewer.number)
            if kept is not None:
                self._kept.move_to_end(viewer.number)
                if (kept.own_version, kept.sharing_version) == (own, sharing):
                    return kept.reach
        with store.snapshot():  # where rows of others are read for this viewer, and as such
            reach = _made(store, viewer, kept, own, sharing)
        with self._lock:
            self._kept[viewer.number] = _Kept(own, sharing, reach)
            self._kept.move_to_end(viewer.number)
        self.make_room()
        return reach

    def make_room(self) -> None:
        """Let go of what was used least lately, until the rest is no larger than allowed."""
        with self._lock:
            size = sum(kept.reach.size for kept in self._kept.values())
            while len(self._kept) > 1 and size > KEPT_BYTES:
                size -= self._kept.popitem(last=False)[1].reach.size


def _made(store: Store, viewer: Owner, kept: _Kept | None, own: int, sharing: int) -> Reach:
    """A new reach of what has changed, with everything that has not."""
    if kept is not None and kept.sharing_version == sharing:
        shared = kept.reach.shared
    else:
        shared = _shared(store, viewer, kept.reach.shared if kept else ())
    if kept is None or kept.own_version != own:
        return Reach(store, viewer, store.lexical.rows(viewer), shared)
    if shared == kept.reach.shared:  # the very same blocks
        return kept.reach
    return Reach(store, viewer, kept.reach.own_facts, shared)


def _shared(store: Store, viewer: Owner, known: tuple[SharedBlock, ...]) -> tuple[SharedBlock, ...]:
    before = {block.owner.number: block for block in known}
    found = []
    for shared in store.people.shared_with(viewer):
        block = before.get(shared.owner.number)
        if block is None or not block.is_still(shared):
            block = SharedBlock(store, shared)
        found.append(block)
    return tuple(found)
