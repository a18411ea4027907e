"""LoCoMo's JSON."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from chatmem.engine.importing import SourceFile, read_items
from chatmem.engine.importing.conversations import read_locomo
from chatmem.errors import ImportFormatError

SourceOf = Callable[..., SourceFile]


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


def test_turns_come_in_the_order_of_their_sessions(source_of: SourceOf) -> None:
    messages = list(read_locomo(source_of([sample()])))
    assert [message.source_id for message in messages] == [
        "garden/D2:1",
        "garden/D2:2",
        "garden/D10:1",
    ]
    assert [message.session_id for message in messages] == [
        "garden/session_2",
        "garden/session_2",
        "garden/session_10",
    ]
    assert messages[0].timestamp == datetime(2025, 5, 1, 20, 15, tzinfo=UTC)


def test_both_people_are_users_and_keep_their_names(source_of: SourceOf) -> None:
    messages = list(read_locomo(source_of(sample())))
    assert {(message.role, message.speaker) for message in messages} == {
        ("user", "Ines"),
        ("user", "若琳"),
    }


def test_what_a_picture_shows_follows_the_text(source_of: SourceOf) -> None:
    assert list(read_locomo(source_of([sample()])))[1].content == "看！ [a balcony]"


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
