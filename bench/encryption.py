"""What encryption costs a search, and what a conversion that is killed leaves.

    python bench/encryption.py search [--rows 10000] [--queries 200]
    python bench/encryption.py kill [--rounds 200] [--seed 1]

`search` fills a folder, encrypts a copy of it, and asks both the same questions in turn; exit 1
where the encrypted one's median is over 1.15 times the plain one's. `kill` encrypts a folder, gives
it another key and makes it plain again, round after round, and kills each time at a random moment:
everything must be there, in the old form or the new one; the same call then has to finish, and
to leave no plain byte behind it in an encrypted folder. Prints JSON; exit 1 if anything was wrong.
"""

import argparse
import json
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from chatmem import MemoryService, Settings
from chatmem.engine.factory import DATABASE_FILE, MEMORY_FOLDER
from chatmem.lab.bench.corpus import messages, questions
from chatmem.storage.sqlite.cipher import fits, is_encrypted
from chatmem.storage.sqlite.store import convert

KEYS = ("0a" * 32, "0b" * 32)
FORMS = (KEYS[0], KEYS[1], None)
"""What a folder becomes in turn."""
MOST = 1.15
CANARY = "canary-zebra"
_MADE_BY_US = (".new", ".old")


def converted(folder: Path, form: str | None) -> None:
    """Makes the folder what it is to be, with whichever key it has now."""
    file = folder / DATABASE_FILE
    key = next(one for one in KEYS if fits(file, one)) if is_encrypted(file) else None
    convert(file, folder / MEMORY_FOLDER, key, form)


def contents(folder: Path, chosen: Settings) -> list[object]:
    """What the folder holds."""
    with MemoryService.open(folder, settings=chosen, background=False) as memory:
        session = memory.sessions.messages("s")
        return [list(memory.export_records()), memory.read_main(), session]


def kill(rounds: int, seed: int, place: Path) -> dict[str, object]:
    """How many children were killed before they had done, and what was wrong afterwards."""
    dice = random.Random(seed)
    folder, keys = place / "data", place / "keys"
    keys.write_text("\n".join(KEYS))  # whatever form the folder has, it can be opened
    chosen = Settings(embedder={"name": "none"}, key_file=keys)
    with MemoryService.open(folder, settings=chosen, background=False) as memory:
        for number in range(20):
            memory.append_memory(f"Saw the {CANARY} number {number}")
            memory.save_conversation_turn(f"{CANARY} {number}?", "Yes.", "s")
    expected = contents(folder, chosen)
    took = min(_seconds(folder, form) for form in FORMS)
    killed, troubles = 0, []
    for number in range(rounds):
        form = FORMS[number % len(FORMS)]
        killed += _killed(folder, form, dice.random() * took)
        for step in ("killed", "finished"):
            if step == "finished":
                converted(folder, form)
            if contents(folder, chosen) != expected:
                troubles.append(f"round {number}, {step}: not everything is there")
        left = [one.name for one in folder.iterdir() if one.name.endswith(_MADE_BY_US)]
        if left:
            troubles.append(f"round {number}: {left} is left")
        if form is not None and _says(folder, CANARY):
            troubles.append(f"round {number}: a plain byte is left")
    return {"rounds": rounds, "killed": killed, "took_s": round(took, 2), "troubles": troubles}


def _seconds(folder: Path, form: str | None) -> float:
    began = time.monotonic()
    converted(folder, form)
    return time.monotonic() - began


def _killed(folder: Path, form: str | None, after_s: float) -> bool:
    """True when a child was killed while it converted."""
    child = os.fork()
    if child == 0:
        converted(folder, form)
        os._exit(0)
    time.sleep(after_s)
    os.kill(child, signal.SIGKILL)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) != 0


def _says(folder: Path, word: str) -> bool:
    files = (one for one in folder.rglob("*") if one.is_file())
    return any(word.encode() in one.read_bytes() for one in files)


def search(rows: int, queries: int, place: Path) -> dict[str, object]:
    """Milliseconds of the median search, plain and encrypted, asked in turn."""
    plain, sealed = place / "plain", place / "sealed"
    with MemoryService.open(plain, background=False) as memory:
        memory.save_messages(messages(rows, seed=1))
        memory.wait_until_indexed()
    shutil.copytree(plain, sealed)
    converted(sealed, KEYS[0])
    found: tuple[list[float], list[float]] = ([], [])
    with (
        MemoryService.open(plain, background=False) as one,
        MemoryService.open(sealed, settings=Settings(key=KEYS[0]), background=False) as other,
    ):
        for memory in (one, other):
            memory.search_memories("warm up")
        for question in questions(queries, seed=2):
            for memory, times in zip((one, other), found, strict=True):
                began = time.perf_counter()
                memory.search_memories(question)
                times.append((time.perf_counter() - began) * 1_000)
    medians = [round(median(times), 3) for times in found]
    ratio = median(found[1]) / median(found[0])
    return {"rows": rows, "plain_ms": medians[0], "encrypted_ms": medians[1], "ratio": ratio}


def main() -> int:
    """Measures what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("search", "kill"))
    parser.add_argument("--rows", type=int, default=10_000)
    parser.add_argument("--queries", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        if given.what == "kill":
            outcome = kill(given.rounds, given.seed, Path(place))
            failed = bool(outcome["troubles"])
        else:
            outcome = search(given.rows, given.queries, Path(place))
            failed = float(str(outcome["ratio"])) > MOST
    print(json.dumps(outcome))
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
