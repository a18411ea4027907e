"""The files of an evaluation."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from chatmem.errors import ImportFormatError
from chatmem.lab.evaluation import (
    Question,
    mean_recall,
    read_corpus,
    read_questions,
    recall,
)

LINES = [
    {"conv": "garden", "id": "1", "speaker": "Ines", "text": "I planted a fig.", "session": "s1"},
    {"conv": "sea", "id": "1", "speaker": "user", "text": "我晕船。", "date": "2025-05-01"},
    {"conv": "garden", "id": "2", "speaker": "assistant", "text": "Water it.", "session": "s1"},
]
QUERY: dict[str, object] = {"qa_id": "q1", "conv": "sea", "question": "谁晕船？", "evidence": ["1"]}


def written(path: Path, lines: Sequence[object]) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def test_conversations_keep_the_order_of_their_lines(tmp_path: Path) -> None:
    conversations = read_corpus(written(tmp_path / "c.jsonl", LINES))
    assert {name: [line.id for line in lines] for name, lines in conversations.items()} == {
        "garden": ["1", "2"],
        "sea": ["1"],
    }
    assert conversations["garden"][0].message.speaker == "Ines"
    assert conversations["sea"][0].message.source_id == "sea/1"


def test_questions_are_read_in_order(tmp_path: Path) -> None:
    conversations = read_corpus(written(tmp_path / "c.jsonl", LINES))
    unanswered: dict[str, object] = {"qa_id": "q2", "conv": "garden", "question": "?"}
    path = written(tmp_path / "q.jsonl", [QUERY, unanswered])
    assert read_questions(path, conversations) == [
        Question("q1", "sea", "谁晕船？", ("1",)),
        Question("q2", "garden", "?", ()),
    ]


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        (QUERY | {"conv": "moon"}, "line 1: conversation 'moon' is not in the corpus"),
        (QUERY | {"question": None}, "line 1: no `question`"),
        (QUERY | {"evidence": "1"}, "line 1: `evidence` is no list"),
    ],
)
def test_a_broken_question_is_named(tmp_path: Path, query: dict[str, object], reason: str) -> None:
    conversations = read_corpus(written(tmp_path / "c.jsonl", LINES))
    with pytest.raises(ImportFormatError, match=reason):
        read_questions(written(tmp_path / "q.jsonl", [query]), conversations)


def test_empty_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ImportFormatError, match="no message in it"):
        read_corpus(written(tmp_path / "c.jsonl", []))
    conversations = read_corpus(written(tmp_path / "c.jsonl", LINES))
    with pytest.raises(ImportFormatError, match="no question in it"):
        read_questions(written(tmp_path / "q.jsonl", []), conversations)


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
