"""The door to a running server: the command line is carried out there, and printed here.

A server has everything loaded, and runs the same commands (ADR 0015). Nothing heavy is imported.
"""

import io
import json
import os
import socket
import sys
from collections.abc import Sequence
from pathlib import Path

from chatmem import __version__

EXIT_INTERRUPTED = 130
EXIT_BROKEN_PIPE = 128 + 13
DOOR = "chatmem.sock"
"""The socket in a data folder, its owner's only, at which a server takes command lines."""
READY = b"ready\n"
"""What comes first from there: who does not say so is not given the command line."""
READY_SECONDS = 1.0
_ELSEWHERE = ("CHATMEM_DATA", "CHATMEM_HOST", "CHATMEM_PORT")
"""Where a server is, which says nothing of what a command finds."""


def surroundings() -> dict[str, str]:
    """What decides beside the command line what a command does, the same in a server's process.

    Raises:
        OSError, ValueError: chatmem.toml cannot be read.
    """
    found = {
        name: value
        for name, value in os.environ.items()
        if name.startswith(("CHATMEM_", "MEMORY_", "TZ")) and name not in _ELSEWHERE
    }
    file = Path("chatmem.toml")
    found["settings"] = file.read_text("utf-8-sig") if file.exists() else ""
    return found | {"version": __version__, "code": __file__}


def ask(arguments: Sequence[str]) -> int | None:
    """The exit code of what a server has carried out, and this has printed, else None.

    None: there is no server of this folder, or the command line needs this process.
    """
    if {"-h", "--help"}.intersection(arguments):
        return None
    try:
        here = surroundings()
        default = _default_folder(here["settings"])
        asked = {"arguments": list(arguments), "surroundings": here, "cwd": os.getcwd()}
        stream = _door_of(_named_folder(arguments) or default)
    except (OSError, ValueError):
        stream = None
    if stream is None:
        return None
    with stream:
        try:
            stream.write(json.dumps(asked | {"default": default}).encode() + b"\n")
            stream.flush()
            answer = json.loads(stream.readline())
        except (OSError, ValueError):  # it may have done what was asked: that is not done twice
            answer = {"code": 1, "out": "", "err": "chatmem: the server ended before it answered\n"}
        except KeyboardInterrupt:
            return EXIT_INTERRUPTED
    if answer is None:
        return None
    sys.stderr.write(answer["err"])
    try:
        sys.stdout.write(answer["out"])
        sys.stdout.flush()
    except BrokenPipeError:
        return broken_pipe()
    code: int = answer["code"]
    return code


def broken_pipe() -> int:
    """The exit code where nobody reads what is printed.

    What is still to be written goes nowhere, so that the interpreter's last flush is quiet.
    """
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return EXIT_BROKEN_PIPE


def _named_folder(arguments: Sequence[str]) -> str | None:
    """The folder that seems to be named; who carries the command line out reads it in earnest."""
    found = None
    for one, following in zip(arguments, [*arguments[1:], None], strict=True):
        if one == "--data":
            found = following
        elif one.startswith("--data="):
            found = one.removeprefix("--data=")
    return found


def _default_folder(settings: str) -> str | None:
    """The data folder where the command line names none; None where it is a database."""
    given: dict[str, object] = {}
    if settings:
        import tomllib

        given |= tomllib.loads(settings)
    for name in ("database", "data"):
        given[name] = os.environ.get(f"CHATMEM_{name.upper()}", "").strip() or given.get(name)
    return None if given["database"] else str(given["data"] or "data")


def _door_of(folder: str | None) -> io.BufferedRWPair | None:
    """A stream to the server of this folder, which is of this user and ready; else None."""
    if folder is None or not hasattr(socket, "AF_UNIX"):
        return None
    place = os.path.join(folder, DOOR)
    if os.stat(place).st_uid != os.geteuid():
        return None
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(READY_SECONDS)
        connection.connect(place)
        stream = connection.makefile("rwb")
        if stream.readline() == READY:
            connection.settimeout(None)
            return stream
    return None
