"""Agent SDKs as they are installed: their own types go through the adapters, and examples run."""

import asyncio
import json
import threading
import uuid
from collections.abc import AsyncIterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from agents import Agent, RunConfig, Runner
from agents.extensions.memory import EncryptedSession
from agents.memory import OpenAIResponsesCompactionSession, Session
from agents.testing import ScriptedModel, assistant_message, function_call
from claude_agent_sdk import ClaudeAgentOptions, ClaudeSDKClient, Transport
from copilot.session import CopilotSession
from copilot.session_events import SessionEvent, SessionEventType
from copilot.tools import ToolInvocation
from tests.conftest import run_python, some

from chatmem import MemoryService
from chatmem.interfaces.integrations.claude_agent import (
    MAX_CONTEXT_CHARS,
    ClaudeMemory,
    memory_server,
)
from chatmem.interfaces.integrations.copilot import (
    PASSED_ON,
    CopilotMemory,
    copilot_hooks,
    copilot_tools,
    event_of,
)
from chatmem.interfaces.integrations.openai_agents import (
    ChatmemSession,
    memory_function_tools,
    memory_hooks,
    remembering,
)

pytestmark = pytest.mark.anyio
EXAMPLES = Path(__file__).parents[2] / "examples"
QUIET = RunConfig(tracing_disabled=True)


@pytest.mark.parametrize("example", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.stem)
def test_every_example_runs_offline(example: Path, own_folder: Path) -> None:
    done = run_python(example.read_text("utf-8"))
    assert done.returncode == 0, done.stderr
    assert "shrimp" in done.stdout or "虾" in done.stdout


def test_adapters_are_there_without_the_sdks(own_folder: Path) -> None:
    code = """
import asyncio, sys
sys.modules.update(dict.fromkeys(["agents", "copilot", "claude_agent_sdk"]))
from chatmem import MemoryService
from chatmem.interfaces.integrations.claude_agent import ClaudeMemory
from chatmem.interfaces.integrations.copilot import CopilotMemory, copilot_hooks
from chatmem.interfaces.integrations.openai_agents import ChatmemSession, remembering
with MemoryService.open("data") as memory:
    with CopilotMemory(memory, "s1") as hear:
        hear({"type": "user.message", "id": "1", "data": {"content": "I live in Oslo"}})
    copilot_hooks(memory), remembering(memory), ClaudeMemory(memory)
    print(asyncio.run(ChatmemSession(memory, "s1").get_items()))
"""
    done = run_python(code)
    assert (done.returncode, done.stderr) == (0, "")
    assert "I live in Oslo" in done.stdout


# GitHub Copilot SDK


def contents(memory: MemoryService, session_id: str) -> list[str]:
    return [one.content for one in memory.sessions.messages(session_id)]


def facts(memory: MemoryService) -> list[str]:
    return [one.content for one in memory.list_memories().items]


def copilot(number: int, kind: str, agent: str | None = None, **data: Any) -> SessionEvent:  # noqa: ANN401
    raw = {
        "id": str(uuid.UUID(int=number)), "timestamp": "2026-05-04T09:00:00Z", "parentId": None,
        "type": kind, "data": data, **({"agentId": agent} if agent else {}),
    }  # fmt: skip
    return SessionEvent.from_dict(raw)


def usage(number: int, current: int, agent: str | None = None) -> SessionEvent:
    data = {"currentTokens": current, "tokenLimit": 100, "messagesLength": 2}
    return copilot(number, "session.usage_info", agent, **data)


def test_copilots_names_are_the_ones_we_know() -> None:
    known = {one.value for one in SessionEventType}
    assert known >= PASSED_ON | {"user.message", "assistant.message"}


