"""What is saved of a chat request: the new turn, and once the rounds before the first request.

The answer is read from the bytes that were passed on. A client sends its whole history each time:
a round of it is known when it stands in the session, or has passed through here; everything before
the last round that is known was seen then too, so that what a user has forgotten since does not
come back.

Source: S1.2, S2.4.1, S5.4.1, S5.5.1; interfaces.md (`POST /v1/chat/completions`).
"""

import hashlib
import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, TypeAlias

from chatmem.chat.turn import CUT_MARK, usage_data
from chatmem.engine.service import MemoryService
from chatmem.engine.sessions.turns import part_ids
from chatmem.errors import ChatmemError, MalformedAnswerError, ModelUnavailableError
from chatmem.interfaces.openai.request import BREAK, Conversation, Round
from chatmem.model import Message
from chatmem.model.time import utc_now
from chatmem.prompt.compose import Prompt
from chatmem.providers.openai_client import Delta, deltas_of
from chatmem.text.clean import clean_text
from chatmem.text.thoughts import without_thoughts

_CALLING: Final = ("tool_calls", "function_call")
_MOST_ROWS: Final = 1_000
_SPARE_ROWS: Final = 50
"""Rows looked at beside those that the client's history would have: answers that were replaced."""
_ID_CHARS: Final = 32
_Rows: TypeAlias = Sequence[tuple[str, str]]
"""Of a session: role and text."""
_log = logging.getLogger(__name__)


@dataclass(slots=True)
class ProxiedTurn:
    """The turn of one request: whose it is, in which session, and what the client sent."""

    memory: MemoryService
    session_id: str
    conversation: Conversation
    remembers: bool = True
    prompt: Prompt | None = None

    def begin(self) -> None:
        """Store the receipt; or note that this turn is never to be taken from a later history.

        For that a hash of it is stored, no more.
        """
        if not self.remembers and self.conversation.new:
            with self._logged("a turn that is not to be remembered was not noted"):
                parts = part_ids(_source(self._new_mark()))
                self.memory.leave_out_messages([one for one in parts if one])
        elif self.prompt is not None:
            with self._logged("a receipt was not stored"):
                self.memory.receipts.put(self.prompt.receipt, self.session_id)

    def finish(self, answer: bytes, is_stream: bool) -> None:
        """Save what is new of the conversation, and raise the events of its end."""
        reply = _reply_in(answer, is_stream)
        text = clean_text(reply.text)
        calls_tools = reply.calls or reply.finish_reason in _CALLING
        if not self.conversation.new or calls_tools or not text:
            return  # with tool calls the turn goes on; without an answer there is none
        text = self.conversation.answer(text)
        with self._logged("a turn was not saved"):
            self._save(text if reply.finish_reason else text + CUT_MARK)
            # Tokens where the server counts them, and the turn's end. Source: S5.4.1, S5.5.1.
            if reply.usage is not None:
                limit_tokens = self.memory.settings.memory.prompt_max_tokens
                self._was_handled("usage", data=usage_data(reply.usage, limit_tokens))
            if self._was_handled("turn_end", id=self._new_mark()):  # answered once more
                self._was_handled("turn_end")

    @contextmanager
    def _logged(self, failure: str) -> Iterator[None]:
        """Raise nothing: the reply has gone out. What failed is in the log."""
        try:
            yield
        except (ChatmemError, OSError) as error:
            _log.warning("session %s: %s (%s)", self.session_id, failure, type(error).__name__)

    def _save(self, answer: str) -> None:
        new, before = self.conversation.new, self.conversation.before
        limit = min(_MOST_ROWS, 2 * len(self.conversation.rounds) + _SPARE_ROWS)
        newest = self.memory.sessions.window(self.session_id, limit)
        stored = [(one.role, one.content) for one in newest]
        self._save_history(stored)
        # A client lets go of an answer that broke off, and sends the message before it again.
        saved = {text for role, text in stored if role == "user"}
        user = BREAK.join([*(text for text in new[:-1] if text not in saved), new[-1]])
        if _ends_with(stored, user, before):
            self._was_handled("message", data={"role": "assistant", "content": answer})
        else:
            source = _source(self._new_mark())
            self.memory.save_conversation_turn(user, answer, self.session_id, source_id=source)

    def _save_history(self, stored: _Rows) -> None:
        """Save rounds behind the last one that is known."""
        rounds = self.conversation.rounds
        befores = ["", *(one.assistant for one in rounds)]
        marks = [
            self._mark(before, one.question) for before, one in zip(befores, rounds, strict=False)
        ]
        first = len(rounds)
        while first and not (
            _has(stored, rounds[first - 1]) or self._was_handled("turn_end", id=marks[first - 1])
        ):
            first -= 1
        said = partial(Message, session_id=self.session_id, timestamp=utc_now())
        messages: list[Message] = []
        for one, mark in zip(rounds[first:], marks[first:], strict=True):
            user, assistant = part_ids(_source(mark))
            messages.append(said(role="user", content=one.question, source_id=user))
            messages.append(said(role="assistant", content=one.assistant, source_id=assistant))
        if messages:
            self.memory.save_messages(messages)

    def _new_mark(self) -> str:
        return self._mark(self.conversation.before, BREAK.join(self.conversation.new))

    def _mark(self, before: str, user: str) -> str:
        """What a round is known by: the user's words and the answer before them."""
        parts = (self.memory.user_id, self.session_id, clean_text(before), clean_text(user))
        joined = "\x00".join(parts).encode("utf-8", "replace")
        return hashlib.sha256(joined).hexdigest()[:_ID_CHARS]

    def _was_handled(self, kind: str, **more: Any) -> bool:  # noqa: ANN401 - as events have it
        """True for an event whose id was handled before, by any process; from now on it is."""
        event = {"type": kind, "session_id": self.session_id, **more}
        return self.memory.handle_event(event).is_duplicate


def _has(rows: _Rows, one: Round) -> bool:
    """True where both halves of the round stand there, the answer cut perhaps."""
    asked = {one.question, one.user[-1]}
    users = any(role == "user" and text in asked for role, text in rows)
    return users and any(
        role == "assistant" and _is_same(text, one.assistant) for role, text in rows
    )


def _ends_with(rows: _Rows, user: str, before: str) -> bool:
    """True where the client asks once more: the user's last row, without an answer to it."""
    answers: list[str] = []
    for role, text in reversed(rows):
        if role == "user":
            return text == user and not any(_is_same(one, before) for one in answers)
        answers.append(text)
    return False


def _source(mark: str) -> str:
    """What the messages of a round are known by in the store, for good."""
    return f"chat-{mark}"


def _is_same(stored: str, sent: str) -> bool:
    """True where the answer is the stored one, or what came of one that broke off."""
    if stored == sent:
        return True
    if not sent or not stored.endswith(CUT_MARK):
        return False
    begun = stored.removesuffix(CUT_MARK)
    return sent.startswith(begun) or begun.startswith(sent)


def _reply_in(answer: bytes, is_stream: bool) -> Delta:
    """The first choice of an answer, without its thoughts; of a broken one, what can be read."""
    deltas: list[Delta] = []
    with suppress(MalformedAnswerError, ModelUnavailableError):
        deltas.extend(deltas_of([answer], is_stream=is_stream))  # what came before an error, if any
    return Delta(
        text=without_thoughts("".join(one.text for one in deltas)),
        calls=tuple(call for one in deltas for call in one.calls),
        finish_reason=next((one.finish_reason for one in deltas if one.finish_reason), None),
        usage=next((one.usage for one in reversed(deltas) if one.usage), None),
    )
