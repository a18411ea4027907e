"""`chatmem bench`: how fast and how large, on this machine, beside what is possible on it."""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Annotated, Any

import typer

from chatmem.interfaces.cli import output
from chatmem.interfaces.cli.target import Target

if TYPE_CHECKING:
    from chatmem.interfaces.cli.bench.report import Measure

DEFAULT_ROWS = "10000,100000"
QUICK_ROWS = "2000"
LEAST_ROWS = 100
HELP_RUNS = 7
MOST_HELP_MS = 300


def run_bench(
    target: Target,
    rows: Annotated[
        str | None,
        typer.Option("--rows", metavar="N,N", help=f"Sizes to measure; {DEFAULT_ROWS}."),
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help=f"A first look: {QUICK_ROWS} rows, fewer samples.")
    ] = False,
) -> None:
    """Measure speed and size, beside what is possible here.

    The conversations are made up, and each figure stands beside its floor of the same run.

    100,000 rows take some minutes, most of them the embedder's. The data stands in a temporary
    folder (inside the one given with --data, if any) and is gone afterwards.
    """
    from chatmem.interfaces.cli.bench.report import as_json, measures_of, print_measures

    sizes = _sizes(rows or (QUICK_ROWS if quick else DEFAULT_ROWS))
    report: list[dict[str, object]] = []
    for size in sizes:
        results = _measure(size, quick=quick, parent=target.data)
        measures = [*measures_of(results), _help_time()]
        report.append({"rows": size, "measures": [as_json(measure) for measure in measures]})
        if not target.as_json:
            print_measures(f"{size:,} rows of one user, and others beside", measures)
            for missing in results["search"]["missing"]:
                output.warn(f"without {missing}")
    if target.as_json:
        output.print_json({"sizes": report})


def _measure(size: int, *, quick: bool, parent: str | None) -> dict[str, Any]:
    from chatmem.interfaces.cli.bench.child import run_task

    asked, turns, facts = (40, 100, 60) if quick else (200, 500, 300)
    with tempfile.TemporaryDirectory(prefix="chatmem-bench-", dir=parent) as name:
        folder = Path(name)
        texts = min(size, 1_000 if quick else 4_000)
        return {
            "embed": run_task("embed", folder, texts=texts, asked=asked),
            "fill": run_task("fill", folder, rows=size),
            "search": run_task("search", folder, asked=asked),
            "compare": run_task("compare", folder, asked=asked),
            "compose": run_task("compose", folder, asked=asked),
            "one_by_one": run_task("one_by_one", folder, turns=turns, facts=facts),
        }


def _help_time() -> "Measure":
    """How long `chatmem --help` takes, in a new process: the middle of some runs."""
    from chatmem.interfaces.cli.bench.report import Measure
    from chatmem.interfaces.cli.latency import timed

    script = shutil.which("chatmem", path=str(Path(sys.executable).parent))
    start = "from chatmem.interfaces.cli.app import main; main()"
    command = [script] if script else [sys.executable, "-c", start]
    samples = [
        timed(lambda: subprocess.run([*command, "--help"], capture_output=True, check=True))[1]
        for _ in range(HELP_RUNS)
    ]
    return Measure(name="chatmem --help", value=median(samples), unit="ms", at_most=MOST_HELP_MS)


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
