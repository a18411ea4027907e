"""Conversations of other programs: ChatGPT's export, messages in OpenAI's form, LoCoMo."""

import io
import json
import re
import zipfile
from collections.abc import Callable
from datetime import UTC, date, datetime
from typing import Any

import pytest
from tests.unit.engine.importing.conftest import SourceOf

from chatmem.engine.importing import detect_format, read_items
from chatmem.engine.importing.conversations import read_chatgpt, read_json, read_locomo
from chatmem.errors import ImportFormatError
from chatmem.model import ImportFormat, Message


def node(
    parent: str | None, role: str, parts: list[object], at: float | None = None, **more: object
) -> dict[str, Any]:
    message = {
        "author": {"role": role},
        "content": {"content_type": "text", "parts": parts},
        "create_time": at,
        **more,
    }
    return {"parent": parent, "message": message}


def conversation() -> dict[str, Any]:
    """A question that was answered twice; the second answer is the one on the screen."""
    return {
        "conversation_id": "c-1",
        "title": "Sourdough",
        "create_time": 1_746_000_000.5,
        "current_node": "answer-2",
        "mapping": {
            "root": {"parent": None, "message": None},
            "system": node("root", "system", [""]),
            "profile": node(
                "system",
                "user",
                ["about me"],
                metadata={"is_visually_hidden_from_conversation": True},
            ),
            "question": node(
                "profile", "user", ["我的酸面团为什么不发？"], 1_746_000_001, id="m-1"
            ),
            "answer-1": node("question", "assistant", ["Too cold."], 1_746_000_005),
            "search": node("question", "assistant", ["search('x')"], 1, recipient="browser"),
            "answer-2": node("search", "assistant", ["Feed it first."], 1_746_000_009),
        },
    }


@pytest.mark.parametrize(
    "change",
    [
        lambda talk: None,
        lambda talk: talk.pop("current_node"),  # the last leaf counts
        lambda talk: talk["mapping"]["question"].update(parent="answer-2"),  # a circle ends
    ],
    ids=["whole", "no current node", "circle"],
)
def test_the_branch_on_the_screen_is_imported(
    source_of: SourceOf, change: Callable[[dict[str, Any]], object]
) -> None:
    talk = conversation()
    change(talk)
    messages = list(read_chatgpt(source_of([talk])))
    assert [(m.role, m.content, m.source_id) for m in messages] == [
        ("user", "我的酸面团为什么不发？", "m-1"),
        ("assistant", "Feed it first.", "answer-2"),
    ]
    assert {message.session_id for message in messages} == {"c-1"}
    assert messages[0].timestamp == datetime.fromtimestamp(1_746_000_001, UTC)


def test_a_message_without_a_time_has_the_one_before(source_of: SourceOf) -> None:
    talk = conversation()
    talk["mapping"]["answer-2"]["message"]["create_time"] = None
    question, answer = read_chatgpt(source_of([talk]))
    assert answer.timestamp == question.timestamp


def test_pictures_are_named(source_of: SourceOf) -> None:
    talk = conversation()
    parts = [{"content_type": "image_asset_pointer", "asset_pointer": "file:1"}, "Is it ready?"]
    talk["mapping"]["question"]["message"]["content"]["parts"] = parts
    assert next(read_chatgpt(source_of([talk]))).content == "[image]\nIs it ready?"


def packed(files: dict[str, str]) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return target.getvalue()


def test_the_zip_is_read_as_it_was_downloaded(source_of: SourceOf) -> None:
    second = conversation() | {"conversation_id": "c-2"}
    archive = packed(
        {
            "chat.html": "<html>",
            "export/conversations-000.json": json.dumps([conversation()]),
            "export/conversations-001.json": json.dumps([second]),
        }
    )
    source = source_of(archive, "export.zip")
    assert detect_format(source) == "chatgpt"
    messages = list(read_chatgpt(source))
    assert [message.session_id for message in messages] == ["c-1", "c-1", "c-2", "c-2"]


