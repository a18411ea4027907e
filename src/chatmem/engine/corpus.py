"""The corpus of a viewer: own rows first, then what others share, as one list of rows.

Ranking reads through `ViewerCorpus` only: frequencies, means and best scores are taken over exactly
what the viewer may see, so no private row of somebody else changes a score (decisions 6).
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from chatmem.model import AtomicMemoryRecord, Category
from chatmem.retrieval.candidates import Candidates, make_candidates, make_corpus
from chatmem.retrieval.legs import CandidateVectors, window_norms
from chatmem.retrieval.query import ROLES
from chatmem.storage.tables.dense import Stored, parts_of
from chatmem.storage.tables.lexical import TermIndex
from chatmem.storage.tables.owners import Extent, row_id
from chatmem.storage.tables.packed_index import PACK_EVERY, VersionCache
from chatmem.storage.tables.store import Store
from chatmem.storage.values import Occurrences, Owner, Postings, Rows, RowState, SharedRows, Vectors

CACHE_BYTES = 64 << 20
"""Room for 30 owners of 1,000 rows with their vectors, or for a million rows without."""
CACHED_VECTORS = 2_048
"""Of a user who shares more rows, only the candidates' vectors are read, anew for each query."""
_BYTES_A_ROW = 64


class SharedBlock:
    """One owner's rows that a viewer may see, counted from 0 on; what is read of them is cached.

    So a query costs no statement for each user who shares. Sessions, neighbours and speakers are
    left out, which could belong to private rows.
    """

    def __init__(self, store: Store, shared: SharedRows) -> None:
        self.shared = shared
        self._store = store
        self.facts = store.lexical.facts_of(shared.owner, shared.rows)
        for name in ("session", "previous", "speaker"):
            self.facts[name] = -1
        self._terms: TermIndex | None = None
        self._vectors: Stored | None = None

    def __len__(self) -> int:
        return len(self.shared.rows)

    @property
    def size(self) -> int:
        """About how many bytes it takes."""
        terms = self._terms.size if self._terms else 0
        return self.facts.nbytes + terms + (0 if self._vectors is None else self._vectors.nbytes)

    def is_still(self, shared: SharedRows) -> bool:
        """True when what was read here is what would be read now."""
        known = self.shared
        return known.version == shared.version and np.array_equal(known.rows, shared.rows)

    def terms(self) -> TermIndex:
        """Which of the rows hold which term."""
        if self._terms is None:
            self._terms = TermIndex()
            tokens = self._store.lexical.tokens(self.shared.owner, self.shared.rows)
            self._terms.renew({row: " ".join(held) for row, held in enumerate(tokens)})
        return self._terms

    def vectors(self, rows: Rows) -> Stored:
        """The vectors of the rows, ascending, as they are stored."""
        if len(self) > CACHED_VECTORS:
            return self._store.dense.stored(self.shared.owner, self.shared.rows[rows])
        if self._vectors is None:
            self._vectors = self._store.dense.stored(self.shared.owner, self.shared.rows)
        return self._vectors[rows]


