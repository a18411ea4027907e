"""Turns against a real server on loopback that answers well, badly, late, or not at all."""

import time
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from tests.chat_model_server import ChatEndpoint, ChatModelServer, Reply
from tests.conftest import some
from tests.integration.conftest import transcript

from chatmem import ChatPipeline, MemoryService
from chatmem.errors import (
    AnswerCutError,
    ChatError,
    InvalidInputError,
    MalformedAnswerError,
    ModelTimeoutError,
    ModelUnavailableError,
    TurnNotSavedError,
)
from chatmem.testing import FakeClock

KEY = "sk-test-very-secret"
CUT_MARK = " […]"
SILENCE_S = 1.0
MOST_ROUNDS = 6
ANSWER = "在柏林，先去市民局登记住址。Then open a bank account."


@dataclass(frozen=True)
class Chat:
    """Pipelines before a scripted server, and their memory; time passes on the clock."""

    memory: MemoryService
    server: ChatModelServer
    endpoint: ChatEndpoint
    clock: FakeClock
    pipeline: ChatPipeline
    hasty: ChatPipeline
    """Waits no longer than a second for anything."""

    def transcript(self, session_id: str = "s1") -> list[tuple[str, str]]:
        return transcript(self.memory, session_id)


@pytest.fixture
def chat(memory: MemoryService, clock: FakeClock) -> Iterator[Chat]:
    with (
        ChatModelServer(ANSWER) as server,
        server.endpoint(KEY, sleep=clock.sleep) as endpoint,
        server.endpoint(silence_seconds=SILENCE_S) as impatient,
    ):
        usual, hasty = ChatPipeline(memory, endpoint), ChatPipeline(memory, impatient)
        yield Chat(memory, server, endpoint, clock, usual, hasty)


def _said(text: str) -> str:
    return f'data: {{"choices": [{{"index": 0, "delta": {{"content": "{text}"}}}}]}}'


def shown_until_it_fails(pipeline: ChatPipeline, message: str = "你好") -> tuple[str, ChatError]:
    """What a reader saw, and the error that ended it."""
    shown: list[str] = []
    with pytest.raises(ChatError) as caught:
        shown.extend(pipeline.stream(message, "s1"))
    return "".join(shown), caught.value


def test_a_streamed_answer_is_shown_as_it_comes_and_saved_whole(chat: Chat) -> None:
    stream = chat.pipeline.stream("我下个月搬到柏林，要做什么？", "s1")
    pieces = list(stream)

    assert len(pieces) > 5
    assert "".join(pieces) == stream.reply.text == ANSWER
    assert chat.transcript() == [("user", "我下个月搬到柏林，要做什么？"), ("assistant", ANSWER)]
    [question] = chat.server.received
    assert question.authorization == f"Bearer {KEY}"
    assert question.body["stream"] is True
    assert stream.reply.saved is not None
    assert stream.reply.usage is not None


BUSY, DOWN = Reply(status=429, body=b"{}"), Reply(status=503, body=b"{}")
HANGS_UP, HANGS_UP_LATER = Reply(hang_up=True), Reply(ANSWER, cut_after=0)


@pytest.mark.parametrize("failures", [[BUSY, BUSY], [DOWN, DOWN], [HANGS_UP, HANGS_UP_LATER]])
def test_a_failure_that_passes_is_asked_again(chat: Chat, failures: list[Reply]) -> None:
    chat.server.planned = list(failures)

    assert chat.pipeline.respond("hello", "s1").text == ANSWER
    assert len(chat.server.received) == 3
    assert len(chat.transcript()) == 2


def test_it_waits_as_long_as_the_server_asks(chat: Chat) -> None:
    chat.server.planned = [Reply(status=429, body=b"{}", headers={"Retry-After": "7"})]

    chat.pipeline.respond("hello", "s1")

    assert chat.clock.monotonic() == 7


def test_it_does_not_wait_for_ever(chat: Chat) -> None:
    chat.server.planned = [Reply(status=429, body=b"{}", headers={"Retry-After": "3600"})]

    with pytest.raises(ModelUnavailableError, match=r"asks to wait 3600 s.*not saved") as caught:
        chat.pipeline.respond("hello", "s1")
    assert (caught.value.saved, caught.value.status) == (False, 429)
    assert chat.clock.monotonic() == 0
    assert chat.transcript() == []


@pytest.mark.parametrize("status", [500, 503])
def test_a_failure_that_stays_is_told_and_nothing_is_saved(chat: Chat, status: int) -> None:
    body = f'{{"error": {{"message": "overloaded, says {KEY}"}}}}'.encode()
    chat.server.planned = [Reply(status=status, body=body)] * 3

    shown, error = shown_until_it_fails(chat.pipeline)

    assert shown == ""
    assert isinstance(error, ModelUnavailableError)
    assert str(error).endswith("tried 3 times; the turn was not saved")
    assert f"status {status}: overloaded, says (key)" in str(error)
    assert not error.saved
    assert chat.transcript() == []
    assert chat.pipeline.respond("你好", "s1").text == ANSWER  # the chat goes on
    assert len(chat.transcript()) == 2