def test_copilots_session_is_kept_once_and_flushed(memory: MemoryService) -> None:
    hear = CopilotMemory(memory, "s1").handle
    said = copilot(1, "user.message", content="I live in Oslo", transformedContent="<x/>")
    assert [some(hear(one)).is_duplicate for one in (said, said.to_dict())] == [False, True]
    hear(copilot(2, "assistant.message", content="Nice", messageId="a"))
    flushed, ended = some(hear(usage(3, 90))), some(hear(copilot(4, "session.idle")))
    assert (flushed.type, flushed.asked_for) == ("usage", ("flush",))
    assert "extraction" in ended.asked_for
    memory.wait_until_idle()
    assert facts(memory) == ["I live in Oslo"]
    assert contents(memory, "s1") == ["I live in Oslo", "Nice"]


def test_copilots_loop_hands_events_over_and_goes_on(memory: MemoryService) -> None:
    session = CopilotSession("s1", None)
    said = [f"good morning number {number}" for number in range(20)]
    writes, told = threading.Event(), threading.Event()

    def hold() -> bool:
        with memory._engine.store.transaction():  # somebody writes: the loop must not wait
            writes.set()
            return told.wait(20)

    async def run() -> None:
        for number, text in enumerate(said):
            session._dispatch_event(copilot(number, "user.message", content=text))
        told.set()

    with ThreadPoolExecutor(1) as other, CopilotMemory(memory, "s1") as hear:
        held = other.submit(hold)
        writes.wait()
        unsubscribe = session.on(hear)
        asyncio.run(run())
        assert held.result()  # False: it was waited for
        unsubscribe()
    assert contents(memory, "s1") == said


@pytest.mark.parametrize(
    "event",
    [
        copilot(1, "assistant.message", agent="sub", content="I live in Rome", messageId="a"),
        copilot(2, "assistant.message", content="", messageId="a"),
        copilot(3, "user.message", content="The skill's text", source="skill-pdf"),
        copilot(4, "user.message", content="Go on", isAutopilotContinuation=True),
        copilot(5, "user.message", content="Find it", parentAgentTaskId="task"),
        copilot(6, "assistant.turn_start", turnId="1"),
        copilot(7, "assistant.turn_end", turnId="1"),
        copilot(8, "assistant.idle"),
        usage(9, 90, agent="sub"),
        copilot(10, "session.compaction_start", agent="sub"),
        SimpleNamespace(type="assistant.message_delta"),  # is not even read
        {"type": "a.type.of.tomorrow", "data": {"content": "x"}},
        object(),
    ],
)
def test_copilots_other_events_say_nothing_to_memory(event: object) -> None:
    assert event_of(event, "s1") is None


def test_a_handler_never_ends_the_session_it_hears(
    memory: MemoryService, caplog: pytest.LogCaptureFixture
) -> None:
    hear = CopilotMemory(memory, "s1")
    assert hear.handle(object()) is None
    assert hear.handle({"type": "session.usage_info", "data": {"currentTokens": "many"}}) is None
    assert "currentTokens" in caplog.text


async def test_copilots_prompt_is_given_what_is_remembered(memory: MemoryService) -> None:
    memory.append_memory("Is allergic to shrimp")
    session = CopilotSession("s1", None)
    session._register_hooks(copilot_hooks(memory, language="en"))
    given = {"sessionId": "s1", "timestamp": 1, "cwd": ".", "prompt": "What am I allergic to?"}

    async def ask(**more: str) -> Any:  # noqa: ANN401
        return await session._handle_hooks_invoke("userPromptSubmitted", {**given, **more})

    assert "allergic to shrimp" in (await ask())["additionalContext"]
    assert await ask(agentId="sub") is None
    assert await ask(prompt=" ") is None


async def test_copilot_calls_memorys_tools(memory: MemoryService) -> None:
    tools = {tool.name: tool for tool in copilot_tools(memory)}

    async def call(name: str, arguments: object) -> Any:  # noqa: ANN401
        handler: Any = tools[name].handler
        return await handler(ToolInvocation(tool_name=name, arguments=arguments))

    assert (await call("append_memory", {"fact": "Lives in Oslo"})).result_type == "success"
    assert "Oslo" in (await call("search_memory", {"query": "Oslo"})).text_result_for_llm
    failed = await call("append_memory", {"fakt": "Lives in Oslo"})
    assert failed.result_type == "failure"
    assert "fact: is missing" in failed.text_result_for_llm


# Claude Agent SDK


