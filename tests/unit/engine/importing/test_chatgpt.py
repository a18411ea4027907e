"""The export of ChatGPT."""

import io
import json
import zipfile
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from chatmem.engine.importing import SourceFile
from chatmem.engine.importing.conversations import read_chatgpt
from chatmem.errors import ImportFormatError

SourceOf = Callable[..., SourceFile]


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


def test_the_branch_on_the_screen_is_imported(source_of: SourceOf) -> None:
    messages = list(read_chatgpt(source_of([conversation()])))
    assert [(m.role, m.content, m.source_id) for m in messages] == [
        ("user", "我的酸面团为什么不发？", "m-1"),
        ("assistant", "Feed it first.", "answer-2"),
    ]
    assert {message.session_id for message in messages} == {"c-1"}
    assert messages[0].timestamp == datetime.fromtimestamp(1_746_000_001, UTC)


def test_without_a_current_node_the_last_leaf_counts(source_of: SourceOf) -> None:
    talk = conversation()
    del talk["current_node"]
    assert list(read_chatgpt(source_of([talk])))[-1].content == "Feed it first."


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


def test_a_circle_of_parents_ends(source_of: SourceOf) -> None:
    talk = conversation()
    talk["mapping"]["question"]["parent"] = "answer-2"
    assert len(list(read_chatgpt(source_of([talk])))) == 2


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
    messages = list(read_chatgpt(source_of(archive, "export.zip")))
    assert [message.session_id for message in messages] == ["c-1", "c-1", "c-2", "c-2"]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (packed({"notes.txt": "x"}), "a zip without conversations.json"),
        (packed({"conversations.json": "{"}), "conversations.json: not JSON"),
        (json.dumps([conversation(), {"title": "x"}]).encode(), "conversation 1: no `mapping`"),
        (json.dumps([{"mapping": {"a": 3}}]).encode(), "conversation 0, node a: not an object"),
        (json.dumps([{"mapping": []}]).encode(), "conversation 0: no `mapping`"),
    ],
)
def test_what_is_no_export_is_refused(source_of: SourceOf, content: bytes, reason: str) -> None:
    with pytest.raises(ImportFormatError, match=reason):
        list(read_chatgpt(source_of(content, "export")))


def test_a_damaged_zip_is_refused(source_of: SourceOf) -> None:
    archive = bytearray(packed({"conversations.json": json.dumps([conversation()])}))
    archive[60] ^= 0xFF
    with pytest.raises(ImportFormatError, match="damaged"):
        list(read_chatgpt(source_of(bytes(archive), "export.zip")))
