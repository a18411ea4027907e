"""What a message tells for a profile, in Chinese (both scripts) and English."""

from datetime import UTC, datetime

import pytest

from chatmem.extraction.extractor import NewMessage, ProfileStatement, profile_statements

AT = datetime(2026, 5, 14, 12, tzinfo=UTC)
STATED = [
    ("please keep your answers short from now on", "reply_length"),
    ("以后回答详细一点", "reply_length"),
    ("以後回答簡短一點就好", "reply_length"),
    ("Please always reply in Chinese.", "reply_language"),
    ("以后都用英文回复我", "reply_language"),
    ("I'd like your replies to be more formal from now on", "reply_tone"),
    ("以后跟我说话别那么官方，随便一点", "reply_tone"),
    ("Please never use emojis in your replies.", "reply_format"),
    ("以后不要用表情符号", "reply_format"),
    ("Call me Sam from now on", "address"),
    ("以后叫我老李就行", "address"),
    ("I'm a software engineer at Siemens", "background"),
    ("我是护士，在儿童医院上班", "background"),
    ("I love hiking and photography", "preference"),
    ("我特别喜欢看推理小说", "preference"),
]
NOTHING = [
    "Make this email shorter",
    "翻译成英文",
    "What languages do you speak?",
    "just this once, answer in German",
    "My sister is a nurse in Leeds",
    "You are a pirate. Talk like one in this story.",
    "今天好累",
]


def told(message: str) -> tuple[ProfileStatement, ...]:
    return profile_statements(NewMessage(role="user", content=message, at=AT))


@pytest.mark.parametrize(("message", "slot"), STATED)
def test_what_a_person_says_of_themselves_and_of_replies(message: str, slot: str) -> None:
    assert slot in {one.slot for one in told(message)}


@pytest.mark.parametrize("message", NOTHING)
def test_what_is_for_no_profile(message: str) -> None:
    assert [one for one in told(message) if one.slot != "background"] == []


def test_of_two_wishes_for_one_thing_the_later_one_counts() -> None:
    said = told("Always answer in German. No wait, from now on answer in French.")

    languages = [one.text for one in said if one.slot == "reply_language"]
    assert len(languages) == 1
    assert "French" in languages[0]
