"""From the best hit to the rows about the same thing.

A turn has neighbours that complete it; a memory or a note has none. What links those is the thing
they speak of: terms of the best hit that the question does not have. "The one who works in a
library: what is her name?" finds the library first, and through it the rows about her.
"""

from collections.abc import Sequence

import numpy as np

from chatmem.retrieval.candidates import Candidates, Corpus, Scores
from chatmem.retrieval.lexical import idf, unit_max
from chatmem.storage.values import Postings

BRIDGE_WEIGHT = 1.0
"""Beside the lexical leg's own maximum of 1."""
LINKED = 0.25
"""A row with less of the bridge is no match by it: it shares a common word with the best hit."""
MAX_TERMS = 48
"""Terms of one hit that are followed: bounds the work for long entries."""


def bridge_scores(
    corpus: Corpus,
    candidates: Candidates,
    top: int,
    postings: Sequence[Postings],
) -> Scores:
    """One score in [0, 1] a solo candidate; the best hit itself, at place `top`, has 1.

    `postings` are those of the best hit's own terms.
    """
    scores = np.zeros(len(candidates))
    for rows in (one.rows for one in postings):
        if len(rows) < 2:
            continue
        place = np.searchsorted(candidates.rows, rows)
        place[place == len(candidates)] = 0
        hit = place[candidates.rows[place] == rows]
        scores[hit] += float(idf(np.array([len(rows)], np.float64), corpus.live)[0])
    scores[top] = 0.0
    scores = unit_max(scores)
    if scores.any():
        scores[top] = 1.0
    return scores * corpus.solo[candidates.rows]
