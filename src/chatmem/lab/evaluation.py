"""Questions on ingested conversations, and how well their answers are ranked.

A conversation is a user's, each of its sessions a session. Source: interfaces.md, "Command line"
(`chatmem eval`).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import fmean
from time import perf_counter
from typing import NamedTuple, TypeAlias

from chatmem.engine.importing import JSONL, SourceFile, read_line
from chatmem.engine.service import MemoryService
from chatmem.lab.report import Latency, ProgressBar, no_progress_bar, timed
from chatmem.model import Message, SearchResults
from chatmem.model.time import utc_now

RECALL_DEPTHS = (1, 3, 5, 10, 20)
Conversation: TypeAlias = dict[str, Message]
"""The messages of a conversation by the ids of their lines, in file order."""
EXPECTED_QUERY = 'one {"qa_id", "conv", "question", "evidence": [ids]} a line'


class Question(NamedTuple):
    """A question, the conversation to search, and the ids of the lines that answer it."""

    id: str
    conversation: str
    text: str
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ingest:
    """How long the conversations took to go in.

    `saved_s` until all were acknowledged and searchable by words, `indexed_s` until they had their
    vectors too, which `messages_per_s` includes; `per_conversation` to the acknowledgement.
    """

    messages: int
    conversations: int
    saved_s: float
    indexed_s: float
    messages_per_s: float
    per_conversation: Latency


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """Rankings by question, and what was measured.

    A question is ranked whether or not a memory speaks of it (`SearchResults.nearest`); `answered`
    is the share of those of which one does, in [0, 1].
    """

    ranked: Mapping[str, Sequence[str]]
    recall: Mapping[int, float]
    questions: int
    scored: int
    answered: float
    ingest: Ingest
    query: Latency
    missing: tuple[str, ...]

    def as_json(self) -> dict[str, object]:
        """What was measured, without the rankings."""
        return {
            "questions": self.questions,
            "scored": self.scored,
            "answered": round(self.answered, 4),
            "recall": {f"recall@{depth}": round(value, 4) for depth, value in self.recall.items()},
            "ingest": self.ingest,
            "query": self.query,
            "missing": self.missing,
        }

    def report(self) -> Iterator[str]:
        """The same for a person, in lines."""
        ingest = self.ingest
        yield (
            f"{ingest.messages} messages of {ingest.conversations} conversations: saved in "
            f"{ingest.saved_s:.1f} s, indexed after {ingest.indexed_s:.1f} s "
            f"({ingest.messages_per_s:.0f} messages/s)"
        )
        yield (
            f"{self.questions} questions, {self.scored} of them with evidence; memories speak of "
            f"{self.answered:.1%}"
        )
        for depth, value in self.recall.items():
            yield f"{f'recall@{depth}':26} {value:.4f}"
        rows = {"query": self.query, "ingest of a conversation": ingest.per_conversation}
        for label, taken in rows.items():
            cells = {"p50": taken.p50_ms, "p95": taken.p95_ms, "p99": taken.p99_ms}
            yield f"{label:26} {'  '.join(f'{name} {ms:.1f} ms' for name, ms in cells.items())}"


def read_corpus(path: Path) -> dict[str, Conversation]:
    """The conversations by name, in file order.

    Raises:
        ImportFormatError: a line lacks a field.
        StorageError: the file cannot be read.
    """
    source = SourceFile(path, user_id="", now=utc_now())
    conversations: dict[str, Conversation] = {}
    before = source.now
    for number, line in source.lines():
        where = f"line {number}"
        fields = source.checked(source.parse(line, where), where, JSONL)
        before = source.moment(fields.get("date"), before)
        message = read_line(source, where, fields, before)
        conversations.setdefault(str(fields["conv"]), {}).setdefault(str(fields["id"]), message)
    if not conversations:
        raise source.broken(None, "no message in it", JSONL)
    return conversations


def read_questions(path: Path, conversations: Mapping[str, Conversation]) -> list[Question]:
    """The questions, in file order.

    Raises:
        ImportFormatError: a line lacks a field, or asks about a conversation that is not there.
        StorageError: the file cannot be read.
    """
    source = SourceFile(path, user_id="", now=utc_now())
    questions = []
    texts = dict.fromkeys(("qa_id", "conv", "question"), str)
    for number, line in source.lines():
        where = f"line {number}"
        fields = source.checked(source.parse(line, where), where, EXPECTED_QUERY, **texts)
        if fields["conv"] not in conversations:
            raise source.broken(
                where, f"conversation {fields['conv']!r} is not in the corpus", "one that is"
            )
        evidence = fields.get("evidence") or []
        if not isinstance(evidence, list):
            raise source.broken(where, "`evidence` is no list", EXPECTED_QUERY)
        questions.append(
            Question(fields["qa_id"], fields["conv"], fields["question"], tuple(map(str, evidence)))
        )
    if not questions:
        raise source.broken(None, "no question in it", EXPECTED_QUERY)
    return questions


class EvaluationCorpus:
    """Conversations inside a memory, with the way back from memories to corpus lines."""

    def __init__(self, memory: MemoryService) -> None:
        self._memory = memory
        self.line_ids: dict[str, dict[str, str]] = {}
        """By conversation: ids of its lines, by the memory that each became."""

    def ingest(
        self, conversations: Mapping[str, Conversation], progress_bar: ProgressBar = no_progress_bar
    ) -> Ingest:
        """Saves every conversation and waits for the vectors."""
        start, total = perf_counter(), sum(map(len, conversations.values()))
        samples, done = [], 0
        with progress_bar("Saving") as progress:
            for name, lines in conversations.items():
                user = self._memory.for_user(name)
                saved, took_ms = timed(partial(user.save_messages, lines.values()))
                samples.append(took_ms)
                line_ids = self.line_ids.setdefault(name, {})
                for line_id, message in zip(lines, saved, strict=True):
                    line_ids.setdefault(message.id, line_id)
                done += len(lines)
                progress(done, total)
        saved_s = perf_counter() - start
        with progress_bar("Indexing") as progress:
            self._memory.wait_until_indexed(progress)
        indexed_s = round(perf_counter() - start, 3)
        return Ingest(
            messages=total,
            conversations=len(conversations),
            saved_s=round(saved_s, 3),
            indexed_s=indexed_s,
            messages_per_s=round(total / indexed_s, 1),
            per_conversation=Latency.of(samples),
        )

    def ask(self, question: Question, limit: int) -> tuple[list[str], float, SearchResults]:
        """Ids of the corpus lines found, best first, the milliseconds it took, and the results."""
        user = self._memory.for_user(question.conversation)
        line_ids = self.line_ids[question.conversation]
        found, took_ms = timed(lambda: user.search_memories(question.text, limit=limit))
        first = found.hits or found.nearest
        ranked = [line_ids[hit.memory.id] for hit in first if hit.memory.id in line_ids]
        return ranked, took_ms, found


def evaluate(
    memory: MemoryService,
    conversations: Mapping[str, Conversation],
    questions: Sequence[Question],
    *,
    limit: int,
    progress_bar: ProgressBar = no_progress_bar,
) -> Evaluation:
    """Brings the conversations in, asks every question, and measures."""
    corpus = EvaluationCorpus(memory)
    ingest = corpus.ingest(conversations, progress_bar)
    ranked: dict[str, list[str]] = {}
    samples: list[float] = []
    missing: dict[str, None] = {}
    answered = 0
    with progress_bar("Asking") as progress:
        for number, question in enumerate(questions, start=1):
            ranked[question.id], took_ms, found = corpus.ask(question, limit)
            samples.append(took_ms)
            answered += bool(found)
            missing.update(dict.fromkeys(map(str, found.missing)))
            progress(number, len(questions))
    evidence = {question.id: question.evidence for question in questions}
    return Evaluation(
        ranked=ranked,
        recall=mean_recall(ranked, evidence),
        questions=len(questions),
        scored=sum(1 for ids in evidence.values() if ids),
        answered=answered / len(questions),
        ingest=ingest,
        query=Latency.of(samples),
        missing=tuple(missing),
    )


def recall(ranked: Sequence[str], evidence: Sequence[str], depth: int) -> float:
    """The share of the evidence among the first `depth`, in [0, 1]; repeats count once."""
    wanted = set(evidence)
    first = list(dict.fromkeys(ranked))[:depth]
    return len(wanted.intersection(first)) / len(wanted)


def mean_recall(
    ranked: Mapping[str, Sequence[str]], evidence: Mapping[str, Sequence[str]]
) -> dict[int, float]:
    """Mean recall@k over the questions that have evidence, by k; empty when none has."""
    scored = [question for question, ids in evidence.items() if ids]
    if not scored:
        return {}
    return {
        depth: fmean(recall(ranked.get(key, ()), evidence[key], depth) for key in scored)
        for depth in RECALL_DEPTHS
    }
