"""What a message tells about the running task: its topic, its slots, the writer's mood.

Source: S3.1 (current_topic, context_variables, last_emotion).
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Protocol

from pydantic import BaseModel, Field

from chatmem.analysis.emotion import emotion_of
from chatmem.analysis.own_words import own_words
from chatmem.analysis.slots import MAX_VALUE_CHARS, slots_in
from chatmem.analysis.topic import MAX_TOPIC_CHARS, topic_of
from chatmem.model import EMOTIONS, WorkingMemory
from chatmem.model.memory import JsonValue
from chatmem.providers.ports import ChatModel
from chatmem.text.clean import clean_text
from chatmem.text.conversation_text import DATA_NOTE, fenced

MAX_INPUT_TOKENS: Final = 1_500
MAX_VARIABLES: Final = 12

_INSTRUCTIONS: Final = f"""\
You read one message of a user to an assistant and note what matters for the running task.

topic: two to five keywords of what the message is about, in its own words and language, at most
{MAX_TOPIC_CHARS} characters, joined by spaces; null if it has no content of its own ("ok", "继续").
variables: what the user states in this message and the task needs, such as destination, origin,
date, time, deadline, budget, amount, people, name, language, product, version, order_number.
Keys are English snake_case, values are copied as said. Nothing that is only asked, supposed,
denied, quoted, or said about somebody else. Empty if there is nothing.
emotion: how the user feels, one of {", ".join(EMOTIONS)}; neutral unless it is said.

你会读到用户发给助手的一条消息。topic 用消息自己的语言写二到五个关键词；没有实际内容就写 null。
variables 只记用户明确陈述的信息，键用英文，值照抄原话；提问、假设、否定、引用和别人的事都不记。

{DATA_NOTE}
"""
_KEY: Final = re.compile(r"[a-z][a-z0-9_]{0,39}")


@dataclass(frozen=True, slots=True)
class TurnAnalysis:
    """The topic of one message (None where the one before goes on), its variables, its emotion.

    `emotion` is one of `model.EMOTIONS`.
    """

    topic: str | None
    variables: Mapping[str, JsonValue]
    emotion: str


class Analyzer(Protocol):
    """Reads a user's message for the working memory, by rules or by a model."""

    def analyse(self, message: str, previous: WorkingMemory | None) -> TurnAnalysis:
        """The message, after what is known of the session; a model raises `ProviderError`."""
        ...


class RuleAnalyzer:
    """By rules, in Chinese and English: pure, under 0.15 ms for an ordinary message."""

    def analyse(self, message: str, previous: WorkingMemory | None) -> TurnAnalysis:
        """Topic, slots and emotion by their cues. Source: S3.1."""
        own = own_words(message)
        before = previous.current_topic if previous else None
        return TurnAnalysis(topic_of(own.text, before), slots_in(own), emotion_of(own.text))


class _Analysis(BaseModel):
    topic: str | None = None
    variables: dict[str, str | int | float | bool] = Field(default_factory=dict)
    emotion: str = "neutral"


class ModelAnalyzer:
    """By a model: finds what rules do not, and takes as long as the model takes."""

    def __init__(self, chat_model: ChatModel) -> None:
        self._chat_model = chat_model

    def analyse(self, message: str, previous: WorkingMemory | None) -> TurnAnalysis:
        """Topic, variables and emotion of `message`, cleaned and capped.

        Raises:
            ProviderError: no answer, or none that fits.
        """
        before = previous.current_topic if previous else None
        known = [("topic until now", before)] if before else []
        text = fenced([*known, ("user", message)], MAX_INPUT_TOKENS)
        found = self._chat_model.extract(_INSTRUCTIONS, text, _Analysis)
        emotion = found.emotion.strip().lower()
        return TurnAnalysis(
            topic=_topic(found.topic),
            variables=_variables(found.variables),
            emotion=emotion if emotion in EMOTIONS else "neutral",
        )


def _topic(topic: str | None) -> str | None:
    words = clean_text(topic or "").split()
    kept = ""
    for word in words:
        longer = f"{kept} {word}".strip()
        if len(longer) > MAX_TOPIC_CHARS:
            break
        kept = longer
    return kept or (words[0][:MAX_TOPIC_CHARS] if words else None)


def _variables(found: dict[str, str | int | float | bool]) -> dict[str, JsonValue]:
    kept: dict[str, JsonValue] = {}
    for name, value in found.items():
        key = re.sub(r"\W+", "_", name.strip().lower()).strip("_")
        if not _KEY.fullmatch(key) or len(kept) >= MAX_VARIABLES:
            continue
        if isinstance(value, str):
            value = " ".join(clean_text(value).split())[:MAX_VALUE_CHARS]
        if value != "":
            kept[key] = value
    return kept
