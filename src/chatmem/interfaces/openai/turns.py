"""What is kept of a chat request: the new turn, and once what was said before we were asked.

A client sends its whole history each time. A round of it is known when it stands in the session, or
has passed through here; everything before the last round that is known was seen then too, so that
what a user has forgotten since does not come back.

Source: S1.2, S2.4.1, S5.4.1, S5.5.1; interfaces.md (`POST /v1/chat/completions`).
"""

import hashlib
import logging
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, Final

from chatmem.chat.turn import CUT_MARK
from chatmem.engine.service import MemoryService
from chatmem.engine.turns import part_ids
from chatmem.errors import ChatmemError, SessionNotFoundError
from chatmem.interfaces.openai.conversation import BREAK, Round, Said
from chatmem.interfaces.openai.reply import Reply
from chatmem.model import Message, Role
from chatmem.model.time import utc_now
from chatmem.prompt.receipt import Receipt
from chatmem.text.clean import clean_text

_MOST_MARKS: Final = 100_000
_MOST_ROWS: Final = 1_000
_SPARE_ROWS: Final = 50
"""Rows looked at beside those that the client's history would have: answers that were replaced."""
_ID_CHARS: Final = 32
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Place:
    """Whose conversation it is, and which."""

    memory: MemoryService
    session_id: str

    def mark(self, before: str, user: str) -> str:
        """What a round is known by: the user's words and the answer before them."""
        parts = (self.memory.user_id, self.session_id, clean_text(before), clean_text(user))
        joined = "\x00".join(parts).encode("utf-8", "replace")
        return hashlib.sha256(joined).hexdigest()[:_ID_CHARS]


@dataclass(slots=True)
class Marks:
    """Rounds that have passed through here, the oldest go first; thread-safe.

    Those of requests that were not to be remembered are among them.
    """

    _known: OrderedDict[str, None] = field(default_factory=OrderedDict)
    _lock: Lock = field(default_factory=Lock)

    def add(self, marks: Iterable[str]) -> None:
        """These have been seen."""
        with self._lock:
            for mark in marks:
                self._known[mark] = None
                self._known.move_to_end(mark)
            while len(self._known) > _MOST_MARKS:
                self._known.popitem(last=False)

    def __contains__(self, mark: str) -> bool:
        with self._lock:
            return mark in self._known


@dataclass(frozen=True, slots=True)
class _Stored:
    """The newest rows of the session: who said what."""

    rows: Sequence[tuple[str, str]]

    def has(self, one: Round) -> bool:
        """True where both halves of the round stand there, the answer cut perhaps."""
        asked = {BREAK.join(one.user), one.user[-1]}
        users = any(role == "user" and text in asked for role, text in self.rows)
        return users and any(role == "assistant" and _same(text, one.assistant)
                             for role, text in self.rows)  # fmt: skip

    def ends_with(self, user: str, before: str) -> bool:
        """True where the last of the user's rows says this, and the client has let go of every
        answer to it: it asks once more.
        """  # noqa: D205
        answers: list[str] = []
        for role, text in reversed(self.rows):
            if role == "user":
                return text == user and not any(_same(one, before) for one in answers)
            answers.append(text)
        return False


def keep(place: Place, said: Said, reply: Reply, marks: Marks, most_tokens: int) -> None:
    """Save what is new of the conversation, and tell that the turn is over.

    Nothing is raised: the reply has gone out. What cannot be kept is in the log.
    """
    answer = said.answer(clean_text(reply.text))
    if not said.new or reply.calls_tools or not clean_text(reply.text):
        return  # with tool calls the turn goes on; without an answer there is none
    try:
        _keep(place, said, answer if reply.is_whole else answer + CUT_MARK, marks)
        _tell(place, said, reply, most_tokens)
    except (ChatmemError, OSError) as error:
        _log.warning("session %s: a turn was not saved (%s)", place.session_id,
                     type(error).__name__)  # fmt: skip


def put_receipt(place: Place, receipt: Receipt) -> None:
    """Keep the receipt of a request, so that it can be asked for; the log says where it cannot."""
    try:
        place.memory.receipts.put(receipt, place.session_id)
    except (ChatmemError, OSError) as error:
        _log.warning("session %s: no receipt was kept (%s)", place.session_id, type(error).__name__)


