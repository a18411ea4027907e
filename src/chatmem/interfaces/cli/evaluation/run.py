"""An evaluation: conversations go in and questions are asked, as a user of chatmem would.

Each conversation is one user's, each of its sessions a session. Nothing here ranks or tunes: what
is measured is the product's own ingest and search. Source: interfaces.md, "Command line".
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING

from chatmem.interfaces.cli.evaluation.corpus import Line, Question
from chatmem.interfaces.cli.evaluation.measures import mean_recall
from chatmem.interfaces.cli.latency import Latency, timed
from chatmem.interfaces.cli.progress import progress_bar

if TYPE_CHECKING:
    from chatmem.engine.service import MemoryService


@dataclass(frozen=True, slots=True, kw_only=True)
class Ingest:
    """How long the conversations took to go in.

    `saved_s` until all were acknowledged and searchable by words, `indexed_s` until they had their
    vectors too; `per_conversation` is the time to the acknowledgement.
    """

    messages: int
    conversations: int
    saved_s: float
    indexed_s: float
    per_conversation: Latency

    @property
    def messages_per_s(self) -> float:
        """Messages a second, vectors included."""
        return self.messages / self.indexed_s


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """Rankings by question, and what was measured."""

    ranked: Mapping[str, Sequence[str]]
    recall: Mapping[int, float]
    questions: int
    scored: int
    ingest: Ingest
    query: Latency
    missing: tuple[str, ...]


class Corpus:
    """Conversations inside a memory, with the way back from memories to corpus lines."""

    def __init__(self, memory: "MemoryService") -> None:
        self._memory = memory
        self._line_ids: dict[str, dict[str, str]] = {}

    def ingest(self, conversations: Mapping[str, Sequence[Line]]) -> Ingest:
        """Saves every conversation and waits for the vectors."""
        start, total = perf_counter(), sum(map(len, conversations.values()))
        samples, done = [], 0
        with progress_bar("Saving") as progress:
            for name, lines in conversations.items():
                samples.append(self._save(name, lines))
                done += len(lines)
                progress(done, total)
        saved_s = perf_counter() - start
        with progress_bar("Indexing") as progress:
            self._memory.wait_until_indexed(progress)
        return Ingest(
            messages=total,
            conversations=len(conversations),
            saved_s=round(saved_s, 3),
            indexed_s=round(perf_counter() - start, 3),
            per_conversation=Latency.of(samples),
        )

    def _save(self, name: str, lines: Sequence[Line]) -> float:
        """Saves one conversation; the milliseconds it took."""
        user, messages = self._memory.for_user(name), [line.message for line in lines]
        saved, took_ms = timed(lambda: user.save_messages(messages))
        known = self._line_ids.setdefault(name, {})
        for line, message in zip(lines, saved, strict=True):
            known.setdefault(message.id, line.id)
        return took_ms

    def lines_of(self, conversation: str) -> Mapping[str, str]:
        """Ids of a conversation's lines, by the memory that each became."""
        return self._line_ids[conversation]

    def ask(self, question: Question, limit: int) -> tuple[list[str], float, tuple[str, ...]]:
        """Ids of the corpus lines found, best first, the milliseconds it took, what was missing."""
        user = self._memory.for_user(question.conversation)
        line_ids = self._line_ids[question.conversation]
        found, took_ms = timed(lambda: user.search_memories(question.text, limit=limit))
        ranked = [line_ids[hit.memory.id] for hit in found if hit.memory.id in line_ids]
        return ranked, took_ms, tuple(str(missing) for missing in found.missing)


def evaluate(
    memory: "MemoryService",
    conversations: Mapping[str, Sequence[Line]],
    questions: Sequence[Question],
    *,
    limit: int,
) -> Evaluation:
    """Brings the conversations in, asks every question, and measures."""
    corpus = Corpus(memory)
    ingest = corpus.ingest(conversations)
    ranked: dict[str, list[str]] = {}
    samples: list[float] = []
    missing: dict[str, None] = {}
    with progress_bar("Asking") as progress:
        for number, question in enumerate(questions, start=1):
            ranked[question.id], took_ms, lacks = corpus.ask(question, limit)
            samples.append(took_ms)
            missing.update(dict.fromkeys(lacks))
            progress(number, len(questions))
    evidence = {question.id: question.evidence for question in questions}
    return Evaluation(
        ranked=ranked,
        recall=mean_recall(ranked, evidence),
        questions=len(questions),
        scored=sum(1 for ids in evidence.values() if ids),
        ingest=ingest,
        query=Latency.of(samples),
        missing=tuple(missing),
    )
