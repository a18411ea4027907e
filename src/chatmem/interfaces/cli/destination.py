"""Files that a command writes: whole or not at all, readable by their owner only."""

import io
import lzma
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, cast

from chatmem.errors import StorageError

STDOUT = "-"


@contextmanager
def text_file(name: str) -> Iterator[IO[str]]:
    """A stream into this file, packed when its name ends in `.xz`; `-` is standard output.

    The file takes its name once everything is written; what had the name before is replaced.

    Raises:
        StorageError: the folder is missing or cannot be written.
    """
    if name == STDOUT:
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
        with ExitStack() as stack:
            raw = stack.enter_context(os.fdopen(handle, "wb"))
            binary: IO[bytes] = raw
            if path.suffix == ".xz":
                binary = stack.enter_context(lzma.LZMAFile(raw, "wb"))
            writer = cast(io.BufferedWriter, binary)
            yield stack.enter_context(
                io.TextIOWrapper(writer, "utf-8", "backslashreplace", newline="\n")
            )
        os.replace(partial, path)
    except BaseException:
        Path(partial).unlink()
        raise
