"""Recall."""

import pytest

from chatmem.interfaces.cli.evaluation.measures import mean_recall, recall


def test_recall_is_the_share_of_the_evidence_within_the_depth() -> None:
    ranked = ["a", "b", "c", "d"]
    assert recall(ranked, ["b", "d", "x"], 2) == pytest.approx(1 / 3)
    assert recall(ranked, ["b", "d", "x"], 4) == pytest.approx(2 / 3)


def test_repeats_count_once() -> None:
    assert recall(["a", "a", "a", "b"], ["b"], 2) == 1.0
    assert recall(["a"], ["a", "a"], 1) == 1.0


def test_questions_without_evidence_are_left_out_and_unanswered_ones_count() -> None:
    found = mean_recall({"q1": ["a"], "q2": ["b"]}, {"q1": ["a"], "q2": [], "q3": ["c"]})
    assert found == {1: 0.5, 3: 0.5, 5: 0.5, 10: 0.5, 20: 0.5}


def test_nothing_to_score_gives_no_figure() -> None:
    assert mean_recall({"q": ["a"]}, {"q": []}) == {}
