"""The chat endpoint on a real server, asked by OpenAI's own client, before a scripted upstream."""

import asyncio
import json
import socket
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event, Thread
from typing import Any
from urllib.parse import quote, unquote

import httpx
import openai
import pytest
from openai import AsyncOpenAI, OpenAI
from tests.chat_model_server import ChatModelServer, Reply
from tests.conftest import soon
from tests.doors import Served, by_words, served
from tests.integration.conftest import transcript

from chatmem import MemoryService

KEY = "sk-test-very-secret"
CUT_MARK = " […]"
ANSWER = "在柏林，先去市民局登记住址。Then open a bank account."
PIXEL = "data:image/png;base64,iVBORw0KGgo="
WEATHER = {
    "type": "function",
    "function": {
        "name": "weather",
        "description": "The weather of a city",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}}},
    },
}


@pytest.fixture
def memory(data: Path, server: ChatModelServer) -> Iterator[MemoryService]:
    """One whose upstream is the server."""
    server.otherwise = ANSWER
    llm = {"base_url": server.base_url, "model": "small-model", "api_key": KEY}
    with by_words(data, llm=llm, scan_interval_seconds=0.0) as opened:
        yield opened


@contextmanager
def asking(**llm: object) -> Iterator[tuple[OpenAI, MemoryService]]:
    """A client of a server with these settings of its model, and the memory behind it."""
    with (
        by_words("data", llm=llm) as memory,
        served(memory) as running,
        OpenAI(base_url=f"{running.url}/v1", api_key="any", max_retries=0, timeout=5) as client,
    ):
        yield client, memory


def user(text: str) -> Any:  # noqa: ANN401 - of no type of OpenAI's
    return {"role": "user", "content": text}


def assistant(text: str) -> Any:  # noqa: ANN401
    return {"role": "assistant", "content": text}


def ask(
    client: OpenAI,
    *messages: Any,  # noqa: ANN401
    session: str | None = "s1",
    **fields: Any,  # noqa: ANN401
) -> Any:  # noqa: ANN401
    headers = {"X-Chatmem-Session": session} if session else {}
    return client.chat.completions.create(
        model=fields.pop("model", "chatmem"),
        messages=list(messages),
        extra_headers={**headers, **fields.pop("headers", {})},
        **fields,
    )


def months_later(memory: MemoryService, server: Served) -> None:
    """After a restart, and when events of today are not known any more."""
    server.app.state.chat = None
    memory.handle_event(
        {"type": "turn_end", "session_id": "other", "id": "e1"},
        now=datetime.now(UTC) + timedelta(days=90),
    )


def saved(memory: MemoryService, *texts: str, session: str = "s1") -> None:
    """The session says just this, user and assistant in turn; nothing is added a moment later."""
    roles = ("user", "assistant")
    wanted = [(roles[number % 2], text) for number, text in enumerate(texts)]
    soon(lambda: len(transcript(memory, session)) >= len(wanted))
    time.sleep(0.05)
    assert transcript(memory, session) == wanted


@dataclass(frozen=True)
class Chat:
    """A client of a server before the scripted upstream, and the memory behind it."""

    client: OpenAI
    address: str
    server: Served
    memory: MemoryService
    upstream: ChatModelServer

    def ask(self, *messages: Any, **fields: Any) -> Any:  # noqa: ANN401
        return ask(self.client, *messages, **fields)

    def saved(self, *texts: str, session: str = "s1") -> None:
        saved(self.memory, *texts, session=session)


@pytest.fixture
def chat(memory: MemoryService, server: ChatModelServer) -> Iterator[Chat]:
    with served(memory) as running:
        address = f"{running.url}/v1"
        with OpenAI(base_url=address, api_key="any", max_retries=0) as client:
            yield Chat(client, address, running, memory, server)