def pass_over(place: Place, said: Said, marks: Marks) -> None:
    """Remember not to take this turn from a later request's history; the log says where it cannot.

    Nothing of it is kept but a hash.
    """
    if not said.new:
        return
    mark = place.mark(said.before, BREAK.join(said.new))
    marks.add([mark])
    try:
        place.memory.leave_out_messages([part for part in part_ids(_source(mark)) if part])
    except (ChatmemError, OSError) as error:
        _log.warning("session %s: a turn that is not to be remembered was not noted (%s)",
                     place.session_id, type(error).__name__)  # fmt: skip


def _keep(place: Place, said: Said, answer: str, marks: Marks) -> None:
    stored = _stored(place, said)
    _keep_history(place, said.rounds, stored, marks)
    user = BREAK.join(_unsaid(said.new, stored))
    if stored.ends_with(user, said.before):
        _event(place, "message", {"role": "assistant", "content": answer})
    else:
        mark = place.mark(said.before, BREAK.join(said.new))
        place.memory.save_conversation_turn(user, answer, place.session_id, source_id=_source(mark))
    marks.add(place.mark(said.before, text) for text in {user, BREAK.join(said.new)})


def _keep_history(place: Place, rounds: Sequence[Round], stored: _Stored, marks: Marks) -> None:
    """Save rounds behind the last one that is known, each once."""
    befores = ["", *(one.assistant for one in rounds)]
    known_by = [
        place.mark(before, BREAK.join(one.user))
        for before, one in zip(befores, rounds, strict=False)
    ]
    unseen = len(rounds)
    while unseen and not (known_by[unseen - 1] in marks or stored.has(rounds[unseen - 1])):
        unseen -= 1
    moment = utc_now()
    messages: list[Message] = []
    for one, mark in zip(rounds[unseen:], known_by[unseen:], strict=True):
        if _is_seen(place, mark):
            continue
        texts: tuple[tuple[Role, str], ...] = (
            ("user", BREAK.join(one.user)),
            ("assistant", one.assistant),
        )
        for (role, text), part in zip(texts, part_ids(_source(mark)), strict=True):
            messages.append(
                Message(
                    role=role,
                    content=text,
                    session_id=place.session_id,
                    timestamp=moment,
                    source_id=part,
                )
            )
    if messages:
        place.memory.save_messages(messages)
    marks.add(known_by)


def _source(mark: str) -> str:
    """What the messages of a round are known by in the store, for good."""
    return f"chat-{mark}"


def _event(place: Place, kind: str, data: Mapping[str, Any]) -> None:
    place.memory.handle_event({"type": kind, "session_id": place.session_id, "data": data})


def _is_seen(place: Place, mark: str) -> bool:
    """True for a round that was kept or seen before this process began; from now on it is."""
    event = {"type": "turn_end", "session_id": place.session_id, "id": mark}
    return place.memory.handle_event(event).is_duplicate


def _tell(place: Place, said: Said, reply: Reply, most_tokens: int) -> None:
    """Tokens where the server counts them, and the turn's end. Source: S5.4.1, S5.5.1."""
    if reply.usage is not None:
        used = reply.usage.prompt_tokens + reply.usage.completion_tokens
        _event(place, "usage", {"currentTokens": used, "tokenLimit": most_tokens})
    if _is_seen(place, place.mark(said.before, BREAK.join(said.new))):  # answered once more
        _event(place, "turn_end", {})


def _stored(place: Place, said: Said) -> _Stored:
    limit = min(_MOST_ROWS, 2 * len(said.rounds) + _SPARE_ROWS)
    try:
        rows = place.memory.sessions.messages(place.session_id, limit)
    except SessionNotFoundError:
        return _Stored(())
    return _Stored([(one.role, one.content) for one in rows])


def _unsaid(new: Sequence[str], stored: _Stored) -> Sequence[str]:
    """The new messages without those before the last that were saved with an answer of old.

    A client lets go of an answer that broke off, and sends the message before it again.
    """
    said = {text for role, text in stored.rows if role == "user"}
    return [*(text for text in new[:-1] if text not in said), new[-1]]


def _same(stored: str, told: str) -> bool:
    """True where the answer is the stored one, or what came of one that broke off."""
    if stored == told:
        return True
    if not told or not stored.endswith(CUT_MARK):
        return False
    begun = stored.removesuffix(CUT_MARK)
    return told.startswith(begun) or begun.startswith(told)
