"""Files that a command writes: whole or not at all, readable by their owner only."""

import io
import lzma
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, cast

STDOUT = "-"


@contextmanager
def text_file(name: str) -> Iterator[IO[str]]:
    """A stream into this file, packed when its name ends in `.xz`; `-` is standard output.

    The file takes its name once everything is written; what had the name before is replaced.
    """
    if name == STDOUT:
        yield sys.stdout
        return
    path = Path(name)
    if path.exists() and not path.is_file():  # a device such as /dev/null, or a pipe
        with path.open("w", encoding="utf-8") as stream:
            yield stream
        return
    handle, partial = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as raw, _text(raw, packed=path.suffix == ".xz") as stream:
            yield stream
        os.replace(partial, path)
    except BaseException:
        Path(partial).unlink()
        raise


def _text(raw: IO[bytes], *, packed: bool) -> IO[str]:
    binary = lzma.open(raw, "wb") if packed else raw
    return io.TextIOWrapper(cast(io.BufferedWriter, binary), "utf-8", "backslashreplace", "\n")
