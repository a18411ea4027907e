"""A server, a second process and people with editors that read long ago, in random order.

    python bench/interleavings.py [--rounds 2000] [--seed 1] [--steps 14]

Two services on one folder remember, change and forget; two editors read MEMORY.md, change what they
have read, and save it whenever it comes, in place or by rename, over whatever stands there then;
somebody appends with `>>`. At the end everything that was remembered or typed must be known once,
in the index and in the file, unless it was forgotten, or deleted in a text in which something newer
stood; what a service forgot must be nowhere. Prints what was lost, revived and doubled; exit 1 if
there is any.
"""

import argparse
import os
import random
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from chatmem import MemoryService, Settings

_NAME = re.compile(r"plot-\d+")
_ID = re.compile(r"<!-- id=(\w+)")


@dataclass(slots=True)
class Editor:
    """A text as it was read, with what was done to it since."""

    text: str | None = None
    deleted: set[str] = field(default_factory=set)
    typed: set[str] = field(default_factory=set)


@dataclass(slots=True)
class Outcome:
    """Names of what was lost, came back, or stands twice."""

    lost: list[str] = field(default_factory=list)
    revived: list[str] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.lost or self.revived or self.doubled)


class World:
    """One folder, two services on it, two editors, and what must be true of it."""

    def __init__(self, folder: Path, chance: random.Random) -> None:
        memory = {"scan_interval_seconds": 0.0, "dedup": "exact", "main_max_tokens": 1_000_000}
        settings = Settings(embedder={"name": "none"}, memory=memory)
        self.services = [
            MemoryService.open(folder, settings=settings, background=False) for _ in range(2)
        ]
        self.main = folder / "prompts" / "memory" / "MEMORY.md"
        self.editors = [Editor(), Editor()]
        self.chance = chance
        self.count = 0
        self.kept: set[str] = set()
        """What must be there at the end."""
        self.forgotten: set[str] = set()
        self.doubtful: set[str] = set()
        """What one editor deleted: another's older text, or its own undone, may bring it back."""

    def _fresh(self) -> str:
        self.count += 1
        return f"plot-{self.count}"

    def _known(self) -> dict[str, str]:
        listed = self.services[0].list_memories(limit=1_000, state="all").items
        return {one.content: one.id for one in listed}

    def step(self) -> None:
        """One thing that one of them does."""
        deeds: list[Callable[[], None]] = [self._remember, self._read, self._type, self._save]
        deeds += [
            self._save,
            self._remember,
            self._delete,
            self._forget,
            self._append,
            self._change,
        ]
        self.chance.choice(deeds)()

    def _remember(self) -> None:
        name = self._fresh()
        self.chance.choice(self.services).append_memory(f"Owns {name}")
        self.kept.add(name)

    def _forget(self) -> None:
        known = self._known()
        if known:
            content = self.chance.choice(sorted(known))
            self.chance.choice(self.services).forget(known[content])
            name = self._name(content)
            self.kept.discard(name)
            self.forgotten.add(name)
            for editor in self.editors:
                if name in editor.typed:  # its editor never knew the id: typing is saying it again
                    self.doubtful.add(name)

    def _change(self) -> None:
        known = self._known()
        if known:
            content = self.chance.choice(sorted(known))
            memory_id = known[content]
            self.chance.choice(self.services).update(memory_id, content=f"{content}, still")

    def _append(self) -> None:
        """`echo >>`, now and then over a write of a service."""
        name = self._fresh()
        with self.main.open("a", encoding="utf-8") as out:
            if self.chance.random() < 0.5:
                self._remember()
            out.write(f"- Echoed {name}\n")
        self.services[0].sync()
        self.services[1].sync()
        self.kept.add(name)

    def _read(self) -> None:
        editor = self.chance.choice(self.editors)
        editor.text = self.main.read_text("utf-8")
        editor.deleted.clear()
        editor.typed.clear()

    def _type(self) -> None:
        editor = self.chance.choice(self.editors)
        if editor.text is not None:
            name = self._fresh()
            editor.text += f"- Typed {name}\n"
            editor.typed.add(name)

    def _delete(self) -> None:
        editor = self.chance.choice(self.editors)
        lines = (editor.text or "").splitlines(keepends=True)
        there = [line for line in lines if _NAME.search(line)]
        if there:
            line = self.chance.choice(there)
            editor.text = "".join(one for one in lines if one is not line)
            editor.deleted.add(self._name(line))
            editor.typed.discard(self._name(line))

    def _save(self) -> None:
        editor = self.chance.choice(self.editors)
        if editor.text is None:
            return
        if self.chance.random() < 0.5:
            self.main.write_text(editor.text, "utf-8")
        else:
            beside = self.main.with_name("saved")
            beside.write_text(editor.text, "utf-8")
            os.replace(beside, self.main)
        self.chance.choice(self.services).sync()
        self.kept |= editor.typed - self.forgotten
        self.doubtful |= editor.deleted
        self.kept -= editor.deleted

    def outcome(self) -> Outcome:
        """What is wrong in the end."""
        for one in self.services:
            one.sync()
        indexed = Counter(map(self._name, self._known()))
        written = Counter(_NAME.findall(self.main.read_text("utf-8")))
        found = Outcome()
        for name in sorted(self.kept - self.doubtful):
            if not indexed[name] or not written[name]:
                found.lost.append(name)
        found.revived += sorted((self.forgotten - self.doubtful) & (set(indexed) | set(written)))
        found.doubled += [one for one in written if max(written[one], indexed[one]) > 1]
        return found

    def close(self) -> None:
        """Close both services."""
        for one in self.services:
            one.close()

    @staticmethod
    def _name(text: str) -> str:
        found = _NAME.search(text)
        assert found, text
        return found.group()


def run(seed: int, steps: int) -> Outcome:
    """One random order of so many steps."""
    with tempfile.TemporaryDirectory() as folder:
        world = World(Path(folder), random.Random(seed))
        try:
            for _ in range(steps):
                world.step()
            return world.outcome()
        finally:
            world.close()


def main() -> int:
    """Run them all, print what was found; 1 if anything is wrong."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--steps", type=int, default=14)
    given = parser.parse_args()
    wrong = Counter[str]()
    for seed in range(given.seed, given.seed + given.rounds):
        if found := run(seed, given.steps):
            wrong.update(lost=len(found.lost), revived=len(found.revived))
            wrong.update(doubled=len(found.doubled))
            print(f"seed {seed}: {found}", flush=True)
    lost, revived, doubled = wrong["lost"], wrong["revived"], wrong["doubled"]
    print(f"{given.rounds} interleavings: {lost} lost, {revived} revived, {doubled} doubled")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
