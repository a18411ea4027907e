"""The agent end to end: a real server on loopback, real files, the command line."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from tests.chat_model_server import ChatModelServer, Reply
from tests.conftest import some
from tests.doors import Chatmem

from chatmem import AgentController, MemoryService, Settings
from chatmem.engine.factory import make_chat_model
from chatmem.engine.tools import memory_tools

PLAN = {"goal": "一份简短的计划", "steps": ["查找喜好", "写计划"]}
LOOK = {"tool": "search_memory", "arguments": {"query": "茶"}}
KEEP = {"tool": "append_memory", "arguments": {"fact": "Wants a short plan"}}

WITHOUT = "the setting `embedder` is none; keywords only"


@pytest.fixture
def configured(
    chatmem: Chatmem, server: ChatModelServer, monkeypatch: pytest.MonkeyPatch
) -> ChatModelServer:
    """The environment names the server."""
    monkeypatch.setenv("CHATMEM_LLM_BASE_URL", server.base_url)
    monkeypatch.setenv("CHATMEM_LLM_MODEL", "small-model")
    return server


def answers(*contents: object) -> list[Reply]:
    texts = (
        one if isinstance(one, str) else json.dumps(one, ensure_ascii=False) for one in contents
    )
    return [Reply(text) for text in texts]


def test_a_run_with_the_memorys_own_tools_over_http(server: ChatModelServer, data: Path) -> None:
    settings = Settings(
        embedder={"name": "none"}, llm={"base_url": server.base_url, "model": "small-model"}
    )
    model = some(make_chat_model(settings))
    with MemoryService.open(data, settings=settings, background=False) as memory:
        memory.append_memory("喜歡喝烏龍茶", "preference")
        memory.append_memory("住在三楼")
        server.planned = answers(
            PLAN,
            "我想想。",
            LOOK,
            KEEP,
            {"result": "乌龙茶"},
            f"```json\n{json.dumps({'result': '下午喝乌龙茶'})}\n```",
        )
        agent = AgentController(
            memory,
            lambda user, system: model.complete(system, user),
            memory_tools(memory, session_id="s1"),
            session_id="s1",
        )
        agent.start_agent("帮我安排下午的茶", "草稿：待定", "编辑")
        steps = list(iter(agent.execute_next_step, None))

        assert [one.status for one in steps] == ["done", "done"]
        assert [one.name for one in steps[0].calls] == ["search_memory", "append_memory"]
        assert "喜歡喝烏龍茶" in steps[0].calls[0].content
        assert agent.answer == "下午喝乌龙茶"
        assert [one.content for one in memory.sessions.messages("s1")] == [
            "帮我安排下午的茶",
            "下午喝乌龙茶",
        ]
        assert "Wants a short plan" in memory.read_main()

    planning, *rest = server.received
    assert all(
        [one["role"] for one in each.messages] == ["system", "user"] for each in server.received
    )
    assert len({one.system for one in rest}) == 1
    assert "search_memory" in planning.system and "append_daily_log" in rest[0].system
    for one in server.received:
        assert "帮我安排下午的茶" in one.user and "帮我安排下午的茶" not in one.system
        assert "草稿：待定" in one.user and "草稿：待定" not in one.system
        assert "喜歡喝烏龍茶" in one.user and "喜歡喝烏龍茶" not in one.system
    assert "the answer holds no JSON object" in rest[1].user


def test_the_command_prints_all_of_a_run(chatmem: Chatmem, configured: ChatModelServer) -> None:
    chatmem("remember", "Drinks oolong tea")
    Path("draft.md").write_text("# Tea at five\n", "utf-8")
    configured.planned = answers(
        {"goal": "A note", "steps": [{"description": "Look", "tool": "search_memory"}, "Write"]},
        {"tool": "search_memory", "arguments": {"query": "tea"}},
        {"tool": "fly"},
        {"result": "It is oolong", "steps": ["Write it down"]},
        {"result": "Oolong\nat five."},
    )

    done = chatmem(
        "agent", "Write a note about tea", "--content", "draft.md", "--intent", "write", "--yes"
    )

    assert done.code == 0
    assert done.err.startswith("chatmem: without embedder: ")
    lines = done.out.splitlines()
    assert lines[:3] == ["A note", "  1. Look  (search_memory)", "  2. Write"]
    assert "step 1, done: Look" in lines
    assert any(one.startswith('  search_memory: {"results": [') for one in lines)
    assert any(one.startswith("  fly: failed: there is no tool 'fly'") for one in lines)
    assert "  It is oolong" in lines
    assert "  the plan changed:" in lines
    assert lines[-3:] == ["", "Oolong", "at five."]
    assert "# Tea at five" in configured.received[4].user
    assert "## Intent\nwrite" in configured.received[4].user
    found = chatmem("search", "oolong at five", "--json").json["results"]
    assert found[0]["content"] == "Oolong\nat five."


def test_the_command_as_json_in_a_session(chatmem: Chatmem, configured: ChatModelServer) -> None:
    configured.planned = answers({"steps": ["Answer"]}, {"result": "Yes"})

    done = chatmem("agent", "Is it tea?", "--yes", "--json", "--session", "s1", "--steps", "3")

    assert done.code == 0
    step = {"number": 1, "description": "Answer", "status": "done"}
    assert done.json == {
        "session_id": "s1",
        "plan": {"goal": "", "steps": [{**step, "tool": None}]},
        "steps": [{**step, "result": "Yes", "calls": [], "requests": 1, "is_last": True}],
        "answer": "Yes",
        "missing": [{"what": "embedder", "why": WITHOUT, "code": "off"}],
    }
    assert "at most 3" in configured.received[0].system
    shown = chatmem("sessions", "s1", "--json").json
    assert [one["content"] for one in shown["messages"]] == ["Is it tea?", "Yes"]


def test_a_failed_last_step_is_exit_code_1(chatmem: Chatmem, configured: ChatModelServer) -> None:
    configured.planned = answers(
        {"steps": ["Answer"]}, {"result": "There is no way", "failed": True}
    )

    done = chatmem("agent", "Is it tea?", "--yes")

    assert done.code == 1
    assert "step 1, failed: Answer" in done.out
    assert done.out.endswith("\nThere is no way\n")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["agent", "x"], "add --yes"),
        (["agent", "x", "--yes", "--content", "none.md"], "none.md: cannot be read"),
        (["agent", "x", "--yes", "--steps", "0"], "--steps"),
        (["agent"], "Missing argument 'REQUEST'"),
    ],
)
def test_what_is_not_understood_is_exit_code_2(
    chatmem: Chatmem, configured: ChatModelServer, arguments: list[str], said: str
) -> None:
    done = chatmem(*arguments)

    assert done.code == 2
    assert said in done.err
    assert configured.received == []


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (Reply(status=500, body=b"{}"), "status 500"),
        (Reply("no plan from me"), "gave no plan that can be used"),
    ],
)
def test_what_the_model_gets_wrong_is_one_line(
    chatmem: Chatmem, configured: ChatModelServer, reply: Reply, said: str
) -> None:
    configured.planned = [reply, reply]

    done = chatmem("agent", "Is it tea?", "--yes")

    assert done.code == 1
    assert said in done.err
    assert done.err.count("\n") == 1


@pytest.mark.parametrize(("typed", "steps", "code"), [(b"n\n", 0, 1), (b"y\n", 1, 0)])
def test_a_person_is_asked_before_the_steps(
    configured: ChatModelServer, typed: bytes, steps: int, code: int
) -> None:
    configured.planned = answers({"steps": ["Answer"]}, {"result": "Yes"})
    ours, theirs = pty.openpty()
    start = "from chatmem.interfaces.cli.app import main; main()"
    with subprocess.Popen(
        [sys.executable, "-c", start, "agent", "Is it tea?"],
        stdin=theirs,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        os.write(ours, typed)
        out, err = process.communicate(timeout=60)
    os.close(ours)
    os.close(theirs)

    assert process.returncode == code
    assert "  1. Answer" in out
    assert "Carry out these steps?" in err
    assert sum("You carry out a plan" in one.system for one in configured.received) == steps
