"""The demo, evaluations, the benchmark, and lines for a terminal."""

import json
import os
from collections.abc import Sequence
from pathlib import Path

import pytest
from against import measure
from hypothesis import given
from hypothesis import strategies as st
from peers import SYSTEMS, System

from chatmem.errors import ImportFormatError
from chatmem.lab.evaluation import mean_recall, read_corpus, read_questions, recall
from chatmem.lab.report import Latency, Measure, no_progress_bar

LINES = [
    {"conv": "garden", "id": "1", "speaker": "Ines", "text": "I planted a fig.", "session": "s1"},
    {"conv": "sea", "id": "1", "speaker": "user", "text": "我晕船。", "date": "2025-05-01"},
    {"conv": "garden", "id": "2", "speaker": "assistant", "text": "Water it.", "session": "s1"},
]
QUERY: dict[str, object] = {"qa_id": "q1", "conv": "sea", "question": "谁晕船？", "evidence": ["1"]}


def written(path: Path, lines: Sequence[object]) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


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


def test_repeats_count_once() -> None:
    assert recall(["a", "a", "a", "b"], ["b"], 2) == 1.0
    assert recall(["a"], ["a", "a"], 1) == 1.0


def test_questions_without_evidence_are_left_out_and_unanswered_ones_count() -> None:
    found = mean_recall({"q1": ["a"], "q2": ["b"]}, {"q1": ["a"], "q2": [], "q3": ["c"]})
    assert found == {1: 0.5, 3: 0.5, 5: 0.5, 10: 0.5, 20: 0.5}


def test_what_is_wanted_is_wanted_of_the_ratio_or_without_a_floor_of_the_value() -> None:
    slow = Measure(name="search", value=9.0, unit="ms", floor=2.0, floor_name="bare", at_most=3)
    assert (slow.ratio, slow.fits) == (4.5, False)
    rate = Measure(name="ingest", value=450.0, unit="/s", floor=500.0, at_least=0.8)
    assert (rate.ratio, rate.fits) == (0.9, True)

    assert Measure(name="open", value=400.0, unit="ms", at_most=500).fits is True
    assert Measure(name="open", value=600.0, unit="ms", at_most=500).fits is False
    assert Measure(name="open", value=600.0, unit="ms").fits is None


@given(st.lists(st.integers(0, 10**6), min_size=1))
def test_enough_samples_do_not_exceed_a_percentile(samples: list[int]) -> None:
    found = Latency.of(samples)
    for share, value in ((0.5, found.p50_ms), (0.95, found.p95_ms), (0.99, found.p99_ms)):
        assert value in samples
        assert sum(sample <= value for sample in samples) >= share * len(samples) - 1e-6


@pytest.mark.slow
def test_others_are_measured_beside_chatmem_and_those_that_fail_are_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setitem(SYSTEMS, "unknown", (System, "chatmem"))  # to the process that is started
    names = ("fts5", "unknown", "chroma")
    found, failed = measure(100, names, 1, str(tmp_path), no_progress_bar)
    assert [*found] == ["chatmem", "embedder", "fts5"]
    assert found["chatmem"]["times_ours"] == found["embedder"]["times_e"] == 1
    assert (
        found["embedder"]["known_ms"] < found["embedder"]["p50_ms"] <= found["embedder"]["p95_ms"]
    )
    assert found["fts5"].keys() == found["chatmem"].keys()
    assert "KeyError: 'unknown'" in failed["unknown"]
    assert "cannot be installed: ERROR" in failed["chroma"]
    assert [path.name for path in tmp_path.iterdir()] == ["cache"]
