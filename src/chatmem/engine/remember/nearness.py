"""Which memories a statement is near to in meaning, and how it bears on them.

Only extracted ones, and those with a key, can be retired by it: what a person or an application
wrote down by itself is theirs; a statement can only repeat or contradict it.

Source: decisions 4.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from chatmem.engine.space import SpacePart
from chatmem.errors import ProviderError, ReaderWeightsError
from chatmem.extraction.extractor import Candidate
from chatmem.extraction.reader.reading import Statement, read_memory
from chatmem.extraction.reader.relation import BEARINGS, Relation, relation
from chatmem.extraction.settle import EXTRACTED, SURE_TO_BE_SAME, Met
from chatmem.model import AtomicMemoryRecord, MemoryFilter
from chatmem.storage.values import RowState, Vector
from chatmem.text.normalise import normalise

MOST_NEAR = 16
"""The nearest memories that a statement is compared with."""


class Nearness(SpacePart):
    """The memories of one user, as one run of settling sees them."""

    def met(self, candidate: Candidate, own_id: str | None = None) -> list[Met]:
        """The valid memories that the candidate may be about, the likeliest to be retired first.

        `own_id` is its own where it stands among them already.
        """
        known = [old for old in self._of_key(candidate) if old.id != own_id]
        new = candidate.statement or statement_of(candidate.content)
        named = self._named_match(candidate, new)
        if named is not None:
            beside = [] if candidate.is_over else known
            return [named, *(Met(old) for old in beside if old.id != named.old.id)]
        by_key = candidate.statement is None and not candidate.is_over
        if new is None or (by_key and known):
            return [Met(old) for old in known]
        near = [old for old in self.near(candidate.content) if old.id != own_id]
        if candidate.is_written and candidate.key is not None:
            # What was written down under another key is about something else.
            near = [old for old in near if old.app_type == EXTRACTED or old.key is None]
        found = self._in_order(new, [*known, *near])
        if candidate.attribute is None and candidate.key is None and not candidate.is_written:
            # An order to remember that says of itself what it is about: it stands beside others.
            return [one for one in found if one.says_the_same]
        return found

    def _named_match(self, candidate: Candidate, new: Statement | None) -> Met | None:
        """The memory that a model has named, where the reader sees that both may be about one."""
        old = self._named(candidate)
        if old is None or candidate.bears_on is None:
            return None
        met = self.bearing(new, old) if new is not None else None
        alike = met is not None and met.relation is not None and met.relation.may_retire
        if not alike and (candidate.key is None or old.key != candidate.key):
            return None
        shares = {one: float(one == candidate.bears_on[1]) for one in BEARINGS}
        return Met(old, Relation(**shares, may_retire=True))

    def _named(self, candidate: Candidate) -> AtomicMemoryRecord | None:
        """The memory that a model has said a candidate to be about, while it is valid."""
        if candidate.bears_on is None:
            return None
        old = self._store.memories.get(self._owner, candidate.bears_on[0])
        return old if old is not None and old.is_valid else None

    def bearing(self, new: Statement, old: AtomicMemoryRecord) -> Met | None:
        """How a statement bears on one memory; None where that has no words."""
        stated = statement_of(old.content)
        if stated is None:
            return None
        found = relation(new, stated)
        if old.source == "system":  # a session's line in the log stays
            found = replace(found, may_retire=False)
        return Met(old, found)

    def meant(self, candidate: Candidate) -> list[AtomicMemoryRecord]:
        """The memories that a person clearly means who asks to forget what the candidate says."""
        named = self._named(candidate)
        known = self._of_key(candidate) if named is None else [named]
        new = candidate.statement or statement_of(candidate.content)
        if known or new is None:
            return known
        return [
            one.old
            for one in self._in_order(new, self.near(candidate.content))
            if normalise(one.old.content) == normalise(candidate.content)
            or (one.relation is not None and one.relation.same >= SURE_TO_BE_SAME)
        ]

    def _in_order(self, new: Statement, known: Sequence[AtomicMemoryRecord]) -> list[Met]:
        by_id = {old.id: old for old in known}
        found = [one for old in by_id.values() if (one := self.bearing(new, old)) is not None]
        return sorted(found, key=lambda one: one.relation.independent if one.relation else 0.0)

    def _of_key(self, candidate: Candidate) -> list[AtomicMemoryRecord]:
        if candidate.key is None:
            return []
        return list(self._store.memories.of_key(self._owner, candidate.key))

    def near(self, content: str) -> list[AtomicMemoryRecord]:
        """Valid memories: the nearest, and the newest of those that have no vector yet."""
        vector = self._vector(content)
        return self._newest() if vector is None else self._nearest(vector)

    def _nearest(self, vector: Vector) -> list[AtomicMemoryRecord]:
        store = self._store
        with store.snapshot():
            facts = self._engine.corpora.get(store, self._owner).own_facts
            state = facts["state"]
            eligible = ((state & RowState.LIVE) > 0) & ((state & RowState.LONG_TERM) > 0)
            eligible &= (state & RowState.SUPERSEDED) == 0
            if not eligible.any():
                return []
            rows = np.unique(store.dense.candidates(self._owner, vector, MOST_NEAR, eligible))
            had, vectors = store.dense.vectors(self._owner, rows[eligible[rows]])
            newest = np.flatnonzero(eligible)[-MOST_NEAR:]
            waiting = np.setdiff1d(newest, store.dense.vectors(self._owner, newest)[0])
        best = np.argsort(-(vectors @ vector), kind="stable")[:MOST_NEAR] if len(had) else had
        numbers = [*had[best].tolist(), *waiting.tolist()]
        records = store.memories.by_rows(self._owner, numbers)
        return [records[number] for number in numbers if number in records]

    def _vector(self, content: str) -> Vector | None:
        engine = self._engine
        if engine.embedder is None or not engine.store.dense.works:
            return None
        try:
            if engine.store.dense.identity() != engine.embedder.identity:
                return None
            vector: Vector = engine.embedder.embed([content])[0]
        except ProviderError:
            return None  # keys and the newest decide
        return vector

    def _newest(self) -> list[AtomicMemoryRecord]:
        wanted = MemoryFilter(memory_type="long_term", state="all")
        page, _ = self._store.pages.page(self._owner, wanted, (4 * MOST_NEAR, 0))
        return [one for one in page if one.is_valid]


def statement_of(content: str) -> Statement | None:
    """What a memory states; None where it has no words, or nothing is there to read it with."""
    try:
        return read_memory(content)
    except ReaderWeightsError:
        return None
