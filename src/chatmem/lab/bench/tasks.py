"""What the benchmark measures, each task in a process with its own memory and caches.

Source: interfaces.md (`chatmem bench`).
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from dataclasses import asdict
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any, TypeAlias

from chatmem.config import Settings
from chatmem.engine.context import SEARCHED, ChatContextBuilder
from chatmem.engine.factory import make_embedder
from chatmem.engine.service import MemoryService
from chatmem.errors import ChatmemError
from chatmem.lab.bench.corpus import messages, questions
from chatmem.lab.bench.floors import BareQueries
from chatmem.lab.report import Latency, ProgressBar, timed

Result: TypeAlias = dict[str, Any]
Work: TypeAlias = dict[str, tuple[Callable[[Any], object], Sequence[Any]]]
"""Calls by name, and what each is called with, all equally often."""

BIG_USER, SMALL_USER, TURN_USER, FACT_USER = "big", "small", "turns", "facts"
PLAIN_USER = "plain"
SMALL_ROWS = 1_000
FOUND = 10
BLOCK = 20
CORPUS_SEED, SMALL_SEED, TURN_SEED, FACT_SEED = range(11, 15)
QUESTION_SEED, SMALL_QUESTION_SEED, WARM_SEED = range(21, 24)
WARM_QUESTIONS = 10
SESSION, SESSION_TURNS, MAIN_FACTS = "running", 12, 60
HELP_RUNS = 7
_KIB = 1024
# One thread each for numpy: what is measured is work, not how many cores are idle.
_ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


class BenchError(ChatmemError):
    """A task of the benchmark failed."""


def measure(
    rows: int,
    *,
    quick: bool,
    parent: str | None,
    progress_bar: ProgressBar,
    help_command: Sequence[str],
) -> Result:
    """The results of all tasks for a user of so many rows, by task; the data is gone afterwards.

    `quick` takes fewer samples. The data's temporary folder is inside `parent`, if that is given.

    Raises:
        BenchError: a task failed.
    """
    queries, turns, facts = (40, 100, 60) if quick else (200, 500, 300)
    texts = min(rows, 1_000 if quick else 4_000)
    with tempfile.TemporaryDirectory(prefix="chatmem-bench-", dir=parent) as name:
        folder = Path(name)
        results = {
            "embed": _alone(partial(embed, texts, queries)),
            "fill": _alone(partial(fill, folder, rows, progress_bar)),
            "search": _alone(partial(search, folder, queries)),
            "compare": _alone(partial(compare, folder, queries)),
            "compose": _alone(partial(compose, folder, queries)),
            "one_by_one": _alone(partial(one_by_one, folder, turns, facts)),
        }
    help_ms = [
        timed(partial(subprocess.run, help_command, capture_output=True, check=True))[1]
        for _ in range(HELP_RUNS)
    ]
    return {**results, "help_ms": median(help_ms)}


def _alone(task: Callable[[], Result]) -> Result:
    """The task's result, from a new process."""
    os.environ.update(_ONE_THREAD)
    with ProcessPoolExecutor(max_workers=1, mp_context=get_context("spawn")) as processes:
        try:
            return processes.submit(_reported, task).result()
        except BrokenProcessPool as error:
            raise BenchError("a task of the benchmark ended before it had a result") from error


def _reported(task: Callable[[], Result]) -> Result:
    """The task's result; an error as one that can leave the process."""
    try:
        return task()
    except ChatmemError as error:
        raise BenchError(str(error)) from None


def embed(texts: int, queries: int) -> Result:
    """The embedder alone, on the first messages that `fill` saves, and on the questions."""
    embedder = make_embedder(Settings())
    if embedder is None:
        return {}
    sample = [message.content for message in messages(texts, CORPUS_SEED)]
    embedder.embed(sample[:8])  # loads the model
    _, took_ms = timed(partial(embedder.embed, sample))
    embedder.embed_query("warm")
    samples = _timings(embedder.embed_query, questions(queries, QUESTION_SEED))
    return {"texts_per_s": 1000 * texts / took_ms, "query": asdict(Latency.of(samples))}


def fill(folder: Path, rows: int, progress_bar: ProgressBar) -> Result:
    """Saves a user's messages in one batch and waits for the vectors; then a small user's."""
    with MemoryService.open(folder, BIG_USER) as memory:
        memory.search_memories("warm")  # loads the model, as it was before the floor was measured
        start = perf_counter()
        with progress_bar(f"{rows} rows: saving") as progress:
            memory.save_messages(
                messages(rows, CORPUS_SEED), progress=lambda done: progress(done, rows)
            )
        saved_s = perf_counter() - start
        with progress_bar(f"{rows} rows: indexing") as progress:
            memory.wait_until_indexed(progress)
        indexed_s = perf_counter() - start
        memory.for_user(SMALL_USER).save_messages(messages(SMALL_ROWS, SMALL_SEED))
        memory.wait_until_idle()  # what was learned from them is not learned while others measure
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    return {
        "saved_per_s": rows / saved_s,
        "indexed_per_s": rows / indexed_s,
        "peak_bytes": memory_peak_bytes(),
        "bytes_per_row": size / (rows + SMALL_ROWS),
    }


def search(folder: Path, queries: int) -> Result:
    """Opens the database, and searches as the big and as the small user, every question once."""
    memory, open_ms = timed(partial(MemoryService.open, folder, BIG_USER))
    found: Result = {"open_ms": open_ms}
    with memory:
        # Each user has questions of their own: a vector that is remembered would cost nothing.
        for user, seed in ((BIG_USER, QUESTION_SEED), (SMALL_USER, SMALL_QUESTION_SEED)):
            ask = partial(memory.for_user(user).search_memories, limit=FOUND)
            _timings(ask, questions(WARM_QUESTIONS, WARM_SEED))
            found[user] = asdict(Latency.of(_timings(ask, questions(queries, seed))))
        results = memory.search_memories("rent", limit=1)
    found["missing"] = [str(missing) for missing in results.missing]
    found["peak_bytes"] = memory_peak_bytes()
    return found


