"""The door to a running server: it carries the command line out, this process prints (ADR 0015).

Nothing heavy is imported.
"""

import json
import os
import re
import socket
import sys
from collections.abc import Sequence
from pathlib import Path

from chatmem import __version__

DOOR = "chatmem.sock"
"""The socket in a data folder, its owner's only, at which a server takes command lines."""
READY = b"ready\n"
"""What comes first from there: who does not say so is not given the command line."""
READY_SECONDS = 1.0


def surroundings() -> dict[str, str]:
    """What decides beside the command line what a command does, the same in a server's process."""
    own = ("CHATMEM_", "MEMORY_", "TZ")
    found = {name: value for name, value in os.environ.items() if name.startswith(own)}
    file = Path("chatmem.toml")
    found["file"] = file.read_text("utf-8-sig") if file.exists() else ""
    return found | {"version": __version__, "code": __file__}


def ask(arguments: Sequence[str]) -> int | None:
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
    sys.stdout.write(answer["stdout"])
    code: int = answer["code"]
    return code