@pytest.mark.parametrize(
    ("status", "advice"),
    [(400, "llm.model"), (401, "CHATMEM_LLM_API_KEY"), (403, "CHATMEM_LLM_API_KEY"), (404, "/v1")],
)
def test_a_refusal_is_told_at_once(chat: Chat, status: int, advice: str) -> None:
    chat.server.planned = [Reply(status=status, body=b'{"error": {"message": "no"}}')]

    with pytest.raises(ModelUnavailableError, match=advice):
        chat.pipeline.respond("hello", "s1")
    assert len(chat.server.received) == 1


def test_nobody_listening_is_told(chat: Chat, nobody: int) -> None:
    endpoint = ChatEndpoint("m", f"http://127.0.0.1:{nobody}/v1", sleep=chat.clock.sleep)

    with pytest.raises(ModelUnavailableError, match=r"does a server run there.*not saved"):
        ChatPipeline(chat.memory, endpoint).respond("hello", "s1")
    endpoint.close()
    assert 1.0 < chat.clock.monotonic() < 2.5  # two pauses, the second one longer


@pytest.mark.parametrize(
    "late", [Reply("late", wait_seconds=30), Reply("late", pause_seconds=30)], ids=["all", "words"]
)
def test_a_server_that_is_late_is_given_up(chat: Chat, late: Reply) -> None:
    chat.server.planned = [late]

    with pytest.raises(ModelTimeoutError, match=r"no answer within 1 s; the turn was not saved"):
        chat.hasty.respond("hello", "s1")
    assert chat.transcript() == []
    assert len(chat.server.received) == 1


def test_a_slow_answer_and_one_that_is_announced_are_waited_for(chat: Chat) -> None:
    announced = (*(": at work",) * 6, _said("ready"), "data: [DONE]")
    chat.server.planned = [
        Reply(pieces=tuple("slow"), pause_seconds=0.25, finish_reason="length"),
        Reply(lines=announced, pause_seconds=0.25),
    ]

    slow = chat.hasty.respond("hello", "s1", options={"temperature": 0.1, "stream": False})
    assert (slow.text, slow.finish_reason) == ("slow", "length")
    sent = chat.server.received[0].body
    assert (sent["temperature"], sent["stream"]) == (0.1, True)
    assert chat.hasty.respond("hello", "s1").text == "ready"


def test_a_slow_reader_is_not_a_slow_server(chat: Chat) -> None:
    stream = chat.hasty.stream("hello", "s1")
    next(stream)
    time.sleep(1.5 * SILENCE_S)
    list(stream)

    assert stream.reply.text == ANSWER


@pytest.mark.parametrize("cut_after", [3, 6])
def test_an_answer_that_breaks_off_is_saved_as_far_as_it_came(chat: Chat, cut_after: int) -> None:
    chat.server.planned = [Reply(ANSWER, cut_after=cut_after)]

    shown, error = shown_until_it_fails(chat.pipeline)

    assert isinstance(error, AnswerCutError)
    assert error.saved
    assert shown == error.text
    assert ANSWER.startswith(shown)
    assert chat.transcript() == [("user", "你好"), ("assistant", shown + CUT_MARK)]
    assert len(chat.server.received) == 1  # what was begun is not begun anew
    assert chat.pipeline.respond("go on", "s1").text == ANSWER
    assert shown + CUT_MARK in [one["content"] for one in chat.server.received[1].messages]


def test_a_reader_who_leaves_has_what_was_shown_saved(chat: Chat) -> None:
    with chat.pipeline.stream("你好", "s1") as stream:
        shown = next(stream) + next(stream)

    assert chat.transcript() == [("user", "你好"), ("assistant", shown + CUT_MARK)]
    with pytest.raises(InvalidInputError, match="not finished"):
        stream.reply  # noqa: B018


def test_what_is_no_answer_is_told_and_not_saved(chat: Chat) -> None:
    chat.server.planned = [
        Reply(body=b"<html>a login page</html>"),
        Reply(body=b'{"choices": [{"message": {"content"'),
        Reply(body=b'{"choices": []}'),
        Reply(body=b'{"choices": [{"message": {"content": 3}}]}'),
        Reply(body=b"[1, 2]"),
        Reply(lines=("data: {broken",)),
        Reply(lines=("<html>",)),
        Reply(lines=('data: {"choices": "none"}', "data: [DONE]")),
        Reply(""),
        Reply(" \n "),
    ]
    while chat.server.planned:
        with pytest.raises(MalformedAnswerError, match=r"small-model.*the turn was not saved"):
            chat.pipeline.respond("hello", "s1")
    assert chat.transcript() == []
    assert chat.pipeline.respond("hello", "s1").text == ANSWER


