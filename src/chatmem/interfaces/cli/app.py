"""The `chatmem` command, as a process: a running server of the same folder is asked first.

Exit codes: 0 done, 1 failed, 2 not understood, 130 Ctrl-C, 141 broken pipe. Source: interfaces.md,
"Command line" (`chatmem --help` answers in under 0.3 s).
"""

import gc
import io
import os
import sys
from collections.abc import Sequence

from chatmem.interfaces.cli.door import ask

EXIT_INTERRUPTED, EXIT_BROKEN_PIPE = 128 + 2, 128 + 13
_GC_THRESHOLD = 50_000
"""New objects from one look for cycles to the next: loading code makes many, and no cycles."""


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
    arguments = sys.argv[1:]
    try:
        code = ask(arguments)
        code = run(arguments) if code is None else code
        sys.stdout.flush()
    except KeyboardInterrupt:
        code = EXIT_INTERRUPTED
    except BrokenPipeError:
        code = EXIT_BROKEN_PIPE
    if code == EXIT_BROKEN_PIPE:  # what is still to be written goes nowhere, without a word
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    gc.freeze()  # the end of the process goes through nothing that it would free anyway
    sys.exit(code)


def run(arguments: Sequence[str]) -> int:
    """Runs one command here and returns its exit code: 0 done, 1 failed, 2 not understood."""
    from chatmem.interfaces.cli.commands import run_command

    return run_command(arguments)
