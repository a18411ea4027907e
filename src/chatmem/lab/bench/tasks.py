"""What the benchmark measures, each task in a process with its own memory and caches.

Source: interfaces.md (`chatmem bench`).
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any, TypeAlias, TypeVar

import apsw

from chatmem.config import Settings
from chatmem.engine.context import SEARCHED, ChatContextBuilder
from chatmem.engine.factory import make_embedder
from chatmem.engine.service import MemoryService
from chatmem.errors import ChatmemError
from chatmem.lab.bench.bare import BareQueries, bare_turn, bare_write
from chatmem.lab.bench.corpus import messages, questions
from chatmem.lab.report import Latency, Measure, ProgressBar, latencies, timed
from chatmem.model import Message

Result = TypeVar("Result")
Work: TypeAlias = dict[str, tuple[Callable[[Any], object], Sequence[Any]]]
"""Calls by name, and what each is called with, all equally often."""

BIG_USER, SMALL_USER, TURN_USER, FACT_USER = "big", "small", "turns", "facts"
PLAIN_USER = "plain"
THREADS = 8
SMALL_ROWS = 1_000
FOUND = 10
BLOCK = 20
CORPUS_SEED, SMALL_SEED, TURN_SEED, FACT_SEED = range(11, 15)
QUESTION_SEED, SMALL_QUESTION_SEED, WARM_SEED = range(21, 24)
WARM_QUESTIONS = 10
SESSION, SESSION_TURNS, MAIN_FACTS = "running", 12, 60
HELP_RUNS = 7
ALL_PERCENTILES = (50, 95, 99)
MOST_COMPOSE_MS = 12
"""Wanted of 10,000 rows."""
MOST_EXTRACTION_MS = 5
MOST_HELP_MS = 300
_KIB = 1024
# One thread each for numpy: what is measured is work, not how many cores are idle.
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


class BenchError(ChatmemError):
    """A task of the benchmark failed."""


def measure(
    rows: int,
    *,
    quick: bool,
    parent: str | None,
    progress_bar: ProgressBar,
    help_command: Sequence[str],
) -> tuple[list[Measure], list[str]]:
    """The figures of a user of so many rows, and what a search lacks; the data is gone afterwards.

    `quick` takes fewer samples. The data's temporary folder is inside `parent`, if that is given.

    Raises:
        BenchError: a task failed.
    """
    queries, turns, facts = (40, 100, 60) if quick else (200, 500, 300)
    texts = min(rows, 1_000 if quick else 4_000)
    with tempfile.TemporaryDirectory(prefix="chatmem-bench-", dir=parent) as name:
        folder = Path(name)
        texts_per_s, embedding = _alone(partial(embed, texts, queries))
        filling = _alone(partial(fill, folder, rows, texts_per_s, progress_bar))
        searching, missing = _alone(partial(search, folder, queries))
        comparing = _alone(partial(compare, folder, queries))
        composing = _alone(partial(compose, folder, queries))
        saving = _alone(partial(one_by_one, folder, turns, facts))
    help_ms = median(
        timed(partial(subprocess.run, help_command, capture_output=True, check=True))[1]
        for _ in range(HELP_RUNS)
    )
    own = Measure("chatmem --help", help_ms, "ms", at_most=MOST_HELP_MS)
    found = [*filling, *saving, *comparing, *searching, *embedding, *composing, own]
    return found, missing


def _alone(task: Callable[[], Result]) -> Result:
    """The task's result, from a new process."""
    os.environ.update(ONE_THREAD)
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


def embed(texts: int, queries: int) -> tuple[float | None, list[Measure]]:
    """The embedder alone: texts per second of those that `fill` saves first, and the questions."""
    embedder = make_embedder(Settings())
    if embedder is None:
        return None, []
    sample = [message.content for message in messages(texts, CORPUS_SEED)]
    embedder.embed(sample[:8])  # loads the model
    _, took_ms = timed(partial(embedder.embed, sample))
    embedder.embed_query("warm")
    samples = _timings(embedder.embed_query, questions(queries, QUESTION_SEED))
    return 1000 * texts / took_ms, list(latencies("a question's embedding {}", samples))


def fill(
    folder: Path, rows: int, texts_per_s: float | None, progress_bar: ProgressBar
) -> list[Measure]:
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
    floor = "the embedder alone, in batch, on the same texts" if texts_per_s else None
    return [
        Measure(
            "batch ingest, with vectors",
            rows / indexed_s,
            "rows/s",
            floor=texts_per_s,
            floor_name=floor,
            at_least=0.8 if floor else None,
        ),
        Measure("batch ingest, acknowledged", rows / saved_s, "rows/s"),
        *_peak("ingest"),
        Measure("on disk", size / (rows + SMALL_ROWS), "bytes/row", at_most=6 * _KIB),
    ]


