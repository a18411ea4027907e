"""The corpus as arrays, one entry a row, and the candidates of a query with their neighbours."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from chatmem.storage.values import Rows

Scores = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Corpus:
    """All rows of an owner: one entry a row from 0 on, deleted rows included.

    `previous` and `following` are rows of the same session, -1 where there is none; `session`
    numbers sessions from 0 on. Rows without a session, or in one where nobody else speaks (notes, a
    monologue), are `solo`: each is a session of its own and has no neighbours. Lengths are in
    tokens, 0 for deleted rows; means are over what is there: live rows, sessions with live rows.
    """

    length: NDArray[np.int64]
    previous: Rows
    following: Rows
    session: Rows
    solo: NDArray[np.bool_]
    speaker: NDArray[np.int64]
    flags: NDArray[np.uint8]
    time_ms: NDArray[np.int64]
    mean_length: float
    session_length: NDArray[np.float64]
    mean_session_length: float
    session_count: int
    live: int
    all_solo: bool

    def __len__(self) -> int:
        return len(self.length)


@dataclass(frozen=True, slots=True)
class Candidates:
    """Some rows of a corpus and their neighbours, ascending.

    `previous` and `following` are places in `rows`, -1 where the neighbour is none of them; `core`
    are the places of the rows that were asked for, the others are there as neighbours only.
    `places` has the place of every row of the corpus, or -1, and one -1 more at its end.
    """

    rows: Rows
    previous: Rows
    following: Rows
    core: Rows
    places: Rows

    def __len__(self) -> int:
        return len(self.rows)


def make_corpus(facts: NDArray[np.void], live: NDArray[np.bool_]) -> Corpus:
    """The corpus that the store's row facts (`storage.values.ROW_DTYPE`) describe.

    `live` marks the rows that exist: deleted ones keep their number.
    """
    count = len(facts)
    session = facts["session"].astype(np.int64)
    speaker = facts["speaker"].astype(np.int64)
    solo = _without_dialogue(session, speaker, live)
    own = np.flatnonzero(solo)
    session[own] = session.max(initial=-1) + 1 + np.arange(len(own))
    previous = np.where(solo, -1, facts["previous"].astype(np.int64))
    previous[~live[previous]] = -1  # a deleted neighbour is none
    following = np.full(count, -1, np.int64)
    linked = np.flatnonzero((previous >= 0) & live)
    following[previous[linked]] = linked
    length = np.where(live, np.maximum(facts["length"].astype(np.int64), 1), 0)
    session_length = np.bincount(session, length).astype(np.float64)
    session_count = int((session_length > 0).sum())
    return Corpus(
        length=length,
        previous=previous,
        following=following,
        session=session,
        solo=solo,
        speaker=speaker,
        flags=np.ascontiguousarray(facts["flags"]),
        time_ms=np.ascontiguousarray(facts["time"]),
        mean_length=float(length.sum()) / max(int(live.sum()), 1) or 1.0,
        session_length=session_length,
        mean_session_length=float(length.sum()) / max(session_count, 1) or 1.0,
        session_count=session_count,
        live=int(live.sum()),
        all_solo=len(own) == count,
    )


def make_candidates(corpus: Corpus, rows: Rows) -> Candidates:
    """The rows, ascending and each once, with the neighbours that their windows reach."""
    if len(rows) == len(corpus):
        return Candidates(rows, corpus.previous, corpus.following, rows, np.append(rows, -1))
    here = np.zeros(len(corpus) + 1, bool)  # a neighbour of -1 is the last
    for around in (rows, corpus.previous[rows], corpus.following[rows]):
        here[around] = True
    wanted = np.flatnonzero(here[:-1])
    places = np.full(len(here), -1)
    places[wanted] = np.arange(len(wanted))
    previous, following = places[corpus.previous[wanted]], places[corpus.following[wanted]]
    return Candidates(wanted, previous, following, places[rows], places)


def _without_dialogue(
    session: Rows, speaker: NDArray[np.int64], live: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Rows in whose session fewer than two people speak."""
    inside = np.flatnonzero((session >= 0) & live)
    within, said = session[inside], speaker[inside]
    first = np.full(session.max(initial=-1) + 2, -2, np.int64)
    first[within] = said  # any one of the session's speakers
    several = np.zeros(len(first), bool)
    several[within[said != first[within]]] = True
    alone = ~several[session]
    alone[session < 0] = True
    return alone