class Cli(Transport):
    """The other end of the SDK's control protocol: calls hooks and tools as Claude Code does."""

    def __init__(self, calls: list[Mapping[str, Any]]) -> None:
        self._calls = calls
        self._lines: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue()
        self._hooks: dict[str, str] = {}
        self.answers: list[dict[str, Any]] = []
        self.done = asyncio.Event()

    async def connect(self) -> None:
        pass

    async def write(self, data: str) -> None:
        for line in data.splitlines():
            told = json.loads(line)
            if told["type"] == "control_request":
                hooks = told["request"].get("hooks") or {}
                self._hooks = {name: ones[0]["hookCallbackIds"][0] for name, ones in hooks.items()}
                done = {"subtype": "success", "request_id": told["request_id"], "response": {}}
                await self._lines.put({"type": "control_response", "response": done})
                await self._next()
            elif told["type"] == "control_response":
                assert told["response"]["subtype"] == "success", told
                self.answers.append(told["response"]["response"])
                await self._next()

    async def _next(self) -> None:
        if not self._calls:
            self.done.set()
            return
        call = self._calls.pop(0)
        request: dict[str, Any] = {"subtype": "mcp_message", "server_name": "memory"}
        if "hook_event_name" in call:
            callback = self._hooks[call["hook_event_name"]]
            request = {"subtype": "hook_callback", "callback_id": callback, "input": call}
        else:
            request |= {"message": {"jsonrpc": "2.0", **call}}
        line = {"type": "control_request", "request_id": uuid.uuid4().hex, "request": request}
        await self._lines.put(line)

    async def read_messages(self) -> AsyncIterator[dict[str, Any]]:
        while (line := await self._lines.get()) is not None:
            yield line

    async def close(self) -> None:
        await self._lines.put(None)

    def is_ready(self) -> bool:
        return True

    async def end_input(self) -> None:
        pass


def converse(options: ClaudeAgentOptions, *calls: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What the SDK's client answers when Claude Code calls."""

    async def run() -> list[dict[str, Any]]:
        cli = Cli(list(calls))
        async with ClaudeSDKClient(options, transport=cli):
            await asyncio.wait_for(cli.done.wait(), 30)
        return cli.answers

    return asyncio.run(run())


def hook(name: str, session_id: str = "one", **given: Any) -> dict[str, Any]:  # noqa: ANN401
    base = {"session_id": session_id, "transcript_path": "", "cwd": ".", "hook_event_name": name}
    return {**base, **given}


def test_claudes_client_recalls_and_remembers(memory: MemoryService) -> None:
    options = ClaudeAgentOptions(hooks=ClaudeMemory(memory).hooks())
    said = hook("UserPromptSubmit", prompt="I live in Oslo", prompt_id="p1")
    stopped = hook("Stop", last_assistant_message="Nice", prompt_id="p1", stop_hook_active=False)
    compacted = hook("PreCompact", trigger="auto", custom_instructions=None)
    # Hooks that are called again have no effect.
    answers = converse(options, said, said, stopped, stopped, compacted)
    assert answers[2:] == [{}, {}, {}]
    memory.wait_until_idle()
    assert contents(memory, "one") == ["I live in Oslo", "Nice"]
    assert facts(memory) == ["I live in Oslo"]
    (answer,) = converse(options, hook("UserPromptSubmit", "two", prompt="Where do I live?"))
    told = answer["hookSpecificOutput"]
    assert told["hookEventName"] == "UserPromptSubmit"
    assert "I live in Oslo" in told["additionalContext"]


def test_claude_flushes_at_every_compaction(memory: MemoryService) -> None:
    options = ClaudeAgentOptions(hooks=ClaudeMemory(memory).hooks())
    for number, place in enumerate(("Oslo", "Bergen")):
        said = hook("UserPromptSubmit", prompt=f"I moved to {place}", prompt_id=f"p{number}")
        converse(options, said, hook("PreCompact", trigger="auto", custom_instructions=None))
        memory.wait_until_idle()
        assert place in memory.list_memories().items[0].content


def test_claude_is_not_given_more_than_it_takes(memory: MemoryService) -> None:
    for number in range(150):
        memory.append_memory(f"Owns the extraordinarily comprehensive encyclopaedia no. {number}")
    memory.update_user_profile("Reads encyclopaedias. " * 200)
    wish = {"memory_tokens": 9_000, "main_tokens": 9_000}
    options = ClaudeAgentOptions(hooks=ClaudeMemory(memory, budget=wish).hooks())
    (answer,) = converse(options, hook("UserPromptSubmit", prompt="Which encyclopaedias?"))
    told = answer["hookSpecificOutput"]["additionalContext"]
    assert MAX_CONTEXT_CHARS / 2 < len(told) <= MAX_CONTEXT_CHARS


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("UserPromptSubmit", {"prompt": " "}),
        ("UserPromptSubmit", {"prompt": "<task-notification>I live in Rome</task-notification>"}),
        ("UserPromptSubmit", {"prompt": "I live in Rome", "source": "schedule_wakeup"}),
        ("Stop", {"stop_hook_active": False}),
    ],
)
def test_what_nobody_said_is_not_kept(
    memory: MemoryService, name: str, given: dict[str, Any]
) -> None:
    options = ClaudeAgentOptions(hooks=ClaudeMemory(memory).hooks())
    assert converse(options, hook(name, **given)) == [{}]
    assert memory.sessions.list().total == memory.list_memories(None).total == 0