def test_memory_is_added_and_the_turn_is_saved(chat: Chat) -> None:
    chat.memory.append_memory("用户下个月搬到柏林", key="home", value="柏林")

    answer = chat.ask({"role": "system", "content": "Be brief."}, user("我搬去哪里？"))

    assert answer.choices[0].message.content == ANSWER
    [question] = chat.upstream.received
    assert [one["role"] for one in question.messages] == ["system", "user"]
    assert "Be brief." in question.system
    assert "搬到柏林" in question.system
    assert question.user == "我搬去哪里？"
    assert question.model == "small-model"
    assert question.authorization == f"Bearer {KEY}"
    chat.saved("我搬去哪里？", ANSWER)


@pytest.mark.parametrize("stream", [False, True])
def test_the_bytes_of_an_answer_are_the_upstreams_own(chat: Chat, stream: bool) -> None:
    chat.memory.append_memory("Lives in Berlin")
    body = {"model": "small-model", "messages": [user("Where do I live?")], "stream": stream}

    alone = httpx.post(f"{chat.upstream.base_url}/chat/completions", json=body)
    through = httpx.post(f"{chat.address}/chat/completions", json=body)

    assert through.content == alone.content
    assert through.headers["content-type"] == alone.headers["content-type"]
    assert through.headers["x-chatmem-receipt"]


def test_pieces_are_passed_on_when_they_come(chat: Chat) -> None:
    chat.upstream.planned = [Reply("one two three", pause_seconds=0.1)]
    begun = time.monotonic()

    times = [time.monotonic() - begun for chunk in chat.ask(user("count"), stream=True)]

    assert times[0] < times[-1] - 0.15  # while the rest was still to come
    assert times[-1] - times[0] > 0.3


def test_a_request_to_which_nothing_is_added_goes_on_byte_for_byte(chat: Chat) -> None:
    messages = [{"role": "system", "content": "Be brief."}, user("hello")]

    fields: dict[str, Any] = {
        "model": "small-model", "temperature": 0.25, "seed": 7, "logit_bias": {"50256": -100},
        "response_format": {"type": "json_object"},
    }  # fmt: skip
    unknown = {"min_p": 0.05, "x": {"y": [1, None]}}

    chat.ask(*messages, **fields, extra_body=unknown)

    [question] = chat.upstream.received
    assert question.body == {"messages": messages, **fields, **unknown}


def test_images_reach_the_model_and_memory_is_asked_for_the_words(chat: Chat) -> None:
    chat.memory.append_memory("My cat is called Miso")
    parts = [
        {"type": "text", "text": "Is this my cat?"},
        {"type": "image_url", "image_url": {"url": PIXEL, "detail": "low"}},
    ]

    chat.ask({"role": "user", "content": parts})

    [question] = chat.upstream.received
    assert question.messages[-1]["content"] == parts
    assert "Miso" in question.system
    chat.saved("Is this my cat?\n[image]", ANSWER)


def test_fields_that_we_do_not_know_and_marks_of_a_systems_parts_stay(chat: Chat) -> None:
    chat.memory.append_memory("Lives in Berlin")
    part = {"type": "text", "text": "Be brief.", "cache_control": {"type": "ephemeral"}}

    system = {"role": "system", "content": [part]}
    chat.ask(system, user("Where do I live?"), extra_body={"min_p": 0.05})

    [question] = chat.upstream.received
    first, added = question.messages[0]["content"]
    assert set(question.body) == {"model", "messages", "min_p"}
    assert question.body["min_p"] == 0.05
    assert first == part
    assert "Lives in Berlin" in added["text"]


