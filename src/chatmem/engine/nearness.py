"""Which memories a statement is near to in meaning.

Only extracted ones: what a person or an application wrote down by itself meets by key alone, unless
it has the very same words.

Source: decisions 4 ("near in meaning").
"""

from collections.abc import Sequence
from datetime import datetime

import numpy as np

from chatmem.engine.state import Engine
from chatmem.errors import ProviderError
from chatmem.extraction.candidate import Candidate
from chatmem.extraction.replaced import may_replace, replaces
from chatmem.extraction.settle import ends_or_moves, frame
from chatmem.model import AtomicMemoryRecord
from chatmem.storage.ports import Owner, RowState, Vector
from chatmem.text.normalise import normalise

SAME_MEANING = 0.93
"""Cosine from which two statements are one, said in other words."""
LOOKED_AT = 20
EXTRACTED = "extraction"
"""The `app_type` of memories that were extracted."""


def _moment(candidate: Candidate) -> datetime:
    assert candidate.said_at is not None
    return candidate.said_at


class Nearness:
    """The extracted memories of one user, as one run of settling sees them."""

    def __init__(self, engine: Engine, owner: Owner) -> None:
        self._engine = engine
        self._owner = owner
        self._added: list[AtomicMemoryRecord] = []

    def add(self, record: AtomicMemoryRecord) -> None:
        """A memory that was written since, and may have no vector yet."""
        self._added.append(record)

    def of(self, candidate: Candidate) -> list[AtomicMemoryRecord]:
        """The valid memory that says nearly the same, or says another value in the same words."""
        near = self._near(candidate.content)
        said = frame(candidate.content, candidate.value)
        for old, cosine in near:
            if normalise(old.content) == normalise(candidate.content):
                return [old]
            if old.app_type != EXTRACTED:
                continue
            if old.category != candidate.category or old.kind != candidate.kind:
                continue
            if ends_or_moves(candidate, old):
                return [old]
            apart = None not in (old.key, candidate.key) and old.key != candidate.key
            if said is not None and not apart and frame(old.content, old.value) == said:
                return [old]
            keyless = old.key is None and candidate.key is None
            if keyless and cosine >= SAME_MEANING:
                return [old]
        return []

    def replaced_by(self, candidate: Candidate) -> list[AtomicMemoryRecord]:
        """The extracted memory that the statement clearly makes out of date, said before it."""
        if candidate.wish != "remember" or not may_replace(candidate.content):
            return []
        best: list[tuple[float, AtomicMemoryRecord | None]] = [(0.0, None), (0.0, None)]
        for old in self._all_known(candidate.content):
            if old.app_type != EXTRACTED or (old.valid_from or old.timestamp) >= _moment(candidate):
                continue
            for way, sure in enumerate(replaces(candidate.content, candidate.key, old)):
                if sure > best[way][0]:
                    best[way] = (sure, old)
        found = {old.id: old for _, old in best if old is not None}
        return list(found.values())

    def _all_known(self, content: str) -> list[AtomicMemoryRecord]:
        """Those near in meaning, then the newest of the others."""
        found = {old.id: old for old, _ in self._near(content)}
        found.update((old.id, old) for old in self._newest() if old.id not in found)
        return list(found.values())

    def meant(self, content: str, least: float) -> list[AtomicMemoryRecord]:
        """Memories whose words are these, or whose meaning is as near as `least`."""
        said = set(normalise(content).split())
        return [
            old
            for old, cosine in self._near(content)
            if cosine >= least or set(normalise(old.content).split()) == said
        ]

    def _near(self, content: str) -> list[tuple[AtomicMemoryRecord, float]]:
        """Valid memories, the nearest first, and how near they are."""
        found = [(old, 0.0) for old in self._added if self._is_valid(old)]
        vector = self._vector(content)
        if vector is None:
            return found + [(old, 0.0) for old in self._newest()]
        rows = self._rows(vector)
        records = self._engine.store.memories.by_rows(self._owner, [row for row, _ in rows])
        known = {old.id for old, _ in found}
        for row, cosine in rows:
            record = records.get(row)
            if record is not None and record.id not in known:
                found.append((record, cosine))
        return sorted(found, key=lambda one: -one[1])

    def _rows(self, vector: Vector) -> Sequence[tuple[int, float]]:
        store = self._engine.store
        with store.snapshot():
            facts = self._engine.corpora.get(store, self._owner).own_facts
            state = facts["state"]
            eligible = ((state & RowState.LIVE) > 0) & ((state & RowState.LONG_TERM) > 0)
            eligible &= (state & RowState.SUPERSEDED) == 0
            if not eligible.any():
                return []
            rows = np.unique(store.dense.candidates(self._owner, vector, LOOKED_AT, eligible))
            had, vectors = store.dense.vectors(self._owner, rows[eligible[rows]])
        if not len(had):
            return []
        cosines = vectors @ vector
        best = np.argsort(-cosines, kind="stable")[:LOOKED_AT]
        return [(int(had[one]), float(cosines[one])) for one in best]

    def _vector(self, content: str) -> Vector | None:
        engine = self._engine
        if engine.embedder is None or any(one.what == "vectors" for one in engine.missing()):
            return None
        try:
            if engine.store.dense.identity() != engine.embedder.identity:
                return None
            vector: Vector = engine.embedder.embed([content])[0]
        except ProviderError:
            return None  # keys and words decide
        return vector

    def _newest(self) -> list[AtomicMemoryRecord]:
        page = self._engine.store.memories.page(self._owner, "long_term", 200, 0)
        return [one for one in page if one.is_valid]

    def _is_valid(self, record: AtomicMemoryRecord) -> bool:
        stored = self._engine.store.memories.get(self._owner, record.id)
        return stored is not None and stored.is_valid
