import numpy as np
from tests.unit.retrieval.corpora import Said, corpus_of, everything, postings_of

from chatmem.retrieval.bridge import bridge_scores
from chatmem.retrieval.candidates import make_candidates

ROWS = [
    Said(("library", "ann")),
    Said(("ann", "sings")),
    Said(("library", "ann", "bread")),
    Said(("bread",)),
    Said(("ann",), session=0, speaker=0),
    Said(("hi",), session=0, speaker=1),
]


def test_rows_about_the_same_thing_are_linked_to_the_best_hit() -> None:
    corpus = corpus_of(ROWS)
    scores = bridge_scores(
        corpus, everything(corpus), 0, postings_of(ROWS, ["library", "ann"])
    ).tolist()

    assert scores[0] == scores[2] == 1.0
    assert 0 < scores[1] < 1
    assert scores[3] == 0
    assert scores[4] == scores[5] == 0  # a turn has its neighbours instead


def test_a_term_that_only_the_best_hit_has_links_nothing() -> None:
    corpus = corpus_of(ROWS)

    assert not bridge_scores(corpus, everything(corpus), 1, postings_of(ROWS, ["sings"])).any()
    assert not bridge_scores(corpus, everything(corpus), 1, []).any()


def test_links_to_rows_that_are_no_candidates_are_left_out() -> None:
    corpus = corpus_of(ROWS)
    some = make_candidates(corpus, np.array([0, 3]))
    scores = bridge_scores(corpus, some, 0, postings_of(ROWS, ["library", "ann"]))

    assert scores.tolist() == [0.0, 0.0]
