"""The restore drill of docs/operation.md on 10,000 memories: how long it takes, and what is back.

    python bench/restore_drill.py [--memories 10000] [--to postgresql://...]

Two users in a household and a group: conversations, memories with history, profiles. All of it is
backed up, restored into an empty place, compared row by row, and
one of the users is deleted there.
"""

import argparse
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from chatmem import MemoryService
from chatmem.model import Message
from chatmem.model.time import utc_now
from chatmem.storage.tables.transfer import TABLES
from chatmem.testing import FakeEmbedder

_BATCH = 1_000
_EXPLICIT = 100
"""Memories that are written, changed and replaced one by one; the others are messages."""


@contextmanager
def timed(what: str) -> Iterator[None]:
    """Print how many seconds it took."""
    began = time.perf_counter()
    yield
    print(f"{what:34} {time.perf_counter() - began:7.2f} s", flush=True)


def opened(place: str | Path) -> MemoryService:
    """The place, with an embedder that costs nothing: what is measured is moving."""
    return MemoryService.open(place, "mei", embedder=FakeEmbedder(dimension=512), background=False)


def fill(memory: MemoryService, count: int) -> None:
    """Half of the memories for each user."""
    for user in (memory, memory.for_user("tom")):
        name = user.user_id
        for first in range(0, count // 2 - _EXPLICIT, _BATCH):
            user.save_messages(
                Message(
                    role="user" if number % 2 == 0 else "assistant",
                    content=f"{name} told of trip {number} to Lisbon, 第{number}次去里斯本",
                    session_id=f"{name} {number // 50}",
                    timestamp=utc_now(),
                )
                for number in range(first, min(first + _BATCH, count // 2 - _EXPLICIT))
            )
        for number in range(_EXPLICIT):
            fact = f"Liked Lisbon {number} times"
            user.append_memory(fact, key="trips", value=number, visibility="household")
        user.update_user_profile(f"# {name}\nTravels a lot")
        user.keys.create(name)
    for make in (memory.people.create_household, memory.people.create_group):
        circle = make("Home")
        memory.people.invite(circle.circle_id, "tom")
        memory.for_user("tom").people.join(circle.circle_id)
    memory.wait_until_indexed()


def main() -> None:
    """Run the drill in a temporary folder, into another one or into the place that is named."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--memories", type=int, default=10_000)
    parser.add_argument("--to", help="an empty postgresql:// database, or an empty folder")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        first, again = folder / "first.zip", folder / "again.zip"
        with opened(folder / "place") as memory:
            with timed(f"filled with {options.memories} memories"):
                fill(memory, options.memories)
            with timed("backed up and verified"):
                written = memory.backup(first)
        print(f"{sum(written.rows.values())} rows, {first.stat().st_size / 1e6:.1f} MB")
        place = options.to or folder / "restored"
        with timed("verified and restored"):
            MemoryService.restore_backup(first, place)
        with opened(place) as restored:
            with timed("backed up again"):
                same = restored.backup(again).rows == written.rows
            with timed("compared row by row"), opened(folder / "place") as memory:
                here, there = (one._store.transfer for one in (memory, restored))
                same &= all(here.checksum(one) == there.checksum(one) for one in TABLES)
            wrong = [one.name for one in restored.diagnose() if not one.ok]
            print("the same row by row" if same else "DIFFERENT", *wrong)
            with timed("one user exported"):
                restored.users.export("tom", folder / "tom.zip")
            with timed("one user deleted"):
                deleted = restored.users.delete("tom")
            print(f"{deleted} rows deleted")
    if not same or wrong:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
