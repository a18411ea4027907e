"""Settings that are changed from inside: kept with the data, obeyed by whatever has it open."""

import sqlite3
from pathlib import Path

import pytest
from tests.conftest import run_python
from tests.doors import Chatmem
from tests.integration.conftest import Open

from chatmem import MemoryService
from chatmem.errors import InvalidInputError, SettingError

SHOW = """
import sys
from chatmem import MemoryService, Settings
settings = Settings(embedder={"name": "none"})
with MemoryService.open(sys.argv[1], settings=settings, background=False) as memory:
    print(memory.settings.memory.rag_top_n, len(memory.get_relevant_memories("tea")))
    memory.config.set({"rag_top_n": sys.argv[2]})
"""


@pytest.fixture
def tea(memory: MemoryService) -> MemoryService:
    """Remembers six kinds of tea."""
    for kind in ("oolong", "jasmine", "black", "green", "white", "mint"):
        memory.append_memory(f"Drinks {kind} tea")
    return memory


def test_another_process_obeys_a_change_and_is_obeyed(tea: MemoryService, data: Path) -> None:
    tea.config.set({"memory.rag_top_n": 3})

    assert run_python(SHOW, str(data), "1").stdout.split() == ["3", "3"]
    assert len(tea.get_relevant_memories("tea")) == 1


def test_what_is_stored_wins_over_what_was_given_and_says_where_it_is_from(reopen: Open) -> None:
    memory = reopen(retrieval_limit=4, context_limit=8)
    config = memory.config

    assert config.get()["memory.rag_top_n"] == 4, "its other name counts"
    config.set({"rag_top_n": 7, "evictionThreshold": 50, "memory.dedup": "exact"})

    assert memory.settings.memory.rag_top_n == 7
    assert memory.settings.memory.eviction_threshold == 50
    assert config.origin("memory.rag_top_n") == config.origin("dedup") == "stored"
    assert config.origin("contextLimit") == "set"
    assert config.origin("auto_extract") == "default"
    with pytest.raises(InvalidInputError, match="takes names and values"):
        config.set("rag_top_n=3")  # type: ignore[arg-type]
    config.set({"eviction_threshold": None})
    assert memory.settings.memory.eviction_threshold is None


def test_one_value_stands_behind_both_names_of_a_setting(
    reopen: Open, monkeypatch: pytest.MonkeyPatch, chatmem: Chatmem
) -> None:
    Path("chatmem.toml").write_text("[memory]\nrag_top_n = 3\n", "utf-8")
    monkeypatch.setenv("MEMORY_RETRIEVAL_LIMIT", "8")
    assert chatmem("config", "ragTopN", "--json").json["memory.rag_top_n"]["value"] == 8
    config = reopen(rag_top_n=2).config

    def values() -> set[object]:
        return {config.get()[f"memory.{name}"] for name in ("rag_top_n", "retrieval_limit")}

    assert values() == {2}
    for changes, value in (
        ({"ragTopN": 7}, 7),
        ({"retrievalLimit": 4}, 4),
        ({"ragTopN": 4, "retrievalLimit": 6}, 6),  # read, one changed, written back
        ({"ragTopN": 9, "retrievalLimit": 6}, 9),
    ):
        config.set(changes)
        assert values() == {value}
        assert config.origin("retrieval_limit") == config.origin("rag_top_n") == "stored"
    config.unset(["retrieval_limit"])
    assert values() == {2}
    assert config.origin("retrieval_limit") == config.origin("rag_top_n") == "set"


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"rag_top_n": 3, "context_limit": "many"}, "memory.context_limit: got 'many', takes"),
        ({"rag_top_n": True}, "memory.rag_top_n"),
        ({"rag_top": 3}, "did you mean memory.rag_top_n?"),
        ({"ragTopN": 3, "server.port": 9}, "set it in chatmem.toml or by CHATMEM_PORT"),
        ({"llm.api_key": "sk-secret"}, "CHATMEM_LLM_API_KEY"),
        ({"memory.eviction_threshold": "none"}, "takes a whole number, 1 or more"),
    ],
)
def test_a_change_that_does_not_fit_changes_nothing(
    memory: MemoryService, changes: dict[str, object], told: str
) -> None:
    before = dict(memory.config.get())

    with pytest.raises(SettingError) as error:
        memory.config.set(changes)

    assert told in str(error.value)
    assert "sk-secret" not in str(error.value)
    assert memory.config.get() == before
    assert memory.config.origin("rag_top_n") == "default"


def test_a_stored_value_that_does_not_fit_is_told(memory: MemoryService, data: Path) -> None:
    memory.config.set({"context_limit": 6})
    connection = sqlite3.connect(data / "chatmem.db")
    with connection:
        connection.execute("INSERT INTO setting VALUES ('memory.rag_top_n', '\"lots\"')")
        connection.execute("INSERT INTO setting VALUES ('memory.no_longer', 'x')")
        connection.execute("UPDATE setting_change SET version = version + 1")
    connection.close()

    assert memory.settings.memory.rag_top_n == 5
    assert memory.settings.memory.context_limit == 6
    finding = next(one for one in memory.diagnose() if one.name == "settings")
    assert not finding.ok
    assert "'lots'" in finding.detail
    assert "chatmem config --unset memory.no_longer" in finding.detail

    memory.config.unset(["memory.rag_top_n", "memory.no_longer"])

    assert next(one for one in memory.diagnose() if one.name == "settings").ok


def test_the_command_shows_and_sets_settings(memory: MemoryService, chatmem: Chatmem) -> None:
    assert "8  (stored)" in chatmem("config", "rag_top_n", "8").out
    assert "9  (stored)" in chatmem("config", "rag_top_n=9").out
    assert memory.settings.memory.rag_top_n == 9
    shown = chatmem("config", "ragTopN", "--json").json
    assert shown == {"memory.rag_top_n": {"value": 9, "origin": "stored"}}
    assert "5  (default)" in chatmem("config", "--unset", "rag_top_n").out
    settings = type(memory.settings.memory).model_fields
    assert len(chatmem("config").out.splitlines()) == len(settings)


def test_what_the_command_line_cannot_set_is_answered_with_the_way_out(chatmem: Chatmem) -> None:
    for written, message in (
        (["rag_top_n=lots"], "memory.rag_top_n: got 'lots', takes a whole number from 1 to 1000"),
        (["memory", "rag_top_n"], "memory: is a table of settings; name one of them"),
        (["MEMORY_RAG_TOP_N", "5"], "did you mean memory.rag_top_n?"),
        (["CHATMEM_PORT"], "did you mean server.port?"),
        (["server.port"], "set it in chatmem.toml or by CHATMEM_PORT"),
        (["nonsense"], "nonsense: there is no such setting"),
    ):
        answer = chatmem("config", *written)
        assert (answer.code, message in answer.err) == (1, True), written
