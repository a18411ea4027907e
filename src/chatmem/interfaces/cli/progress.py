"""Progress bars for long work: on a terminal only, on stderr, gone when the work is done."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeAlias

Progress: TypeAlias = Callable[[int, int], None]


@contextmanager
def progress_bar(label: str) -> Iterator[Progress]:
    """A bar that is called with (done, total); one that does nothing where there is no terminal."""
    if not sys.stderr.isatty():
        yield _silent
        return
    from rich import progress as rich_progress

    from chatmem.interfaces.cli.output import console

    columns = (
        rich_progress.TextColumn("{task.description}"),
        rich_progress.BarColumn(),
        rich_progress.MofNCompleteColumn(),
        rich_progress.TimeRemainingColumn(),
    )
    with rich_progress.Progress(*columns, console=console(stderr=True), transient=True) as bar:
        task = bar.add_task(label, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def _silent(done: int, total: int) -> None:
    """For where nobody watches."""
