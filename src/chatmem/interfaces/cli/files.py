"""Files and standard input that a command reads, and files that it writes."""

import io
import lzma
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import typer

from chatmem.errors import StorageError

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
