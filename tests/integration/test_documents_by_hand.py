"""People, editors and accidents change the files; the index follows, and nothing is lost."""

import os
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from chatmem import MemoryService
from chatmem.errors import ChatmemError, InvalidInputError

FACTS = [f"Owns the {tree} in the garden" for tree in ("alder", "birch", "cedar", "elm", "fir")]


def known(memory: MemoryService) -> dict[str, str]:
    """Content by id, as the index has it after looking at the files."""
    return {one.id: one.content for one in memory.list_memories(limit=1_000).items}


def written(folder: Path) -> str:
    """All memory documents below the folder, one after the other."""
    return "\n".join(file.read_text("utf-8") for file in sorted(folder.rglob("*.md")))


def append_line(file: Path, line: str) -> None:
    file.write_text(file.read_text("utf-8") + f"{line}\n", "utf-8")


@pytest.fixture
def facts(memory: MemoryService) -> dict[str, str]:
    """Five memories in MEMORY.md: content by id."""
    return {memory.append_memory(text).id: text for text in FACTS}


def save_by_rename(file: Path, text: str) -> None:
    beside = file.with_name("4913")
    beside.write_text(text, "utf-8")
    os.replace(beside, file)


def save_with_backup(file: Path, text: str) -> None:
    os.replace(file, file.with_name(file.name + "~"))
    file.write_text(text, "utf-8")


def save_with_crlf(file: Path, text: str) -> None:
    file.write_bytes(text.replace("\n", "\r\n").encode())


def save_with_mark(file: Path, text: str) -> None:
    file.write_text(text, "utf-8-sig")


def save_in_pieces(file: Path, text: str) -> None:
    with file.open("w", encoding="utf-8") as out:
        for start in range(0, len(text), 7):
            out.write(text[start : start + 7])


@pytest.mark.parametrize(
    "save", [save_by_rename, save_with_backup, save_with_crlf, save_with_mark, save_in_pieces]
)
def test_every_way_of_saving_is_the_same_edit(
    memory: MemoryService, main: Path, facts: dict[str, str], save: Callable[[Path, str], None]
) -> None:
    memory_id = next(iter(facts))
    edited = main.read_text("utf-8").replace("the alder", "an apple tree") + "- New by hand\n"

    save(main, edited)

    now = known(memory)
    assert now[memory_id] == "Owns an apple tree in the garden"
    assert sorted(now.values()) == sorted(
        [*FACTS[1:], "Owns an apple tree in the garden", "New by hand"]
    )
    memory.append_memory("Written by the engine")
    assert known(memory).keys() > now.keys()
    assert set(facts) <= known(memory).keys()


def cut_to_nothing(file: Path) -> None:
    os.truncate(file, 0)


def delete(file: Path) -> None:
    file.unlink()


def cut_in_a_comment(file: Path) -> None:
    text = file.read_bytes()
    os.truncate(file, text.index(b" at=", text.index(b"cedar")))


def spoil_the_encoding(file: Path) -> None:
    file.write_bytes(file.read_bytes().replace(b"cedar", b"ced\xe9\xff"))


ACCIDENTS = pytest.mark.parametrize(
    "accident", [cut_to_nothing, delete, cut_in_a_comment, spoil_the_encoding]
)


@ACCIDENTS
def test_an_accident_loses_nothing_and_is_told(
    memory: MemoryService,
    main: Path,
    facts: dict[str, str],
    reopen: Callable[[], MemoryService],
    accident: Callable[[Path], None],
) -> None:
    whole = main.read_bytes()
    accident(main)

    assert known(memory) == facts
    found = memory.search_memories("cedar")
    assert found[0].memory.content == FACTS[2]
    told = [one.why for one in found.missing if one.what == "document"]
    assert len(told) == 1 and "MEMORY.md" in told[0]
    assert [one.name for one in memory.diagnose() if not one.ok] == ["documents"]
    memory.close()
    again = reopen()
    assert known(again) == facts

    main.write_bytes(whole)
    assert known(again) == facts
    assert "document" not in {one.what for one in again.search_memories("cedar").missing}
    assert [one.name for one in again.diagnose() if not one.ok] == []


@ACCIDENTS
def test_writing_after_an_accident_loses_nothing(
    memory: MemoryService, main: Path, facts: dict[str, str], accident: Callable[[Path], None]
) -> None:
    """Either the work is done, with everything known still there, or one error says why not."""
    accident(main)

    try:
        added = memory.append_memory("Planted a willow")
    except ChatmemError as error:
        assert "MEMORY.md" in str(error)
        assert known(memory) == facts
    else:
        assert known(memory) == facts | {added.id: "Planted a willow"}
        append_line(main, "- By hand")
        assert len(known(memory)) == 7
    memory.append_daily_log("Other documents are written as before")
    memory.save_conversation_turn("And turns?", "Turns too.", "s1")


