"""The conversation that a client sends along each time, read as rounds of user and assistant.

Clients keep histories in many forms: content as text or parts, tool calls and their results between
two answers, several messages of one role in a row. Here that is `Said`: what is new, and the rounds
before it, as texts. Nothing of a request is changed by reading it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from chatmem.engine.importing.openai_messages import content_text
from chatmem.text.clean import clean_text
from chatmem.text.thoughts import without_thoughts

SYSTEM_ROLES: Final = ("system", "developer")
BREAK: Final = "\n\n"
"""Between two messages of one role in a row, which are one here."""


@dataclass(frozen=True, slots=True)
class Round:
    """What the user said, in one message or several, and what the assistant answered."""

    user: tuple[str, ...]
    assistant: str


@dataclass(frozen=True, slots=True)
class Said:
    """A conversation up to the answer that is asked for.

    `rounds` are finished ones, oldest first. `new` are the user's messages since; empty where
    there is none. `begun` is what the assistant said after them already: before it called tools,
    or as the beginning of its answer, which then `is_prefix`.
    """

    rounds: tuple[Round, ...]
    new: tuple[str, ...]
    begun: str = ""
    is_prefix: bool = False

    @property
    def message(self) -> str | None:
        """The user's last message, None where there is none."""
        return self.new[-1] if self.new else None

    @property
    def before(self) -> str:
        """The last answer before what is new, "" where there is none."""
        return self.rounds[-1].assistant if self.rounds else ""

    def answer(self, reply: str) -> str:
        """The whole answer, when the rest of it has come."""
        joint = "" if self.is_prefix else BREAK
        return joint.join(part for part in (self.begun, reply) if part.strip())


def read_said(messages: Sequence[Any]) -> Said:
    """The conversation in a request's messages; what is no message is passed over."""
    turns: list[tuple[list[str], list[str]]] = []
    last: Mapping[str, Any] = {}
    for message in messages:
        if not isinstance(message, Mapping):
            continue
        role, text = message.get("role"), _text(message)
        if role in ("user", "assistant"):
            last = message
        if role == "user" and text:
            if not turns or turns[-1][1]:
                turns.append(([], []))
            turns[-1][0].append(text)
        elif role == "assistant" and text and turns:  # a greeting before it answers nothing
            turns[-1][1].append(text)
        elif role == "tool":
            last = message
    if not turns:
        return Said((), ())
    rounds = tuple(Round(tuple(user), BREAK.join(answers)) for user, answers in turns)
    if last.get("role") == "user":
        open_round = not turns[-1][1]
        return Said(rounds[:-1], rounds[-1].user) if open_round else Said(rounds, ())
    finished = last.get("role") == "assistant" and not last.get("tool_calls")
    current = rounds[-1]
    return Said(rounds[:-1], current.user, current.assistant, is_prefix=finished)


def _text(message: Mapping[str, Any]) -> str:
    """What it says; a client may send back what the model thought before its answer."""
    text = clean_text(content_text(message.get("content")))
    return without_thoughts(text) if message.get("role") == "assistant" else text


def window_of(said: Said, most_chars: int) -> list[dict[str, str]]:
    """The newest rounds as `session_messages`, oldest first, with at most so many characters."""
    found: list[dict[str, str]] = []
    left = most_chars
    for one in reversed(said.rounds):
        user = BREAK.join(one.user)
        left -= len(user) + len(one.assistant)
        if left < 0:
            break
        found += [
            {"role": "assistant", "content": one.assistant},
            {"role": "user", "content": user},
        ]
    return found[::-1]


def leading_system(messages: Sequence[Any]) -> list[Mapping[str, Any]]:
    """The system messages at the beginning."""
    found: list[Mapping[str, Any]] = []
    for message in messages:
        if not isinstance(message, Mapping) or message.get("role") not in SYSTEM_ROLES:
            break
        found.append(message)
    return found
