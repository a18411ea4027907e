"""Tools of an agent: whatever goes wrong in one is something to read."""

from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import pytest

from chatmem import MemoryService
from chatmem.agent.controller import OBSERVATION_TOKENS, AgentTools
from chatmem.chat.tools import ToolSource
from chatmem.engine.tools import memory_tools
from chatmem.errors import InvalidInputError
from chatmem.model.memory import ToolExecutionResult
from chatmem.text.tokens import count_tokens

NOW = datetime(2026, 11, 21, 10, tzinfo=UTC)


def add(one: int, two: int = 1) -> int:
    """The sum of two numbers."""
    return one + two


MAPPING = {
    "name": "shout",
    "description": "Louder.",
    "parameters": {
        "type": "object",
        "properties": {"text": {"type": "string"}},
        "required": ["text"],
    },
    "run": lambda text: text.upper(),
}


def test_functions_mappings_and_objects_are_tools(memory: MemoryService) -> None:
    own: Any = SimpleNamespace(
        name="own", description="Ours.", parameters={}, run=lambda **given: {"got": given}
    )
    box = AgentTools(memory, [add, MAPPING, own, *memory_tools(memory)])

    assert box.names[:3] == ("add", "shout", "own")
    assert box.observe("add", {"one": 2}, NOW).content == "3"
    assert box.observe("shout", '{"text": "hé"}', NOW).content == "HÉ"
    assert box.observe("own", None, NOW).content == '{"got": {}}'
    saved = box.observe("append_memory", {"fact": "喜欢乌龙茶", "category": "preference"}, NOW)
    assert not saved.failed
    assert [one.content for one in memory.list_memories().items] == ["喜欢乌龙茶"]


def test_what_ends_the_program_is_no_observation(memory: MemoryService) -> None:
    def stop() -> None:
        """Like Ctrl-C."""
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        AgentTools(memory, [stop]).observe("stop", {}, NOW)


@pytest.mark.parametrize(
    "text", ["word " * 100_000, "茶" * 100_000, "x" * 10_000_000, "=" * 50_000]
)
def test_an_observation_is_bounded_and_says_so(memory: MemoryService, text: str) -> None:
    def read() -> str:
        """A large file."""
        return text

    call = AgentTools(memory, [read]).observe("read", {}, NOW)

    assert count_tokens(call.content) <= OBSERVATION_TOKENS + 20
    assert call.content.endswith(f"… (cut, {len(text)} characters in all)")


def test_what_a_tool_wants_remembered_is_remembered(memory: MemoryService) -> None:
    def look() -> ToolExecutionResult:
        """Finds out where the user lives."""
        return ToolExecutionResult(
            {"city": "Berlin"}, ({"content": "Lives in Berlin", "category": "fact"},)
        )

    call = AgentTools(memory, [look]).observe("look", {}, NOW)

    assert call.content == '{"city": "Berlin"}'
    assert not call.failed
    [record] = memory.list_memories().items
    assert (record.content, record.timestamp) == ("Lives in Berlin", NOW)


def test_a_write_that_memory_refuses_is_told(memory: MemoryService) -> None:
    def look() -> ToolExecutionResult:
        """Wants nonsense remembered."""
        return ToolExecutionResult("ok", ({"content": "", "category": "fact"},))

    call = AgentTools(memory, [look]).observe("look", {}, NOW)

    assert call.failed
    assert call.content.startswith("ok\nnot remembered: ")
    assert memory.list_memories().total == 0


def untyped(one):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN201
    """Has no types."""


@pytest.mark.parametrize(
    ("tools", "said"),
    [
        ([add, add], "two are called 'add'"),
        ([7], "tools: name: Field required; run: Field required"),
        ("add", "takes a list of tools"),
        ({"name": "x"}, "takes a list of tools"),
        ([{"name": "x"}], "tools: run: Field required"),
        ([{**MAPPING, "name": 1}], "name: got 1: Input should be a valid string"),
        ([{**MAPPING, "name": "no spaces here"}], "takes 1 to 64 letters"),
        (
            [{**MAPPING, "parameters": "text"}],
            "parameters: got 'text': Input should be a valid dictionary",
        ),
        ([untyped], "parameter 'one' needs a type"),
    ],
)
def test_non_tools_are_refused(memory: MemoryService, tools: list[ToolSource], said: str) -> None:
    with pytest.raises(InvalidInputError) as raised:
        AgentTools(memory, tools)

    assert said in str(raised.value)
