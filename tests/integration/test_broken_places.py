"""Folders, disks and databases that cannot be used, and memories that move: nothing is lost."""

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from tests.doors import by_words

from chatmem import ChatmemError, MemoryService
from chatmem.errors import DatabaseError, DocumentError, InvalidInputError, StorageError
from chatmem.testing import FakeEmbedder


def opened(folder: Path) -> MemoryService:
    """Looks for outside edits before every call."""
    return by_words(folder, scan_interval_seconds=0.0)


def run(*command: object) -> bool:
    done = subprocess.run([str(part) for part in command], capture_output=True, check=False)
    return done.returncode == 0


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 3 MB of its own."""
    mounted = tmp_path / "disk"
    mounted.mkdir()
    if os.geteuid() != 0 or not run("mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", mounted):
        pytest.skip("needs to mount a file system")
    yield mounted
    assert run("umount", "-l", mounted)


@pytest.mark.parametrize(
    ("in_the_way", "kind"),
    [
        ("data", StorageError),
        ("data/prompts", DocumentError),
        ("data/prompts/memory", DocumentError),
        ("data/prompts/memory/daily", DocumentError),
    ],
)
def test_a_file_where_a_folder_belongs_is_named(
    data: Path, in_the_way: str, kind: type[ChatmemError]
) -> None:
    file = data.parent / in_the_way
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("in the way")

    with pytest.raises(kind, match=str(file)):
        opened(data)

    file.unlink()
    with opened(data) as memory:
        assert memory.append_memory("Works now").content == "Works now"


@pytest.mark.parametrize("name", ["chatmem.db", "prompts/memory/MEMORY.md"])
def test_a_folder_where_a_file_belongs_is_named(data: Path, name: str) -> None:
    (data / name).mkdir(parents=True)

    with pytest.raises(StorageError, match=str(data / name)):
        opened(data)


def test_a_user_without_a_usable_name_is_refused_and_two_spellings_are_one(data: Path) -> None:
    with opened(data) as memory:
        for user_id in ("", "\ud800", 7):
            with pytest.raises(ChatmemError, match="user id"):
                memory.for_user(user_id)  # type: ignore[arg-type]
        assert memory.stats().users == 1
        kept = memory.for_user("Zo\u00eb").append_memory("Owns a zither")

        assert memory.for_user("Zoe\u0308").get(kept.id) == kept


@pytest.mark.parametrize("user_id", ["../../etc", "/root", "a/b", "..", "用户", "con", "x" * 5_000])
def test_the_files_of_any_user_stay_inside_the_folder(data: Path, user_id: str) -> None:
    with opened(data) as memory:
        theirs = memory.for_user(user_id)
        theirs.append_memory("Belongs to somebody with an odd name")
        assert memory.list_memories().total == 0

    written = [file for file in data.parent.rglob("*.md") if "odd name" in file.read_text("utf-8")]
    assert len(written) == 1
    assert written[0].resolve().is_relative_to(data / "prompts/memory/users")


def no_database(database: Path) -> None:
    database.write_bytes("没有数据库，只有文字。".encode() * 500)


def damaged_head(database: Path) -> None:
    content = bytearray(database.read_bytes())
    content[100:8_000] = bytes(range(256)) * 30 + bytes(220)
    database.write_bytes(content)


def cut_in_half(database: Path) -> None:
    content = database.read_bytes()
    database.write_bytes(content[: len(content) // 2])


@pytest.mark.parametrize("damage", [no_database, damaged_head, cut_in_half])
def test_a_damaged_database_is_named_and_its_memories_come_back_without_it(
    data: Path, damage: Callable[[Path], None]
) -> None:
    with opened(data) as memory:
        kept = [memory.append_memory(f"Memory of walnut number {n}").id for n in range(30)]
        memory.save_conversation_turn("Which walnut?", "The old one.", "s1")
    database = data / "chatmem.db"
    damage(database)
    broken = database.read_bytes()

    with pytest.raises(DatabaseError, match=r"chatmem\.db .*move it away"):
        opened(data).close()
    assert database.read_bytes() == broken  # it may still be rescued by somebody

    shutil.move(database, data / "broken.db")
    with opened(data) as memory:
        assert {one.id for one in memory.list_memories().items} == set(kept)
        assert len(memory.search_memories("walnut")) == 10


def test_an_empty_database_file_is_filled_from_the_documents(data: Path) -> None:
    with opened(data) as memory:
        kept = memory.append_memory("Memory of walnut")
    (data / "chatmem.db").write_bytes(b"")

    with opened(data) as memory:
        assert memory.search_memories("walnut")[0].memory == kept


def test_a_database_from_the_future_is_left_alone(data: Path) -> None:
    with opened(data) as memory:
        memory.append_memory("Memory of walnut")
    database = data / "chatmem.db"
    content = bytearray(database.read_bytes())
    content[60:64] = (999).to_bytes(4)  # PRAGMA user_version, as the file format lays it down
    database.write_bytes(content)

    with pytest.raises(DatabaseError, match="schema version 999"):
        opened(data)
    assert database.read_bytes() == content


def test_a_folder_that_cannot_be_written_is_named(disk: Path) -> None:
    with opened(disk / "data") as memory:
        memory.append_memory("Memory of walnut")
    assert run("mount", "-o", "remount,ro", disk)

    with pytest.raises(StorageError, match=f"{disk}/data: the data folder cannot be written"):
        opened(disk / "data")


def test_a_database_that_cannot_be_written_is_named(disk: Path) -> None:
    with opened(disk / "data") as memory:
        memory.append_memory("Memory of walnut")
    database = disk / "data" / "chatmem.db"
    assert run("mount", "--bind", database, database)
    assert run("mount", "-o", "remount,ro,bind", database)

    try:
        with pytest.raises(DatabaseError, match=r"chatmem\.db cannot be written"):
            opened(disk / "data")
    finally:
        assert run("umount", database)
    with opened(disk / "data") as memory:
        assert memory.list_memories().total == 1


def test_a_full_disk_refuses_writes_clearly_and_loses_nothing(disk: Path) -> None:
    with opened(disk / "data") as memory:
        known = memory.append_memory("Memory of walnut")
        memory.save_conversation_turn("Which walnut tree?", "The old one.", "s1")
        filler = disk / "filler"
        fill(filler)

        for refused in (
            lambda: memory.save_conversation_turn("word " * 2_000, "word " * 2_000, "s1"),
            lambda: memory.append_memory("walnut " * 2_000),
            lambda: memory.append_daily_log("walnut " * 2_000),
            lambda: memory.update(known.id, content="walnut " * 2_000),
        ):
            with pytest.raises(StorageError, match=r"(?s)/(chatmem\.db|.*\.md).*free some space"):
                refused()
        assert len(memory.search_memories("walnut")) == 3
        assert memory.get(known.id) == known

        filler.unlink()
        memory.append_memory("A new walnut, after the disk had space")
        memory.save_conversation_turn("Is there space for a walnut?", "There is.", "s1")
        assert memory.list_memories(None).total == 6
    assert not list((disk / "data").rglob("*tmp*"))
    with opened(disk / "data") as memory:
        assert memory.list_memories(None).total == 6
        assert [one.detail for one in memory.diagnose() if not one.ok] == []


def fill(file: Path) -> None:
    descriptor = os.open(file, os.O_CREAT | os.O_WRONLY)
    try:
        with pytest.raises(OSError, match="No space left"):
            while True:
                os.write(descriptor, bytes(4_096))
    finally:
        os.close(descriptor)


NOW = datetime(2030, 1, 1, tzinfo=UTC)
QUESTIONS = ("我对什么过敏？", "Where do I live?", "柏林 清单", "answers", "oolong")


@pytest.fixture
def filled(tmp_path: Path) -> Iterator[MemoryService]:
    """Two users, messages, memories of every kind, a household, a key and a setting."""
    embedder = FakeEmbedder()
    with MemoryService.open(tmp_path / "old", embedder=embedder, background=False) as memory:
        for number in range(30):
            memory.save_conversation_turn(
                f"我第{number}次搬到柏林，帮我列个清单", "签证、住房、保险。", f"s{number % 3}"
            )
        memory.append_memory("对花生过敏", importance=5, tags=("Finance", "財務"))
        memory.append_memory("Prefers short answers", "preference", key="answer style")
        memory.append_memory("Prefers long answers", "preference", key="answer style")
        memory.append_daily_log("Called the landlord about the keys")
        memory.update_user_profile("# Me\nDrinks oolong tea")
        memory.forget(memory.append_memory("Lives in Paris").id)
        other = memory.for_user("小明")
        other.append_memory("Lives next door, 住在隔壁", visibility="public")
        memory.people.create_household("home")
        memory.keys.create("小明")
        memory.config.set({"memory.rag_top_n": 7})
        memory.wait_until_idle()
        yield memory


def told(memory: MemoryService) -> list[object]:
    """What searches and recalls answer, to the ninth digit."""
    found: list[object] = []
    for question in QUESTIONS:
        recalled = memory.get_relevant_memories(question, now=NOW)
        for hits in (memory.search_memories(question), recalled):
            found.append([(hit.memory, round(hit.score, 9)) for hit in hits])
    return found


def open_at(place: str | Path) -> MemoryService:
    return MemoryService.open(place, embedder=FakeEmbedder(), background=False)


def assert_the_same(memory: MemoryService, before: MemoryService) -> None:
    assert list(memory.export_records()) == list(before.export_records())
    for one in before.export_records():
        assert memory.history(one.id) == before.history(one.id)
    for session in before.sessions.list().items:
        assert memory.sessions.messages(session.session_id) == before.sessions.messages(
            session.session_id
        )
    assert memory.main.read() == before.main.read()
    assert memory.get_user_profile() == before.get_user_profile()
    assert memory.people.circles() == before.people.circles()
    assert memory.keys.list() == before.keys.list()
    assert memory.settings.memory.rag_top_n == 7
    assert [one for one in memory.diagnose() if not one.ok] == []


def test_everything_is_on_the_server_and_comes_back_into_a_folder(
    filled: MemoryService, postgres_address: str, tmp_path: Path
) -> None:
    moved = filled.move_to(postgres_address)
    with open_at(postgres_address) as server:
        assert_the_same(server, filled)
        assert told(server) == told(filled)
        assert server.search_memories("隔壁")[0].memory.user_id == "小明"
        back = server.move_to(tmp_path / "new")
    with open_at(tmp_path / "new") as again:
        assert_the_same(again, filled)
        assert told(again) == told(filled)

    assert moved.rows == back.rows
    assert moved.documents == back.documents


def test_a_moved_memory_goes_on(filled: MemoryService, postgres_address: str) -> None:
    filled.move_to(postgres_address)

    with open_at(postgres_address) as server:
        saved = server.save_conversation_turn("I bought a kayak", "Nice", server.new_session())
        fact = server.append_memory("Owns a kayak")
        new = server.for_user("tom").append_memory("Rows too")
        server.wait_until_idle()

        assert {hit.memory.id for hit in server.search_memories("kayak")} >= {
            saved.user.id,
            fact.id,
        }
        assert server.for_user("tom").get(new.id).content == "Rows too"


def test_an_interrupted_move_has_brought_nothing_and_can_be_made_again(
    filled: MemoryService, postgres_address: str
) -> None:
    def stop(done: int, total: int) -> None:
        if done > total / 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        filled.move_to(postgres_address, stop)
    with open_at(postgres_address) as server:
        assert list(server.export_records()) == []
        assert [one for one in server.diagnose() if not one.ok] == []
    filled.move_to(postgres_address)

    with open_at(postgres_address) as server:
        assert_the_same(server, filled)


def test_a_place_that_holds_memories_is_refused(
    filled: MemoryService, postgres_address: str
) -> None:
    with by_words(postgres_address) as taken:
        taken.append_memory("Was here before")

    with pytest.raises(InvalidInputError, match="already holds"):
        filled.move_to(postgres_address)
    with by_words(postgres_address) as taken:
        assert [one.content for one in taken.export_records()] == ["Was here before"]


def test_what_changed_meanwhile_is_noticed(filled: MemoryService, postgres_address: str) -> None:
    def write(done: int, total: int) -> None:
        if done == total and len(filled.search_memories("late")) == 0:
            filled.append_memory("Came late")

    with pytest.raises(StorageError, match="into an empty one"):
        filled.move_to(postgres_address, write)
    filled.wait_until_idle()
    filled.move_to(postgres_address)
