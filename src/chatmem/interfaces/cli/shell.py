"""What commands share with the shell that called them: options, the memory that is meant, printing.

Results are JSON or lines, remarks go to stderr, and control characters in stored text are printed
as escapes. Source: interfaces.md, "Command line".
"""

import io
import json
import lzma
import os
import re
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import asdict, is_dataclass
from datetime import datetime
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from chatmem.errors import InvalidInputError, ProviderError, StorageError
from chatmem.interfaces.cli import EXIT_BROKEN_PIPE as EXIT_BROKEN_PIPE
from chatmem.model.time import to_text

if TYPE_CHECKING:
    from rich.console import Console

    from chatmem.config import Settings
    from chatmem.engine.search.recall import MemorySearch
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


DataOption = Annotated[str | None, typer.Option("--data", metavar="DIR", help="The data folder.")]
DatabaseOption = Annotated[
    str | None,
    typer.Option("--database", metavar="URL", help="A postgresql:// address, not a folder."),
]
UserOption = Annotated[str | None, typer.Option("--user", metavar="USER", help="Whose memory.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]

LimitOption = Annotated[
    int, typer.Option("--limit", "-n", min=1, max=1000, help="How many at most.")
]
OffsetOption = Annotated[int, typer.Option("--offset", min=0, help="How many to skip.")]
YesOption = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]
ModelOption = Annotated[
    str | None, typer.Option("--model", metavar="NAME", help="The model, as its server says.")
]
BaseUrlOption = Annotated[
    str | None,
    typer.Option("--base-url", metavar="URL", help="An OpenAI-compatible address, with /v1."),
]
PersonaOption = Annotated[
    str | None, typer.Option("--persona", help="general, coding, household, or your own.")
]

EXIT_FAILED = 1
"""The exit code of a command that was understood and could not do its work."""


class Served(NamedTuple):
    """A command that a server carries out for a process in `cwd`, on its memory in `folder`."""

    memory: "MemoryService"
    folder: str
    cwd: str
    streams: Mapping[str, io.StringIO]
    """`stdout` and `stderr`."""


SERVED: ContextVar[Served | None] = ContextVar("SERVED", default=None)
"""None where the command is this process's own."""


class OwnProcessError(Exception):
    """What is asked takes the files, terminal or input of who asks, and nothing was done yet."""


class Target(NamedTuple):
    """The memory that the command line names, not yet opened, and how to print."""

    data: DataOption = None
    database: DatabaseOption = None
    user: UserOption = None
    as_json: JsonOption = False

    def open(
        self,
        *,
        background: bool = False,
        **overrides: Any,  # noqa: ANN401
    ) -> AbstractContextManager["MemoryService"]:
        """The memory, until it is left; `overrides` are settings from the command's own options.

        `background` is for a command that goes on for a while: most end before a thread is of use.

        Raises:
            ChatmemError: it cannot be opened, or a setting has a value that it does not take.
            OwnProcessError: a server is asked, and not for its own memory.
        """
        if call := SERVED.get():
            settings = call.memory.settings
            place = os.path.realpath(os.path.join(call.cwd, self.data or settings.data))
            if self.database or place != call.folder:
                raise OwnProcessError
            return nullcontext(call.memory.for_user(self.user or settings.user))
        from chatmem.engine.service import MemoryService

        where, settings = self.database or self.data, self._settings(overrides)
        return MemoryService.open(where, self.user, settings=settings, background=background)

    @contextmanager
    def searching(self) -> Iterator["MemorySearch"]:
        """The memory, for searches alone: this process then loads nothing that learns or writes.

        Raises:
            ChatmemError, OwnProcessError: as `open`.
        """
        if SERVED.get():
            with self.open() as memory:
                yield memory
            return
        from chatmem.engine.factory import OpenPlace, open_engine
        from chatmem.engine.search.recall import MemorySearch

        settings = self._settings({})
        place = OpenPlace(open_engine(self.database or self.data, settings))
        try:
            yield MemorySearch(place.space(self.user or settings.user))
        finally:
            place.close()

    def _settings(self, overrides: dict[str, Any]) -> "Settings":
        from chatmem.config import Settings
        from chatmem.config.groups import POSTGRES_ADDRESS

        if self.database is not None and not re.match(POSTGRES_ADDRESS, self.database):
            raise InvalidInputError(
                "--database: takes an address, postgresql://user:password@host:port/database; "
                "--data takes a folder"
            )
        if self.database is not None:
            overrides["database"] = self.database  # what depends on it, such as threads, sees it
        return Settings(**overrides)

    def print(self, value: object, lines: Iterable[str]) -> None:
        """Prints the value where JSON is asked for, else the lines."""
        if self.as_json:
            print_json(value)
        else:
            print_lines(lines)

    def print_fields(self, fields: Mapping[str, object]) -> None:
        """Prints named values, one a line, or as JSON."""
        width = max(map(len, fields))
        values = {name: to_json(value).strip('"') for name, value in fields.items()}
        self.print(fields, (f"{name:{width}}  {value}" for name, value in values.items()))

    def warn_missing(self, missing: Iterable[object]) -> None:
        """Says on stderr what a result could not use; JSON has it in the result."""
        if not self.as_json:
            for one in missing:
                warn(f"without {one}")
