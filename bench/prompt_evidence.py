"""What a composed prompt holds: the size of its memory section, and how often the evidence.

    python bench/prompt_evidence.py SET.corpus.jsonl.xz SET.queries.jsonl.xz

Each conversation is one user's; each question is asked in a new session, with default settings, and
the receipt of its prompt is compared with the ids of the lines that answer it. Prints a Markdown
table.
"""

import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, quantiles

from chatmem import ChatContextBuilder, MemoryService, Settings
from chatmem.lab.evaluation import EvaluationCorpus, Question, read_corpus, read_questions
from chatmem.prompt.receipt import MEMORY_SECTIONS, SUMMARIES, Receipt


@dataclass(frozen=True, slots=True)
class Held:
    """One question's prompt: tokens of its memory section, and what of the evidence it holds."""

    tokens: int
    any_turn: bool
    all_turns: bool
    any_turn_or_summary: bool
    all_turns_or_summaries: bool


def held(
    question: Question, receipt: Receipt, lines: Mapping[str, str], sessions: Mapping[str, str]
) -> Held:
    """What the prompt with this receipt holds."""
    sections = [one for one in receipt.sections if one.name in MEMORY_SECTIONS]
    shown = {lines[item] for one in sections for item in one.items if item in lines}
    summed_up = {item for one in sections if one.name == SUMMARIES for item in one.items}
    turns = [line in shown for line in question.evidence]
    either = [
        there or sessions.get(line) in summed_up
        for there, line in zip(turns, question.evidence, strict=True)
    ]
    return Held(
        sum(one.tokens for one in sections), any(turns), all(turns), any(either), all(either)
    )


def measure(corpus_path: Path, questions_path: Path) -> Iterator[Held]:
    """One entry a question that has evidence."""
    conversations = read_corpus(corpus_path)
    questions = read_questions(questions_path, conversations)
    sessions = {
        name: {line_id: message.session_id for line_id, message in lines.items()}
        for name, lines in conversations.items()
    }
    with (
        tempfile.TemporaryDirectory() as folder,
        MemoryService.open(folder, settings=Settings(), background=False) as memory,
    ):
        corpus = EvaluationCorpus(memory)
        corpus.ingest(conversations)
        memory.wait_until_idle()
        for question in questions:
            if question.evidence:
                user = memory.for_user(question.conversation)
                messages = ChatContextBuilder(user, counts_access=False).build_messages(
                    question.text
                )
                known = corpus.line_ids[question.conversation]
                yield held(question, messages.receipt, known, sessions[question.conversation])


def main() -> None:
    """Measures one pair of files and prints the table."""
    found = list(measure(Path(sys.argv[1]), Path(sys.argv[2])))
    sizes = [one.tokens for one in found]
    shares = {
        what: mean(getattr(one, what) for one in found)
        for what in ("any_turn", "all_turns", "any_turn_or_summary", "all_turns_or_summaries")
    }
    print(
        "| questions | tokens, mean | p95 | largest |", *(f" {what} |" for what in shares), sep=""
    )
    print("|---" * (4 + len(shares)), "|", sep="")
    figures = [len(found), f"{mean(sizes):,.0f}", f"{quantiles(sizes, n=20)[-1]:,.0f}", max(sizes)]
    print("|", " | ".join(map(str, figures)), "|", *(f" {one:.3f} |" for one in shares.values()))


if __name__ == "__main__":
    main()
