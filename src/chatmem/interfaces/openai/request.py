"""A chat request: its conversation, its session, and what goes on, with memory added.

Clients send the whole history each time, in many forms: content as text or parts, tool calls and
their results between two answers, several messages of one role in a row.

Source: interfaces.md (`POST /v1/chat/completions`); S4.1; decisions 5.
"""

import hashlib
import json
import logging
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile
from typing import Any, Final

from chatmem.engine.checks import checked_text
from chatmem.engine.context import ChatContextBuilder
from chatmem.engine.importing.conversations import content_text
from chatmem.engine.service import MemoryService
from chatmem.errors import ChatmemError, InvalidInputError
from chatmem.prompt.compose import Prompt
from chatmem.prompt.receipt import HOUSEHOLD, MEMORY_SECTIONS, PROFILE
from chatmem.text.clean import clean_text
from chatmem.text.thoughts import without_thoughts

OWN_MODEL: Final = "chatmem"
"""As a model's name: the one that is configured."""
BREAK: Final = "\n\n"
"""Between two messages of one role in a row, which are one here."""
_SYSTEM_ROLES: Final = ("system", "developer")
_DIGITS: Final = re.compile(r"\d+")
_SESSION_CHARS: Final = 24
_OF_MEMORY: Final = frozenset({HOUSEHOLD, PROFILE, *MEMORY_SECTIONS})
"""A prompt without any of these sections has nothing to add."""
_NO_LIMIT: Final = 10_000_000
_WINDOW_CHARS: Final = 200_000
"""Of the client's history, looked at so that memory does not say again what stands there."""
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Round:
    """What the user said, in one message or several, and what the assistant answered."""

    user: tuple[str, ...]
    assistant: str

    @property
    def question(self) -> str:
        """The user's messages as one."""
        return BREAK.join(self.user)


@dataclass(frozen=True, slots=True)
class Conversation:
    """A conversation up to the answer that is asked for: finished rounds, and new user messages.

    `begun` is what the assistant said after them already: before it called tools, or as the
    beginning of its answer, which then `is_prefix`.
    """

    rounds: tuple[Round, ...]
    new: tuple[str, ...]
    begun: str = ""
    is_prefix: bool = False

    @property
    def before(self) -> str:
        """The last answer before what is new, "" where there is none."""
        return self.rounds[-1].assistant if self.rounds else ""

    def answer(self, reply: str) -> str:
        """The whole answer, when the rest of it has come."""
        joint = "" if self.is_prefix else BREAK
        return joint.join(part for part in (self.begun, reply) if part.strip())

    def window(self) -> list[dict[str, str]]:
        """The newest rounds as `session_messages`, oldest first; `_WINDOW_CHARS` at most."""
        found: list[dict[str, str]] = []
        left = _WINDOW_CHARS
        for one in reversed(self.rounds):
            left -= len(one.question) + len(one.assistant)
            if left < 0:
                break
            found += [
                {"role": "assistant", "content": one.assistant},
                {"role": "user", "content": one.question},
            ]
        return found[::-1]


@dataclass(frozen=True)
class ChatRequest:
    """What a client asks for; `raw` are its bytes, `body` what they say, `messages` those in it."""

    raw: bytes
    body: Mapping[str, Any]
    messages: Sequence[Any]

    @cached_property
    def conversation(self) -> Conversation:
        """The conversation in its messages; what is no message is passed over."""
        turns: list[tuple[list[str], list[str]]] = []
        last: Mapping[str, Any] = {}
        for message in self.messages:
            if not isinstance(message, Mapping):
                continue
            role, text = message.get("role"), _text(message)
            if role in ("user", "assistant", "tool"):
                last = message
            if role == "user" and text:
                if not turns or turns[-1][1]:
                    turns.append(([], []))
                turns[-1][0].append(text)
            elif role == "assistant" and text and turns:  # a greeting before it answers nothing
                turns[-1][1].append(text)
        if not turns:
            return Conversation((), ())
        rounds = tuple(Round(tuple(user), BREAK.join(answers)) for user, answers in turns)
        earlier, current = rounds[:-1], rounds[-1]
        if last.get("role") != "user":
            is_prefix = last.get("role") == "assistant" and not last.get("tool_calls")
            return Conversation(earlier, current.user, current.assistant, is_prefix)
        if current.assistant:
            return Conversation(rounds, ())
        return Conversation(earlier, current.user)

    @property
    def system(self) -> list[Mapping[str, Any]]:
        """The system messages at the beginning."""
        return list(takewhile(_is_system, self.messages))

    @property
    def model(self) -> str | None:
        """The model that the client names; None where it leaves that to us."""
        name = self.body.get("model")
        return name if isinstance(name, str) and name.strip() not in ("", OWN_MODEL) else None

    def session(self, user_id: str) -> str:
        """The same for the same user and opening: the system's words and the first of the user's.

        Numbers in the system's words do not count: many clients write the time there.
        """
        system = [content_text(one.get("content")) for one in self.system]
        rounds = self.conversation.rounds
        opening = rounds[0].user if rounds else self.conversation.new
        parts = [
            user_id,
            str(self.body.get("user") or ""),
            _DIGITS.sub("0", "\n".join(system)),
            *opening[:1],
        ]
        joined = "\x00".join(parts).encode(errors="surrogatepass")
        return f"chat-{hashlib.sha256(joined).hexdigest()[:_SESSION_CHARS]}"

    def passed_on(self, configured: str | None, messages: Sequence[Any] | None = None) -> bytes:
        """The bytes for the model's server: the client's own where nothing had to be changed."""
        body = dict(self.body)
        if self.model is None:
            body["model"] = configured
        if messages is not None:
            body["messages"] = list(messages)
        # In ASCII: half a character can be carried by an escape alone.
        return self.raw if body == self.body else json.dumps(body).encode()


