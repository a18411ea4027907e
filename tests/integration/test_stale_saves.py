"""Editors, sync tools and checkouts save older texts over newer ones; nobody's work is lost."""

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.integration.test_documents_by_hand import known, save_by_rename, written

from chatmem import MemoryService
from chatmem.errors import MemoryNotFoundError


def save_in_place(file: Path, text: str) -> None:
    file.write_text(text, "utf-8")


SAVES = pytest.mark.parametrize("save", [save_in_place, save_by_rename])


def contents(memory: MemoryService) -> list[str]:
    memory.sync()
    return sorted(known(memory).values())


def lines_without(text: str, word: str) -> str:
    return "".join(line for line in text.splitlines(keepends=True) if word not in line)


def notices(memory: MemoryService) -> list[str]:
    return [one.why for one in memory.search_memories("anything").missing if one.what == "document"]


@pytest.fixture
def old(memory: MemoryService, main: Path) -> str:
    """What an editor has read, before it is told more."""
    for tree in ("alder", "birch", "cedar"):
        memory.append_memory(f"Owns the {tree}")
    return main.read_text("utf-8")


@SAVES
def test_what_was_remembered_meanwhile_is_put_back(
    memory: MemoryService, main: Path, old: str, save: Callable[[Path, str], None]
) -> None:
    added = [memory.append_memory(f"Planted a {tree}").id for tree in ("willow", "yew")]

    save(main, old.replace("the birch", "the old birch") + "- Typed by hand\n")

    assert contents(memory) == [
        "Owns the alder",
        "Owns the cedar",
        "Owns the old birch",
        "Planted a willow",
        "Planted a yew",
        "Typed by hand",
    ]
    assert set(added) <= known(memory).keys()
    (told,) = notices(memory)
    assert "MEMORY.md was saved from an older version (2 memories" in told
    assert all(written(main.parent).count(one) >= 1 for one in added)


@SAVES
def test_a_deletion_in_an_older_text_still_counts(
    memory: MemoryService, main: Path, old: str, save: Callable[[Path, str], None]
) -> None:
    memory.append_memory("Planted a willow")

    save(main, lines_without(old, "alder"))

    assert contents(memory) == ["Owns the birch", "Owns the cedar", "Planted a willow"]


def test_a_log_of_a_day_is_no_other(memory: MemoryService, main: Path) -> None:
    first = memory.append_daily_log("Called the dentist")
    log = main.parent / str(first.document)
    old = log.read_text("utf-8")
    memory.append_daily_log("Bought a kite")

    save_in_place(log, old + "- 09:30 Fed the fish\n")

    assert contents(memory) == ["09:30 Fed the fish", "Bought a kite", "Called the dentist"]


def test_what_was_put_back_can_be_deleted(memory: MemoryService, main: Path, old: str) -> None:
    """The newest memory: nothing in the first save tells that its editor had read it."""
    willow = memory.append_memory("Planted a willow").id
    save_in_place(main, lines_without(main.read_text("utf-8"), "willow"))
    assert "Planted a willow" in contents(memory)

    save_in_place(main, lines_without(main.read_text("utf-8"), "willow"))

    assert contents(memory) == ["Owns the alder", "Owns the birch", "Owns the cedar"]
    assert notices(memory) == []
    with pytest.raises(MemoryNotFoundError):
        memory.get(willow)


def test_what_something_newer_stands_beside_is_deleted_at_once(
    memory: MemoryService, main: Path, old: str
) -> None:
    memory.append_memory("Planted a willow")
    memory.append_memory("Planted a yew")

    save_in_place(main, lines_without(main.read_text("utf-8"), "willow"))

    assert "Planted a willow" not in contents(memory)
    assert notices(memory) == []


def test_what_was_forgotten_meanwhile_does_not_come_back(
    memory: MemoryService, main: Path, old: str
) -> None:
    alder, birch, _ = sorted(known(memory), key=lambda one: memory.get(one).content)
    forgotten = [memory.get(one).content for one in (alder, birch)]
    memory.forget(alder)
    memory.forget(birch)

    save_in_place(main, old.replace(forgotten[1], "Never owned one") + "- Typed by hand\n")

    assert contents(memory) == ["Never owned one", "Owns the cedar", "Typed by hand"]
    assert forgotten[0] not in written(main.parent)


def test_an_undo_in_an_editor_brings_back(memory: MemoryService, main: Path, old: str) -> None:
    ids = set(known(memory))
    save_in_place(main, lines_without(old, "alder").replace("birch", "beech"))
    assert contents(memory) == ["Owns the beech", "Owns the cedar"]

    save_in_place(main, old)

    assert contents(memory) == ["Owns the alder", "Owns the birch", "Owns the cedar"]
    assert set(known(memory)) == ids


def test_what_was_changed_meanwhile_stays_changed(
    memory: MemoryService, main: Path, old: str
) -> None:
    by_content = {content: memory_id for memory_id, content in known(memory).items()}
    alder, birch = by_content["Owns the alder"], by_content["Owns the birch"]
    memory.update(alder, content="Owns the tall alder")
    memory.update(birch, importance=5)

    save_in_place(main, old.replace("the birch", "the old birch"))

    assert contents(memory) == ["Owns the cedar", "Owns the old birch", "Owns the tall alder"]
    assert memory.get(birch).importance == 5
    assert "the tall alder" in main.read_text("utf-8")


def test_an_editor_that_saves_while_somebody_types_makes_one_memory(
    memory: MemoryService, main: Path, old: str
) -> None:
    """It never reads the ids that were given to what it saved."""
    for text in ("- Lik", "- Likes fi", "- Likes figs", "- Likes figs\n- Likes tea"):
        save_in_place(main, f"{old}{text}\n")
        memory.sync()

    now = known(memory)
    assert sorted(now.values())[:2] == ["Likes figs", "Likes tea"]
    assert len(now) == 5
    assert written(main.parent).count("Likes figs") == 1


def test_a_memory_that_was_replaced_meanwhile_stays_replaced(
    memory: MemoryService, main: Path
) -> None:
    memory.append_memory("Lives in Delft", key="home", value="Delft")
    old = main.read_text("utf-8")
    memory.append_memory("Lives in Lyon", key="home", value="Lyon")
    assert known(memory) and "Lives in Delft" not in main.read_text("utf-8")

    save_in_place(main, old)

    assert contents(memory) == ["Lives in Lyon"]
    assert "Lives in Delft" not in main.read_text("utf-8")


def test_half_of_the_memories_at_once_can_be_an_older_text(
    memory: MemoryService, main: Path, old: str
) -> None:
    for number in range(12):
        memory.append_memory(f"Read book {number}")

    save_in_place(main, old)

    assert len(contents(memory)) == 15
    assert "saved from an older version" in notices(memory)[0]


def test_what_is_saved_into_a_file_that_is_replaced_meanwhile_is_an_older_text(
    memory: MemoryService, main: Path, old: str
) -> None:
    with main.open("r+", encoding="utf-8") as saving:
        memory.append_memory("Planted a willow")
        saving.truncate(0)
        memory.sync()
        saving.write(lines_without(old, "alder") + "- Saved by an editor that was slow\n")

    assert contents(memory) == [
        "Owns the birch",
        "Owns the cedar",
        "Planted a willow",
        "Saved by an editor that was slow",
    ]
