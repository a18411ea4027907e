"""What happens to a memory over its life, and that every step but forgetting can be undone."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.contract.given import said
from tests.integration.conftest import Open, doubt

from chatmem import MemoryService
from chatmem.errors import InvalidInputError, MemoryNotFoundError, NothingToRestoreError
from chatmem.testing import FakeClock, FakeEmbedder


def actions(memory: MemoryService, memory_id: str) -> list[str]:
    return [entry.action for entry in memory.history(memory_id)]


def holding(folder: Path, text: str) -> list[str]:
    """Files below the folder that hold these bytes, whatever they are for."""
    found = []
    for file in folder.rglob("*"):
        if file.is_file() and text.encode() in file.read_bytes():
            found.append(file.relative_to(folder).as_posix())
    return found


def test_every_column_can_be_edited_and_the_edit_undone(memory: MemoryService, main: Path) -> None:
    before = memory.append_memory("Likes tea", "preference", tags=("drink",))
    changes: dict[str, Any] = {
        "content": "Likes green tea\nwithout sugar",
        "category": "pattern",
        "key": "drink",
        "value": {"sugar": False},
        "tags": ("tea", "green"),
        "importance": 5,
        "confidence": 0.5,
        "source": "inferred",
        "visibility": "household",
        "kind": "episodic",
    }

    after = memory.update(before.id, **changes)

    assert memory.get(before.id) == after
    assert {name: getattr(after, name) for name in changes} == changes
    assert [hit.memory.id for hit in memory.search_memories("green sugar")] == [before.id]
    text = main.read_text("utf-8")
    assert text.index("green tea") > text.index("## Patterns")
    assert memory.restore(before.id) == before == memory.get(before.id)
    assert list(memory.search_memories("sugar")) == []
    assert "sugar" not in main.read_text("utf-8")
    assert actions(memory, before.id) == ["add", "edit", "restore"]
    with pytest.raises(NothingToRestoreError):
        memory.restore(before.id)


def test_several_edits_are_undone_one_by_one(memory: MemoryService) -> None:
    memory_id = memory.append_memory("Version one").id
    for number in ("two", "three"):
        memory.update(memory_id, content=f"Version {number}")

    assert memory.restore(memory_id).content == "Version two"
    assert memory.restore(memory_id).content == "Version one"
    with pytest.raises(NothingToRestoreError):
        memory.restore(memory_id)
    memory.update(memory_id, content="Version four")
    assert memory.restore(memory_id).content == "Version one"


def test_a_promoted_message_is_still_said_only_once(memory: MemoryService) -> None:
    first = memory.save_conversation_turn("I collect old maps", "Nice!", "s1")
    memory.promote(first.user.id)

    again = memory.save_conversation_turn("I collect old maps", "Nice!", "s1")

    assert again.duplicates == first.ids


def test_a_known_key_is_superseded_and_the_old_value_can_be_read_and_restored(
    memory: MemoryService, clock: FakeClock, main: Path
) -> None:
    old = memory.append_memory("Lives in Graz", key="home", now=clock())
    moved = clock.advance(days=30)
    new = memory.append_memory("Lives in Bergen", key="home", now=moved)
    later = clock.advance(days=1)

    def lives(**when: object) -> list[str]:
        found = memory.get_relevant_memories("lives where", now=later, **when)  # type: ignore[arg-type]
        return [hit.memory.content for hit in found]

    assert memory.get(old.id).valid_to == moved
    assert memory.get(old.id).superseded_by == new.id
    assert lives() == ["Lives in Bergen"]
    assert lives(as_of=moved - timedelta(seconds=1)) == ["Lives in Graz"]
    assert lives(as_of=moved) == ["Lives in Bergen"]
    assert lives(as_of=old.timestamp - timedelta(days=1)) == []
    assert [hit.memory.content for hit in memory.search_memories("lives")] == ["Lives in Bergen"]
    assert "Graz" not in main.read_text("utf-8")
    assert "Graz" in (main.parent / "archive" / "2026-04.md").read_text("utf-8")

    offered = memory.undoable(old.id)
    assert (offered.before.is_valid, offered.other and offered.other.id) == (True, new.id)
    restored = memory.restore(old.id, now=later)

    assert restored.is_valid and restored.superseded_by is None
    assert memory.get(new.id).superseded_by == old.id
    assert lives() == ["Lives in Graz"]
    assert "Graz" in main.read_text("utf-8")
    assert "Bergen" not in main.read_text("utf-8")


def test_what_cannot_take_the_place_of_another_is_refused(memory: MemoryService) -> None:
    one, other = memory.append_memory("One").id, memory.append_memory("Another").id
    said = memory.save_conversation_turn("A third", "Yes", "s1").user.id
    gone = memory.append_memory("Old", key="k").id
    memory.append_memory("New", key="k")

    for pair in ((one, one), (one, said), (said, one), (one, gone), (gone, one)):
        with pytest.raises(InvalidInputError, match=r"newer|long-term"):
            memory.supersede(*pair)
    for missing in ((one, "nope"), ("nope", one)):
        with pytest.raises(MemoryNotFoundError):
            memory.supersede(*missing)
    assert memory.get(one).is_valid and memory.get(other).is_valid


def test_the_same_value_again_writes_nothing_and_may_be_surer(memory: MemoryService) -> None:
    first = memory.append_memory("Lives in Graz", key="home", confidence=0.6)

    again = memory.append_memory("Lives in Graz", key="home", confidence=0.95)
    unsure = memory.append_memory("Lives in Graz", key="home", confidence=0.1)

    assert again.id == unsure.id == first.id
    assert memory.get(first.id).confidence == 0.95
    assert memory.list_memories().total == 1


@pytest.mark.scenario("S3.4.3")
@pytest.mark.parametrize("how", ["memory", "note", "turn", "promoted", "superseded", "edited"])
def test_what_is_forgotten_is_in_no_file(
    memory: MemoryService, data: Path, reopen: Open, how: str
) -> None:
    """Not even as bytes: not in the rows, the words of the index, the log, the history."""
    filler = [memory.append_memory(f"Filler {number} stays").id for number in range(5)]
    if how == "note":
        gone = memory.append_daily_log("Met quillpepper at noon 羽胡椒").id
    elif how in ("turn", "promoted"):
        gone = memory.save_conversation_turn("I met quillpepper 羽胡椒", "Who?", "s1").user.id
        if how == "promoted":
            memory.promote(gone)
    else:
        gone = memory.append_memory("Knows quillpepper 羽胡椒", key="friend", tags=("羽胡椒",)).id
        if how == "superseded":
            memory.append_memory("Knows nobody", key="friend")
        if how == "edited":
            memory.update(gone, content="Knows somebody")
    memory.search_memories("quillpepper")
    assert holding(data, "quillpepper")

    memory.forget(gone)

    assert list(memory.search_memories("quillpepper")) == []
    assert holding(data, "quillpepper") == []  # while the memory is still open, too
    memory.close()
    for word in ("quillpepper", "quillpepp", "羽胡椒", "胡椒"):
        assert holding(data, word) == []
    again = reopen()
    assert {one.id for one in again.list_memories().items} >= set(filler)
    assert again.reindex().added == 0
    with pytest.raises(MemoryNotFoundError):
        again.get(gone)


def test_what_was_forgotten_can_be_said_again(memory: MemoryService) -> None:
    memory.forget(memory.append_memory("Likes tea").id)

    again = memory.append_memory("Likes tea")

    assert memory.search_memories("tea")[0].memory.id == again.id


def test_past_its_size_the_main_file_moves_its_least_facts_to_the_archive(
    reopen: Open, main: Path, clock: FakeClock, data: Path
) -> None:
    memory = reopen(main_max_tokens=200)
    trivial = memory.append_memory("Once saw a heron at the pond", importance=1, now=clock())
    vital = memory.append_memory("Is allergic to penicillin", importance=5, now=clock())
    for number in range(30):
        memory.append_memory(f"Visited the lighthouse number {number}", now=clock())

    moved = memory.get(trivial.id)
    archive = main.parent / "archive" / "2026-03.md"
    assert moved.document == "archive/2026-03.md"
    assert moved.is_valid
    assert trivial.id in archive.read_text("utf-8")
    assert trivial.id not in main.read_text("utf-8")
    assert vital.id in main.read_text("utf-8")
    assert main.read_text("utf-8").count("lighthouse") < 30
    assert memory.get_relevant_memories("heron pond")[0].memory.id == trivial.id
    assert memory.list_memories(limit=100).total == 32
    assert actions(memory, trivial.id) == ["add", "rotate"]
    assert memory.restore(trivial.id) == trivial
    assert trivial.id in main.read_text("utf-8")
    assert trivial.id not in archive.read_text("utf-8")
    memory.close()
    for file in data.glob("chatmem.db*"):
        file.unlink()
    again = reopen(main_max_tokens=200)
    assert again.list_memories(limit=100).total == 32
    assert again.get(trivial.id) == trivial


def test_a_forgotten_message_is_not_imported_again(memory: MemoryService) -> None:
    message = said("The safe opens with the blue key", source_id="chat-1/7")
    memory.forget(memory.save_messages([message])[0].id)

    again = memory.save_messages([message])

    assert (again[0].id, again[0].duplicate) == ("", True)
    assert len(memory.search_memories("blue key")) == 0


def test_what_was_just_told_comes_first_before_it_has_a_vector(data: Path) -> None:
    with MemoryService.open(data, embedder=FakeEmbedder(), background=False) as memory:
        memory.append_memory("Keeps bees in the garden behind the house")
        memory.append_memory("Keeps hens, and a garden with apples")
        memory.wait_until_indexed()
        memory.append_memory("Keeps a tortoise")

        best = memory.search_memories("tortoise")[0]

        assert best.memory.content == "Keeps a tortoise"
        assert (best.parts.vector, best.score) == (None, 1.0)


def test_a_doubt_about_another_one_stays(memory: MemoryService, clock: FakeClock) -> None:
    old = memory.append_memory("Works at the mill", now=clock())
    new = doubt(memory, "Bakes at the bakery", old, clock.advance(days=30))
    third = memory.append_memory("Sells bread at the market")

    memory.supersede(third.id, new.id)

    assert "maybe-same" in memory.get(new.id).tags
    assert memory.history(new.id)[0].reason.startswith(f"maybe about {old.id}")


def test_what_a_person_keeps_beside_the_other_is_not_merged_again(memory: MemoryService) -> None:
    memory.append_memory("Bakes at the bakery")
    gone = memory.append_memory("bakes at the bakery")
    memory.wait_until_idle()
    assert not memory.get(gone.id).is_valid

    memory.restore(gone.id, keep_both=True)
    memory.wait_until_idle()

    assert memory.get(gone.id).is_valid
