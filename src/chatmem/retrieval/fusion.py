"""One relevance from the two legs.

    relevance = 0.7 * vector + 0.3 * bm25          (S5.3.1; bm25 alone where there are no vectors)

`vector` and `bm25` are in [0, 1]. Both are divided by one common maximum, so that they keep their
proportion: a query without a good match in one leg does not blow that leg's noise up.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from chatmem.retrieval.candidates import Scores

VECTOR_WEIGHT = 0.7
BM25_WEIGHT = 0.3
"""Fixed by S5.3.1."""

PART_SHARE = 0.8
"""Of a row's score, where a message asks several questions: its score for the one it serves best."""
_TINY = 1e-9


@dataclass(frozen=True, slots=True)
class Legs:
    """Scores of the same candidates by words and by meaning; `vector` is None without vectors."""

    bm25: Scores
    vector: Scores | None

    @property
    def mixed(self) -> Scores:
        """0.7 * vector + 0.3 * bm25, or bm25 alone."""
        if self.vector is None:
            return self.bm25
        return VECTOR_WEIGHT * self.vector + BM25_WEIGHT * self.bm25


def join_parts(whole: Legs, parts: Sequence[Legs]) -> Legs:
    """The legs of a message that asks several questions.

    Each question's scores are stretched until its best and its median row stand level with the
    whole message's; a row then counts for the question that it serves best.
    """
    if len(parts) < 2:
        return whole
    level = whole.mixed
    high, middle = level.max(initial=0.0), float(np.median(level)) if len(level) else 0.0
    scales: list[tuple[float, float]] = []
    for part in parts:
        mixed = part.mixed
        spread = max(mixed.max(initial=0.0) - float(np.median(mixed)), _TINY)
        factor = (high - middle) / spread
        scales.append((factor, high - factor * mixed.max(initial=0.0)))
    stretched = np.array(
        [factor * part.mixed + shift for part, (factor, shift) in zip(parts, scales, strict=True)]
    )
    best = np.argmax(stretched, axis=0)
    return Legs(
        _mix(whole.bm25, [part.bm25 for part in parts], scales, best),
        None
        if whole.vector is None
        else _mix(
            whole.vector, [part.vector for part in parts if part.vector is not None], scales, best
        ),
    )


def finish(legs: Legs, factors: Scores) -> Legs:
    """Both legs in [0, 1], the prior factors applied."""
    bm25 = legs.bm25 * factors
    vector = None if legs.vector is None else legs.vector * factors
    top = max(
        bm25.max(initial=0.0), 0.0 if vector is None else vector.max(initial=0.0), _TINY
    )
    return Legs(bm25 / top, None if vector is None else vector / top)


def _mix(
    whole: Scores, parts: Sequence[Scores], scales: Sequence[tuple[float, float]], best: Scores
) -> Scores:
    moved = np.array(
        [factor * part + shift for part, (factor, shift) in zip(parts, scales, strict=True)]
    )
    chosen = moved[best, np.arange(len(whole))]
    return np.clip((1 - PART_SHARE) * whole + PART_SHARE * chosen, 0.0, None)