def test_a_very_long_prompt_is_kept_and_recalled_for(memory: MemoryService) -> None:
    memory.append_memory("Lives in Oslo")
    options = ClaudeAgentOptions(hooks=ClaudeMemory(memory).hooks())
    prompt = "Where do I live? " + "word " * 40_000
    (answer,) = converse(options, hook("UserPromptSubmit", prompt=prompt))
    assert "Oslo" in answer["hookSpecificOutput"]["additionalContext"]
    assert contents(memory, "one") == [prompt.strip()]


@pytest.mark.parametrize(
    "response",
    [
        {"memory_writes": [{"content": "Likes rye bread"}]},
        [{"type": "text", "text": '{"memoryWrites": [{"content": "Likes rye bread"}]}'}],
        {"structuredContent": {"memory_writes": [{"content": "Likes rye bread"}]}},
    ],
)
def test_only_tools_that_are_named_write(memory: MemoryService, response: object) -> None:
    used = hook("PostToolUse", tool_name="note", tool_response=response, tool_use_id="t1")
    hooks = ClaudeMemory(memory, writing_tools=["note"])
    options = ClaudeAgentOptions(hooks=hooks.hooks())
    converse(options, {**used, "tool_name": "WebFetch"})
    assert memory.list_memories().total == 0
    converse(options, used, used)
    assert facts(memory) == ["Likes rye bread"]
    assert "PostToolUse" not in ClaudeMemory(memory).hooks()