def test_a_tool_call_is_the_clients_and_the_turn_ends_with_the_answer(chat: Chat) -> None:
    chat.upstream.planned = [
        Reply("Let me look.", tool_calls=(("weather", '{"city": "Berlin"}'),)),
        Reply("Rain, all day."),
    ]
    question = user("How is the weather in Berlin?")
    called = chat.ask(question, tools=[WEATHER]).choices[0].message
    assert called.tool_calls[0].function.arguments == '{"city": "Berlin"}'
    time.sleep(0.1)
    assert transcript(chat.memory) == []
    result = {"role": "tool", "tool_call_id": called.tool_calls[0].id, "content": "rain"}

    said = called.model_dump(exclude_none=True)
    answer = chat.ask(question, said, result, tools=[WEATHER])

    assert answer.choices[0].message.content == "Rain, all day."
    assert chat.upstream.received[0].tool_names == ["weather"]
    assert chat.upstream.received[1].messages[-2:] == (said, result)
    chat.saved("How is the weather in Berlin?", "Let me look.\n\nRain, all day.")

    chat.ask(question, said, result, assistant("Rain, all day."), user("Danke"))
    chat.saved("How is the weather in Berlin?", "Let me look.\n\nRain, all day.", "Danke", ANSWER)


def test_a_conversation_that_began_elsewhere_is_saved_once_too(chat: Chat) -> None:
    before = [user("My name is Lin"), assistant("Hello Lin"), user("我住在柏林"), assistant("好的")]
    chat.ask(*before, user("first here"))
    known = ["My name is Lin", "Hello Lin", "我住在柏林", "好的", "first here", ANSWER]
    chat.saved(*known)

    chat.ask(*before, user("first here"), assistant(ANSWER), user("second"))
    chat.saved(*known, "second", ANSWER)


def test_rounds_that_went_past_us_are_saved_when_they_are_seen(chat: Chat) -> None:
    chat.ask(user("one"))
    chat.saved("one", ANSWER)

    chat.ask(user("one"), assistant(ANSWER), user("two"), assistant("zwei"), user("three"))

    chat.saved("one", ANSWER, "two", "zwei", "three", ANSWER)


def test_a_history_that_the_client_cuts_at_its_beginning_is_known_all_the_same(chat: Chat) -> None:
    chat.upstream.planned = [Reply(f"answer {number}") for number in range(4)]
    history: list[Any] = []
    for number in range(4):
        history = [*history[-2:], user(f"question {number}")]
        history.append(assistant(chat.ask(*history).choices[0].message.content))

    chat.saved(*(f"{kind} {number}" for number in range(4) for kind in ("question", "answer")))


@pytest.mark.parametrize("after", ["a restart", "months", "the session is deleted"])
def test_what_was_forgotten_does_not_come_back_with_the_history(chat: Chat, after: str) -> None:
    """Not even when the events are not known any more: the store knows the messages for good."""
    chat.ask(user("My pin is 4711"))
    chat.saved("My pin is 4711", ANSWER)
    if after == "the session is deleted":
        chat.memory.sessions.delete("s1")
    else:
        for one in chat.memory.sessions.messages("s1"):
            chat.memory.forget(str(one.memory_id))
    if after == "a restart":
        chat.server.app.state.chat = None
    elif after == "months":
        months_later(chat.memory, chat.server)

    chat.ask(user("My pin is 4711"), assistant(ANSWER), user("thanks"))

    chat.saved("thanks", ANSWER)


def test_what_was_said_off_the_record_stays_so_after_a_restart(chat: Chat, data: Path) -> None:
    secret = user("My pin is 4711")
    chat.ask(secret, headers={"X-Chatmem-Memory": "off"})
    months_later(chat.memory, chat.server)

    chat.ask(secret, assistant(ANSWER), user("and now?"))
    chat.saved("and now?", ANSWER)
    assert not any(b"4711" in one.read_bytes() for one in data.rglob("*") if one.is_file())


def test_an_answer_asked_for_once_more_is_saved_beside_the_first(chat: Chat) -> None:
    chat.upstream.planned = [Reply("first"), Reply("second")]
    chat.ask(user("讲个笑话"))
    chat.saved("讲个笑话", "first")

    chat.ask(user("讲个笑话"))
    soon(lambda: len(transcript(chat.memory)) == 3)
    assert transcript(chat.memory)[2] == ("assistant", "second")

    chat.ask(user("讲个笑话"), assistant("second"), user("再来"))
    soon(lambda: len(transcript(chat.memory)) == 5)
    assert transcript(chat.memory)[3:] == [("user", "再来"), ("assistant", ANSWER)]