def test_merge_markers_lose_neither_side(
    memory: MemoryService, main: Path, facts: dict[str, str]
) -> None:
    lines = main.read_text("utf-8").splitlines()
    at = next(number for number, line in enumerate(lines) if "birch" in line)
    theirs = lines[at].replace("the birch", "the old birch")
    lines[at : at + 1] = ["<<<<<<< HEAD", lines[at], "=======", theirs, ">>>>>>> laptop"]
    main.write_text("\n".join(lines) + "\n", "utf-8")

    contents = set(known(memory).values())

    assert contents >= set(FACTS)
    assert "Owns the old birch in the garden" in contents
    assert not [text for text in contents if "<<<<" in text or ">>>>" in text or "====" in text]


def test_the_same_id_twice_is_one_memory_and_one_new_one(
    memory: MemoryService, main: Path, facts: dict[str, str]
) -> None:
    line = next(line for line in main.read_text("utf-8").splitlines() if "elm" in line)
    append_line(main, line)
    append_line(main, line.replace("elm", "oak"))

    now = known(memory)

    assert facts.items() <= now.items()
    assert sorted(now.values()) == sorted([*FACTS, "Owns the oak in the garden"])


def test_profiles_and_foreign_files_are_left_alone(
    memory: MemoryService, main: Path, facts: dict[str, str]
) -> None:
    profile = main.with_name("USER.md")
    profile.write_text("- Speaks softly\n- Likes lists\n", "utf-8")
    other = main.with_name("notes.md")
    other.write_text("- Not a memory\n", "utf-8")

    memory.append_memory("One more")
    memory.forget(next(iter(facts)))
    memory.reindex()

    assert profile.read_text("utf-8") == "- Speaks softly\n- Likes lists\n"
    assert other.read_text("utf-8") == "- Not a memory\n"
    assert len(known(memory)) == 5


def test_what_a_crash_left_in_the_file_only_is_healed_at_the_next_open(
    memory: MemoryService, main: Path, facts: dict[str, str], reopen: Callable[[], MemoryService]
) -> None:
    """A bullet that was written, and one that was taken out."""
    memory.close()
    gone = next(iter(facts))
    lines = main.read_text("utf-8").splitlines(keepends=True)
    main.write_text("".join(line for line in lines if gone not in line), "utf-8")
    append_line(
        main, "- Written before the crash <!-- id=0123456789abc at=2026-03-02T09:00:00Z -->"
    )
    del facts[gone]

    again = reopen()

    assert known(again) == facts | {"0123456789abc": "Written before the crash"}
    assert again.get("0123456789abc").timestamp.isoformat() == "2026-03-02T09:00:00+00:00"
    assert again.search_memories("crash")[0].memory.id == "0123456789abc"


def test_of_a_long_file_the_beginning_does_as_the_settings_say(memory: MemoryService) -> None:
    memory.config.set({"memory.main_section_tokens": 60, "memory.main_max_tokens": 200})
    text = "# Memory\n\n" + "".join(f"- Book {one} is on the left shelf\n" for one in range(50))
    reach = memory.main.reach(text)
    assert 0 < reach.shown < reach.memories == 50
    assert reach.shown_tokens <= reach.most_shown == 60
    assert reach.tokens > reach.most == 200
    assert memory.list_memories().total == 0


def test_a_day_before_clocks_is_refused(memory: MemoryService) -> None:
    with pytest.raises(InvalidInputError, match="1900"):
        memory.daily_logs.write(date(1800, 1, 1), "- Planted beans")


def test_a_bullet_with_a_stolen_id_takes_nothing_over(memory: MemoryService, main: Path) -> None:
    mallory = memory.for_user("mallory")
    fact = memory.append_memory("Hides the key under the fern")
    theirs = main.parent / "users" / "mallory" / "MEMORY.md"
    theirs.write_text(f"- Mine now <!-- id={fact.id} -->\n", "utf-8")

    mallory.sync()

    assert memory.get(fact.id) == fact
    assert [one.content for one in mallory.list_memories().items] == ["Mine now"]
    assert mallory.list_memories().items[0].id != fact.id
    theirs.write_text("", "utf-8")
    mallory.reindex(accept=["MEMORY.md"])
    assert memory.get(fact.id) == fact


def test_a_copy_that_a_sync_tool_left_is_told_until_it_is_gone(
    memory: MemoryService, main: Path, facts: dict[str, str]
) -> None:
    copy = main.with_name("MEMORY (Anna's laptop, 副本).md")
    main.with_name("notes.md").write_text("- Mine <!-- id=0123456789abc -->\n", "utf-8")
    copy.write_text(main.read_text("utf-8"), "utf-8")

    for finding in (memory.diagnose(), memory.diagnose()):
        (why,) = (one.detail for one in finding if one.name == "documents")
        assert f"{copy.name} is a copy" in why
        assert "notes.md" not in why
    assert any(copy.name in one.why for one in memory.search_memories("alder").missing)
    assert known(memory) == facts
    copy.unlink()
    memory.sync()
    assert "document" not in {one.what for one in memory.search_memories("alder").missing}
