"""`chatmem chat` against a server on loopback."""

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
    server.planned = [Reply("one"), Reply("two"), Reply("three")]
    typed = "My bike is blue\n\n/context\n/what\nWhat colour?\n/new\nhello\n"
    typed += f"/forget {kept}\n/quit\nnever\n"

    done = chat("--base-url", server.base_url, typed=typed)

    assert done.code == 0
    assert [line for line in done.out.splitlines() if line in ("one", "two", "three")] == [
        "one",
        "two",
        "three",
    ]
    assert "new session" in done.out
    assert "total" in done.out
    assert "/forget ID" in done.out
    assert "forgotten: 住在柏林\n" in done.out
    said = [
        [one["content"] for one in q.messages if one["role"] != "system"] for q in server.received
    ]
    assert said == [
        ["My bike is blue"],
        ["My bike is blue", "one", "What colour?"],
        ["hello"],
    ]


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
    monkeypatch.setattr("chatmem.chat.discover.LOCAL_SERVERS", {"Ollama": server.port})

    done = chat("hello")

    assert (done.code, done.out) == (0, "你好！Nice to meet you.\n")


def test_without_a_model_it_says_what_to_do(chat: Chatmem, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chatmem.chat.discover.LOCAL_SERVERS", {})

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
