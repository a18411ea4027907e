"""Agent SDKs as they are installed: their own types go through the adapters, and examples run."""

import asyncio
import subprocess
import sys
import uuid
from pathlib import Path
from typing import Any

import pytest
from agents import Agent, RunConfig, Runner
from agents.memory import Session
from agents.testing import ScriptedModel, assistant_message, function_call
from claude_agent_sdk import ClaudeAgentOptions
from copilot.session_events import SessionEvent, SessionEventType

from chatmem import MemoryService
from chatmem.interfaces.integrations.claude_agent import ClaudeMemory
from chatmem.interfaces.integrations.copilot import PASSED_ON, CopilotMemory, event_of
from chatmem.interfaces.integrations.openai_agents import (
    ChatmemSession,
    memory_function_tools,
    remembering,
)

EXAMPLES = Path(__file__).parents[2] / "examples"
QUIET = RunConfig(tracing_disabled=True)


@pytest.mark.parametrize("example", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.stem)
def test_every_example_runs_offline(example: Path, own_folder: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(example)], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr
    assert "shrimp" in done.stdout or "虾" in done.stdout


def copilot(number: int, kind: str, agent: str | None = None, **data: Any) -> SessionEvent:  # noqa: ANN401
    raw = {
        "id": str(uuid.UUID(int=number)), "timestamp": "2026-05-04T09:00:00Z", "parentId": None,
        "type": kind, "data": data, **({"agentId": agent} if agent else {}),
    }  # fmt: skip
    return SessionEvent.from_dict(raw)


def test_copilots_names_are_the_ones_we_know() -> None:
    known = {one.value for one in SessionEventType}
    assert known >= PASSED_ON | {"user.message", "assistant.message"}


def test_copilots_session_is_kept_once_and_flushed(memory: MemoryService) -> None:
    hear = CopilotMemory(memory, "s1")
    said = copilot(1, "user.message", content="I live in Oslo")
    first, again = hear(said), hear(said.to_dict())
    assert first is not None
    assert again is not None
    assert (first.is_duplicate, again.is_duplicate) == (False, True)
    hear(copilot(2, "assistant.message", content="Nice", messageId="a"))
    usage: dict[str, Any] = {"currentTokens": 90, "tokenLimit": 100, "messagesLength": 2}
    flushed = hear(copilot(3, "session.usage_info", **usage))
    assert flushed is not None
    assert flushed.asked_for == ("flush",)
    memory.wait_until_idle()
    assert [one.content for one in memory.list_memories().items] == ["Lives in Oslo"]
    assert len(memory.sessions.messages("s1")) == 2


@pytest.mark.parametrize(
    "event",
    [
        copilot(1, "assistant.message", agent="sub", content="I live in Rome", messageId="a"),
        copilot(2, "assistant.message", content="", messageId="a"),
        copilot(3, "user.message", content="The skill's text", source="skill-pdf"),
        copilot(4, "assistant.turn_start", turnId="1"),
    ],
)
def test_copilots_other_events_say_nothing_to_memory(event: SessionEvent) -> None:
    assert event_of(event, "s1") is None


def test_a_handler_never_ends_the_session_it_hears(memory: MemoryService) -> None:
    assert CopilotMemory(memory, "s1")(object()) is None


def test_claudes_hooks_recall_and_remember(memory: MemoryService) -> None:
    async def run() -> dict[str, Any]:
        hooks = ClaudeMemory(memory)
        assert ClaudeAgentOptions(hooks=hooks.hooks()).hooks is not None
        given = {"session_id": "one", "prompt": "I live in Oslo", "prompt_id": "p1"}
        await hooks.user_prompt_submit(given)
        for _ in range(2):  # delivered twice
            await hooks.user_prompt_submit(given)
        await hooks.stop({"session_id": "one", "last_assistant_message": "Nice"})
        await hooks.pre_compact({"session_id": "one", "trigger": "auto"})
        tool = {"memory_writes": [{"content": "Likes rye bread"}]}
        used = {"session_id": "one", "tool_response": tool, "tool_use_id": "t1"}
        await hooks.post_tool_use(used)
        await hooks.post_tool_use(used)
        await asyncio.to_thread(memory.wait_until_idle)
        return await hooks.user_prompt_submit({"session_id": "two", "prompt": "Where do I live?"})

    answer = asyncio.run(run())
    context = answer["hookSpecificOutput"]["additionalContext"]
    assert "Lives in Oslo" in context
    assert [one.content for one in memory.sessions.messages("one")] == ["I live in Oslo", "Nice"]
    bread = [one for one in memory.list_memories().items if "bread" in one.content]
    assert len(bread) == 1


def test_a_prompt_that_memory_cannot_take_goes_on_without_it(memory: MemoryService) -> None:
    hooks = ClaudeMemory(memory)
    assert asyncio.run(hooks.user_prompt_submit({"session_id": "one", "prompt": " "})) == {}


def test_an_agents_history_comes_back_as_it_was(memory: MemoryService) -> None:
    session = ChatmemSession(memory, "s1")
    assert isinstance(session, Session)
    model = ScriptedModel(
        [
            [function_call("append_memory", {"fact": "Lives in Oslo"}, call_id="c1")],
            [assistant_message("Noted.")],
            [assistant_message("In Oslo.")],
        ]
    )
    agent = Agent(
        name="Helper",
        model=model,
        instructions=remembering(memory, "You help.", session_id="s1"),
        tools=memory_function_tools(memory, session_id="s1"),
    )

    async def run() -> list[Any]:
        await Runner.run(agent, "I live in Oslo", session=session, run_config=QUIET)
        await Runner.run(agent, "Where do I live?", session=session, run_config=QUIET)
        return await session.get_items()

    items = asyncio.run(run())
    kinds = [item.get("type", item.get("role")) for item in items]
    assert kinds == [
        "user", "function_call", "function_call_output", "assistant", "user", "assistant",
    ]  # fmt: skip
    assert items[1]["call_id"] == items[2]["call_id"] == "c1"
    assert "Lives in Oslo" in str(model.calls[2].system_instructions)
    assert memory.get_relevant_memories("Oslo")[0].memory.content == "Lives in Oslo"


def test_an_item_can_be_taken_back_and_a_session_cleared(memory: MemoryService) -> None:
    session = ChatmemSession(memory, "s1")

    async def run() -> tuple[Any, ...]:
        assert await session.get_items() == []
        assert await session.pop_item() is None
        await session.clear_session()
        user = {"role": "user", "content": "good morning zanzibar"}
        answer = {"role": "assistant", "content": [{"type": "output_text", "text": "Good!"}]}
        await session.add_items([user, answer, user])
        popped = await session.pop_item()
        left = await session.get_items()
        newest = await session.get_items(limit=1)
        await session.clear_session()
        return popped, left, newest, await session.get_items()

    popped, left, newest, cleared = asyncio.run(run())
    assert popped == {"role": "user", "content": "good morning zanzibar"}
    assert [item["role"] for item in left] == ["user", "assistant"]  # said twice, taken back once
    assert newest == [{"role": "assistant", "content": "Good!"}]
    assert cleared == []
    assert memory.search_memories("zanzibar").hits == ()