def test_without_a_header_the_opening_says_which_session_it_is(chat: Chat) -> None:
    opening = [{"role": "system", "content": "It is 10:03."}, user("你好")]
    chat.ask(*opening, session=None)
    soon(lambda: chat.memory.sessions.list().total == 1)
    later = {"role": "system", "content": "It is 10:04."}
    chat.ask(later, opening[1], assistant(ANSWER), user("我叫林"), session=None)
    [session] = chat.memory.sessions.list().items
    chat.saved("你好", ANSWER, "我叫林", ANSWER, session=session.session_id)

    chat.ask(user("another opening"), session=None)
    soon(lambda: chat.memory.sessions.list().total == 2)


def test_the_answer_says_its_session_and_its_receipt(chat: Chat) -> None:
    kept = chat.memory.append_memory("Lives in Berlin")
    raw = chat.client.chat.completions.with_raw_response.create(
        model="chatmem", messages=[user("Where do I live?")]
    )

    session = raw.headers["x-chatmem-session"]
    receipt = chat.memory.receipts.get(raw.headers["x-chatmem-receipt"])
    assert kept.id in [item for one in receipt["sections"] for item in one["items"]]
    chat.saved("Where do I live?", ANSWER, session=session)


def test_with_memory_off_nothing_is_read_or_saved(chat: Chat) -> None:
    chat.memory.append_memory("Lives in Berlin")
    secret = [user("Where do I live? My pin is 4711")]

    raw = chat.client.chat.completions.with_raw_response.create(
        model="small-model", messages=secret,
        extra_headers={"X-Chatmem-Memory": "off", "X-Chatmem-Session": "s1"},
    )  # fmt: skip

    assert chat.upstream.received[0].messages == tuple(secret)
    assert "x-chatmem-receipt" not in raw.headers
    time.sleep(0.1)
    assert transcript(chat.memory) == []

    chat.ask(*secret, assistant(ANSWER), user("and now?"))
    chat.saved("and now?", ANSWER)


@pytest.mark.parametrize("stream", [False, True])
def test_errors_of_the_upstream_are_passed_on(chat: Chat, stream: bool) -> None:
    body = b'{"error": {"message": "no, as upstream says", "type": "t", "code": "c"}}'
    headers = {"Retry-After": "7", "Set-Cookie": "who=ada"}
    for status in (401, 404, 429, 500):
        chat.upstream.planned = [Reply(status=status, body=body, headers=headers)]

        with pytest.raises(openai.APIStatusError, match="no, as upstream says") as caught:
            chat.ask(user("hello"), stream=stream)

        assert caught.value.status_code == status
        assert caught.value.response.content == body
        assert caught.value.response.headers["retry-after"] == "7"
        assert caught.value.code == "c"
    assert len(chat.upstream.received) == 4
    assert not any("cookie" in one.headers for one in chat.upstream.received)  # nobody's to others
    time.sleep(0.05)
    assert transcript(chat.memory) == []


def test_an_upstream_that_repeats_its_key_does_not_leak_it(chat: Chat) -> None:
    chat.upstream.planned = [Reply(status=401, body=f'{{"error": "bad key {KEY}"}}'.encode())]

    with pytest.raises(openai.AuthenticationError) as caught:
        chat.ask(user("hello"))

    assert KEY not in caught.value.response.text


