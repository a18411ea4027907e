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
from chatmem.errors import ImportFormatError, InvalidInputError, StorageError

__all__ = ["place"]
QUESTIONS = ("where do I live?", "note 7", "我住在里斯本")


@pytest.fixture
def memory(place: str | Path) -> Iterator[MemoryService]:
    """Two users, who share a group."""
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


@pytest.fixture
def backup(tmp_path: Path) -> Path:
    """Where a backup is written to."""
    return tmp_path / "backup.zip"


def found(memory: MemoryService) -> list[object]:
    """What both users find, and how near it is."""
    return [
        [(hit.memory.id, round(hit.score, 9)) for hit in user.search_memories(question)]
        for user in (memory.for_user("default"), memory.for_user("小明"))
        for question in QUESTIONS
    ]


def test_a_restored_place_is_the_same_row_by_row(
    memory: MemoryService, empty: str | Path, backup: Path
) -> None:
    before = found(memory)
    written = memory.backup(backup)

    assert MemoryService.restore_backup(backup, empty) == written
    # As after an interruption: nothing comes twice.
    assert MemoryService.restore_backup(backup, empty) == written
    with opened(empty) as other:
        assert rows(other) | {"document": ""} == rows(memory) | {"document": ""}
        assert found(other) == before
        assert other.read_main() == memory.read_main()
        assert other.settings.memory.rag_top_n == 7
        assert [one for one in other.diagnose() if not one.ok] == []
        other.for_user("小明").save_conversation_turn("I moved to Porto", "OK", "new")
        other.wait_until_idle()
        assert other.for_user("小明").search_memories("Porto")


def test_a_place_with_other_memories_is_refused(
    memory: MemoryService, place: str | Path, backup: Path
) -> None:
    memory.backup(backup)
    memory.update_user_profile("Came later")
    with pytest.raises(
        InvalidInputError, match=r"another USER.md of default: .*nothing was changed"
    ):
        MemoryService.restore_backup(backup, place)
    memory.update_user_profile("# Me\nA Lisbon")
    memory.save_conversation_turn("Came later", "OK", "later")
    before = rows(memory)

    with pytest.raises(
        InvalidInputError, match=r"already holds others .*conversation.*was changed"
    ):
        MemoryService.restore_backup(backup, place)

    assert rows(memory) == before


def test_what_is_written_meanwhile_is_whole(
    place: str | Path, tmp_path: Path, backup: Path
) -> None:
    """A backup has what was there when it began, and nothing that was gone; the rest is in step."""
    stop, known, gone = threading.Event(), list[str](), list[str]()

    def write(memory: MemoryService) -> None:
        while not stop.is_set():
            known.append(memory.append_memory(f"Came as number {len(known)}").id)
            if len(known) % 3 == 0:
                memory.forget(known[-2])
                gone.append(known[-2])

    with opened(place) as memory:
        writer = threading.Thread(target=write, args=[memory])
        writer.start()
        for number in range(3):
            while len(known) < 4 * (number + 1):
                stop.wait(0.01)
            wanted, unwanted = known[:], gone[:]
            memory.backup(backup)
            kept = set(wanted) - set(gone)

            MemoryService.restore_backup(backup, tmp_path / str(number))

            with opened(tmp_path / str(number)) as other:
                there = {one.id for one in other.export_records()}
                assert kept <= there
                assert there.isdisjoint(unwanted)
                main = other.read_main()
                assert there == set(re.findall(r"id=(\w+)", main))
        stop.set()
        writer.join()


def test_a_damaged_file_is_refused_and_changes_nothing(own_folder: Path) -> None:
    whole, place = own_folder / "backup.zip", own_folder / "other"
    with by_words(own_folder / "data") as memory:
        fill(memory, "Lisbon", 4)
        checksum = memory.backup(whole).checksum
    data, damaged = whole.read_bytes(), own_folder / "damaged.zip"
    harmless = refused = 0
    for at in range(0, len(data), len(data) // 60):
        for broken in (data[:at], data[:at] + bytes([data[at] ^ 4]) + data[at + 1 :]):
            damaged.write_bytes(broken)
            try:
                harmless += MemoryService.restore_backup(damaged, place).checksum == checksum
            except ImportFormatError as error:
                refused += "nothing was changed" in str(error)
                assert harmless or not place.exists()
    assert refused + harmless >= 120
    assert harmless < refused / 5  # of the zip's own dates and the like: all parts are whole
    with pytest.raises(ImportFormatError, match="is no backup of chatmem"):
        MemoryService.restore_backup(own_folder / "data" / "chatmem.db", place)
    with pytest.raises(StorageError, match=r"nowhere.zip: cannot be read \(No such file"):
        MemoryService.restore_backup(own_folder / "nowhere.zip", place)


def test_one_that_was_killed_leaves_the_older_one(own_folder: Path) -> None:
    backup, data = own_folder / "backup.zip", own_folder / "data"
    with by_words(data) as memory:
        memory.append_memory("Lives in Porto")
        memory.backup(backup)
    before = backup.read_bytes()

    def killed(what: str) -> None:
        done = run_python(
            "import os, signal, sys\n"
            "from chatmem import MemoryService, Settings\n"
            "kill = lambda done, total: os.kill(os.getpid(), signal.SIGKILL)\n"
            "settings = Settings(embedder={'name': 'none'})\n"
            "file, data = sys.argv[1:]\n"
            f"{what}\n",
            str(backup),
            str(data),
        )
        assert done.returncode == -signal.SIGKILL
        assert backup.read_bytes() == before
        assert len(list(own_folder.glob(".backup.zip.*"))) == 1

    killed("MemoryService.open(data, settings=settings).backup(file, kill)")
    data.rename(own_folder / "old")
    killed("MemoryService.restore_backup(file, data, settings=settings, progress=kill)")
    MemoryService.restore_backup(backup, data)
    assert list(own_folder.glob(".backup.zip.*")) == []
    with by_words(data) as memory:
        assert [one.content for one in memory.export_records()] == ["Lives in Porto"]


def test_a_document_that_cannot_be_read_is_named_and_holds_up_nobody(own_folder: Path) -> None:
    with by_words(own_folder / "data") as memory:
        kept = memory.append_memory("Lives in Porto")
        (own_folder / "data/prompts/memory/USER.md").write_bytes(b"\xff")
        (why,) = memory.backup(own_folder / "backup.zip").left_out

    assert "USER.md is not UTF-8" in why
    with ZipFile(own_folder / "backup.zip") as packed:
        assert kept.id.encode() in packed.read("prompts/memory/MEMORY.md")


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
