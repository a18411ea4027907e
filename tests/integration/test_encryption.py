"""A folder is encrypted, gets another key, becomes plain again: nothing is lost, nothing leaks."""

import json
import os
import subprocess
import sys
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
_KEYRING = f"""
class errors:
    class KeyringError(Exception): pass
def get_password(service, name):
    return {KEY!r} if service == "chatmem" else None
"""


def opened(folder: Path, key: str | None = None) -> MemoryService:
    settings = Settings(embedder={"name": "none"}, key=key)
    return MemoryService.open(folder, settings=settings, background=False)


def converted(folder: Path, old: str | None, key: str | None) -> list[Path]:
    return convert(folder / DATABASE_FILE, folder / MEMORY_FOLDER, old, key)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    with opened(tmp_path / "data") as memory:
        memory.append_memory("喜欢喝绿茶", "preference", importance=5)
        memory.forget(memory.append_memory("Has two cats").id)
        memory.append_daily_log("Called the landlord about the cat")
        memory.update_user_profile("# Me\nDrinks oolong tea")
        memory.save_conversation_turn("帮我泡茶", "Which tea?", "s1")
        memory.for_user("小明").append_memory("住在隔壁，养了一只 cat", visibility="public")
    return tmp_path / "data"


def leaks(place: Path, words: list[str]) -> list[str]:
    files = [one for one in place.rglob("*") if one.is_file()]
    data = b"\n".join([*(one.read_bytes() for one in files), *map(bytes, files)])
    return [one for one in words if one.encode() in data]


def test_everything_is_there_in_every_form_and_the_files_come_back(folder: Path) -> None:
    with opened(folder) as memory:
        before = memory.backup(Path("all.zip")).checksum  # over every row and document
    files = {one.name: one.read_bytes() for one in folder.rglob("*.md")}

    for key, old in ((KEY, None), (OTHER, KEY), (None, OTHER)):
        assert converted(folder, old, key) == []
        found = {one.name: one.read_bytes() for one in folder.rglob("*.md")}
        assert found == (files if key is None else {})
        with opened(folder, key) as memory:
            assert memory.backup(Path("all.zip")).checksum == before
            findings = {one.name: one for one in memory.diagnose()}
            assert all(one.ok for one in findings.values())
            assert ("encrypted" in findings["database"].detail) == bool(key)
    with opened(folder) as memory:
        assert memory.search_memories("茶") and memory.for_user("小明").search_memories("cat")


def test_an_encrypted_folder_is_written_as_a_plain_one(folder: Path) -> None:
    main = folder / "prompts" / "memory" / "MEMORY.md"
    main.write_text(main.read_text("utf-8") + "\n## Facts\n\n- Plays the cello\n", "utf-8")
    converted(folder, None, KEY)  # before that was read
    with opened(folder, KEY) as memory:
        (hit,) = memory.search_memories("cello")
        found = memory.main.read()
        memory.main.write(f"{found.content}- Plays the horn\n", found.etag)
        assert memory.search_memories("horn")
        done = memory.forget(hit.memory.id, prove=True)
        assert done.proof and "document_text.content" in done.proof.looked_in
        assert not done.proof.found
        assert "cello" not in memory.read_main() and "horn" in memory.read_main()


