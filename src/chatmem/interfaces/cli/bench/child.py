"""Runs a task of the benchmark in a process of its own; `python -m` of this module is its end.

Progress bars and errors of the child reach the same terminal; its result is one line of JSON.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from chatmem.errors import ChatmemError
from chatmem.interfaces.cli.failures import EXIT_FAILED, report

_MODULE = "chatmem.interfaces.cli.bench.child"
# One thread each for numpy: what is measured is work, not how many cores are idle.
_ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


class BenchError(ChatmemError):
    """A task of the benchmark failed; what it said stands above."""


def run_task(name: str, folder: Path, **sizes: int) -> dict[str, Any]:
    """The task's result.

    Raises:
        BenchError: the process failed.
    """
    call = json.dumps({"task": name, "folder": str(folder), "sizes": sizes})
    environment = os.environ | dict.fromkeys(_ONE_THREAD, "1")
    finished = subprocess.run(
        [sys.executable, "-m", _MODULE, call],
        stdout=subprocess.PIPE,
        env=environment,
        text=True,
        encoding="utf-8",
        check=False,
    )
    if finished.returncode != 0:
        raise BenchError(f"the benchmark's task {name!r} failed (exit code {finished.returncode})")
    result: dict[str, Any] = json.loads(finished.stdout)
    return result


def _main() -> None:
    from chatmem.interfaces.cli.bench.tasks import TASKS

    call = json.loads(sys.argv[1])
    try:
        result = TASKS[call["task"]](Path(call["folder"]), **call["sizes"])
    except ChatmemError as error:
        report(str(error), as_json=False)
        sys.exit(EXIT_FAILED)
    print(json.dumps(result))


if __name__ == "__main__":
    _main()
