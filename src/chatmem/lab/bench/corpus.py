"""Made-up conversations in Chinese and English, the same for the same seed.

A session has one topic and one language; messages have 20 to 300 characters. Questions ask about
the same topics, so that each has many near misses.
"""

import random
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any

from chatmem.model import Message
from chatmem.text.wordlist import toml_of

SESSION_MESSAGES = 20
CHINESE_SHARE = 0.5
LEAST_CHARS, MOST_CHARS = 20, 300

_START = datetime(2024, 1, 1, 8, tzinfo=UTC)
_BETWEEN_SESSIONS = timedelta(hours=5)
_BETWEEN_MESSAGES = timedelta(seconds=40)
_LONGEST_PARAGRAPH = 5  # sentences


@cache
def _words(*, chinese: bool) -> Mapping[str, Any]:
    found = toml_of("chatmem.lab.bench", "words")
    words: Mapping[str, Any] = found["zh" if chinese else "en"]
    return words


def messages(count: int, seed: int) -> Iterator[Message]:
    """`count` messages, user and assistant in turn, made one by one as they are taken."""
    dice = random.Random(seed)
    for number in range(count):
        session, index = divmod(number, SESSION_MESSAGES)
        if index == 0:
            chinese = dice.random() < CHINESE_SHARE
            topic = dice.randrange(len(_words(chinese=chinese)["topics"]))
        yield Message(
            role="assistant" if number % 2 else "user",
            content=_paragraph(dice, topic, chinese=chinese),
            session_id=f"bench-{seed}-{session}",
            timestamp=_START + session * _BETWEEN_SESSIONS + index * _BETWEEN_MESSAGES,
            source_id=f"bench-{seed}-{number}",
        )


def questions(count: int, seed: int) -> list[str]:
    """`count` different questions about the topics of the messages, half of them Chinese."""
    dice = random.Random(seed)
    made: dict[str, None] = {}
    while len(made) < count:
        chinese = len(made) % 2 == 1
        patterns = _words(chinese=chinese)["questions"]
        topic = dice.randrange(len(_words(chinese=chinese)["topics"]))
        made[_sentence(dice, dice.choice(patterns), topic, chinese=chinese)] = None
    return list(made)


def _paragraph(dice: random.Random, topic: int, *, chinese: bool) -> str:
    patterns = _words(chinese=chinese)["sentences"]
    joint = "" if chinese else " "
    text = ""
    for _ in range(dice.randint(1, _LONGEST_PARAGRAPH)):
        longer = text + joint + _sentence(dice, dice.choice(patterns), topic, chinese=chinese)
        if len(longer) > MOST_CHARS:
            break
        text = longer
    while len(text) < LEAST_CHARS:
        text += joint + _sentence(dice, dice.choice(patterns), topic, chinese=chinese)
    return text.strip()


def _sentence(dice: random.Random, pattern: str, topic: int, *, chinese: bool) -> str:
    words = _words(chinese=chinese)
    first, second = dice.sample(words["topics"][topic], 2)
    return pattern.format(
        a=first,
        b=second,
        n=dice.randint(2, 9999),
        name=dice.choice(words["names"]),
        place=dice.choice(words["places"]),
        when=dice.choice(words["when"]),
    )