@pytest.mark.parametrize(
    ("reply", "kind", "told"),
    [
        (Reply(pieces=("Half ", "more"), stops_after=1), ModelTimeoutError, "came within 1 s"),
        (Reply(lines=(_said("Half"),)), AnswerCutError, ""),
        (Reply(lines=(_said("Half"), "data: {broken")), MalformedAnswerError, ""),
    ],
    ids=["silence", "no end", "nonsense"],
)
def test_what_came_before_an_answer_failed_is_saved(
    chat: Chat, reply: Reply, kind: type[ChatError], told: str
) -> None:
    chat.server.planned = [reply]

    shown, error = shown_until_it_fails(chat.hasty)

    assert type(error) is kind
    assert told in str(error)
    assert "the turn was saved" in str(error)
    assert (shown, error.text, error.saved) == ("Half", "Half", True)
    assert chat.transcript()[1] == ("assistant", f"Half{CUT_MARK}")


def test_an_error_inside_the_stream_is_told(chat: Chat) -> None:
    chat.server.planned = [Reply(lines=('data: {"error": {"message": "out of memory"}}',))]

    with pytest.raises(ModelUnavailableError, match=r"tells of an error: out of memory.*not saved"):
        chat.pipeline.respond("hello", "s1")


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        (Reply("All of it", cut_after=4), "All of it"),  # the end was told, [DONE] was not
        (Reply(lines=(_said("one\u2028two\x85three"), "data: [DONE]")), "one\u2028two\x85three"),
    ],
    ids=["no tidy end", "odd ends of lines in a text"],
)
def test_a_whole_answer_is_taken_as_it_came(chat: Chat, reply: Reply, answer: str) -> None:
    chat.server.planned = [reply]

    assert chat.pipeline.respond("hello", "s1").text == answer


def test_what_a_server_does_not_know_is_left_out(chat: Chat) -> None:
    chat.server.planned = [
        Reply(status=400, body=b'{"error": {"message": "unknown field stream_options"}}'),
        Reply(status=400, body=b'{"error": {"message": "m does not support tools"}}'),
    ]

    assert chat.pipeline.respond("hello", "s1").text == ANSWER
    chat.pipeline.respond("again", "s1")

    asked = [{"tools", "stream_options"} & set(one.body) for one in chat.server.received]
    assert asked == [{"stream_options", "tools"}, {"tools"}, set(), set()]
    assert "read_memory" in chat.server.received[-1].system  # told in the prompt all the same


def test_an_answer_that_cannot_be_saved_says_so(chat: Chat) -> None:
    shown: list[str] = []
    stream = chat.pipeline.stream("hello", "s1")
    shown.append(next(stream))
    chat.memory.close()

    with pytest.raises(TurnNotSavedError, match="the turn was not saved") as caught:
        shown.extend(stream)
    assert ("".join(shown), caught.value.text, caught.value.saved) == (ANSWER, ANSWER, False)


def test_without_memory_nothing_is_recalled_offered_or_saved(chat: Chat) -> None:
    chat.memory.append_memory("喜欢乌龙茶", "preference")

    reply = ChatPipeline(chat.memory, chat.endpoint, use_memory=False).respond(
        "推荐一种乌龙茶", "s1"
    )

    assert reply.saved is None
    assert chat.transcript() == []
    [question] = chat.server.received
    assert "乌龙茶" not in question.system
    assert question.tool_names == []


def test_a_message_that_does_not_fit_is_refused_before_anything_is_sent(chat: Chat) -> None:
    with pytest.raises(InvalidInputError):
        chat.pipeline.respond("  ", "s1")
    with pytest.raises(InvalidInputError):
        chat.pipeline.respond("hello", "s1", colour="blue")
    assert chat.server.received == []


def test_with_memory_switched_off_turns_are_kept_and_nothing_is_remembered(chat: Chat) -> None:
    chat.memory.config.set({"memory.enabled": False})
    chat.server.planned = [
        Reply('Fine. {"memory_update": {"should_store": true, "content": "Plays go"}}')
    ]

    reply = chat.pipeline.respond("I play go", "s1")

    assert chat.transcript() == [("user", "I play go"), ("assistant", "Fine.")]
    assert (reply.memories, chat.memory.list_memories().total) == ((), 0)
    assert chat.server.received[0].tool_names == []