DAMAGED = bytearray(packed({"conversations.json": json.dumps([conversation()])}))
DAMAGED[60] ^= 0xFF


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (packed({"notes.txt": "x"}), "a zip without conversations.json"),
        (packed({"conversations.json": "{"}), "conversations.json: not JSON"),
        (bytes(DAMAGED), "damaged"),
        ([conversation(), {"title": "x"}], "conversation 1: no `mapping`"),
        ([{"mapping": {"a": 3}}], "conversation 0, node a: not an object"),
        ([{"mapping": []}], "conversation 0: no `mapping`"),
    ],
)
def test_what_is_no_conversation_is_placed(
    source_of: SourceOf, content: object, reason: str
) -> None:
    with pytest.raises(ImportFormatError, match=reason):
        list(read_chatgpt(source_of(content, "export")))


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
def test_every_wrapping_gives_the_same(source_of: SourceOf, wrap: Callable[[object], str]) -> None:
    source = source_of(wrap(TALK))
    assert detect_format(source) == "openai"
    messages = list(read_json(source))
    assert [(m.role, m.content) for m in messages[:5]] == [
        (m["role"], m["content"]) for m in TALK[1:]
    ]


def test_system_prompts_and_empty_tool_calls_are_left_out_with_a_note(source_of: SourceOf) -> None:
    calls = [{"role": "assistant", "content": None, "tool_calls": [{}]}, {"content": "x"}, 3]
    source = source_of([*TALK, *calls])
    assert len(list(read_json(source))) == 5
    assert source.notes["system prompts, left out"] == 1
    assert source.notes["messages without text (tool calls, for example), left out"] == 3


def test_parts_are_joined_and_pictures_named(source_of: SourceOf) -> None:
    parts = [
        {"type": "text", "text": "What is this?"},
        {"type": "image_url", "image_url": {"url": "data:,"}},
        {"type": "input_audio", "input_audio": {}},
    ]
    (message,) = read_json(source_of([{"role": "user", "content": parts}]))
    assert message.content == "What is this?\n[image]\n[audio]"


def test_tool_results_keep_their_role(source_of: SourceOf) -> None:
    (message,) = read_json(source_of([{"role": "tool", "content": "18 °C"}]))
    assert message.role == "tool"


def test_a_conversation_that_grew_keeps_the_ids_of_what_was_there(source_of: SourceOf) -> None:
    before = list(read_json(source_of(TALK[:4], "a.json")))
    after = list(read_json(source_of({"messages": TALK}, "b.json")))
    ids = [message.source_id for message in after]
    assert ids[: len(before)] == [message.source_id for message in before]
    assert len(set(ids)) == len(ids)  # "Thanks" twice is two messages
    assert {message.session_id for message in before + after} == {after[0].session_id}


def test_conversations_that_begin_alike_stay_apart(source_of: SourceOf) -> None:
    hi = {"role": "user", "content": "hi"}
    talks = [[hi, {"role": "assistant", "content": answer}] for answer in ("Hello!", "你好！")]
    messages = list(read_json(source_of(talks)))
    assert len({message.session_id for message in messages}) == 2
    assert len({message.source_id for message in messages}) == 4


PLAIN = [
    {"role": role, "content": text, "timestamp": f"2026-01-0{day}T10:00:00Z", "session_id": name}
    for day, (role, text, name) in enumerate(
        [
            ("user", "I moved to Oslo", "a"), ("user", "我搬到了柏林", "b"),
            ("assistant", "Nice", "a"), ("user", "Thanks", "a"), ("user", "Thanks", "a"),
        ],
        start=1,
    )
]  # fmt: skip
PEOPLE = {
    "Mei": {"history": {"2026-01-01": [{"query": "I moved to Oslo", "response": "Nice"}]}},
    "若琳": {"history": {"2026-01-02": [{"query": "我搬到了柏林", "response": "好的"}]}},
}
DAYS = ["Mei/history/2026-01-01"] * 2 + ["若琳/history/2026-01-02"] * 2
GROUP = {
    "meta": {"name": "Solo", "tags": ["x"]},
    "conversation_list": [
        {"message_id": f"m{n}", "sender": "u1", "sender_name": name, "content": text,
         "create_time": "2026-01-01T10:00:00Z"}
        for n, (name, text) in enumerate([("user", "I moved to Oslo"), ("assistant", "Nice")])
    ],
}  # fmt: skip