def test_a_stream_that_breaks_off_says_so_and_is_saved_as_far_as_it_came(chat: Chat) -> None:
    chat.upstream.planned = [Reply(pieces=("one ", "two ", "three "), cut_after=2)]
    told: list[str] = []

    with pytest.raises(openai.APIError, match="broke off"):
        told.extend(
            chunk.choices[0].delta.content or "" for chunk in chat.ask(user("q"), stream=True)
        )

    assert "".join(told) == "one two "
    chat.saved("q", f"one two{CUT_MARK}")

    chat.ask(user("q"), assistant("one two "), user("go on"))
    chat.saved("q", f"one two{CUT_MARK}", "go on", ANSWER)


def test_an_answer_that_never_comes_ends_as_504(chat: Chat) -> None:
    chat.server.app.state.model_connections.silence_seconds = 0.2
    chat.upstream.planned = [Reply("late", wait_seconds=2), Reply("one two three", stops_after=2)]

    with pytest.raises(openai.InternalServerError, match=r"nothing came for 0\.2 s") as caught:
        chat.ask(user("hello"))
    assert caught.value.status_code == 504
    assert caught.value.response.headers["content-type"] == "application/problem+json"

    with pytest.raises(openai.APIError, match=r"nothing came for 0\.2 s"):
        list(chat.ask(user("count"), stream=True))
    chat.saved("count", f"one two{CUT_MARK}")


class Listener:
    """An upstream that begins an answer, or does not, and then only waits to be hung up on."""

    def __init__(self, begins: bytes) -> None:
        self.begins = begins
        self.asked, self.left = Event(), Event()
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.base_url = f"http://127.0.0.1:{self.socket.getsockname()[1]}/v1"
        self.thread = Thread(target=self._serve, daemon=True)
        self.thread.start()

    def _serve(self) -> None:
        peer, _ = self.socket.accept()
        with peer:
            peer.recv(65_536)
            self.asked.set()
            peer.sendall(self.begins)
            while peer.recv(65_536):
                pass
            self.left.set()


def _event(text: str) -> bytes:
    return b"data: " + json.dumps({"choices": [{"index": 0, "delta": {"content": text}}]}).encode()


BEGUN = (
    b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
    + _event("so far ") + b"\n\n" + _event("so good") + b"\n\n"
)  # fmt: skip


@pytest.mark.parametrize("begins", [b"", BEGUN])
def test_a_client_that_hangs_up_ends_the_upstreams_work(begins: bytes) -> None:
    listener = Listener(begins)
    with asking(base_url=listener.base_url, model="m") as (client, memory):
        if begins:
            with ask(client, user("hello"), stream=True) as stream:
                assert next(stream).choices[0].delta.content == "so far "
                assert next(stream).choices[0].delta.content == "so good"
        else:
            with pytest.raises(openai.APITimeoutError):
                ask(client, user("hello"), timeout=0.5)
        assert listener.left.wait(10)
        if begins:
            saved(memory, "hello", f"so far so good{CUT_MARK}")
        else:
            assert transcript(memory) == []
    listener.thread.join(3)
    listener.socket.close()


def test_an_upstream_that_is_down_is_named(nobody: int) -> None:
    base_url = f"http://name:secret@127.0.0.1:{nobody}/v1"
    with asking(base_url=base_url, model="m") as (client, _):
        with pytest.raises(openai.InternalServerError) as caught:
            ask(client, user("hello"))
        assert caught.value.status_code == 502
        assert f"http://127.0.0.1:{nobody}/v1" in str(caught.value)
        assert "secret" not in caught.value.response.text
        assert [one.id for one in client.models.list()] == ["m"]


@pytest.mark.parametrize("given", [{}, {"model": "m"}])
def test_without_a_model_the_answer_says_how_to_configure_one(given: Mapping[str, str]) -> None:
    with asking() as (client, memory):
        for call in (
            lambda: ask(client, user("hello"), **given),
            lambda: list(client.models.list()),
        ):
            with pytest.raises(openai.InternalServerError, match="CHATMEM_LLM_BASE_URL") as caught:
                call()
            assert caught.value.status_code == 503
        assert transcript(memory) == []


