"""A memory without vectors or full-text search: it works, and every result says what it lacks."""

from collections.abc import Callable, Iterator
from pathlib import Path

import apsw
import pytest

from chatmem import MemoryService
from chatmem.config import Settings
from chatmem.engine.background.leases import new_holder
from chatmem.engine.factory import OpenMemory
from chatmem.engine.settings import StoredSettings
from chatmem.engine.state import Engine, entry_of
from chatmem.extraction.reader import network as networks_module
from chatmem.extraction.reader import reading
from chatmem.storage.documents.folder import DocumentFolders
from chatmem.storage.sqlite.store import SqliteStore
from chatmem.testing import FakeClock, FakeEmbedder

Opening = Callable[..., MemoryService]
NOW = FakeClock()()


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Opening]:
    """Opens the memory as on a machine that lacks something."""
    memories: list[MemoryService] = []

    def run(*, extensions: bool = True, full_text: bool = True) -> MemoryService:
        store = SqliteStore(
            tmp_path / "chatmem.db", entry_of, extensions=extensions, full_text=full_text
        )
        engine = Engine(
            store=store,
            holder=new_holder(),
            stored_settings=StoredSettings(store, Settings()),
            places=DocumentFolders(tmp_path / "prompts" / "memory"),
            templates_folder=tmp_path / "prompts",
            embedder=FakeEmbedder(),
        )
        memories.append(MemoryService(OpenMemory(engine, background=False), "mei"))
        return memories[-1]

    yield run
    for memory in memories:
        memory.close()


def _fill(memory: MemoryService) -> None:
    memory.append_memory("我喜欢喝乌龙茶，不加糖", "preference", now=NOW)
    memory.append_memory("Works as a nurse at the city hospital", now=NOW)
    memory.append_memory("Plays the violin on Sundays", "pattern", now=NOW)
    memory.save_conversation_turn("The violin is in the attic", "好的", "s1", now=NOW)
    memory.wait_until_indexed()


@pytest.mark.scenario("S5.3.2")
def test_without_the_extension_search_goes_by_keywords_and_says_so(opened: Opening) -> None:
    memory = opened(extensions=False)
    _fill(memory)

    found = memory.search_memories("乌龙茶")

    assert [hit.memory.content for hit in found] == ["我喜欢喝乌龙茶，不加糖"]
    assert [one.what for one in found.missing] == ["vectors"]
    assert found[0].parts.vector is None
    recalled = memory.get_relevant_memories("hospital", now=NOW)
    assert recalled[0].memory.content.startswith("Works as a nurse")
    assert [one.what for one in recalled.missing] == ["vectors"]
    memory.reindex()
    memory.forget(found[0].memory.id)
    assert len(memory.search_memories("乌龙茶")) == 0


@pytest.mark.scenario("S3.3.4")
def test_without_full_text_search_like_serves_and_says_so(opened: Opening) -> None:
    memory = opened(full_text=False)
    _fill(memory)

    found = memory.search_memories("violin 乌龙茶")
    assert {hit.memory.content for hit in found} == {
        "我喜欢喝乌龙茶，不加糖",
        "Plays the violin on Sundays",
        "The violin is in the attic",
    }
    assert {hit.score for hit in found} == {0.5}
    assert {one.what for one in found.missing} == {"full_text"}

    recalled = memory.get_relevant_memories("Who plays the violin?", now=NOW)
    first = recalled[0]
    assert first.memory.content == "Plays the violin on Sundays"
    assert first.parts.keyword == 1.0
    # 0.4 * coverage + 0.2 * 1 + 0.15 * 1 + 0 + 0.15 * 0.9
    assert first.score == pytest.approx(0.4 + 0.2 + 0.15 + 0.15 * 0.9)
    assert {one.what for one in recalled.missing} == {"full_text"}
    findings = {one.name: one for one in memory.diagnose()}
    assert not findings["full_text"].ok


@pytest.mark.scenario("S3.3.4")
@pytest.mark.parametrize("damage", ["DROP TABLE memory_fts_data", "DROP TABLE memory_fts_content"])
def test_a_damaged_full_text_index_is_lived_with_until_it_is_made_again(
    opened: Opening, tmp_path: Path, damage: str
) -> None:
    memory = opened()
    _fill(memory)
    memory.close()
    connection = apsw.Connection(str(tmp_path / "chatmem.db"))
    connection.execute(damage)
    connection.close()

    memory = opened()
    found = memory.search_memories("violin")
    assert len(found) == 2
    (missing,) = found.missing
    assert missing.what == "full_text"
    assert "run `chatmem reindex`" in missing.why
    doctor = " ".join(one.detail for one in memory.diagnose() if not one.ok)
    assert "run `chatmem reindex`" in doctor
    memory.append_memory("Bought a new violin bow", now=NOW)
    assert len(memory.search_memories("violin")) == 3

    memory.reindex()

    healed = memory.search_memories("violins")
    assert sum("violin" in hit.memory.content for hit in healed) == 3
    assert healed.missing == ()
    assert all(one.ok for one in memory.diagnose())


def test_without_what_the_reader_has_learned_all_but_extraction_works(
    reopen: Opening, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = reopen(extract_interval_seconds=0.0, min_new_messages=1)
    for forget in (networks_module.networks, reading.read, reading.read_memory):
        forget.cache_clear()
    monkeypatch.setattr(networks_module, "WEIGHTS", "gone.npz")
    memory.save_conversation_turn("I live in Lisbon", "Lovely", "s1", now=NOW)
    memory.append_memory("Allergic to sesame", key="allergy", value="sesame")
    memory.wait_until_idle(now=NOW)

    assert [one.content for one in memory.list_memories().items] == ["Allergic to sesame"]
    assert memory.search_memories("Lisbon")
    assert memory.get_relevant_memories("what am I allergic to?")
    assert memory.get_user_profile() == ""
    (reader,) = (one for one in memory.diagnose() if one.name == "reader")
    assert not reader.ok
    assert "until chatmem is installed again" in reader.detail
    assert not [one for one in memory.diagnose() if one.name == "jobs" and not one.ok]
