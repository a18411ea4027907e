"""A place in one file: whole, verified, and the same again wherever it is restored."""

import re
import signal
import threading
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

import pytest
from tests.conftest import run_python
from tests.doors import Chatmem, by_words
from tests.integration.filled import fill
from tests.integration.test_users import opened, place, rows

from chatmem import MemoryService
from chatmem.engine.backup import Archive
from chatmem.errors import BackupError, StorageError

__all__ = ["place"]
QUESTIONS = ("where do I live?", "note 7", "我住在里斯本")


@pytest.fixture
def memory(place: str | Path) -> Iterator[MemoryService]:
    """Two users, who share a group, and a document that was edited and not looked at yet."""
    with opened(place) as memory:
        fill(memory, "Lisbon", 60)
        fill(memory.for_user("小明"), "里斯本", 20)
        circle = memory.people.circles("group")[0].circle_id
        memory.people.invite(circle, "小明")
        memory.for_user("小明").people.join(circle)
        memory.config.set({"memory.rag_top_n": 7})
        yield memory


@pytest.fixture
def empty(request: pytest.FixtureRequest, memory: MemoryService, tmp_path: Path) -> str | Path:
    """A place of the other kind with nothing in it."""
    if memory.stats().backend.startswith("PostgreSQL"):
        return tmp_path / "empty"
    address: str = request.getfixturevalue("postgres_address")
    return address


def found(memory: MemoryService) -> list[object]:
    """What both users find, and how near it is."""
    return [
        [(hit.memory.id, round(hit.score, 9)) for hit in user.search_memories(question)]
        for user in (memory.for_user("default"), memory.for_user("小明"))
        for question in QUESTIONS
    ]


def test_a_restored_place_is_the_same_row_by_row(
    memory: MemoryService, empty: str | Path, tmp_path: Path
) -> None:
    before = found(memory)
    written = memory.backup(tmp_path / "backup.zip")

    with opened(empty) as other:
        restored = other.restore_backup(tmp_path / "backup.zip")
        again = rows(other, tmp_path / "again.zip")
        assert found(other) == before
        assert other.settings.memory.rag_top_n == 7
        assert [one for one in other.diagnose() if not one.ok] == []
        other.for_user("小明").save_conversation_turn("I moved to Porto", "OK", "new")
        other.wait_until_idle()
        assert other.for_user("小明").search_memories("Porto")

    assert restored == written
    with ZipFile(tmp_path / "backup.zip") as packed:
        assert again == {name: packed.read(name) for name in again}


def test_the_same_place_gets_back_what_it_lost_and_nothing_twice(
    memory: MemoryService, tmp_path: Path
) -> None:
    backup = tmp_path / "backup.zip"
    memory.backup(backup)
    before, known = rows(memory, tmp_path / "before.zip"), found(memory)
    memory.for_user("小明").sessions.delete("里斯本 session 1")
    memory.forget_all()
    assert rows(memory, tmp_path / "after.zip") != before

    memory.restore_backup(backup)

    assert rows(memory, tmp_path / "after.zip") == before
    assert found(memory) == known
    memory.restore_backup(backup)
    assert found(memory) == known


def test_a_place_with_other_memories_is_refused(memory: MemoryService, tmp_path: Path) -> None:
    memory.backup(tmp_path / "backup.zip")
    kept = memory.append_memory("Came later")
    before = rows(memory, tmp_path / "before.zip")

    with pytest.raises(BackupError, match=r"holds 1 memories, .*nothing was changed"):
        memory.restore_backup(tmp_path / "backup.zip")

    assert rows(memory, tmp_path / "after.zip") == before
    assert memory.get(kept.id).content == "Came later"


