"""`chatmem demo`, `eval` and `bench`: what shows and measures the product, in `chatmem.lab`."""

import json
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from itertools import groupby
from pathlib import Path
from textwrap import indent
from typing import TYPE_CHECKING, Annotated, Any

import typer

from chatmem.interfaces.cli import shell
from chatmem.interfaces.cli.memories import hit_lines

if TYPE_CHECKING:
    from rich.console import RenderableType

    from chatmem.lab.demo import Replay

DEFAULT_ROWS = "10000,100000"
QUICK_ROWS = "2000"
AGAINST_ROWS = "1000,10000"
LEAST_ROWS = 100


def demo(target: shell.Target) -> None:
    """Show on a made-up conversation what is kept and found, and why.

    Works in a folder of its own that is gone afterwards, or in the one given with --data.
    """
    from chatmem.lab.demo import QUESTIONS, RECALLED_FOR, TURNS, replay

    if target.database:
        raise typer.BadParameter("the demo works in a folder; name one with --data, or none")
    with ExitStack() as stack:
        folder = target.data or stack.enter_context(tempfile.TemporaryDirectory(prefix="chatmem-"))
        memory = stack.enter_context(target._replace(data=folder, database=None).open())
        played = replay(memory)
        document = memory.read_main()
    if target.as_json:
        answers = [
            {
                "question": question,
                "about": QUESTIONS[question],
                "results": found.hits,
                "nearest": found.nearest,
            }
            for question, found in played.answers.items()
        ]
        told = {
            "turns": len(TURNS),
            "remembered": played.remembered,
            "document": document,
            "answers": answers,
            "recall": {"message": RECALLED_FOR, "results": played.recalled.hits},
            "missing": played.recalled.missing,
        }
        shell.print_json(told)
    else:
        _print(_demo_page(played, document, target.data))


def _demo_page(played: "Replay", document: str, folder: str | None) -> "Iterator[RenderableType]":
    """The conversation, what is kept of it, and what questions find, as `search` shows it."""
    from rich.text import Text

    from chatmem.lab.demo import QUESTIONS, RECALLED_FOR, TURNS
    from chatmem.text.bullets import visible_text

    yield Text("1 · A conversation, in three sessions", style="bold")
    for session, turns in groupby(TURNS, key=lambda turn: turn.session):
        yield Text(f"\n{session}", style="dim")
        for turn in turns:
            yield f"{turn.at:%d %b}  you  {turn.user}"
            yield Text(f"        bot  {turn.assistant}", style="dim")
            if turn.note is not None:
                file = "MEMORY.md" if "category" in turn.note else "daily log"
                yield Text(f"        ->   {file}: {turn.note['text']}", style="green")
    yield Text("\n2 · What is kept", style="bold")
    yield (
        f"Every message, word for word ({2 * len(TURNS)} rows), and {len(played.remembered)} "
        "memories remembered\non request: facts in MEMORY.md, notes in daily/. You may edit these "
        "files; your\nedits win. This is MEMORY.md without the comments that hold ids:\n"
    )
    text = indent(shell.escaped(visible_text(document).strip()), "   ")
    yield Text(text, style="green")
    yield Text("\n3 · Five questions, weeks later", style="bold")
    yield "score = 0.7 x vector (meaning) + 0.3 x bm25 (words)"
    for question, found in played.answers.items():
        yield Text(f"\n{question}  ({QUESTIONS[question]})", style="cyan")
        yield from map(shell.escaped, hit_lines(found))
    yield Text("\n4 · What would go into the next prompt", style="bold")
    yield f"Recall for “{RECALLED_FOR}” ranks memories only:\n"
    yield from map(shell.escaped, hit_lines(played.recalled))
    for missing in played.recalled.missing:
        yield Text(f"Not available here: {missing}", style="yellow")
    closing = "The data of this demo is gone now; `chatmem demo --data DIR` keeps it in DIR."
    if folder is not None:
        closing = f"The data is in {folder}; try `chatmem search --data {folder} 大提琴`."
    yield Text(f"\n{closing}", style="dim")