def test_claude_calls_memorys_tools(memory: MemoryService) -> None:
    options = ClaudeAgentOptions(mcp_servers={"memory": memory_server(memory)})
    hello = {
        "protocolVersion": "2025-06-18", "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    }  # fmt: skip
    added = {"name": "append_memory", "arguments": {"fact": "Lives in Oslo"}}
    found = {"name": "search_memory", "arguments": {"query": "Oslo"}}
    answers = converse(
        options,
        {"id": 1, "method": "initialize", "params": hello},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/list"},
        {"id": 3, "method": "tools/call", "params": added},
        {"id": 4, "method": "tools/call", "params": found},
    )
    told = [answer["mcp_response"].get("result") for answer in answers]
    assert "append_memory" in {tool["name"] for tool in told[2]["tools"]}
    assert not told[3].get("isError")
    assert "Lives in Oslo" in told[4]["content"][0]["text"]


# OpenAI Agents SDK


async def test_an_agents_history_comes_back_as_it_was(memory: MemoryService) -> None:
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
    await Runner.run(agent, "I live in Oslo", session=session, run_config=QUIET)
    await Runner.run(agent, "Where do I live?", session=session, run_config=QUIET)
    items: list[Any] = await session.get_items()
    kinds = [item.get("role", item.get("type")) for item in items]
    assert kinds == [
        "user", "function_call", "function_call_output", "assistant", "user", "assistant",
    ]  # fmt: skip
    assert items[1]["call_id"] == items[2]["call_id"] == "c1"
    assert "Lives in Oslo" in str(model.calls[2].system_instructions)
    # A run keeps its instructions, so that the provider's cache of the prompt holds.
    assert model.calls[0].system_instructions == model.calls[1].system_instructions
    assert memory.get_relevant_memories("Oslo")[0].memory.content == "Lives in Oslo"


ITEMS: list[Any] = [
    {"role": "user", "content": "  Where do I live?\n"},
    {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "\x7f\u2028内容"},
    {
        "id": "msg_1", "type": "message", "role": "assistant", "status": "completed",
        "content": [{"type": "output_text", "text": "In Oslo.", "annotations": []}],
    },
    {"role": "user", "content": [{"type": "input_image", "image_url": "data:image/png;base64,AA"}]},
    {
        "role": "user",
        "content": [
            {"type": "input_text", "text": "and here?"}, {"type": "input_image", "file_id": "f"},
        ],
    },
    {"role": "assistant", "content": "In a picture."},
    {"type": "function_call", "call_id": "c", "name": "look", "arguments": '{"where": "奥斯陆"}'},
    {"type": "function_call_output", "call_id": "c", "output": "a\r\nb"},
    {
        "role": "assistant", "id": "msg_2", "type": "message", "status": "completed",
        "content": [{"type": "output_text", "text": "One."}, {"type": "refusal", "refusal": "No"}],
    },
    {"role": "developer", "content": "Be short."},
    {"role": "user", "content": "   "},
    {"__enc__": 1, "v": 1, "kid": "k", "payload": "gAAAA"}, {"type": "chatmem.cleared"}, {}, "text",
]  # fmt: skip


async def test_every_kind_of_item_comes_back_unchanged(memory: MemoryService) -> None:
    session = ChatmemSession(memory, "s1")
    await session.add_items(ITEMS)
    assert await session.get_items() == ITEMS
    for limit in (0, 1, 2, 5, len(ITEMS), 10**9):
        assert await session.get_items(limit) == (ITEMS[-limit:] if limit else [])
    for item in reversed(ITEMS):
        assert await session.pop_item() == item
    assert await session.get_items() == []
    assert await session.pop_item() is None
    assert memory.sessions.messages("s1") == []


async def test_a_sessions_limit_is_obeyed_through_the_sdks_encryption_too(
    memory: MemoryService,
) -> None:
    session: Any = ChatmemSession(memory, "s1", {"limit": 3})
    wrapped = EncryptedSession("s1", session, "a key of some length")
    items = ITEMS[:-1]  # a wrapper takes objects only

    await wrapped.add_items(items)
    assert await wrapped.get_items() == items[-3:]
    assert await wrapped.get_items(5) == items[-5:]
    session.session_settings = None
    assert await wrapped.get_items() == items
    assert await wrapped.pop_item() == items[-1]
    await wrapped.clear_session()
    with pytest.raises(TypeError, match="not JSON"):
        await session.add_items([ITEMS[0], {"role": "user", "content": object()}])
    assert await session.get_items() == []
    with pytest.raises(TypeError, match="limitt"):
        ChatmemSession(memory, "s1", {"limitt": 3})


async def test_what_belongs_to_items_is_one_row_of_the_index_at_most(memory: MemoryService) -> None:
    answers = [
        {
            "id": f"msg_{number}", "type": "message", "role": "assistant", "status": "completed",
            "content": [{"type": "output_text", "text": f"zanzibar {number}", "annotations": []}],
        }
        for number in range(5)
    ]  # fmt: skip
    await ChatmemSession(memory, "s1").add_items(answers)
    found = memory.search_memories("zanzibar", limit=20).hits
    said = sorted(hit.memory.content for hit in found if hit.memory.role == "assistant")
    assert said == [f"zanzibar {number}" for number in range(5)]
    assert len(found) <= len(said) + 1


async def test_a_cleared_history_begins_anew_and_memory_stays(memory: MemoryService) -> None:
    session = ChatmemSession(memory, "s1")
    await session.clear_session()  # nothing there yet
    assert await session.get_items() == []
    await session.add_items([{"role": "user", "content": "I live in Oslo"}])
    await asyncio.to_thread(memory.sessions.end, "s1")
    await asyncio.to_thread(memory.wait_until_idle)
    await session.clear_session()
    assert await session.get_items() == []
    assert await session.pop_item() is None
    await session.add_items(ITEMS[:1])
    assert await session.get_items() == ITEMS[:1]
    assert await session.get_items(5) == ITEMS[:1]
    assert facts(memory) == ["I live in Oslo"]


async def test_the_sdks_compaction_replaces_history_and_nothing_known(
    memory: MemoryService,
) -> None:
    memory.append_memory("Lives in Oslo", session_id="s1")
    session = ChatmemSession(memory, "s1")
    summary = {"type": "compaction", "id": "cmp_1", "encrypted_content": "AA"}

    async def compact(**given: object) -> SimpleNamespace:
        return SimpleNamespace(output=[ITEMS[0], summary], usage=None)

    client: Any = SimpleNamespace(responses=SimpleNamespace(compact=compact))
    wrapped = OpenAIResponsesCompactionSession("s1", session, client=client)
    await wrapped.add_items(ITEMS)
    await wrapped.run_compaction({"force": True, "compaction_mode": "input"})
    assert await session.get_items() == [ITEMS[0], summary]
    assert facts(memory) == ["Lives in Oslo"]


async def test_a_runs_usage_flushes_memory(memory: MemoryService) -> None:
    agent = Agent(name="Helper", model=ScriptedModel([[assistant_message("Nice.")]]))
    hooks = memory_hooks(memory, "s1", token_limit=100)
    session = ChatmemSession(memory, "s1")
    await Runner.run(agent, "I live in Oslo", session=session, hooks=hooks, run_config=QUIET)
    spent: Any = SimpleNamespace(usage=SimpleNamespace(total_tokens=80))
    await hooks.on_llm_end(None, agent, spent)  # type: ignore[arg-type]
    await asyncio.to_thread(memory.wait_until_idle)
    assert facts(memory) == ["I live in Oslo"]


async def test_hooks_keep_the_turns_of_runs_without_a_session(memory: MemoryService) -> None:
    second = Agent(name="Second", model=ScriptedModel([[assistant_message("It is Oslo.")]]))
    handed = ScriptedModel([[function_call("transfer_to_second", {}, call_id="c1")]])
    first = Agent(name="First", model=handed, handoffs=[second])
    hooks = memory_hooks(memory, "s1", keeps_turns=True)
    await Runner.run(first, "I live in Oslo", hooks=hooks, run_config=QUIET)
    assert contents(memory, "s1") == ["I live in Oslo", "It is Oslo."]


async def test_an_agent_goes_on_where_recalling_fails(memory: MemoryService) -> None:
    model = ScriptedModel([[assistant_message("Hello.")]])
    instructions = remembering(memory, "You help.", scenario="there is none such")
    agent = Agent(name="Helper", model=model, instructions=instructions)
    await Runner.run(agent, "Hello", run_config=QUIET)
    assert model.calls[0].system_instructions == "You help."


async def test_items_added_at_once_keep_what_is_theirs(memory: MemoryService) -> None:
    sessions = [ChatmemSession(memory, "s1") for _ in range(2)]

    def said(number: int) -> dict[str, Any]:
        content = [{"type": "output_text", "text": f"answer {number}"}]
        return {"role": "assistant", "type": "message", "id": f"m{number}", "content": content}

    await asyncio.gather(*(sessions[number % 2].add_items([said(number)]) for number in range(30)))
    items: list[Any] = await sessions[0].get_items()
    assert len(items) == 30
    assert {item["id"]: item["content"][0]["text"] for item in items} == {
        f"m{number}": f"answer {number}" for number in range(30)
    }
