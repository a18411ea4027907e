"""Whatever is done, in whatever order, the files and the index say the same."""

import re
import shutil
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    consumes,
    initialize,
    invariant,
    multiple,
    rule,
)
from tests.conftest import examples

from chatmem import MemoryService, Settings
from chatmem.errors import NothingToRestoreError

# A bullet as anybody may read it: its text, and the id in the comment at its end.
BULLET = re.compile(r"^- (?P<content>.*?) <!-- id=(?P<id>\w+)[ >]", re.MULTILINE)
CLOCK = re.compile(r"^\d\d:\d\d ")
CATEGORIES = st.sampled_from(["preference", "fact", "pattern"])
CONTENTS = st.sampled_from(
    [
        "Likes figs",
        "不吃香菜",
        "Owns two canoes",
        "周三学剑道",
        "Reads 'Middlemarch' — again",
        "🦉 at night",
    ]
)


class FilesAndIndex(RuleBasedStateMachine):
    """`expected` is what must be known: the content of every long-term memory by id."""

    memories = Bundle("memories")
    turns = Bundle("turns")

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.files = self.folder / "prompts" / "memory"
        self.expected: dict[str, str] = {}
        self.said: set[str] = set()
        self.count = 0

    @initialize()
    def open(self) -> None:
        quiet = Settings(embedder={"name": "none"}, memory={"scan_interval_seconds": 0.0})
        self.memory = MemoryService.open(self.folder, settings=quiet, background=False)

    def teardown(self) -> None:
        self.memory.close()
        shutil.rmtree(self.folder)

    def fresh(self, content: str) -> str:
        """The content with a number, so that every memory can be told from the others."""
        self.count += 1
        return f"{content} ({self.count})"

    def write_by_hand(self, file: Path, text: str) -> None:
        file.write_text(text, "utf-8")
        self.memory.sync()

    def holder(self, memory_id: str) -> Path:
        """The one file that holds the memory."""
        (file,) = [
            one
            for one in self.files.rglob("*.md")
            if f"<!-- id={memory_id} " in one.read_text("utf-8")
        ]
        return file

    @rule(target=memories, content=CONTENTS, category=CATEGORIES)
    def append(self, content: str, category: Any) -> str:  # noqa: ANN401
        kept = self.memory.append_memory(self.fresh(content), category)
        self.expected[kept.id] = kept.content
        return kept.id

    @rule(target=memories, content=CONTENTS, key=st.sampled_from(["diet", "sport"]))
    def append_with_a_key(self, content: str, key: str) -> str:
        kept = self.memory.append_memory(self.fresh(content), key=key)
        self.expected[kept.id] = kept.content
        return kept.id

    @rule(target=memories, content=CONTENTS)
    def log(self, content: str) -> str:
        kept = self.memory.append_daily_log(self.fresh(content))
        self.expected[kept.id] = kept.content
        return kept.id

    @rule(target=turns, content=CONTENTS)
    def converse(self, content: str) -> str:
        saved = self.memory.save_conversation_turn(self.fresh(content), "I see", "s1")
        self.said.add(saved.user.id)
        return saved.user.id

    @rule(target=memories, turn=consumes(turns))
    def promote(self, turn: str) -> object:
        if turn not in self.said:
            return multiple()
        self.expected[turn] = self.memory.promote(turn).content
        return turn

    @rule(memory_id=memories, content=CONTENTS)
    def update(self, memory_id: str, content: str) -> None:
        if memory_id in self.expected:
            text = self.fresh(content)
            self.expected[memory_id] = self.memory.update(memory_id, content=text).content
            assert self.expected[memory_id] == text

    @rule(memory_id=consumes(memories))
    def forget(self, memory_id: str) -> None:
        if memory_id in self.expected:
            self.memory.forget(memory_id)
            del self.expected[memory_id]

    @rule(memory_id=memories)
    def restore(self, memory_id: str) -> None:
        if memory_id in self.expected:
            try:
                restored = self.memory.restore(memory_id)
            except NothingToRestoreError:
                return
            if restored.memory_type == "long_term":
                self.expected[memory_id] = restored.content
            else:
                del self.expected[memory_id]

    @rule(target=memories, content=CONTENTS)
    def add_by_hand(self, content: str) -> object:
        text, main = self.fresh(content), self.files / "MEMORY.md"
        self.write_by_hand(main, main.read_text("utf-8") + f"- {text}\n")
        found = [
            one.id for one in self.memory.list_memories(state="all").items if one.content == text
        ]
        self.expected.update(dict.fromkeys(found, text))
        assert len(found) == 1
        return multiple(*found)

    @rule(memory_id=memories, content=CONTENTS)
    def edit_by_hand(self, memory_id: str, content: str) -> None:
        if memory_id in self.expected:
            file, text = self.holder(memory_id), self.fresh(content)
            before = self.expected[memory_id]
            self.write_by_hand(file, file.read_text("utf-8").replace(before, text))
            self.expected[memory_id] = text

    @rule(memory_id=consumes(memories))
    def remove_by_hand(self, memory_id: str) -> None:
        """One of few: taking the last out of a file by hand looks like any other removal.

        The newest is put back once, since an older text would lack it, too; where nothing stands
        beside it, it is put back always.
        """
        if memory_id in self.expected:
            del self.expected[memory_id]
            for _ in range(2):
                file = self.holder(memory_id)
                lines = file.read_text("utf-8").splitlines(keepends=True)
                kept = "".join(line for line in lines if f"- id={memory_id} " not in line)
                if "<!-- id=" not in kept:
                    self.memory.forget(memory_id)
                    return
                self.write_by_hand(file, kept)
                if f"<!-- id={memory_id} " not in file.read_text("utf-8"):
                    return
            raise AssertionError("put back twice")

    @rule(memory_id=memories)
    def move_by_hand(self, memory_id: str) -> None:
        """Cut from its file and pasted into the archive, in one go."""
        if memory_id in self.expected:
            file, archive = self.holder(memory_id), self.files / "archive" / "2020-01.md"
            lines = file.read_text("utf-8").splitlines(keepends=True)
            line = next(line for line in lines if f"- id={memory_id} " in line)
            rest = "".join(one for one in lines if one is not line)
            if file == archive or not rest.strip() or CLOCK.match(line[2:]):
                return
            before = archive.read_text("utf-8") if archive.exists() else "# Old\n\n"
            archive.write_text(before + line, "utf-8")
            self.write_by_hand(file, rest)

    @rule()
    def reopen(self) -> None:
        self.memory.close()
        self.open()

    @rule()
    def delete_the_database(self) -> None:
        """Turns are gone with it, long-term memories are not."""
        self.memory.close()
        for file in self.folder.glob("chatmem.db*"):
            file.unlink()
        self.open()
        assert self.memory.list_memories("short_term").total == 0
        self.said.clear()

    @rule()
    def reindex(self) -> None:
        assert self.memory.reindex().held == ()

    @invariant()
    def files_and_index_say_the_same(self) -> None:
        if not hasattr(self, "memory"):
            return
        indexed = {one.id: one for one in self.memory.list_memories(limit=1_000, state="all").items}
        assert {memory_id: one.content for memory_id, one in indexed.items()} == self.expected
        written: dict[str, str] = {}
        for file in self.files.rglob("*.md"):
            document = file.relative_to(self.files).as_posix()
            for bullet in BULLET.finditer(file.read_text("utf-8")):
                assert bullet["id"] not in written, "twice in the files"
                assert indexed[bullet["id"]].document == document
                content = bullet["content"]
                daily = document.startswith("daily/")
                written[bullet["id"]] = CLOCK.sub("", content) if daily else content
        assert written == self.expected

    @invariant()
    def what_is_known_is_found(self) -> None:
        for memory_id in list(self.expected)[-1:]:
            if self.memory.get(memory_id).is_valid:
                found = self.memory.search_memories(self.expected[memory_id], limit=50)
                assert memory_id in [hit.memory.id for hit in found]


TestFilesAndIndex = FilesAndIndex.TestCase
TestFilesAndIndex.settings = settings(
    max_examples=examples(15),
    stateful_step_count=25,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
