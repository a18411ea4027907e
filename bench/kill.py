"""Kills a process at random moments while it saves, extracts and flushes, and counts what is left.

    python bench/kill.py [--rounds 200] [--seed 1] [--stale]

Each round, a process saves turns (each of which asks for a fact to be remembered), tells of usage
that asks for flushes, and says after each call that it has returned; then it is killed with
SIGKILL. What it had said must be there once, as messages and as a memory, in the rows and in
MEMORY.md and the archive. With `--stale` an editor saves the MEMORY.md of an earlier round, with a
line typed below, while the process works. Prints what was lost and what was doubled; exit 1 if
there is any.
"""

import argparse
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from chatmem import MemoryService, Settings

SESSIONS = 5
PAUSE_S = 0.01
"""Between turns, so that the background is at work as often as the caller."""
TURNS_A_ROUND = 10_000
"""More than a round can save: a turn that was saved and not acknowledged is not sent again."""
LATEST_S = 1.2
"""A child is killed at most so long after its first turn was saved."""
_SAVED = re.compile(r"^saved (\d+)$", re.MULTILINE)
_SHELF = re.compile(r"shelf (\d+)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run has shown: turns that were acknowledged, what of them is lost or doubled."""

    rounds: int
    acknowledged: int
    lost: tuple[str, ...]
    doubled: tuple[str, ...]


def settings() -> Settings:
    """Extraction after every message, without vectors: as many moments as can be."""
    memory = {
        "extract_interval_seconds": 0.0,
        "min_new_messages": 1,
        "dedup": "exact",
        "main_max_tokens": 1_000_000,
    }
    return Settings(embedder={"name": "none"}, memory=memory)


def child(data: str, first: int) -> None:
    """Save turns until somebody ends it."""
    with MemoryService.open(data, settings=settings()) as memory:
        for number in range(first, first + 100_000):
            session = f"s{number % SESSIONS}"
            text = f"Please remember that shelf {number} belongs to Ingrid."
            memory.save_conversation_turn(text, f"Noted, number {number}.", session)
            print(f"saved {number}", flush=True)
            usage = {"currentTokens": 90 if number % 3 else 10, "tokenLimit": 100}
            memory.handle_event({"type": "usage", "session_id": session, "data": usage})
            memory.handle_event({"type": "turn_end", "session_id": session, "id": str(number)})
            time.sleep(PAUSE_S)


def run(rounds: int, seed: int, folder: Path, *, stale: bool = False) -> Outcome:
    """Kill so many processes that work on the folder, one after the other."""
    main = folder / "prompts" / "memory" / "MEMORY.md"
    old = ""
    chance = random.Random(seed)
    saved: set[int] = set()
    for number in range(1, rounds + 1):
        begun = subprocess.Popen(
            [sys.executable, __file__, "--child", str(folder), str(number * TURNS_A_ROUND)],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert begun.stdout is not None
        first = begun.stdout.readline()
        time.sleep(chance.uniform(0, LATEST_S / 2))
        if stale and old:
            main.write_text(f"{old}- Typed, round {number}\n", "utf-8")
        if stale and number % 3 == 0:
            old = main.read_text("utf-8")
        time.sleep(chance.uniform(0, LATEST_S / 2))
        begun.send_signal(signal.SIGKILL)
        rest, _ = begun.communicate()
        if begun.returncode != -signal.SIGKILL:
            raise RuntimeError(f"the process ended by itself: {begun.returncode}")
        saved |= {int(number) for number in _SAVED.findall(first + rest)}
    return _outcome(rounds, saved, folder)


def _outcome(rounds: int, saved: set[int], folder: Path) -> Outcome:
    with MemoryService.open(folder, settings=settings(), background=False) as memory:
        memory.wait_until_idle()
        said: Counter[int] = Counter()
        for session in range(SESSIONS):
            for message in memory.sessions.messages(f"s{session}"):
                said.update(_numbers([message.content]))
        known = Counter(
            _numbers(
                one.content for one in memory.export_records() if one.memory_type == "long_term"
            )
        )
        written = Counter(_numbers(_lines(folder)))
        if waiting := memory.jobs.list():
            raise RuntimeError(f"work is left: {waiting}")
    lost, doubled = [], []
    for what, found in (("message", said), ("memory", known), ("bullet", written)):
        lost += [f"{what} {number}" for number in sorted(saved) if not found[number]]
        doubled += [f"{what} {number}" for number, times in found.items() if times > 1]
    return Outcome(rounds, len(saved), tuple(lost), tuple(doubled))


def _numbers(texts: Iterable[str]) -> list[int]:
    return [int(found.group(1)) for text in texts if (found := _SHELF.search(text))]


def _lines(folder: Path) -> list[str]:
    files = (folder / "prompts" / "memory").rglob("*.md")
    return [line for file in files for line in file.read_text("utf-8").splitlines()]


def main() -> int:
    """Run it, print what was found; 1 if anything is lost or doubled."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--stale", action="store_true", help="an editor saves old texts")
    parser.add_argument("--child", nargs=2, metavar=("DATA", "FIRST"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.child:
        child(given.child[0], int(given.child[1]))
        return 0
    with tempfile.TemporaryDirectory() as folder:
        outcome = run(given.rounds, given.seed, Path(folder), stale=given.stale)
    print(
        f"{outcome.rounds} kills, {outcome.acknowledged} turns acknowledged: "
        f"{len(outcome.lost)} lost, {len(outcome.doubled)} doubled"
    )
    for what in (*outcome.lost, *outcome.doubled)[:20]:
        print(" ", what)
    return int(bool(outcome.lost or outcome.doubled))


if __name__ == "__main__":
    sys.exit(main())
