"""The `chatmem` command, as a process: a running server of the same folder is asked first.

A server has everything loaded, and runs the same commands; what it says is printed here (ADR 0015).
Nothing heavy is imported before.

Exit codes: 0 done, 1 failed, 2 not understood, 130 Ctrl-C, 141 broken pipe. Source: interfaces.md,
"Command line" (`chatmem --help` answers in under 0.3 s).
"""

import atexit
import gc
import io
import json
import os
import re
import socket
import sys
from collections.abc import Sequence
from pathlib import Path

from chatmem import __version__

EXIT_INTERRUPTED, EXIT_BROKEN_PIPE = 128 + 2, 128 + 13
_GC_THRESHOLD = 100_000
"""New objects from one look for cycles to the next: loading code makes many, and no cycles."""
DOOR = "chatmem.sock"
"""The socket in a data folder, its owner's only, at which a server takes command lines."""
READY = b"ready\n"
"""What comes first from there: who does not say so is not given the command line."""
READY_SECONDS = 3.0


def main() -> None:
    """Runs the command line and ends the process with its exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A terminal that cannot show Chinese is no reason to fail.
            stream.reconfigure(errors="backslashreplace")
    # Before numpy is loaded: what is multiplied here is small, and threads would wait for threads.
    for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(name, "1")
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")  # looked for in all packages
    gc.set_threshold(_GC_THRESHOLD)
    arguments, code = sys.argv[1:], 1

    def end() -> None:  # what is loaded is not taken apart, which would take 20 ms
        sys.stdout.flush()
        os._exit(code)

    atexit.register(end)  # the first is the last to be called
    try:
        if (answer := _ask(arguments)) is None:
            from chatmem.interfaces.cli.app import run

            answer = run(arguments)
        code = answer
        sys.stdout.flush()
    except KeyboardInterrupt:
        code = EXIT_INTERRUPTED
    except BrokenPipeError:
        code = EXIT_BROKEN_PIPE
    if code == EXIT_BROKEN_PIPE:  # what is still to be written goes nowhere, without a word
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(code)


def surroundings() -> dict[str, str]:
    """What decides beside the command line what a command does, the same in a server's process."""
    own = ("CHATMEM_", "MEMORY_", "TZ")
    found = {name: value for name, value in os.environ.items() if value and name.startswith(own)}
    file = Path("chatmem.toml")
    found["file"] = file.read_text("utf-8-sig") if file.exists() else ""
    return found | {"version": __version__, "code": __file__}


def _ask(arguments: Sequence[str]) -> int | None:
    """The exit code of what a server has carried out, and this has printed.

    None: there is no server of this folder, or the command line needs this process. The folder is
    a guess: a server that was not meant says so.
    """
    try:
        here = surroundings()
        folders = re.findall(r'^data *= *"(.+)"', here["file"], re.MULTILINE)
        folders += filter(None, [here.get("CHATMEM_DATA")])
        folders += re.findall("--data[=\0]([^\0]+)", "\0".join(arguments))
        door = os.path.join(folders[-1] if folders else "data", DOOR)
        if os.stat(door).st_uid != os.geteuid() or {"-h", "--help"}.intersection(arguments):
            return None
        connection = socket.socket(socket.AF_UNIX)
        connection.settimeout(READY_SECONDS)
        connection.connect(door)
        stream = connection.makefile("rwb")
        if stream.readline() != READY:
            return None
        connection.settimeout(None)
    except (OSError, ValueError, AttributeError):  # no server, a broken file, Windows
        return None
    asked = {"arguments": arguments, "surroundings": here, "cwd": os.getcwd()}
    try:
        stream.write(json.dumps(asked).encode() + b"\n")
        stream.flush()
        answer = json.loads(stream.readline())
    except (OSError, ValueError):  # it may have done what was asked: that is not done twice
        answer = {"code": 1, "stdout": "", "stderr": "chatmem: the server ended\n"}
    if answer is None:
        return None
    sys.stderr.write(answer["stderr"])
    sys.stdout.writelines(answer["stdout"].splitlines(keepends=True))  # pipes take what they can
    code: int = answer["code"]
    return code
