"""Small corpora, drawn by hand or by hypothesis, and what stands in them."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from chatmem.retrieval.candidates import Candidates, Corpus, make_candidates, make_corpus
from chatmem.storage.values import ROW_DTYPE, Occurrences, Postings

TERMS = ("tea", "猫", "home", "run")


@dataclass(frozen=True)
class Said:
    """One row: its words, its session (-1: none) and its speaker; `gone` when deleted."""

    words: tuple[str, ...]
    session: int = -1
    speaker: int = -1
    gone: bool = False
    flags: int = 0
    time_ms: int = 0


def corpus_of(rows: Sequence[Said]) -> Corpus:
    facts = np.zeros(len(rows), ROW_DTYPE)
    last: dict[int, int] = {}
    for place, row in enumerate(rows):
        previous = last.get(row.session, -1) if row.session >= 0 else -1
        last[row.session] = place
        known = (len(row.words), row.session, previous, row.speaker, row.flags, 1, row.time_ms)
        facts[place] = (0, -1, -1, -1, 0, 0, 0) if row.gone else known
    return make_corpus(facts, facts["state"] > 0)


def everything(corpus: Corpus) -> Candidates:
    return make_candidates(corpus, np.arange(len(corpus)))


def occurrences_of(rows: Sequence[Said], terms: Sequence[str] = TERMS) -> Occurrences:
    found = []
    for term in terms:
        counts = {
            place: Counter(row.words)[term]
            for place, row in enumerate(rows)
            if term in row.words and not row.gone
        }
        found.append(
            Postings(np.array(list(counts), np.int64), np.array([*counts.values()], np.float64))
        )
    return Occurrences(found)


said = st.builds(
    Said,
    words=st.lists(st.sampled_from([*TERMS, "other"]), min_size=1, max_size=6).map(tuple),
    session=st.integers(-1, 2),
    speaker=st.integers(0, 1),
    gone=st.sampled_from([False, False, False, True]),
)
