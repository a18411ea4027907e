"""The most memory that this process has held at once."""

import sys
from pathlib import Path

_STATUS = Path("/proc/self/status")
_KIB = 1024


def memory_peak_bytes() -> int | None:
    """Peak resident memory in bytes; None where the system does not tell."""
    if _STATUS.exists():
        # getrusage would count what the parent held when it started this process.
        for line in _STATUS.read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * _KIB
    try:
        import resource
    except ImportError:  # Windows
        return None
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * _KIB