def read_request(raw: bytes) -> ChatRequest:
    """The request.

    Raises:
        InvalidInputError: no JSON object with a list of messages.
    """
    try:
        body = json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise InvalidInputError(f"the request's body is no JSON ({_reason(error)})") from error
    if not isinstance(body, dict):
        raise InvalidInputError(
            f'the request\'s body is {type(body).__name__}, takes {{"model", "messages"}}'
        )
    messages = body.get("messages")
    if not isinstance(messages, list) or not messages:
        raise InvalidInputError('messages: takes a list of {"role", "content"}, at least one')
    return ChatRequest(raw, body, messages)


def _is_system(message: object) -> bool:
    return isinstance(message, Mapping) and message.get("role") in _SYSTEM_ROLES


def _text(message: Mapping[str, Any]) -> str:
    """What it says; a client may send back what the model thought before its answer."""
    text = clean_text(content_text(message.get("content")))
    return without_thoughts(text) if message.get("role") == "assistant" else text


def _reason(error: Exception) -> str:
    """What is wrong with it, without quoting it."""
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg}, line {error.lineno} column {error.colno}"
    return "it is no UTF-8" if isinstance(error, UnicodeDecodeError) else "it cannot be read"


def add_memory(
    memory: MemoryService, request: ChatRequest, session_id: str
) -> tuple[list[Any] | None, Prompt | None]:
    """The messages with what is remembered, None where they stay as they are; and the prompt.

    Where memory cannot be used, the request goes on without it, and the log says why.

    Raises:
        InvalidInputError: the session has no name that can be read.
    """
    checked_text(session_id, "session_id")
    if not request.conversation.new:
        return None, None
    system = request.system
    texts: list[Any] = [one.get("content") for one in system]
    is_text = all(isinstance(one, str) for one in texts)
    try:
        composed = ChatContextBuilder(memory).build_messages(
            request.conversation.new[-1],
            session_id,
            base_system_prompt="\n\n".join(texts) if is_text else "",
            session_messages=request.conversation.window(),
            # The conversation is the client's: it decides how long that may be.
            budget={"total_tokens": _NO_LIMIT, "window_messages": _NO_LIMIT},
        )
    except (ChatmemError, OSError) as error:
        _log.warning("session %s: memory was not used (%s)", session_id, type(error).__name__)
        return None, None
    if not any(map(composed.prompt.sections.get, _OF_MEMORY)) or composed[0]["role"] != "system":
        return None, composed.prompt
    text = composed[0]["content"]
    if is_text:  # one message in place of the client's, whose words are in it
        added = [{**(system[0] if system else {"role": "system"}), "content": text}]
    else:
        added = _appended(system, text)
    return [*added, *request.messages[len(system) :]], composed.prompt


def _appended(system: Sequence[Mapping[str, Any]], text: str) -> list[dict[str, Any]]:
    """The client's own messages, the last with one part more: a server may have cached them."""
    last = dict(system[-1])
    parts = last.get("content")
    if isinstance(parts, str):
        parts = [{"type": "text", "text": parts}]
    own = list(parts) if isinstance(parts, list) else []
    last["content"] = [*own, {"type": "text", "text": text}]
    return [*map(dict, system[:-1]), last]