def test_no_byte_of_an_encrypted_folder_says_anything(folder: Path, tmp_path: Path) -> None:
    words = [f"canary{number}x" for number in range(CANARIES)]

    def write(memory: MemoryService, first: int) -> None:
        kinds = (memory.append_daily_log, memory.append_memory, memory.update_user_profile)
        for number in range(first, first + CANARIES // 2, 10):
            said = " ".join(words[number : number + 10])
            kinds[number // 10 % 3](f"Keeps {said}")
            memory.save_conversation_turn(f"我有 {said}", f"{said}?", "s2")
        memory.sessions.rename("s2", words[first])

    with opened(folder) as memory:
        write(memory, 0)
    assert leaks(folder, words)
    converted(folder, None, KEY)
    with opened(folder, KEY) as memory:
        write(memory, CANARIES // 2)
        assert memory.search_memories(words[-1])
        assert (folder / "chatmem.db-wal").stat().st_size > 0
        assert leaks(tmp_path, words) == []
    converted(folder, KEY, OTHER)
    assert leaks(tmp_path, words) == []


def test_a_missing_key_a_wrong_one_and_damage_are_told_apart(folder: Path, tmp_path: Path) -> None:
    with opened(tmp_path / "new", KEY) as memory:  # from the first byte, since a key is given
        memory.append_memory("Has two canaries")
        assert leaks(tmp_path / "new", ["canaries", "SQLite format"]) == []
    converted(folder, None, KEY)
    file = folder / DATABASE_FILE
    whole = file.read_bytes()
    with pytest.raises(DataKeyError, match=r"is encrypted, and no key is there: set CHATMEM_KEY"):
        opened(folder)
    with pytest.raises(DataKeyError, match=r"is encrypted, and the key is wrong"):
        opened(folder, OTHER)

    file.write_bytes(whole[:40] + bytes(64) + whole[104:])
    with pytest.raises(DatabaseError, match=r"its first page is damaged") as told:
        opened(folder, KEY)
    assert not isinstance(told.value, DataKeyError)
    file.write_bytes(bytes(16) + whole[16:])  # the salt alone: nothing is lost
    with opened(folder, KEY) as memory:
        assert memory.search_memories("茶")


def test_nobody_may_have_it_open_also_where_its_bytes_were_read(folder: Path) -> None:
    with opened(folder) as memory:
        memory.forget(memory.append_memory("Owns a lamp of brass").id, prove=True)
        alone = "import sqlite3, sys; sqlite3.connect(sys.argv[1], timeout=0).execute(sys.argv[2])"
        command = [
            sys.executable,
            "-c",
            alone,
            str(folder / DATABASE_FILE),
            "PRAGMA journal_mode=off",
        ]
        found = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        assert "database is locked" in found.stderr


def test_files_that_say_something_else_or_are_links_are_left_and_told(folder: Path) -> None:
    main = folder / "prompts" / "memory" / "MEMORY.md"
    elsewhere = main.rename(folder.parent / "notes.md")
    main.symlink_to(elsewhere)
    assert converted(folder, None, KEY) == [main]
    assert "绿茶" in elsewhere.read_text("utf-8")
    note = folder / "prompts" / "memory" / "daily" / "2020-01-01.md"
    note.write_text("- Written by hand\n", "utf-8")
    assert converted(folder, KEY, KEY) == [main, note]


def test_the_commands(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def told(*command: str, code: int = 0) -> str:
        assert run([*command, "--data", str(folder)]) == code
        return "".join(capsys.readouterr())

    assert "is not encrypted" in told("rekey", code=1)
    (folder.parent / ".config").write_text("a file where the folder would be")
    assert str(folder.parent / ".config") in told("encrypt", code=1)
    (folder.parent / ".config").unlink()
    kept = folder.parent / ".config" / "chatmem" / "chatmem.key"
    assert f"{kept}\nnote       back this file up" in told("encrypt")
    assert kept.stat().st_mode & 0o777 == 0o600
    assert "key" not in told("encrypt")
    assert str(kept) in told("rekey") and len(kept.read_text().split()) == 2
    assert "绿茶" in told("search", "绿茶")
    assert "is plain" in told("backup", "backup.zip")

    kept.chmod(0o644)
    assert "chmod 600" in told("search", "绿茶", code=1)
    kept.unlink()
    for door in (["search", "绿茶"], ["serve", "--port", "0"], ["mcp"], ["encrypt"], ["decrypt"]):
        assert told(*door, code=1).count("no key is there") == 1


@pytest.mark.parametrize("name", ["CHATMEM_KEY", "CHATMEM_KEY_FILE", "keyring"])
def test_a_key_that_is_given_is_taken(
    name: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("some.key").write_text(f"{KEY}\n")
    monkeypatch.setenv("CHATMEM_KEY_FILE" if name == "keyring" else name, "some.key")
    if name == "CHATMEM_KEY":
        monkeypatch.setenv(name, KEY)
    assert run(["encrypt", "--data", str(folder)]) == 0
    assert KEY not in capsys.readouterr().out
    assert not (folder.parent / ".config").exists()
    if name == "keyring":  # which is asked before the file
        Path("keyring.py").write_text(_KEYRING)
        Path("some.key").write_text("nothing that is a key")
        monkeypatch.syspath_prepend(str(folder.parent))
        monkeypatch.delitem(sys.modules, "keyring", raising=False)
    with MemoryService.open(folder, background=False) as memory:
        assert memory.search_memories("茶")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the script forks")
def test_killed_at_any_moment_it_is_whole_and_a_rerun_finishes(tmp_path: Path) -> None:
    script = Path(__file__).parents[2] / "bench" / "encryption.py"
    command = [sys.executable, str(script), "kill", "--rounds", str(ROUNDS), "--seed", "7"]
    found = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)

    assert found.returncode == 0, found.stdout + found.stderr
    assert json.loads(found.stdout)["killed"] >= ROUNDS // 2
