"""How a command fails: one line on stderr and an exit code, never a traceback for a mistake.

0 is done, 1 failed, 2 not understood; as usual, 130 is Ctrl-C and 141 a reader that went away.
Source: interfaces.md, "Command line".
"""

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import typer

from chatmem.errors import ChatmemError

EXIT_FAILED = 1
EXIT_NOT_UNDERSTOOD = 2
EXIT_BROKEN_PIPE = 128 + 13


@contextmanager
def reported(*, as_json: bool) -> Iterator[None]:
    """Turns what goes wrong inside into a report on stderr and the exit code.

    Raises:
        typer.Exit: in place of every `ChatmemError` and every refusal of the system.
    """
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        silence_stdout()
        raise typer.Exit(EXIT_BROKEN_PIPE) from None
    except ChatmemError as error:
        report(str(error), as_json=as_json)
        raise typer.Exit(EXIT_FAILED) from None
    except OSError as error:
        report(_of_system(error), as_json=as_json)
        raise typer.Exit(EXIT_FAILED) from None


def report(message: str, *, as_json: bool) -> None:
    """Prints `chatmem: message` on stderr as one line, or `{"error": message}`."""
    line = " ".join(message.split())
    print(json.dumps({"error": line}) if as_json else f"chatmem: {line}", file=sys.stderr)


def silence_stdout() -> None:
    """Sends what is still to be written nowhere, so that the interpreter's last flush is quiet."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _of_system(error: OSError) -> str:
    reason = error.strerror or str(error)
    return f"{error.filename}: {reason}" if error.filename else reason
