import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.retrieval.corpora import Said, corpus_of, everything, said

from chatmem.retrieval.candidates import at, has_flag, make_candidates
from chatmem.text.cues import TextFlags


def test_turns_of_a_dialogue_have_neighbours() -> None:
    corpus = corpus_of(
        [
            Said(("a",), session=0, speaker=0),
            Said(("b",), session=1, speaker=0),
            Said(("c",), session=0, speaker=1),
            Said(("d",), session=1, speaker=1),
            Said(("e",), session=0, speaker=0),
        ]
    )

    assert corpus.previous.tolist() == [-1, -1, 0, 1, 2]
    assert corpus.following.tolist() == [2, 3, 4, -1, -1]
    assert corpus.session.tolist() == [0, 1, 0, 1, 0]
    assert not corpus.solo.any()


def test_notes_and_monologues_stand_alone() -> None:
    corpus = corpus_of(
        [
            Said(("note",)),
            Said(("to", "myself"), session=0, speaker=0),
            Said(("again",), session=0, speaker=0),
            Said(("a",), session=1, speaker=0),
            Said(("b",), session=1, speaker=1),
        ]
    )

    assert corpus.solo.tolist() == [True, True, True, False, False]
    assert corpus.previous.tolist() == [-1, -1, -1, -1, 3]
    assert len(set(corpus.session.tolist())) == 4


def test_a_dialogue_whose_other_side_is_deleted_is_a_monologue() -> None:
    corpus = corpus_of(
        [
            Said(("a",), session=0, speaker=0),
            Said(("b",), session=0, speaker=1, gone=True),
            Said(("c",), session=0, speaker=0),
        ]
    )

    assert corpus.solo.all()
    assert corpus.live == 2
    assert corpus.following.tolist() == [-1, -1, -1]


def test_deleted_rows_weigh_nothing_in_the_means() -> None:
    rows = [
        Said(("a", "b"), session=0, speaker=0),
        Said(("c",) * 4, session=0, speaker=1),
        Said(("d",) * 9),
    ]
    with_deleted = [*rows, *[Said(("x",) * 50, gone=True)] * 7]

    for corpus in (corpus_of(rows), corpus_of(with_deleted)):
        assert corpus.mean_length == 5.0
        assert corpus.session_count == 2
        assert corpus.mean_session_length == 7.5


def test_an_owner_without_rows_has_an_empty_corpus() -> None:
    corpus = corpus_of([])

    assert len(corpus) == 0
    assert len(everything(corpus)) == 0
    assert corpus.mean_length == corpus.mean_session_length == 1.0


@given(st.lists(said, min_size=1, max_size=14), st.data())
def test_candidates_are_the_wanted_rows_and_their_neighbours(
    rows: list[Said], data: st.DataObject
) -> None:
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


def test_values_at_no_place_are_0() -> None:
    assert at(np.array([5.0, 7.0]), np.array([1, -1, 0])).tolist() == [7.0, 0.0, 5.0]
    assert at(np.array([[5.0], [7.0]]), np.array([-1, 0])).tolist() == [[0.0, 5.0], [0.0, 7.0]]


def test_flags_are_read_by_row() -> None:
    corpus = corpus_of(
        [
            Said(("a",), flags=int(TextFlags.TIME)),
            Said(("b",), flags=int(TextFlags.NUMBER | TextFlags.QUESTION)),
        ]
    )

    found = has_flag(corpus, np.array([1, 0, 1]), TextFlags.NUMBER)

    assert found.tolist() == [True, False, True]