def test_models_are_the_upstreams_own(chat: Chat) -> None:
    chat.upstream.models = ("small-model", "大模型")

    assert [one.id for one in chat.client.models.list()] == ["small-model", "大模型"]


def test_a_body_that_is_no_request_is_refused(chat: Chat) -> None:
    broken = (b"", b"{", b"\xff\xfe{}", b"[]", b"null", b"{}", b'{"messages": "hello"}')
    for content in (*broken, b"[" * 100_000):
        answer = httpx.post(f"{chat.address}/chat/completions", content=content)

        assert answer.status_code == 400
        assert answer.json()["error"]["message"] == answer.json()["detail"]
    assert chat.upstream.received == []


def test_messages_that_we_cannot_read_are_for_the_upstream_to_judge(chat: Chat) -> None:
    chat.memory.append_memory("Lives in Berlin")
    for message in (
        None, "hello", {}, {"role": "user"}, assistant("hello"),
        {"role": "poet", "content": "hello"},
        *({"role": "user", "content": one} for one in (7, "", "\ud800", "\x00 nul")),
    ):  # fmt: skip
        body = json.dumps({"model": "small-model", "messages": [message]}).encode()
        answer = httpx.post(f"{chat.address}/chat/completions", content=body)

        assert answer.status_code == 200
        assert chat.upstream.received[-1].messages[-1] == message


def test_a_long_conversation_is_passed_on_whole(chat: Chat) -> None:
    chat.memory.append_memory("Lives in Berlin")
    history = [make(f"{number} " * 400) for number in range(60) for make in (user, assistant)]

    chat.ask(*history, user("Where do I live? " * 5_000))

    [question] = chat.upstream.received
    assert list(question.messages[1:-1]) == history
    assert "Lives in Berlin" in question.system


def test_many_clients_at_once_keep_their_conversations_apart(chat: Chat) -> None:
    async def converse(client: AsyncOpenAI, number: int) -> None:
        history: list[Any] = [{"role": "system", "content": "Be brief."}]
        for turn in range(4):
            history.append(user(f"{number}: message {turn // 2}"))  # each is said twice
            answer = await client.chat.completions.create(
                model="chatmem", messages=history, extra_headers={"X-Chatmem-Session": f"c{number}"}
            )
            history.append(assistant(answer.choices[0].message.content or ""))

    async def talk() -> None:
        async with AsyncOpenAI(base_url=chat.address, api_key="any", max_retries=0) as client:
            await asyncio.gather(*(converse(client, number) for number in range(8)))

    asyncio.run(talk())

    for number in range(8):
        told = [one for turn in range(4) for one in (f"{number}: message {turn // 2}", ANSWER)]
        chat.saved(*told, session=f"c{number}")


def test_a_session_may_have_a_chinese_name(chat: Chat) -> None:
    body = {"messages": [user("你好")]}
    for name in ("会话一".encode(), quote("会话二").encode()):
        headers = {b"X-Chatmem-Session": name}
        answer = httpx.post(f"{chat.address}/chat/completions", json=body, headers=headers)
        assert answer.headers["x-chatmem-session"] == quote(unquote(name.decode()))

    chat.saved("你好", ANSWER, session="会话一")
    chat.saved("你好", ANSWER, session="会话二")


@pytest.mark.parametrize("streams", [True, False])
def test_what_the_model_thinks_is_passed_on_and_not_saved(chat: Chat, streams: bool) -> None:
    told = f"<think>They live in Paris.</think>\n\n{ANSWER}"
    chat.upstream.otherwise = told
    answer = chat.ask(user("hello"), stream=streams)
    if streams:
        got = "".join(one.choices[0].delta.content or "" for one in answer if one.choices)
    else:
        got = answer.choices[0].message.content

    assert got == told
    chat.saved("hello", ANSWER)
    # The client sends the thoughts back with its history: it is the round that is known.
    chat.ask(user("hello"), assistant(told), user("and now?"))
    chat.saved("hello", ANSWER, "and now?", ANSWER)