def test_tools_are_called_round_by_round_until_there_is_an_answer(chat: Chat) -> None:
    chat.server.planned = [
        Reply("Let me see.", tool_calls=(("search_memory", '{"query": 3}'),)),
        Reply(tool_calls=(("search_memory", '{"query": "bike"}'), ("read_memory", ""))),
        Reply("It is blue."),
    ]
    chat.memory.append_memory("Has a blue bike")

    stream = chat.pipeline.stream("What colour is my bike?", "s1")
    shown = "".join(stream)

    assert shown == stream.reply.text == "Let me see.\n\nIt is blue."
    assert [(one.name, one.failed) for one in stream.reply.tool_runs] == [
        ("search_memory", True),
        ("search_memory", False),
        ("read_memory", False),
    ]
    last = chat.server.received[2].messages
    assert [one["role"] for one in last[-5:]] == ["assistant", "tool", "assistant", "tool", "tool"]
    assert "query: got 3" in last[-4]["content"]
    assert "Has a blue bike" in last[-2]["content"]
    usage = some(stream.reply.usage)
    assert (usage.prompt_tokens, usage.completion_tokens) == (3, 3)
    assert chat.transcript()[1] == ("assistant", shown)


def test_a_model_that_never_stops_calling_tools_is_stopped(chat: Chat) -> None:
    call = (("append_memory", '{"fact": "Plays go"}'),)
    chat.server.planned = [Reply("Hm.", tool_calls=call)] * (MOST_ROUNDS + 1)

    reply = chat.pipeline.respond("I play go", "s1")

    assert reply.text == "\n\n".join(["Hm."] * (MOST_ROUNDS + 1))
    assert reply.problems == ("the model asked for tools in more than 6 rounds",)
    choices = [one.body.get("tool_choice") for one in chat.server.received]
    assert choices == [*[None] * MOST_ROUNDS, "none"]
    assert chat.memory.read_main().count("- Plays go") == 1


def test_a_model_that_only_calls_tools_has_said_nothing(chat: Chat) -> None:
    chat.server.planned = [Reply(tool_calls=(("read_memory", "{}"),))] * (MOST_ROUNDS + 1)

    with pytest.raises(MalformedAnswerError, match=r"said nothing.*more than 6 rounds.*not saved"):
        chat.pipeline.respond("hello", "s1")
    assert chat.transcript() == []


def test_an_answer_that_breaks_off_behind_a_tool_keeps_what_the_tool_wrote(chat: Chat) -> None:
    chat.server.planned = [
        Reply("Noting.", tool_calls=(("append_memory", '{"fact": "Plays go"}'),)),
        Reply("I have noted", cut_after=1),
    ]

    shown, error = shown_until_it_fails(chat.pipeline, "I play go")

    assert error.saved
    assert chat.transcript()[1] == ("assistant", shown + CUT_MARK)
    assert "- Plays go" in chat.memory.read_main()


def test_nothing_of_a_call_is_shown_while_it_comes(chat: Chat) -> None:
    call = '[[ABP_TOOL:read_memory]]{"action": "read", "parameters": {}}[[END_ABP_TOOL]]'
    chat.server.planned = [Reply(f"我看看。\n\n{call}\n\n"), Reply("没有。\n")]

    stream = chat.pipeline.stream("你记得什么？", "s1")
    pieces = list(stream)

    assert not any("[" in piece for piece in pieces)
    assert "".join(pieces) == "我看看。\n\n没有。"
    assert "只是数据" in chat.server.received[1].messages[-1]["content"]
    assert chat.server.received[1].messages[-2]["content"].strip().endswith("[[END_ABP_TOOL]]")


@pytest.mark.parametrize("streams", [True, False])
@pytest.mark.parametrize(
    "thoughts", ["<think>\nThey want\n\nParis?\n</think>\n\n", "They want Paris.\n</think>\n\n"]
)
def test_what_a_model_thinks_is_not_saved(chat: Chat, thoughts: str, streams: bool) -> None:
    chat.server.planned = [Reply(thoughts + ANSWER, streams=streams)]
    stream = chat.pipeline.stream("hello", "s1")
    shown = "".join(stream)

    assert stream.reply.text == ANSWER
    assert chat.transcript()[1] == ("assistant", ANSWER)
    assert shown.endswith(ANSWER)
    if thoughts.startswith("<") or not streams:
        assert shown == ANSWER


def test_a_call_that_a_model_only_thinks_of_is_none(chat: Chat) -> None:
    call = '[[ABP_TOOL:append_memory]]{"fact": "Lives in Paris"}[[END_ABP_TOOL]]'
    chat.server.planned = [Reply(f"<think>maybe {call}</think>{ANSWER}")]

    reply = chat.pipeline.respond("hello", "s1")

    assert (reply.text, reply.tool_runs) == (ANSWER, ())


def test_an_answer_that_is_only_thoughts_is_none(chat: Chat) -> None:
    chat.server.planned = [Reply("<think>and so on", finish_reason="length")]

    shown, error = shown_until_it_fails(chat.pipeline)

    assert shown == ""
    assert "said nothing" in str(error)
    assert chat.transcript() == []
