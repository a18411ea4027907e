"""Commands for the state of the data: reindex, stats, doctor."""

from dataclasses import asdict
from typing import Annotated

import typer

from chatmem.interfaces.cli import output
from chatmem.interfaces.cli.failures import EXIT_FAILED
from chatmem.interfaces.cli.progress import progress_bar
from chatmem.interfaces.cli.target import Target


def reindex(
    target: Target,
    accept: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE",
            help="Take this file as it is, MEMORY.md say: what is gone from it is forgotten.",
        ),
    ] = None,
) -> None:
    """Read the files again and make the search index anew.

    A file that is missing or empty is written again from the index, unless it is accepted.
    """
    with target.open() as memory:
        report = memory.reindex(accept or ())
        with progress_bar("Indexing") as progress:
            memory.wait_until_indexed(progress)
    output.print_fields(asdict(report), as_json=target.as_json)


def stats(target: Target) -> None:
    """Show how much is kept, and where."""
    with target.open() as memory:
        found = memory.stats()
    output.print_fields(asdict(found), as_json=target.as_json)


def doctor(target: Target) -> None:
    """Check the installation and the data.

    Exits with 1 when something is wrong, and says what to do.
    """
    with target.open() as memory:
        findings = memory.diagnose()
    if target.as_json:
        output.print_json([asdict(finding) for finding in findings])
    else:
        for finding in findings:
            mark = "ok  " if finding.ok else "FAIL"
            print(f"{mark}  {finding.name}: {output.shown(finding.detail)}")
    if not all(finding.ok for finding in findings):
        raise typer.Exit(EXIT_FAILED)
