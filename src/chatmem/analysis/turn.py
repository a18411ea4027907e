"""What a message tells about the running task: its topic, its slots, the writer's mood.

Source: S3.1 (current_topic, context_variables, last_emotion).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from chatmem.analysis.emotion import emotion_of
from chatmem.analysis.own_words import own_words
from chatmem.analysis.slots import slots_in
from chatmem.analysis.topic import topic_of
from chatmem.model import WorkingMemory
from chatmem.model.memory import JsonValue


@dataclass(frozen=True, slots=True)
class TurnAnalysis:
    """What one message tells.

    `topic` is None where the message has none of its own and the one before it goes on;
    `variables` are only those that this message states; `emotion` is one of `model.EMOTIONS`.
    """

    topic: str | None
    variables: Mapping[str, JsonValue]
    emotion: str


class Analyzer(Protocol):
    """Reads a user's message for the working memory."""

    def analyse(self, message: str, previous: WorkingMemory | None) -> TurnAnalysis:
        """What `message` tells, after what is known of the session.

        Raises:
            ProviderError: a model was asked and failed.
        """
        ...


class RuleAnalyzer:
    """By rules, in Chinese and English: pure, under 0.15 ms for an ordinary message."""

    def analyse(self, message: str, previous: WorkingMemory | None) -> TurnAnalysis:
        """Topic, slots and emotion by their cues. Source: S3.1."""
        own = own_words(message)
        before = previous.current_topic if previous else None
        return TurnAnalysis(topic_of(own.text, before), slots_in(own), emotion_of(own.text))
