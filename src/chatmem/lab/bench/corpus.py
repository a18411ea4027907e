"""Made-up conversations in Chinese and English, the same for the same seed.

A session has one topic and one language; messages have 20 to 300 characters. Questions ask about
the same topics, so that each has many near misses.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from chatmem.model import Message
from chatmem.text.languages.language import toml_of

SESSION_MESSAGES = 20
CHINESE_SHARE = 0.5
LEAST_CHARS, MOST_CHARS = 20, 300

_START = datetime(2024, 1, 1, 8, tzinfo=UTC)
_BETWEEN_SESSIONS = timedelta(hours=5)
_BETWEEN_MESSAGES = timedelta(seconds=40)
_LONGEST_PARAGRAPH = 5  # sentences
_WORDS = toml_of("chatmem.lab.bench", "words")


def messages(count: int, seed: int) -> Iterator[Message]:
    """`count` messages, user and assistant in turn, made one by one as they are taken."""
    dice = random.Random(seed)
    for number in range(count):
        session, index = divmod(number, SESSION_MESSAGES)
        if index == 0:
            words = _WORDS["zh" if dice.random() < CHINESE_SHARE else "en"]
            topic = dice.choice(words["topics"])
        yield Message(
            role="assistant" if number % 2 else "user",
            content=_paragraph(dice, words, topic),
            session_id=f"bench-{seed}-{session}",
            timestamp=_START + session * _BETWEEN_SESSIONS + index * _BETWEEN_MESSAGES,
            source_id=f"bench-{seed}-{number}",
        )


def questions(count: int, seed: int) -> list[str]:
    """`count` different questions about the topics of the messages, half of them Chinese."""
    dice = random.Random(seed)
    made: dict[str, None] = {}
    while len(made) < count:
        words = _WORDS[("en", "zh")[len(made) % 2]]
        topic = dice.choice(words["topics"])
        made[_sentence(dice, words, "questions", topic)] = None
    return list(made)


def _paragraph(dice: random.Random, words: Mapping[str, Any], topic: Sequence[str]) -> str:
    joint, text = words["joint"], ""
    for _ in range(dice.randint(1, _LONGEST_PARAGRAPH)):
        longer = text + joint + _sentence(dice, words, "sentences", topic)
        if len(longer) > MOST_CHARS:
            break
        text = longer
    while len(text) < LEAST_CHARS:
        text += joint + _sentence(dice, words, "sentences", topic)
    return text.strip()


def _sentence(
    dice: random.Random, words: Mapping[str, Any], patterns: str, topic: Sequence[str]
) -> str:
    pattern: str = dice.choice(words[patterns])
    first, second = dice.sample(topic, 2)
    return pattern.format(
        a=first,
        b=second,
        n=dice.randint(2, 9999),
        name=dice.choice(words["names"]),
        place=dice.choice(words["places"]),
        when=dice.choice(words["when"]),
    )