def compare(folder: Path, queries: int) -> Result:
    """Searches whose vectors are known, and bare queries, in turns, block by block."""
    texts = questions(queries, QUESTION_SEED)
    with (
        MemoryService.open(folder, BIG_USER, background=False) as memory,
        closing(BareQueries(folder, BIG_USER)) as bare,
    ):
        search = partial(memory.search_memories, limit=FOUND)
        _timings(search, texts)  # from here on the vectors of the questions are remembered
        work: Work = {"search": (search, texts), "full_text": (bare.full_text, texts)}
        if bare.vectors and (embedder := make_embedder(Settings())) is not None:
            vectors = [embedder.embed_query(text) for text in texts]
            work |= {"nearest": (bare.nearest, vectors), "dot": (bare.dot_product, vectors)}
        samples = _in_turns(work)
    for name, leg in (("with_nearest", "nearest"), ("with_dot", "dot")):
        legs = zip(samples["full_text"], samples.get(leg, [0.0] * queries), strict=True)
        samples[name] = [sum(pair) for pair in legs]
    return _latencies(samples)


def compose(folder: Path, queries: int) -> Result:
    """Prompts and the search that each contains, with the questions' vectors known.

    The user also has a MEMORY.md of 60 facts, a profile and a running session.
    """
    texts = questions(queries, QUESTION_SEED)
    with MemoryService.open(folder, BIG_USER, background=False) as memory:
        _fill_around(memory)
        builder = ChatContextBuilder(memory, counts_access=False)
        search = partial(memory.search_memories, limit=SEARCHED)
        build = partial(builder.build_messages, session_id=SESSION)
        _timings(search, texts)  # from here on the vectors of the questions are remembered
        samples = _in_turns({"search": (search, texts), "compose": (build, texts)})
        tokens = [build(text).receipt.total_tokens for text in texts[: queries // 10]]
    return _latencies(samples) | {"tokens": median(tokens)}


def _fill_around(memory: MemoryService) -> None:
    """What a prompt holds besides search results."""
    for message in messages(MAIN_FACTS, FACT_SEED):
        memory.append_memory(message.content)
    memory.update_user_profile("Prefers short answers.\n\nWorks as a nurse in two shifts.\n")
    dialogue = list(messages(2 * SESSION_TURNS, TURN_SEED))
    for user, assistant in zip(dialogue[::2], dialogue[1::2], strict=True):
        memory.save_conversation_turn(user.content, assistant.content, SESSION)
    memory.wait_until_indexed()


def one_by_one(folder: Path, turns: int, facts: int) -> Result:
    """Saves turns, with and without extraction, and facts, while vectors follow."""
    dialogue = list(messages(2 * turns, TURN_SEED))
    pairs = list(zip(dialogue[::2], dialogue[1::2], strict=True))
    fact_texts = [message.content for message in messages(facts, FACT_SEED)]
    plain: list[float] = []
    samples: list[float] = []
    with MemoryService.open(folder, TURN_USER) as memory:
        other = memory.for_user(PLAIN_USER)
        for one in (memory, other):
            one.save_conversation_turn("hello", "hello", "warm")
        memory.wait_until_indexed()  # the model is loaded once, not in every turn
        for block in (pairs[at : at + BLOCK] for at in range(0, turns, BLOCK)):
            for saver, taken, extracts in ((other, plain, False), (memory, samples, True)):
                memory.config.set({"memory.auto_extract": extracts})
                for user, assistant in block:
                    save = partial(saver.save_conversation_turn, user.content, assistant.content)
                    taken.append(timed(partial(save, user.session_id))[1])
        memory.wait_until_idle()
        fact_user = memory.for_user(FACT_USER)
        fact_user.append_memory("warm")
        fact_ms = [timed(partial(fact_user.append_memory, text))[1] for text in fact_texts]
    rates = {"turns_per_s": 1000 * turns / sum(samples), "facts_per_s": 1000 * facts / sum(fact_ms)}
    return rates | _latencies({"turn": samples, "plain_turn": plain, "fact": fact_ms})


def _in_turns(work: Work) -> dict[str, list[float]]:
    """Milliseconds of each call, by name; each name in turn has a block of calls."""
    samples: dict[str, list[float]] = {name: [] for name in work}
    count = min(len(subjects) for _, subjects in work.values())
    for at in range(0, count, BLOCK):
        for name, (ask, subjects) in work.items():
            ask(subjects[at])
            samples[name] += _timings(ask, subjects[at : at + BLOCK])
    return samples


def _latencies(samples: Mapping[str, Sequence[float]]) -> Result:
    return {name: asdict(Latency.of(taken)) for name, taken in samples.items()}


def _timings(ask: Callable[[Any], object], subjects: Sequence[object]) -> list[float]:
    """Milliseconds of each call."""
    return [timed(partial(ask, subject))[1] for subject in subjects]


def memory_peak_bytes() -> int | None:
    """Peak resident memory of this process in bytes; None where the system does not tell."""
    status = Path("/proc/self/status")
    if status.exists():
        # getrusage would count what the parent held when it started this process.
        for line in status.read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * _KIB
    try:
        import resource  # noqa: PLC0415 - not on Windows
    except ImportError:
        return None
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * _KIB