def test_what_is_written_meanwhile_is_whole(
    memory: MemoryService, empty: str | Path, tmp_path: Path
) -> None:
    forgotten = memory.append_memory("Is forgotten meanwhile")

    def write(done: int, total: int) -> None:
        if done == total:
            others = (
                lambda: memory.append_memory("Came meanwhile"),
                lambda: memory.forget(forgotten.id),
            )
            for other in others:
                thread = threading.Thread(target=other)
                thread.start()
                thread.join()

    memory.backup(tmp_path / "backup.zip", write)
    with opened(empty) as other:
        other.restore_backup(tmp_path / "backup.zip")
        contents = [one.content for one in other.list_memories(limit=1_000).items]
        main = other.read_main()

    assert contents.count("Came meanwhile") == main.count("Came meanwhile") == 1
    assert "Is forgotten meanwhile" not in "".join((*contents, main))


def test_a_damaged_file_is_refused_and_changes_nothing(own_folder: Path) -> None:
    whole = own_folder / "backup.zip"
    with by_words(own_folder / "data") as memory:
        fill(memory, "Lisbon", 4)
        digest = memory.backup(whole).digest
        memory.users.export("default", own_folder / "user.zip")
    data, damaged = whole.read_bytes(), own_folder / "damaged.zip"
    harmless = refused = 0
    for at in range(0, len(data), len(data) // 300):
        for broken in (data[:at], data[:at] + bytes([data[at] ^ 4]) + data[at + 1 :]):
            damaged.write_bytes(broken)
            try:
                harmless += Archive(damaged).manifest["digest"] == digest
            except BackupError as error:
                refused += "nothing was changed" in str(error)
    assert refused + harmless > 600
    assert harmless < refused / 5  # of the zip's own dates and the like: all parts are whole
    with by_words(own_folder / "other") as other:
        before = rows(other, own_folder / "before.zip")
        for file, why in (
            (own_folder / "user.zip", "what one user has"),
            (own_folder / "other" / "chatmem.db", "is no backup of chatmem"),
        ):
            with pytest.raises(BackupError, match=why):
                other.restore_backup(file)
        with pytest.raises(StorageError, match="No such file"):
            other.restore_backup(own_folder / "nowhere.zip")
        assert rows(other, own_folder / "after.zip") == before


def test_one_that_was_killed_leaves_the_older_one(own_folder: Path) -> None:
    backup = own_folder / "backup.zip"
    with by_words(own_folder / "data") as memory:
        memory.append_memory("Lives in Porto")
        memory.backup(backup)
    before = backup.read_bytes()

    killed = run_python(
        "import os, signal, sys\n"
        "from chatmem import MemoryService, Settings\n"
        "kill = lambda done, total: os.kill(os.getpid(), signal.SIGKILL)\n"
        "settings = Settings(embedder={'name': 'none'})\n"
        "with MemoryService.open(sys.argv[1], settings=settings) as memory:\n"
        "    memory.backup(sys.argv[2], kill)\n",
        str(own_folder / "data"),
        str(backup),
    )

    assert killed.returncode == -signal.SIGKILL
    assert backup.read_bytes() == before
    assert len(list(own_folder.glob(".backup.zip.*"))) == 1
    with by_words(own_folder / "data") as memory:
        memory.backup(backup)
    assert list(own_folder.glob(".backup.zip.*")) == []


def test_the_drill_of_the_documentation(chatmem: Chatmem, data: Path) -> None:
    text = (Path(__file__).parents[2] / "docs" / "operation.md").read_text("utf-8")
    drill = text.partition("## Backups")[2].partition("\n## ")[0]
    commands = re.findall(r"^\$ chatmem (.*?)\s*(?:#.*)?$", drill, re.MULTILINE)
    assert {one.split()[0] for one in commands} == {"backup", "restore-backup", "doctor", "users"}
    with by_words(data, "mei") as memory:
        fill(memory, "Lisbon", 4)

    done = [chatmem(*command.split()) for command in commands]

    assert [one.code for one in done] == [0] * len(commands)
    assert "mei  " in done[-1].out
