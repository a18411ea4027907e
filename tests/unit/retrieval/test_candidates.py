"""Candidates and their windows, and the vectors' score of them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.retrieval.corpora import Said, corpus_of, everything, said

from chatmem.retrieval.candidates import make_candidates
from chatmem.retrieval.legs import SCALE, dense_scores, window_cosines, window_norms
from chatmem.storage.values import Vectors


@given(st.lists(said, min_size=1, max_size=14), st.data())
def test_candidates_are_wanted_rows_and_neighbours(rows: list[Said], data: st.DataObject) -> None:
    corpus = corpus_of(rows)
    wanted = np.array(
        sorted(data.draw(st.sets(st.integers(0, len(rows) - 1), max_size=len(rows)))), np.int64
    )

    candidates = make_candidates(corpus, wanted)

    assert candidates.rows[candidates.core].tolist() == wanted.tolist()
    assert (np.diff(candidates.rows) > 0).all()
    for own, places in (
        (corpus.previous, candidates.previous),
        (corpus.following, candidates.following),
    ):
        for core in candidates.core.tolist():
            row, place = int(candidates.rows[core]), int(places[core])
            assert (int(candidates.rows[place]) if place >= 0 else -1) == own[row]


QUERY = np.array([1.0, 0.0, 0.0])


def _vectors(count: int, seed: int = 3) -> Vectors:
    drawn = np.random.default_rng(seed).normal(size=(count, 3)).astype(np.float32)
    vectors: Vectors = drawn / np.linalg.norm(drawn, axis=1, keepdims=True)
    return vectors


@given(st.lists(said, min_size=1, max_size=10))
def test_a_windows_cosine_is_that_of_the_sum_of_its_vectors(rows: list[Said]) -> None:
    corpus = corpus_of(rows)
    candidates = everything(corpus)
    vectors = _vectors(len(rows))

    norms = window_norms(vectors, candidates)
    near = window_cosines(candidates, (vectors @ QUERY).astype(np.float64), norms)
    scores = dense_scores(corpus, candidates, near)

    windows = vectors.astype(np.float64)
    for place in range(len(rows)):
        for beside, share in ((corpus.previous, 0.6), (corpus.following, 0.3)):
            if beside[place] >= 0:
                windows[place] += share * vectors[beside[place]].astype(np.float64)
    cosines = windows @ QUERY / np.linalg.norm(windows, axis=1)
    best = [cosines[corpus.session == corpus.session[place]].max() for place in range(len(rows))]
    expected = SCALE * np.clip((cosines + best) / 2, 0, 1)
    assert norms == pytest.approx(np.linalg.norm(windows, axis=1), rel=1e-4)
    assert scores == pytest.approx(expected, abs=1e-4)


@given(st.lists(said, min_size=1, max_size=10), st.integers(0, 9))
def test_a_row_has_one_window_whoever_else_is_a_candidate(rows: list[Said], wanted: int) -> None:
    corpus = corpus_of(rows)
    row = wanted % len(rows)
    vectors = _vectors(len(rows))
    some = make_candidates(corpus, np.array([row]))

    alone = window_norms(vectors[some.rows], some)

    assert alone[some.core[0]] == pytest.approx(
        window_norms(vectors, everything(corpus))[row], rel=1e-5
    )
    others = np.setdiff1d(np.arange(len(some)), some.core)
    assert not alone[others].any()


def test_a_row_without_a_vector_scores_by_what_stands_beside_it() -> None:
    rows = [Said(("a",), 0, 0), Said(("b",), 0, 1), Said(("c",))]
    corpus = corpus_of(rows)
    vectors = np.array([[1, 0, 0], [0, 0, 0], [0, 0, 0]], np.float32)

    norms = window_norms(vectors, everything(corpus))
    near = window_cosines(everything(corpus), vectors @ QUERY, norms)
    scores = dense_scores(corpus, everything(corpus), near)

    assert norms.tolist() == pytest.approx([1.0, 0.6, 0.0])
    assert scores.tolist() == pytest.approx([SCALE, SCALE, 0.0])
