"""Generated worlds of users, circles, roles and memories, walked by everybody at every door.

    PYTHONPATH=. python bench/isolation.py [--checks 300000] [--seed 1] [--database sqlite]

A check is one (viewer, memory, way to read): Python, REST and MCP, as
`tests/property/test_visibility.py` walks them; `may_see` there says in plain Python who may. The
page and `/v1` are in `tests/integration/test_page_isolation.py`. Half of the checks are done on
each database. Exit 1 at the first leak, which is printed with its world.
"""

import argparse
import sys
import time
from contextlib import ExitStack

from hypothesis import seed, settings
from tests.postgres_server import running_server
from tests.property.test_visibility import (
    IN_ANY_WORLD,
    SLOW,
    Change,
    Circles,
    Databases,
    Files,
    Plan,
    Worlds,
    walk_world,
)

from chatmem.model import RoleRule

_AT_ONCE = 10


def checks_in(worlds: Worlds, number: int) -> int:
    """How many checks there were in `_AT_ONCE` worlds, drawn by this number."""
    done = 0

    @seed(number)
    @settings(SLOW, max_examples=_AT_ONCE)
    @IN_ANY_WORLD
    def walk(
        circles: Circles, auditing: list[RoleRule], plans: list[Plan], changes: list[Change]
    ) -> None:
        nonlocal done
        done += walk_world(worlds, circles, auditing, plans, changes)

    walk()
    return done


def main() -> None:
    """Print the checks of each database, and how long they took."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--checks", type=int, default=300_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--database", choices=("sqlite", "postgres", "both"), default="both")
    given = parser.parse_args()
    with ExitStack() as stack:
        chosen: dict[str, Worlds] = {}
        if given.database != "postgres":
            chosen["sqlite"] = Files()
        if given.database != "sqlite":
            chosen["postgres"] = Databases(stack.enter_context(running_server()))
        for name, worlds in chosen.items():
            done, number, begun_s = 0, given.seed, time.monotonic()
            while done < given.checks // len(chosen):
                done += checks_in(worlds, number)
                number += 1
            took_s = time.monotonic() - begun_s
            print(f"{name}: {done:,} checks, 0 leaks, {took_s:.0f} s", flush=True)
    sys.exit(0)


if __name__ == "__main__":
    main()
