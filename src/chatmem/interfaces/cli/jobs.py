"""`chatmem jobs`: background work that waits or was given up, and trying that again."""

import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from chatmem.interfaces.cli import output
from chatmem.interfaces.cli.finishing import finish_work
from chatmem.interfaces.cli.target import Target

if TYPE_CHECKING:
    from chatmem.model import JobReport


def jobs(
    target: Target,
    retry: Annotated[
        int | None, typer.Option("--retry", metavar="NUMBER", help="Try one again that failed.")
    ] = None,
    discard: Annotated[
        int | None, typer.Option("--discard", metavar="NUMBER", help="Strike a failed one off.")
    ] = None,
) -> None:
    """List background work that waits or has failed; try a failed job again, or strike it off."""
    if retry is not None and discard is not None:
        raise typer.BadParameter("--retry and --discard are two different wishes")
    with target.open() as memory:
        if retry is not None:
            memory.jobs.retry(retry)
            finish_work(memory)
        if discard is not None:
            memory.jobs.discard(discard)
        found = memory.jobs.list()
    if target.as_json:
        output.print_json([asdict(job) for job in found])
        return
    if not found:
        print("nothing waits", file=sys.stderr)
    for job in found:
        print(_line(job))


def _line(job: "JobReport") -> str:
    about = f" of session {output.shown(job.session_id)}" if job.session_id else ""
    line = f"{job.number}  {job.state}  {job.kind}{about}"
    if job.error is None:
        return line
    return f"{line}, attempt {job.attempts}: {output.shown(job.error)}"