@pytest.mark.parametrize(
    ("content", "format", "sessions"),
    [
        ("\n".join(map(json.dumps, PLAIN)), "jsonl", ["a"] * 4 + ["b"]),
        (PLAIN, "openai", ["a"] * 4 + ["b"]),
        (PLAIN[0], "openai", ["a"]),
        (PEOPLE, "json", DAYS),
        (GROUP, "json", ["conversation_list"] * 2),
        (f"{json.dumps(PEOPLE)}\n{json.dumps(GROUP)}", "json", [*DAYS, *["conversation_list"] * 2]),
    ],
    ids=["lines", "list", "one", "rounds by day", "senders", "lines of conversations"],
)
def test_messages_are_read_as_anybody_writes_them(
    source_of: SourceOf, content: object, format: ImportFormat, sessions: list[str]
) -> None:
    source = source_of(content, "talk")
    assert detect_format(source) == format
    messages = [one for one in read_items(source, format) if isinstance(one, Message)]
    assert [re.sub(r"/[0-9a-f]{20}$", "", one.session_id) for one in messages] == sessions
    first = messages[0]
    assert (first.role, first.speaker, first.content) == ("user", None, "I moved to Oslo")
    assert first.timestamp.date() == date(2026, 1, 1)
    assert not source.notes
    assert len({one.source_id for one in messages}) == len(sessions)


def sample() -> dict[str, Any]:
    return {
        "sample_id": "garden",
        "qa": [{"question": "left alone"}],
        "conversation": {
            "speaker_a": "Ines",
            "speaker_b": "若琳",
            "session_10_date_time": "9:00 am on 4 June, 2025",
            "session_10": [{"speaker": "Ines", "dia_id": "D10:1", "text": "The figs are ripe."}],
            "session_2_date_time": "8:15 pm on 1 May, 2025",
            "session_2": [
                {"speaker": "Ines", "dia_id": "D2:1", "text": "I planted a fig tree."},
                {"speaker": "若琳", "dia_id": "D2:2", "text": "看！", "blip_caption": "a balcony"},
            ],
        },
    }


def test_turns_of_two_people_come_in_the_order_of_their_sessions(source_of: SourceOf) -> None:
    messages = list(read_locomo(source_of(sample())))
    assert [(message.source_id, message.session_id) for message in messages] == [
        ("garden/D2:1", "garden/session_2"),
        ("garden/D2:2", "garden/session_2"),
        ("garden/D10:1", "garden/session_10"),
    ]
    assert messages[0].timestamp == datetime(2025, 5, 1, 20, 15, tzinfo=UTC)
    assert {(message.role, message.speaker) for message in messages} == {
        ("user", "Ines"),
        ("user", "若琳"),
    }
    assert messages[1].content == "看！ [a balcony]"  # what a picture shows follows the text


@pytest.mark.parametrize(
    ("damage", "place"),
    [
        (lambda s: s.pop("conversation"), "sample 0: no `conversation`"),
        (lambda s: s["conversation"].update(session_2=3), "session_2: not a list"),
        (lambda s: s["conversation"]["session_2"][1].pop("text"), r"session_2\[1\]: no `text`"),
        (lambda s: s["conversation"]["session_2"][0].pop("speaker"), r"\[0\]: no `speaker`"),
        (lambda s: s.update(conversation={"a": 1}), "sample garden: no session"),
    ],
)
def test_a_broken_sample_is_placed(
    source_of: SourceOf, damage: Callable[[dict[str, Any]], object], place: str
) -> None:
    broken = sample()
    damage(broken)
    with pytest.raises(ImportFormatError, match=rf"{place}.*; expected samples like"):
        list(read_items(source_of([broken]), "locomo"))
