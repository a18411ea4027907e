"""Extraction by a language model: a typed, validated answer, held to the same rules as ours.

Source: decisions 4; S3.2.1, S5.4.3.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Final, Literal

from pydantic import BaseModel, Field, field_validator

from chatmem.extraction.candidate import Candidate, Said, Wish
from chatmem.extraction.conversation_text import DATA_NOTE, fenced
from chatmem.model import Category, Kind, Source
from chatmem.model.memory import JsonValue
from chatmem.providers.ports import ChatModel
from chatmem.text.clean import clean_text
from chatmem.text.normalise import normalise

MAX_INPUT_TOKENS: Final = 6_000
MAX_CANDIDATES: Final = 20
_LEAST_SHARED_CHARS: Final = 2

_INSTRUCTIONS: Final = f"""\
You read new messages of a conversation between a user and an assistant, and note what is worth
remembering about the user for months: who they are, family, work, places, health, likes and
dislikes, habits, plans with dates, corrections, and what they ask to be remembered or forgotten.
Only what the user states as true. Nothing that is asked, supposed, joked, quoted, played, passing,
said by the assistant, or general knowledge. An empty list is the usual answer.

content: one short sentence without "I" that stands by itself, in the user's language ("Lives in
Berlin", "住在柏林"); relative dates become absolute ones, counted from the message's date.
category: preference (likes, dislikes, wishes), fact, or pattern (habits).
key: what has one value at a time, English: name, age, birthday, home, hometown, occupation,
employer, school, partner, diet, pet:<kind>, allergy:<thing>, taste:<thing> (value like or
dislike), habit:<thing>, plan:<thing>, relation:<role>; null where there is no single value.
value: the value under that key, copied as said; null without a key.
kind: episodic for something that happened once, else semantic.
confidence: 0 to 1, below 0.7 for what is only likely. source: user_stated or inferred.
importance: 1 to 5, 3 is usual, 4 for what they ask to be remembered, 5 for danger to health.
wish: forget where the user asks to forget the content, else remember.
message: the number in front of the message that says it.

只记用户自己明确陈述、几个月后仍有用的事；提问、假设、玩笑、引用、扮演和助手的话都不记。
content 用用户的语言写成一句完整的话，不用“我”；相对日期换算成具体日期。

{DATA_NOTE}
"""


class _Item(BaseModel):
    content: str
    category: Category = "fact"
    kind: Kind = "semantic"
    key: str | None = None
    value: str | int | float | bool | None = None
    confidence: float = Field(default=0.8, ge=0, le=1)
    source: Literal["user_stated", "inferred"] = "user_stated"
    importance: int = Field(default=3, ge=1, le=5)
    wish: Wish = "remember"
    message: int = 0

    @field_validator("content")
    @classmethod
    def _says_something(cls, content: str) -> str:
        cleaned = clean_text(content)
        if not cleaned:
            raise ValueError("content is empty")
        return cleaned


class _Found(BaseModel):
    memories: list[_Item] = Field(default_factory=list, max_length=MAX_CANDIDATES)


class ModelExtractor:
    """By a model; takes as long as the model takes."""

    def __init__(self, chat_model: ChatModel) -> None:
        self._chat_model = chat_model

    @property
    def name(self) -> str:
        """The model's name."""
        return self._chat_model.name

    def extract(self, messages: Sequence[Said]) -> list[Candidate]:
        """What the model found that the messages bear out.

        A statement that has no word in common with what the user said is an invention, and goes.

        Raises:
            ProviderError: no answer, or none that fits.
        """
        if not messages:
            return []
        told = [
            (f"{place} {one.role} on {_day(one.at)}", one.content)
            for place, one in enumerate(messages, start=1)
        ]
        found = self._chat_model.extract(_INSTRUCTIONS, fenced(told, MAX_INPUT_TOKENS), _Found)
        said = normalise(" ".join(one.content for one in messages if one.role == "user"))
        return [_candidate(item, messages) for item in found.memories if _is_borne_out(item, said)]


def _candidate(item: _Item, messages: Sequence[Said]) -> Candidate:
    place = item.message if 1 <= item.message <= len(messages) else len(messages)
    message = messages[place - 1]
    key = " ".join(clean_text(item.key or "").lower().split()) or None
    value: JsonValue = item.value if key else None
    source: Source = item.source
    return Candidate(
        content=item.content,
        category=item.category,
        kind=item.kind,
        key=key,
        value=value,
        confidence=item.confidence,
        source=source,
        importance=item.importance,
        wish=item.wish,
        said_in=message.number,
        said_at=message.at,
    )


def _is_borne_out(item: _Item, said: str) -> bool:
    """True when some word of the statement, or its value, was said."""
    if isinstance(item.value, str) and normalise(item.value) in said:
        return True
    text = normalise(item.content)
    words = [word for word in text.split() if len(word) > _LEAST_SHARED_CHARS]
    if any(word in said for word in words):
        return True
    pairs = (text[at : at + _LEAST_SHARED_CHARS] for at in range(len(text) - 1))
    return any(pair in said for pair in pairs if not pair.isascii())


def _day(at: datetime) -> str:
    return at.astimezone().strftime("%Y-%m-%d %A")
