"""Messages in OpenAI's form."""

import json
from collections.abc import Callable

import pytest

from chatmem.engine.importing import SourceFile
from chatmem.engine.importing.conversations import read_openai
from chatmem.errors import ImportFormatError

SourceOf = Callable[..., SourceFile]

TALK = [
    {"role": "system", "content": "You are terse."},
    {"role": "user", "content": "我想学陶艺，从哪里开始？"},
    {"role": "assistant", "content": "Start with pinch pots."},
    {"role": "user", "content": "Thanks"},
    {"role": "assistant", "content": "You are welcome."},
    {"role": "user", "content": "Thanks"},
]


@pytest.mark.parametrize(
    "wrap",
    [
        lambda talk: json.dumps({"messages": talk}),
        lambda talk: json.dumps([{"messages": talk}]),
        lambda talk: json.dumps(talk),
        lambda talk: json.dumps([talk]),
        lambda talk: (json.dumps({"messages": talk}) + "\n") * 2,
    ],
    ids=["object", "list of objects", "bare list", "list of lists", "lines"],
)
def test_every_wrapping_gives_the_same_messages(
    source_of: SourceOf, wrap: Callable[[object], str]
) -> None:
    messages = list(read_openai(source_of(wrap(TALK))))
    assert [(m.role, m.content) for m in messages[:5]] == [
        (m["role"], m["content"]) for m in TALK[1:]
    ]


def test_system_prompts_and_empty_tool_calls_are_left_out_with_a_note(source_of: SourceOf) -> None:
    source = source_of([*TALK, {"role": "assistant", "content": None, "tool_calls": [{}]}])
    assert len(list(read_openai(source))) == 5
    assert source.notes["system prompts, left out"] == 1
    assert source.notes["messages without text (tool calls, for example), left out"] == 1


def test_parts_are_joined_and_pictures_named(source_of: SourceOf) -> None:
    parts = [
        {"type": "text", "text": "What is this?"},
        {"type": "image_url", "image_url": {"url": "data:,"}},
        {"type": "input_audio", "input_audio": {}},
    ]
    (message,) = read_openai(source_of([{"role": "user", "content": parts}]))
    assert message.content == "What is this?\n[image]\n[audio]"


def test_tool_results_keep_their_role(source_of: SourceOf) -> None:
    (message,) = read_openai(source_of([{"role": "tool", "content": "18 °C"}]))
    assert message.role == "tool"


def test_a_conversation_that_grew_keeps_the_ids_of_what_was_there(source_of: SourceOf) -> None:
    before = list(read_openai(source_of(TALK[:4], "a.json")))
    after = list(read_openai(source_of({"messages": TALK}, "b.json")))
    ids = [message.source_id for message in after]
    assert ids[: len(before)] == [message.source_id for message in before]
    assert len(set(ids)) == len(ids)  # "Thanks" twice is two messages
    assert {message.session_id for message in before + after} == {after[0].session_id}


def test_conversations_that_begin_alike_stay_apart(source_of: SourceOf) -> None:
    hi = {"role": "user", "content": "hi"}
    talks = [[hi, {"role": "assistant", "content": answer}] for answer in ("Hello!", "你好！")]
    messages = list(read_openai(source_of(talks)))
    assert len({message.session_id for message in messages}) == 2
    assert len({message.source_id for message in messages}) == 4


@pytest.mark.parametrize(
    ("document", "place"),
    [
        ([{"messages": [{"content": "x"}]}], "conversation 0, message 0: no `role`"),
        ([{"messages": []}, {"title": "x"}], "conversation 1: no list of `messages`"),
        ({"messages": [{"role": "user"}, 3]}, "message 1: not an object"),
    ],
)
def test_a_broken_conversation_is_placed(source_of: SourceOf, document: object, place: str) -> None:
    with pytest.raises(ImportFormatError, match=place):
        list(read_openai(source_of(document)))
