"""The arrays that ranking reads of each owner, kept until a row of the owner changes."""

from collections import OrderedDict
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from chatmem.retrieval.candidates import Corpus, make_corpus
from chatmem.storage.ports import LexicalIndex, Owner, RowState

KEPT_ROWS = 500_000
"""Rows whose arrays are kept: 60 bytes each."""


class Corpora:
    """Row facts and corpus of the owners that were searched last."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._kept: OrderedDict[int, tuple[int, NDArray[np.void], Corpus]] = OrderedDict()

    def get(self, lexical: LexicalIndex, owner: Owner) -> tuple[NDArray[np.void], Corpus]:
        """The owner's row facts, and the corpus they make, as the open snapshot has them."""
        version = lexical.version(owner)
        with self._lock:
            known = self._kept.get(owner.number)
            if known is not None and known[0] == version:
                self._kept.move_to_end(owner.number)
                return known[1:]
        facts = lexical.rows(owner)
        corpus = make_corpus(facts, (facts["state"] & RowState.LIVE) > 0)
        with self._lock:
            self._kept[owner.number] = (version, facts, corpus)
            rows = sum(len(one[1]) for one in self._kept.values())
            while len(self._kept) > 1 and rows > KEPT_ROWS:
                rows -= len(self._kept.popitem(last=False)[1][1])
        return facts, corpus
