"""How results are printed (JSON, lines, remarks on stderr, progress bars), and files and input.

Control characters in stored text are printed as escapes.
"""

import io
import json
import lzma
import os
import re
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, is_dataclass
from datetime import datetime
from pathlib import Path
from typing import IO, TYPE_CHECKING

import typer

from chatmem.errors import ProviderError, StorageError
from chatmem.model.time import to_text

if TYPE_CHECKING:
    from rich.console import Console

    from chatmem.engine.service import MemoryService
    from chatmem.prompt.receipt import Receipt

_UNSAFE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\u202a-\u202e\u2066-\u2069]")
"""Controls but line ends and tabs, lone surrogates, overrides of the writing direction."""


def print_json(value: object) -> None:
    """Prints one JSON document; dataclasses become objects, times ISO 8601 text in UTC."""
    print(to_json(value, indent=2))


def to_json(value: object, *, indent: int | None = None) -> str:
    """The value as `print_json` prints it."""
    return json.dumps(value, ensure_ascii=False, indent=indent, default=_plain)


def print_lines(lines: Iterable[str]) -> None:
    """Prints lines, safe for a terminal."""
    for line in lines:
        print(escaped(line))


def receipt_lines(receipt: "Receipt") -> Iterator[str]:
    """What went into a prompt, section by section, and what was left out and why."""
    for one in receipt.sections:
        yield f"  {one.name:20} {one.tokens:6} tokens  {' '.join(one.items)}".rstrip()
    yield f"  {'total':20} {receipt.total_tokens:6} tokens"
    for left in receipt.left_out:
        yield f"left out: {left.id} ({left.reason})"


def warn(message: str) -> None:
    """Prints a remark on stderr, beside the result and not in it."""
    print(f"chatmem: {escaped(message)}", file=sys.stderr)


def escaped(text: str) -> str:
    """`text` as a terminal may get it: control characters as visible escapes."""
    return _UNSAFE.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def counted(count: int, one: str, many: str | None = None) -> str:
    """`1 message`, `2 messages`; `many` where an s does not make it."""
    return f"{count} {one if count == 1 else many or one + 's'}"


def console(*, stderr: bool = False) -> "Console":
    """A console as wide as the terminal, or of 80 columns where there is none."""
    from rich.console import Console

    return Console(stderr=stderr, highlight=False, markup=False, emoji=False)


@contextmanager
def progress_bar(label: str) -> Iterator[Callable[[int, int], None]]:
    """A bar on stderr, called with (done, total) and gone at the end; silent without a terminal."""
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich import progress

    columns = (
        progress.TextColumn("{task.description}"),
        progress.BarColumn(),
        progress.MofNCompleteColumn(),
        progress.TimeRemainingColumn(),
    )
    with progress.Progress(*columns, console=console(stderr=True), transient=True) as bar:
        task = bar.add_task(label, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def finish_work(memory: "MemoryService") -> None:
    """Does what waits (vectors, summaries) before the command ends.

    Where the embedder fails the rows keep waiting, and a remark on stderr says so.
    """
    with progress_bar("Indexing") as progress:
        try:
            memory.wait_until_idle(progress)
        except ProviderError as error:
            warn(f"saved, but vectors have to wait: {error}")


def confirm(question: str, *, if_nobody: str) -> None:
    """Asks a person on stderr.

    Raises:
        typer.Abort: the answer was no.
        typer.BadParameter: nobody can be asked; says `if_nobody`.
    """
    if not sys.stdin.isatty():
        raise typer.BadParameter(if_nobody)
    typer.confirm(question, abort=True, err=True)


def _plain(value: object) -> object:
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    if isinstance(value, datetime):
        return to_text(value)
    return dict(value) if isinstance(value, Mapping) else str(value)


STANDARD = "-"
"""Stands for standard input or output in place of a name or a text."""


def text_of(argument: str) -> str:
    """The argument, or standard input for `-`."""
    return sys.stdin.read() if argument == STANDARD else argument


def read_text(path: Path, option: str = "") -> str:
    """The text of a file named on the command line; `option` begins the message of an error.

    Raises:
        typer.BadParameter: it cannot be read.
    """
    try:
        return path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise typer.BadParameter(f"{option}{path}: cannot be read ({reason})") from error


@contextmanager
def text_file(name: str) -> Iterator[IO[str]]:
    """A stream into this file, packed when its name ends in `.xz`; `-` is standard output.

    The file is its owner's only, and replaces an older one once everything is written.

    Raises:
        StorageError: the folder is missing or cannot be written.
    """
    if name == STANDARD:
        yield sys.stdout
        return
    path = Path(name)
    if path.exists() and not path.is_file():  # a device such as /dev/null, or a pipe
        with path.open("w", encoding="utf-8") as stream:
            yield stream
        return
    try:
        handle, partial = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    except OSError as error:
        raise StorageError(f"cannot write {path}: {error.strerror}") from error
    try:
        with os.fdopen(handle, "wb") as raw:
            # The wrapper closes it.
            binary = lzma.LZMAFile(raw, "wb") if path.suffix == ".xz" else raw  # noqa: SIM115
            with io.TextIOWrapper(binary, "utf-8", "backslashreplace", newline="\n") as stream:
                yield stream
        os.replace(partial, path)
    except BaseException:
        Path(partial).unlink()
        raise