def search(folder: Path, queries: int) -> tuple[list[Measure], list[str]]:
    """Opens the database, and searches as the big and as the small user, every question once."""
    memory, open_ms = timed(partial(MemoryService.open, folder, BIG_USER))
    found = [Measure("open", open_ms, "ms", at_most=500)]
    # Each user has questions of their own: a vector that is remembered would cost nothing.
    users = (
        ("search {}", BIG_USER, QUESTION_SEED, 15),
        ("search {}, of 1,000 rows", SMALL_USER, SMALL_QUESTION_SEED, 8),
    )
    with memory:
        for name, user, seed, most_ms in users:
            ask = partial(memory.for_user(user).search_memories, limit=FOUND)
            _timings(ask, questions(WARM_QUESTIONS, WARM_SEED))
            samples = _timings(ask, questions(queries, seed))
            found += latencies(name, samples, ALL_PERCENTILES, at_most={50: most_ms})
        missing = memory.search_memories("rent", limit=1).missing
    return [*found, *_peak("search")], [str(one) for one in missing]


def compare(folder: Path, queries: int) -> list[Measure]:
    """Searches whose vectors are known, and bare queries, in turns, block by block."""
    texts = questions(queries, QUESTION_SEED)
    with (
        MemoryService.open(folder, BIG_USER, background=False) as memory,
        closing(BareQueries(folder, BIG_USER)) as bare,
    ):
        search = partial(memory.search_memories, limit=FOUND)
        _timings(search, texts)  # from here on the vectors of the questions are remembered
        work: Work = {"search": (search, texts), "FTS5 query": (bare.full_text, texts)}
        if bare.vectors and (embedder := make_embedder(Settings())) is not None:
            vectors = [embedder.embed_query(text) for text in texts]
            work["numpy dot product"] = bare.dot_product, vectors
        samples = _in_turns(work)
    taken = samples.pop("search")
    floor = " + ".join(f"bare {query}" for query in samples)
    least = f"{floor}, of the same questions", list(map(sum, zip(*samples.values(), strict=True)))
    name = "search {}, vector known"
    found = list(latencies(name, taken, ALL_PERCENTILES, floor=least, at_most={95: 3}))
    for query, times in samples.items():
        found += latencies(f"bare {query} {{}}", times)
    return found


