"""Who does a job: a lease names the process, so that nobody waits for one that is gone.

Two processes may work on one folder. A lease ends by itself; one of a process of this machine that
is no longer running ends at once.
"""

import os
import socket
import uuid
from collections.abc import Iterable
from datetime import datetime, timedelta

from chatmem.storage.ports import Lease

LEASE = timedelta(minutes=5)
"""Longer than any job takes: a model has a time limit of its own."""
_HOST = socket.gethostname()


def new_holder() -> str:
    """A name for a worker of this process."""
    return f"{_HOST}:{os.getpid()}:{uuid.uuid4().hex[:8]}"


def lease(holder: str, now: datetime) -> Lease:
    """A claim that begins now."""
    return Lease(holder, now, now + LEASE)


def gone(holders: Iterable[str]) -> list[str]:
    """Those of the holders that were processes of this machine and are no longer running."""
    return [holder for holder in holders if not _may_live(holder)]


def _may_live(holder: str) -> bool:
    host, _, rest = holder.rpartition(":")[0].rpartition(":")
    if host != _HOST or not rest.isdigit():
        return True
    try:
        os.kill(int(rest), 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True  # it runs as somebody else
    return True
