"""`chatmem chat` and `chatmem agent` against a server on loopback."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from tests.chat_model_server import ChatModelServer, Reply
from tests.doors import Chatmem


@pytest.fixture(autouse=True)
def greeting(server: ChatModelServer) -> None:
    server.otherwise = "你好！Nice to meet you."


@pytest.fixture
def chat(chatmem: Chatmem) -> Chatmem:
    """Runs `chatmem chat`."""
    return lambda *arguments, typed="": chatmem("chat", *arguments, typed=typed)


def test_one_message_is_answered_and_saved(chat: Chatmem, server: ChatModelServer) -> None:
    done = chat("我叫安娜", "--base-url", server.base_url, "--session", "s1", "--persona", "coding")

    assert (done.code, done.out, done.err) == (0, "你好！Nice to meet you.\n", "")
    assert server.received[0].model == "small-model"
    again = chat("What is my name?", "--base-url", server.base_url, "--session", "s1")
    assert again.code == 0
    assert "我叫安娜" in [one["content"] for one in server.received[1].messages]


def test_a_message_can_come_from_standard_input(chat: Chatmem, server: ChatModelServer) -> None:
    chat("-", "--base-url", server.base_url, "--model", "big", typed="two\nlines\n")

    assert server.received[0].model == "big"
    assert server.received[0].messages[-1]["content"] == "two\nlines\n"


def test_a_conversation_goes_line_by_line_with_commands(
    chat: Chatmem, server: ChatModelServer, chatmem: Chatmem
) -> None:
    kept = chatmem("remember", "住在柏林", "--json").json["id"]
    told = ["one", "two", "three"]
    server.planned = [Reply(one) for one in told]
    typed = "My bike is blue\n\n/context\n/what\nWhat colour?\n/new\nhello\n"
    typed += f"/forget {kept}\n/quit\nnever\n"

    done = chat("--base-url", server.base_url, typed=typed)

    assert done.code == 0
    assert [line for line in done.out.splitlines() if line in told] == told
    assert "new session" in done.out
    assert "total" in done.out
    assert "/forget ID" in done.out
    assert "forgotten: 住在柏林\n" in done.out
    said = [
        [one["content"] for one in q.messages if one["role"] != "system"] for q in server.received
    ]
    assert said == [["My bike is blue"], ["My bike is blue", "one", "What colour?"], ["hello"]]


def test_a_conversation_survives_a_failing_server(chat: Chatmem, server: ChatModelServer) -> None:
    server.planned = [
        Reply(status=401, body=b'{"error": {"message": "no"}}'),
        Reply("Half of it", cut_after=2),
        Reply("Here I am"),
    ]

    done = chat("--base-url", server.base_url, typed="a\nb\nc\n")

    assert done.code == 0
    assert done.out == "Half of\nHere I am\n"
    first, second = done.err.splitlines()
    assert first.endswith("the turn was not saved")
    assert second.endswith("the turn was saved with what came of the answer")


def test_json_is_one_object_a_turn(chat: Chatmem, server: ChatModelServer) -> None:
    server.planned = [Reply("A"), Reply(status=404, body=b"{}"), Reply("C")]

    first, failed, third = chat("--json", "--base-url", server.base_url, typed="a\nb\nc\n").lines

    assert (first["text"], third["text"]) == ("A", "C")
    assert first["session_id"] == third["session_id"]
    assert len(first["saved"]) == 2
    assert failed["saved"] is False
    assert "status 404" in failed["error"]


def test_one_message_that_fails_is_exit_code_1(chat: Chatmem, server: ChatModelServer) -> None:
    server.planned = [Reply("Half of it", cut_after=2)]

    done = chat("hello", "--base-url", server.base_url)

    assert done.code == 1
    assert done.out == "Half of\n"
    assert "broke off" in done.err


def test_without_memory_the_conversation_is_kept_for_its_own_time(
    chat: Chatmem, server: ChatModelServer
) -> None:
    server.planned = [Reply("one"), Reply("two")]

    done = chat("--no-memory", "--json", "--base-url", server.base_url, typed="a\nb\n")

    assert [one["saved"] for one in done.lines] == [None, None]
    assert [one["content"] for one in server.received[1].messages] == ["a", "one", "b"]


def test_a_server_on_this_machine_is_found(
    chat: Chatmem, server: ChatModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chatmem.chat.pipeline.LOCAL_SERVERS", {"Ollama": server.port})

    done = chat("hello")

    assert (done.code, done.out) == (0, "你好！Nice to meet you.\n")


def test_without_a_model_it_says_what_to_do(chat: Chatmem, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chatmem.chat.pipeline.LOCAL_SERVERS", {})

    done = chat("hello")

    assert done.code == 1
    assert "--base-url" in done.err
    assert "CHATMEM_LLM_MODEL" in done.err


def test_the_key_comes_from_the_variable_that_is_named(
    chat: Chatmem, server: ChatModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_KEY", "sk-mine")
    monkeypatch.setenv("CHATMEM_LLM_BASE_URL", "http://elsewhere.invalid/v1")
    monkeypatch.setenv("CHATMEM_LLM_API_KEY", "sk-configured")

    chat("hello", "--base-url", server.base_url, "--api-key-env", "MY_KEY")
    chat("hello", "--base-url", server.base_url)
    missing = chat("hello", "--base-url", server.base_url, "--api-key-env", "NO_KEY")

    assert [one.authorization for one in server.received] == ["Bearer sk-mine", None]
    assert missing.code == 2
    assert "NO_KEY is not set" in missing.err


def test_an_answer_cannot_rewrite_the_terminal(chat: Chatmem, server: ChatModelServer) -> None:
    server.planned = [Reply("safe \x1b[2J and sound")]

    assert chat("hello", "--base-url", server.base_url).out == "safe \\x1b[2J and sound\n"


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


def test_a_model_that_fails_is_told_at_once(chatmem: Chatmem, configured: ChatModelServer) -> None:
    configured.planned = [Reply(status=500, body=b"{}")]

    done = chatmem("agent", "Is it tea?", "--yes")

    assert (done.code, "status 500" in done.err, done.err.count("\n")) == (1, True, 1)


@pytest.mark.parametrize(("typed", "steps", "code"), [(b"n\n", 0, 1), (b"y\n", 1, 0)])
def test_a_person_is_asked_before_the_steps(
    configured: ChatModelServer, typed: bytes, steps: int, code: int
) -> None:
    configured.planned = answers({"steps": ["Answer"]}, {"result": "Yes"})
    ours, theirs = pty.openpty()
    start = "from chatmem.interfaces.cli import main; main()"
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