def compose(folder: Path, queries: int) -> list[Measure]:
    """Prompts and the search that each contains, with the questions' vectors known.

    The user also has a MEMORY.md of 60 facts, a profile and a running session.
    """
    texts = questions(queries, QUESTION_SEED)
    with MemoryService.open(folder, BIG_USER, background=False) as memory:
        for message in messages(MAIN_FACTS, FACT_SEED):
            memory.append_memory(message.content)
        memory.update_user_profile("Prefers short answers.\n\nWorks as a nurse in two shifts.\n")
        for user, assistant in _pairs(SESSION_TURNS):
            memory.save_conversation_turn(user.content, assistant.content, SESSION)
        memory.wait_until_indexed()
        builder = ChatContextBuilder(memory, counts_access=False)
        search = partial(memory.search_memories, limit=SEARCHED)
        build = partial(builder.build_messages, session_id=SESSION)
        _timings(search, texts)  # from here on the vectors of the questions are remembered
        samples = _in_turns({"search": (search, texts), "compose": (build, texts)})
        tokens = [build(text).receipt.total_tokens for text in texts[: queries // 10]]
    floor = "the search that it contains, of the same questions", samples["search"]
    name, taken = "compose {}, vector known", samples["compose"]
    return [
        *latencies(name, taken, ALL_PERCENTILES, floor=floor, at_most={95: 2.5}),
        *latencies("compose {}", taken, (95,), at_most={95: MOST_COMPOSE_MS}),
        Measure("a prompt's size", median(tokens), "tokens"),
    ]


def one_by_one(folder: Path, turns: int, facts: int) -> list[Measure]:
    """Saves turns, with and without extraction, and facts, while vectors follow."""
    pairs = _pairs(turns)
    fact_texts = [message.content for message in messages(facts, FACT_SEED)]
    plain, samples, bare_turn_ms, fact_ms, bare_ms = (list[float]() for _ in range(5))
    with (
        MemoryService.open(folder, TURN_USER) as memory,
        closing(apsw.Connection(str(folder / "bare.db"))) as database,
    ):
        save_bare, write = bare_turn(database), bare_write(folder, database)
        other = memory.for_user(PLAIN_USER)
        for one in (memory, other):
            one.save_conversation_turn("hello", "你好世界", "warm")
        memory.wait_until_indexed()  # model and dictionary are loaded once
        for block in (pairs[at : at + BLOCK] for at in range(0, turns, BLOCK)):
            for saver, taken, extracts in ((other, plain, False), (memory, samples, True)):
                memory.config.set({"memory.auto_extract": extracts})
                taken += _timings(partial(_save, saver), block)
            bare_turn_ms += _timings(save_bare, block)
        memory.wait_until_idle()
        fact_user = memory.for_user(FACT_USER)
        fact_user.append_memory("warm")
        for part in (fact_texts[at : at + BLOCK] for at in range(0, facts, BLOCK)):
            fact_ms += _timings(fact_user.append_memory, part)
            bare_ms += _timings(write, [fact_user.read_main()] * len(part))
        facts_8 = _rate_of_threads(fact_user.append_memory, [f"Note: {one}" for one in fact_texts])
        turns_8 = _rate_of_threads(partial(_save, memory), _pairs(2 * turns)[turns:])
    part_ms = Latency.of(samples).p95_ms - Latency.of(plain).p95_ms
    learning = "extraction's part of one turn, p95"
    alone, rate = "append_memory one by one", _rate(fact_ms)
    bare = "MEMORY.md written, flushed and renamed, and a commit"
    names = f"from {THREADS} threads"
    return [
        Measure("turns one by one", _rate(samples), "turns/s", at_least=2000),
        *latencies("one turn {}", samples, floor=("two rows and a commit", bare_turn_ms)),
        Measure(f"turns {names}", turns_8, "turns/s", at_least=3000),
        Measure(learning, part_ms, "ms", at_most=MOST_EXTRACTION_MS),
        Measure(alone, rate, "/s", floor=_rate(bare_ms), floor_name=bare, at_least=0.7),
        *latencies("one append_memory {}", fact_ms),
        Measure(f"append_memory {names}", facts_8, "/s", floor=rate, floor_name=alone, at_least=2),
    ]


def _save(memory: MemoryService, turn: tuple[Message, Message]) -> None:
    user, assistant = turn
    memory.save_conversation_turn(user.content, assistant.content, user.session_id)


def _pairs(turns: int) -> list[tuple[Message, Message]]:
    """So many messages, each with its answer."""
    dialogue = messages(2 * turns, TURN_SEED)
    return list(zip(dialogue, dialogue, strict=True))


def _rate(samples_ms: Sequence[float]) -> float:
    return 1000 * len(samples_ms) / sum(samples_ms)


def _rate_of_threads(save: Callable[[Any], object], subjects: Sequence[object]) -> float:
    """How many of the subjects several threads save in a second together."""
    with ThreadPoolExecutor(THREADS) as threads:
        _, taken_ms = timed(lambda: list(threads.map(save, subjects)))
    return 1000 * len(subjects) / taken_ms


def _in_turns(work: Work) -> dict[str, list[float]]:
    """Milliseconds of each call, by name; each name in turn has a block of calls."""
    samples: dict[str, list[float]] = {name: [] for name in work}
    count = min(len(subjects) for _, subjects in work.values())
    for at in range(0, count, BLOCK):
        for name, (ask, subjects) in work.items():
            ask(subjects[at])
            samples[name] += _timings(ask, subjects[at : at + BLOCK])
    return samples


def _timings(ask: Callable[[Any], object], subjects: Sequence[object]) -> list[float]:
    """Milliseconds of each call."""
    return [timed(partial(ask, subject))[1] for subject in subjects]


def _peak(work: str) -> list[Measure]:
    """Peak resident memory of this process, nothing where the system does not tell."""
    status = Path("/proc/self/status")
    if status.exists():  # getrusage would count what the parent held when it started this process
        peak_kib = float(status.read_text().partition("VmHWM:")[2].split()[0])
    elif sys.platform == "win32":
        return []
    else:
        import resource  # noqa: PLC0415 - not on Windows

        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        peak_kib = peak / _KIB if sys.platform == "darwin" else peak
    name, most_mib = f"peak memory, {work}", 500e6 / _KIB**2
    return [Measure(name, peak_kib / _KIB, "MiB", at_most=most_mib)]
