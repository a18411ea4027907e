"""Who holds a lease, of a job or a key under way: a process, and whether it still runs."""

import hashlib
import os
import socket
import uuid
from collections.abc import Iterable
from datetime import timedelta
from pathlib import Path
from typing import Final

LEASE = timedelta(minutes=5)
"""Longer than any job takes: a model has a time limit of its own."""
_PROC: Final = Path("/proc")
_UNKNOWN: Final = "0"
_ENDED: Final = "ended"
_ENDED_STATES: Final = ("Z", "X")
_START_FIELD: Final = 19
"""Of /proc/PID/stat, counted behind the program's name; the state is the first."""


def holder_of(process: int) -> str:
    """A new name for a worker of a process of this machine."""
    return f"{_here()}:{process}:{_started(process)}:{uuid.uuid4().hex[:8]}"


def ended(holders: Iterable[str]) -> list[str]:
    """Those of the holders that were processes of this machine and are no longer running."""
    here = _here()
    return [holder for holder in holders if _has_ended(holder, here)]


def _has_ended(holder: str, here: str) -> bool:
    parts = holder.split(":")
    if len(parts) != 4 or parts[0] != here or not parts[1].isdigit():
        return False  # its number means nothing here
    process, started = int(parts[1]), parts[2]
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False  # it runs as somebody else
    known = _started(process)
    return known != started and _UNKNOWN not in (known, started)


def _here() -> str:
    """Where a process's number means the same: this start of this machine, this container.

    The names of the machine have to do where the system has none for its start.
    """
    try:
        boot = (_PROC / "sys/kernel/random/boot_id").read_text("ascii").strip()
        place = f"{boot} {(_PROC / 'self/ns/pid').stat().st_ino}"
    except OSError:
        place = f"{socket.gethostname()} {uuid.getnode()}"
    return hashlib.blake2b(place.encode(), digest_size=8).hexdigest()


def _started(process: int) -> str:
    """When a process began, in the system's own count; `0` if unknown, `ended` for a zombie."""
    try:
        stat = (_PROC / str(process) / "stat").read_text("ascii", "replace")
    except OSError:
        return _UNKNOWN
    # The name of the program stands in brackets, and may hold blanks and brackets of its own.
    fields = stat.rpartition(")")[2].split()
    if len(fields) < _START_FIELD + 1:
        return _UNKNOWN
    return _ENDED if fields[0] in _ENDED_STATES else fields[_START_FIELD]