class ViewerCorpus:
    """One state of what a viewer may see.

    Rows 0..own-1 are the viewer's own, with the store's numbers; those of others follow, block by
    block. `facts` (`ROW_DTYPE`), `state`, `live`, `has_words` and `arrays` have one entry a row;
    `extent` has the versions of the own rows and of what is shared.
    """

    def __init__(
        self,
        store: Store,
        viewer: Owner,
        extent: Extent,
        own: NDArray[np.void],
        shared: Sequence[SharedBlock],
    ) -> None:
        self.extent = extent
        self._store = store
        self.viewer = viewer
        self.own = len(own)
        self.own_facts = own
        self.shared = tuple(shared)
        self._firsts = np.cumsum([self.own, *(len(block) for block in shared)])[:-1].tolist()
        self.facts = np.concatenate([own, *(one.facts for one in shared)]) if shared else own
        self.state = np.ascontiguousarray(self.facts["state"])
        self.live: NDArray[np.bool_] = (self.state & RowState.LIVE) > 0
        self.has_words: NDArray[np.bool_] = self.facts["length"] > 0
        self.arrays = make_corpus(self.facts, self.live)
        self._all_vectors: CandidateVectors | None = None
        self._norms = np.full(len(self.facts), np.nan)  # of windows that were asked for

    def __len__(self) -> int:
        return len(self.facts)

    @property
    def size(self) -> int:
        """About how many bytes it takes."""
        vectors = self._all_vectors.vectors.nbytes if self._all_vectors else 0
        return _BYTES_A_ROW * len(self) + vectors + sum(one.size for one in self.shared)

    def occurrences(self, terms: Sequence[str], prefixes: Sequence[str]) -> Occurrences:
        """Where the terms occur, then the prefixes."""
        own = self._store.lexical.occurrences(self.viewer, terms, prefixes)
        if not self.shared:
            return own
        theirs = ((one, block.terms().postings(terms, prefixes)) for one, block in self._blocks())
        moved = ([Postings(one.rows + first, one.counts) for one in each] for first, each in theirs)
        return Occurrences(*own.parts, *moved)

    def read_newest(self) -> None:
        """Read what a question will: terms, also older ones of the last turn, vectors, speakers."""
        newest = np.arange(self.extent.packed, self.own)
        if 0 < len(newest) <= 2 * PACK_EVERY:  # else an import is under way
            last = chain(*self._store.lexical.tokens(self.viewer, newest[-2:]))
            self._store.lexical.occurrences(self.viewer, list({*last}), ())
            self.vectors(make_candidates(self.arrays, newest))
            _ = self.speakers

    def vectors(self, candidates: Candidates) -> CandidateVectors | None:
        """The candidates' vectors, None where nobody has one; kept if they are all there are."""
        if len(candidates) < len(self):
            return self._read_vectors(candidates)
        if self._all_vectors is None and (found := self._read_vectors(candidates)) is not None:
            self._all_vectors = found._replace(vectors=found.vectors.astype(np.float32))
        return self._all_vectors

    def know_windows_of(self, before: "ViewerCorpus", unchanged: int) -> None:
        """The first rows' vectors are unchanged: their windows are, where their neighbours are."""
        now, then = self.arrays, before.arrays
        same = now.following[:unchanged] < unchanged
        same &= now.following[:unchanged] == then.following[:unchanged]
        same &= now.previous[:unchanged] == then.previous[:unchanged]
        self._norms[:unchanged][same] = before._norms[:unchanged][same]

    def nearest(
        self, vector: Vectors, limit: int, eligible: Sequence[NDArray[np.bool_]]
    ) -> list[Rows]:
        """For each of the masks, the own rows in it whose codes are nearest, unordered."""
        return self._store.dense.candidates(self.viewer, vector, limit, *eligible)

    @cached_property
    def speakers(self) -> tuple[tuple[int, str, str], ...]:
        """Number, name and index terms of everybody who speaks in the viewer's conversations."""
        return tuple(self._store.owners.speakers(self.viewer))

    @cached_property
    def assistants(self) -> frozenset[int]:
        """Speakers of the own rows that are no people."""
        return frozenset(
            number for number, name, _ in self.speakers if name in ROLES and name != "user"
        )

    def of_category(self, categories: Collection[Category], limit: int) -> list[int]:
        """The newest valid long-term memories of these categories."""
        if not categories:
            return []
        found = self._store.memories.of_category(self.viewer, sorted(categories), limit)
        for first, block in self._blocks():
            state = block.facts["state"]
            valid = (state & (RowState.LONG_TERM | RowState.SUPERSEDED)) == RowState.LONG_TERM
            of_them = np.array([one in categories for one in block.shared.categories], bool)
            found += (np.flatnonzero(valid & of_them) + first).tolist()
        return sorted(found, key=lambda row: -int(self.facts["time"][row]))[:limit]

    def records(self, rows: Sequence[int]) -> dict[int, AtomicMemoryRecord]:
        """The memories of these rows, by row; those that the viewer may (still) see."""
        keys = dict(zip(self.keys[rows].tolist(), rows, strict=True))
        found = self._store.memories.by_keys(self.viewer, list(keys))
        return {keys[key]: record for key, record in found.items()}

    @cached_property
    def keys(self) -> Rows:
        """The store's key of each row."""
        own = row_id(self.viewer, 0) + np.arange(self.own)
        theirs = (row_id(one.shared.owner, 0) + one.shared.rows for one in self.shared)
        return np.concatenate([own, *theirs])

    def _blocks(self) -> Iterator[tuple[int, SharedBlock]]:
        """Each block with its first row."""
        return zip(self._firsts, self.shared, strict=True)

    def _read_vectors(self, candidates: Candidates) -> CandidateVectors | None:
        rows = candidates.rows
        own = rows[: int(np.searchsorted(rows, self.own))]
        parts = [self._store.dense.kept(self.viewer, own)] if len(own) else []
        for first, block in self._blocks():
            low, high = np.searchsorted(rows, [first, first + len(block)])
            if low < high:
                parts.append(block.vectors(rows[low:high] - first))
        vectors, scales = parts_of(parts[0] if len(parts) == 1 else np.concatenate(parts))
        known = scales > 0
        if not known.any():
            return None
        windows = rows[candidates.core]
        new = candidates.core[np.isnan(self._norms[windows])]
        if len(new):
            windows_of = replace(candidates, core=new)
            self._norms[rows[new]] = window_norms(vectors, scales, windows_of)[new]
        norms = np.zeros(len(candidates))
        norms[candidates.core] = self._norms[windows]
        return CandidateVectors(known, vectors, scales, norms)


class CorpusCache(VersionCache[ViewerCorpus]):
    """Each viewer's corpus until a row of it changes; the last that was searched stays."""

    def __init__(self) -> None:
        super().__init__(CACHE_BYTES, lambda corpus: corpus.size, least=1)

    def of(self, store: Store, viewer: Owner, extent: Extent | None = None) -> ViewerCorpus:
        """What the viewer may see, as the open snapshot has it; or what had this extent."""
        extent = extent or store.owners.extent(viewer)
        before = self.get(viewer.number)
        if before is not None and before.extent == extent:
            return before
        with store.snapshot():  # where rows of others are read for this viewer, and as such
            corpus = _renewed(store, viewer, before, extent)
        self.put(viewer.number, 0, corpus)
        return corpus


def _renewed(
    store: Store, viewer: Owner, before: ViewerCorpus | None, extent: Extent
) -> ViewerCorpus:
    """A corpus of this extent; what has not changed since `before` is not read again."""
    shared = before.shared if before is not None else ()
    if before is None or before.extent.sharing != extent.sharing:
        known = {block.shared.owner.number: block for block in shared}
        found = []
        for one in store.people.shared_with(viewer):
            block = known.get(one.owner.number)
            if block is None or not block.is_still(one):
                block = SharedBlock(store, one)
            found.append(block)
        shared = tuple(found)
    if before is None or before.extent.version != extent.version:
        corpus = ViewerCorpus(store, viewer, extent, store.lexical.rows(viewer), shared)
        if before is not None and before.extent.packed_version == extent.packed_version:
            corpus.know_windows_of(before, extent.packed)
        return corpus
    if shared == before.shared:  # the very same blocks
        before.extent = extent
        return before
    return ViewerCorpus(store, viewer, extent, before.own_facts, shared)
