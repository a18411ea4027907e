"""A memory that lacks something: it works, and says what it lacks."""

from pathlib import Path

import apsw
import pytest
from tests.integration.conftest import AT_ONCE, Open

from chatmem import MemoryService
from chatmem.extraction.reader import network as networks_module
from chatmem.extraction.reader import reading
from chatmem.testing import FakeClock, FakeEmbedder

NOW = FakeClock()()


def opened(folder: Path) -> MemoryService:
    return MemoryService.open(folder, "mei", embedder=FakeEmbedder(), background=False)


def _fill(memory: MemoryService) -> None:
    memory.append_memory("我喜欢喝乌龙茶，不加糖", "preference", now=NOW)
    memory.append_memory("Works as a nurse at the city hospital", now=NOW)
    memory.append_memory("Plays the violin on Sundays", "pattern", now=NOW)
    memory.save_conversation_turn("The violin is in the attic", "好的", "s1", now=NOW)
    memory.wait_until_indexed()


@pytest.mark.scenario("S3.3.4")
@pytest.mark.parametrize("damage", ["DROP TABLE memory_fts_data", "DROP TABLE memory_fts_content"])
def test_a_damaged_full_text_index_is_lived_with_until_it_is_made_again(
    tmp_path: Path, damage: str
) -> None:
    memory = opened(tmp_path)
    _fill(memory)
    memory.close()
    connection = apsw.Connection(str(tmp_path / "chatmem.db"))
    connection.execute(damage)
    connection.close()

    memory = opened(tmp_path)
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
    memory.close()


def test_without_what_the_reader_has_learned_all_but_extraction_works(
    reopen: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = reopen(**AT_ONCE)
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
