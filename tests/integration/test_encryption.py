"""A folder is encrypted, gets another key, becomes plain again: nothing is lost, nothing leaks."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from chatmem import MemoryService, Settings
from chatmem.engine.factory import DATABASE_FILE, MEMORY_FOLDER
from chatmem.errors import DatabaseError, DataKeyError
from chatmem.interfaces.cli.app import run
from chatmem.storage.sqlite.store import convert

KEY, OTHER = "0a" * 32, "0b" * 32
ROUNDS = 20
CANARIES = 1_000
_SCRIPT = Path(__file__).parents[2] / "bench" / "encryption.py"


def quiet(key: str | None = None) -> Settings:
    return Settings(embedder={"name": "none"}, key=key)


def convert_folder(folder: Path, old: str | None, key: str | None) -> list[Path]:
    return convert(folder / DATABASE_FILE, folder / MEMORY_FOLDER, old, key)


def opened(folder: Path, key: str | None = None) -> MemoryService:
    return MemoryService.open(folder, settings=quiet(key), background=False)


def everything(memory: MemoryService) -> list[object]:
    """What users see of the memory, documents and searches included."""
    found: list[object] = []
    for user in ("default", "小明"):
        own = memory.for_user(user)
        records = list(own.export_records())
        found += [records, [own.history(one.id) for one in records], own.main.read().content]
        found += [own.get_user_profile(), own.daily_logs.days(), own.keys.list()]
        found += [
            [(hit.memory, hit.score) for hit in own.search_memories(q)] for q in ("茶", "cat")
        ]
        found += [own.sessions.messages(one.session_id) for one in own.sessions.list().items]
    return [*found, memory.people.circles()]


def fill(memory: MemoryService) -> None:
    memory.append_memory("喜欢喝绿茶", "preference", importance=5)
    gone = memory.append_memory("Has two cats")
    memory.append_memory("Has a dog")
    memory.forget(gone.id)
    memory.append_daily_log("Called the landlord about the cat")
    memory.update_user_profile("# Me\nDrinks oolong tea")
    memory.save_conversation_turn("帮我泡茶", "Which tea?", "s1")
    memory.for_user("小明").append_memory("住在隔壁，养了一只 cat", visibility="public")
    memory.people.create_household("home")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    with opened(tmp_path / "data") as memory:
        fill(memory)
    return tmp_path / "data"


def leaks(place: Path, words: list[str]) -> list[str]:
    """Which of the words stand in a name or in a byte below the place."""
    files = [one for one in place.rglob("*") if one.is_file()]
    data = b"\n".join([*(one.read_bytes() for one in files), *map(bytes, files)])
    return [one for one in words if one.encode() in data]


def test_everything_is_there_in_every_form(folder: Path) -> None:
    with opened(folder) as memory:
        before = everything(memory)
        text = memory.read_main()

    for key, old in ((KEY, None), (OTHER, KEY), (None, OTHER), (KEY, None), (None, KEY)):
        assert convert_folder(folder, old, key) == []
        with opened(folder, key) as memory:
            assert everything(memory) == before
            memory.reindex()
            assert everything(memory) == before
            assert [one for one in memory.diagnose() if not one.ok] == []
        files = {one.name for one in folder.rglob("*.md")}
        assert ("MEMORY.md" in files) == (key is None)
    assert (folder / "prompts" / "memory" / "MEMORY.md").read_text("utf-8") == text


def test_an_encrypted_folder_is_written_as_a_plain_one(folder: Path) -> None:
    convert_folder(folder, None, KEY)
    with opened(folder, KEY) as memory:
        main = memory.main.read()
        memory.main.write(f"{main.content}\n## Facts\n\n- Plays the cello\n", main.etag)
        assert memory.search_memories("cello")
        memory.forget_all()
        assert "cello" not in memory.read_main()
    with opened(folder, KEY) as memory:
        assert list(memory.search_memories("cello")) == []


def test_no_byte_of_an_encrypted_folder_says_anything(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = [f"canary{number}x" for number in range(CANARIES)]
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
    monkeypatch.setattr(tempfile, "tempdir", None)
    (tmp_path / "temporary").mkdir()

    def write(memory: MemoryService, part: list[str]) -> None:
        quarter = len(part) // 4
        memory.append_daily_log(" ".join(part[:quarter]))
        memory.update_user_profile(" ".join(part[quarter : 2 * quarter]))
        for first in range(2 * quarter, 3 * quarter, 25):
            memory.append_memory(f"Keeps {' '.join(part[first : first + 25])}")
        for first in range(3 * quarter, len(part), 25):
            words = " ".join(part[first : first + 25])
            memory.save_conversation_turn(f"我有 {words}", f"{words}?", "s2")
        memory.sessions.rename("s2", part[-1])

    with opened(folder) as memory:
        write(memory, words[: CANARIES // 2])
    assert len(leaks(folder, words)) == CANARIES // 2
    convert_folder(folder, None, KEY)
    with opened(folder, KEY) as memory:
        write(memory, words[CANARIES // 2 :])
        assert memory.search_memories(words[-1])
        assert (folder / "chatmem.db-wal").stat().st_size > 0
        assert leaks(tmp_path, words) == []
        memory.wait_until_idle()
        memory.reindex()
    convert_folder(folder, KEY, OTHER)
    assert leaks(tmp_path, words) == []


def test_a_new_folder_with_a_key_is_encrypted_from_the_first_byte(tmp_path: Path) -> None:
    with opened(tmp_path / "new", KEY) as memory:
        memory.append_memory("Has two canaries")
        assert leaks(tmp_path, ["canaries", "SQLite format"]) == []
    with opened(tmp_path / "new", KEY) as memory:
        assert memory.search_memories("canaries")


def test_a_missing_key_a_wrong_one_and_damage_are_told_apart(folder: Path) -> None:
    convert_folder(folder, None, KEY)
    file = folder / "chatmem.db"
    whole = file.read_bytes()
    with pytest.raises(DataKeyError, match=r"is encrypted, and no key is there: set CHATMEM_KEY"):
        opened(folder)
    with pytest.raises(DataKeyError, match=r"is encrypted, and the key is wrong"):
        opened(folder, OTHER)
    assert file.read_bytes() == whole

    file.write_bytes(whole[:40] + bytes(64) + whole[104:])
    with pytest.raises(DatabaseError, match=r"its first page is damaged") as told:
        opened(folder, KEY)
    assert not isinstance(told.value, DataKeyError)
    file.write_bytes(whole[:-100] + bytes(64) + whole[-36:])
    with opened(folder, KEY) as memory:
        (damage,) = [one.detail for one in memory.diagnose() if one.name == "database"]
        assert "is damaged" in damage
    file.write_bytes(bytes(16) + whole[16:])  # the salt alone: nothing is lost
    with opened(folder, KEY) as memory:
        assert memory.search_memories("茶")


def test_nobody_may_have_it_open(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chatmem.storage.sqlite.database.BUSY_TIMEOUT_MS", 50)
    with opened(folder) as memory:
        with pytest.raises(DatabaseError, match=r"locked by another process"):
            convert_folder(folder, None, KEY)
        memory.append_memory("Still writes")
    convert_folder(folder, None, KEY)
    with opened(folder, KEY) as memory:
        assert memory.search_memories("Still writes")


def test_a_file_that_says_something_else_is_left_and_told(folder: Path, tmp_path: Path) -> None:
    convert_folder(folder, None, KEY)
    note = folder / "prompts" / "memory" / "daily" / "2020-01-01.md"
    note.parent.mkdir(parents=True)
    note.write_text("- Written by hand\n", "utf-8")

    assert convert_folder(folder, KEY, KEY) == [note]
    assert note.read_text("utf-8") == "- Written by hand\n"


def test_a_file_behind_a_link_is_read_and_left(folder: Path, tmp_path: Path) -> None:
    main = folder / "prompts" / "memory" / "MEMORY.md"
    elsewhere = main.rename(tmp_path / "notes.md")
    main.symlink_to(elsewhere)
    text = elsewhere.read_text("utf-8")

    assert convert_folder(folder, None, KEY) == [main]
    assert elsewhere.read_text("utf-8") == text


def test_an_edit_that_was_not_read_yet_is_read_afterwards(folder: Path) -> None:
    main = folder / "prompts" / "memory" / "MEMORY.md"
    main.write_text(main.read_text("utf-8") + "\n## Facts\n\n- Plays the cello\n", "utf-8")

    convert_folder(folder, None, KEY)

    with opened(folder, KEY) as memory:
        assert memory.search_memories("cello")


def test_the_commands(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def told(*command: str, code: int = 0) -> str:
        assert run([*command, "--data", str(folder)]) == code
        out, err = capsys.readouterr()
        return out + err

    assert "is not encrypted: run `chatmem encrypt`" in told("rekey", code=1)
    kept = folder.parent / ".config" / "chatmem" / "chatmem.key"
    first = told("encrypt")
    assert "back this file up" in first and str(kept) in first
    assert kept.stat().st_mode & 0o777 == 0o600
    assert "绿茶" in told("search", "绿茶")
    assert "key" not in told("encrypt")
    assert str(kept) in told("rekey")
    assert len(kept.read_text().split()) == 2
    assert "绿茶" in told("search", "绿茶")

    kept.chmod(0o644)
    assert "chmod 600" in told("search", "绿茶", code=1)
    kept.unlink()
    for door in (["search", "绿茶"], ["serve", "--port", "0"], ["mcp"], ["encrypt"], ["decrypt"]):
        assert told(*door, code=1).count("\n") == 1
    assert "no key is there" in told("serve", code=1)


def test_decrypt_gives_the_files_back(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = {one.name: one.read_bytes() for one in folder.rglob("*.md")}
    assert run(["encrypt", "--data", str(folder)]) == 0
    assert run(["decrypt", "--data", str(folder)]) == 0
    assert {one.name: one.read_bytes() for one in folder.rglob("*.md")} == before
    assert "encrypted  false" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["CHATMEM_KEY", "CHATMEM_KEY_FILE"])
def test_a_key_that_is_given_is_taken_and_not_shown(
    name: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("some.key").write_text(f"{KEY}\n")
    monkeypatch.setenv(name, KEY if name == "CHATMEM_KEY" else "some.key")

    assert run(["encrypt", "--data", str(folder)]) == 0

    assert KEY not in capsys.readouterr().out
    assert not (folder.parent / ".config").exists()
    with MemoryService.open(folder, background=False) as memory:
        assert memory.search_memories("茶")


def test_the_system_keyring_is_asked_first(folder: Path) -> None:
    keyring = pytest.importorskip("keyring")
    backend = pytest.importorskip("keyring.backend").KeyringBackend

    def password(self: object, service: str, username: str) -> str | None:
        return KEY if (service, username) == ("chatmem", str(folder)) else None

    parts = {"priority": 1, "get_password": password, "set_password": password}
    before = keyring.get_keyring()
    convert_folder(folder, None, KEY)
    keyring.set_keyring(type("Ring", (backend,), parts)())
    try:
        with opened(folder) as memory:
            assert memory.search_memories("茶")
    finally:
        keyring.set_keyring(before)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the script forks")
def test_killed_at_any_moment_it_is_whole_and_a_rerun_finishes(tmp_path: Path) -> None:
    command = [sys.executable, str(_SCRIPT), "kill", "--rounds", str(ROUNDS), "--seed", "7"]
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    found = subprocess.run(
        command, capture_output=True, text=True, timeout=300, check=False, env=environment
    )

    assert found.returncode == 0, found.stdout + found.stderr
    outcome = json.loads(found.stdout)
    assert outcome["troubles"] == []
    assert outcome["killed"] >= ROUNDS // 2


def test_a_key_that_cannot_be_kept_changes_nothing(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / ".config").write_text("a file where the folder would be")

    assert run(["encrypt", "--data", str(folder)]) == 1

    assert str(tmp_path / ".config") in capsys.readouterr().err
    with opened(folder) as memory:
        assert memory.search_memories("茶")