def evaluate(
    target: shell.Target,
    corpus: Annotated[Path, typer.Option(metavar="FILE", help="Messages, JSON Lines; .xz too.")],
    queries: Annotated[Path, typer.Option(metavar="FILE", help="Questions, JSON Lines; .xz too.")],
    run: Annotated[str, typer.Option(metavar="FILE", help="Where the rankings go, JSON Lines.")],
    limit: Annotated[
        int, typer.Option(min=1, max=1000, help="How many to rank for each question.")
    ] = 100,
    embedder: Annotated[
        str | None, typer.Option(metavar="NAME", help="What CHATMEM_EMBEDDER takes.")
    ] = None,
) -> None:
    """Measure recall and latency on questions with known answers.

    Each conversation of the corpus becomes a user, each session a session, and every question is
    searched within its conversation. Works in a folder of its own unless --data names one.
    """
    from chatmem.lab.evaluation import evaluate, read_corpus, read_questions

    conversations = read_corpus(corpus)
    questions = read_questions(queries, conversations)
    overrides: dict[str, Any] = {} if embedder is None else {"embedder.name": embedder}
    with ExitStack() as stack:
        stream = stack.enter_context(shell.text_file(run))
        if not (target.data or target.database):
            folder = tempfile.TemporaryDirectory(prefix="chatmem-eval-")
            target = target._replace(data=stack.enter_context(folder), database=None)
        memory = stack.enter_context(target.open(**overrides))
        result = evaluate(
            memory, conversations, questions, limit=limit, progress_bar=shell.progress_bar
        )
        for name, ranked in result.ranked.items():
            stream.write(json.dumps({"qa_id": name, "ranked": ranked}, ensure_ascii=False) + "\n")
    if target.as_json:
        shell.print_json({"run": run, **result.as_json()})
    else:
        target.warn_missing(result.missing)
        _print(result.report())


def bench(
    target: shell.Target,
    rows: Annotated[
        str | None, typer.Option(metavar="N,N", help=f"Sizes to measure; {DEFAULT_ROWS}.")
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help=f"A first look: {QUICK_ROWS} rows, fewer samples.")
    ] = False,
    against: Annotated[
        str | None,
        typer.Option(metavar="NAME,NAME", help="Measure beside other systems; `all`: all known."),
    ] = None,
) -> None:
    """Measure speed and size, beside what is possible here.

    The conversations are made up, and each figure stands beside its floor of the same run.

    100,000 rows take some minutes, most of them the embedder's. The data stands in a temporary
    folder (inside the one given with --data, if any) and is gone afterwards.

    --against installs other systems, each in an environment of its own in your cache, without
    their telemetry. `x ours` and `x E` compare a search with chatmem's, and with one question
    through the embedder that all but chatmem use. By default with 1,000 and 10,000 rows.
    """
    if against is not None:
        scripts = Path(__file__).parents[4] / "bench"
        if not (scripts / "against.py").exists():
            raise typer.BadParameter("--against needs chatmem's sources: run `make install` there")
        sys.path.append(str(scripts))  # what installs other systems is no part of the package
        _bench_against(target, against, rows or AGAINST_ROWS, 2 if quick else 10)
        return
    from chatmem.lab.bench.tasks import measure
    from chatmem.lab.report import report

    start = "from chatmem.interfaces.cli import main; main()"
    sizes: list[dict[str, object]] = []
    for size in _sizes(rows or (QUICK_ROWS if quick else DEFAULT_ROWS)):
        measures, missing = measure(
            size,
            quick=quick,
            parent=target.data,
            progress_bar=shell.progress_bar,
            help_command=[sys.executable, "-c", start, "--help"],
        )
        sizes.append({"rows": size, "measures": [one.as_json() for one in measures]})
        if not target.as_json:
            _print(report(f"{size:,} rows of one user, and others beside", measures))
            target.warn_missing(missing)
    if target.as_json:
        shell.print_json({"sizes": sizes})


def _bench_against(target: shell.Target, names: str, rows: str, rounds: int) -> None:
    from against import lines, measure, version
    from peers import SYSTEMS

    systems = [*SYSTEMS] if names == "all" else [name.strip() for name in names.split(",")]
    for name in systems:
        if name not in SYSTEMS:
            known = ", ".join([*SYSTEMS, "all"])
            raise typer.BadParameter(f"--against: got {name!r}, takes {known}, with commas between")
    sizes: list[dict[str, object]] = []
    for size in _sizes(rows):
        found, failed = measure(size, systems, rounds, target.data, shell.progress_bar)
        figures = [{"system": name, "version": version(name), **found[name]} for name in found]
        sizes.append({"rows": size, "systems": figures, "skipped": failed})
        if not target.as_json:
            shell.print_lines([*lines(size, found), ""])
            for name, reason in failed.items():
                shell.warn(f"{name} is left out: {reason}")
    if target.as_json:
        shell.print_json({"sizes": sizes})


def _sizes(text: str) -> list[int]:
    try:
        sizes = [int(part.strip().replace("_", "")) for part in text.split(",")]
    except ValueError:
        sizes = []
    if not sizes or min(sizes) < LEAST_ROWS:
        raise typer.BadParameter(
            f"--rows: got {text!r}, takes numbers from {LEAST_ROWS} on, as in {DEFAULT_ROWS}"
        )
    return sizes


def _print(parts: "Iterable[RenderableType]") -> None:
    """Prints tables and lines; a line is never broken."""
    console = shell.console()
    for part in parts:
        console.print(part, soft_wrap=True)
