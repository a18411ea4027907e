"""A turn: while it runs, and what it gives: the answer as it comes, and everything about it.

Source: S1.2, S3.2.1, S4.3, S4.3.2, S5.4.1, S5.5.1.
"""

from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Final

from chatmem.chat.answer import AnswerReader, ShownText, write_of
from chatmem.chat.tools import ToolRounds, ToolRun
from chatmem.engine.service import MemoryService
from chatmem.errors import ChatmemError, InvalidInputError, TurnNotSavedError
from chatmem.model import AtomicMemoryRecord, Missing, SavedTurn
from chatmem.model.memory import MemoryWrite
from chatmem.prompt.compose import ContextMessages
from chatmem.prompt.receipt import Receipt
from chatmem.providers.openai_client import Delta, Usage

CUT_MARK: Final = " […]"
"""Ends an answer that was saved without its end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatReply:
    """A finished turn.

    `text` is the answer as it was shown and saved. `message` is the user's, as the model got it.
    `saved` is None where memory is switched off. `memories` are those written by tools'
    `memory_writes` and by the answer's own `memory_update`. `finish_reason` is the server's:
    `length` for an answer that met a limit. `usage` counts all requests of the turn; None where the
    server does not say. `problems` did not keep the turn from being finished.
    """

    text: str
    message: str
    session_id: str
    model: str
    saved: SavedTurn | None
    receipt: Receipt
    missing: tuple[Missing, ...] = ()
    finish_reason: str = "stop"
    usage: Usage | None = None
    tool_runs: tuple[ToolRun, ...] = ()
    memories: tuple[AtomicMemoryRecord, ...] = ()
    problems: tuple[str, ...] = ()


class ChatStream(Iterator[str], AbstractContextManager["ChatStream"]):
    """The answer's pieces, as they come; `reply` has everything once they are all read.

    Left early (`close`, a `with` that ends, a `break` out of the loop and the last reference gone),
    what was shown until then is saved as a cut answer.
    """

    def __init__(self, pieces: Generator[str, None, ChatReply]) -> None:
        self._pieces = pieces
        self._reply: ChatReply | None = None

    @property
    def reply(self) -> ChatReply:
        """The finished turn.

        Raises:
            InvalidInputError: the pieces are not all read, or reading them failed.
        """
        if self._reply is None:
            raise InvalidInputError("reply: not finished; read the stream to its end first")
        return self._reply

    def __next__(self) -> str:
        """The next piece.

        Raises:
            ChatError: no answer, or not the whole of it; says whether the turn was saved.
        """
        try:
            return next(self._pieces)
        except StopIteration as ended:
            self._reply = ended.value or self._reply
            raise

    def close(self) -> None:
        """Ask for no more."""
        self._pieces.close()

    def __exit__(self, *_: object) -> None:
        self.close()


@dataclass(slots=True, kw_only=True)
class ChatTurn:
    """One message and its answer; `message` is the user's as the model gets it."""

    memory: MemoryService
    message: str
    session_id: str
    app_type: str
    remembers: bool
    prompt: ContextMessages
    rounds: ToolRounds
    limit_tokens: int
    now: datetime | None = None
    shown: ShownText = field(default_factory=ShownText)
    updates: list[Mapping[str, Any]] = field(default_factory=list)
    memories: list[AtomicMemoryRecord] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    usages: list[Usage] = field(default_factory=list)
    finish_reason: str = "stop"

    def note(self, delta: Delta) -> None:
        """What an event says about the request."""
        self.finish_reason = delta.finish_reason or self.finish_reason
        if delta.usage is not None:
            self.usages.append(delta.usage)

    def show(self, reader: AnswerReader, piece: str) -> str:
        """What is shown of a piece that was read."""
        if reader.took_back:
            self.shown.take_back()
        return self.shown.show(piece)

    def note_updates(self, reader: AnswerReader) -> None:
        """What one answer of the model says about memory."""
        self.updates += reader.updates
        if reader.unreadable:
            self.problems.append("a memory_update was no JSON, and is not remembered")

    def write(self, writes: Sequence[MemoryWrite | Mapping[str, Any]]) -> None:
        """Hand writes to the memory, which settles them against what it knows; the session's own.

        Each by itself: one that does not fit keeps no other from being written. With memory
        switched off, nothing is. Source: S4.3.2.
        """
        if not self.remembers or not self.memory.settings.memory.enabled:
            return
        for write in writes:
            try:
                self.memories += self.memory.apply_writes(
                    [self._own(write)], now=self.now, source="inferred"
                )
            except (ChatmemError, OSError) as error:
                self.problems.append(f"not remembered: {error}")

    def save(self) -> SavedTurn | None:
        """Save the finished turn and what its answer wants remembered; None with memory off.

        Raises:
            TurnNotSavedError: it cannot be written.

        Source: S3.2.1.
        """
        saved = self._save(self.shown.text)
        self.write([write for update in self.updates if (write := write_of(update)) is not None])
        self._raise_events(saved)
        return saved

    def save_cut(self) -> bool:
        """True when there was something to save of an answer that broke off, and it is saved.

        Its `memory_update` is not obeyed: it is not known what else it would have said.
        """
        if not self.shown.text:
            return False
        try:
            saved = self._save(self.shown.text + CUT_MARK)
        except TurnNotSavedError:
            return False
        self._raise_events(saved)
        return saved is not None

    def reply(self, model: str, saved: SavedTurn | None) -> ChatReply:
        """Everything about the turn."""
        prompts = sum(one.prompt_tokens for one in self.usages)
        answers = sum(one.completion_tokens for one in self.usages)
        return ChatReply(
            text=self.shown.text,
            message=self.message,
            session_id=self.session_id,
            model=model,
            saved=saved,
            receipt=self.prompt.receipt,
            missing=self.prompt.missing,
            finish_reason=self.finish_reason,
            usage=Usage(prompts, answers) if self.usages else None,
            tool_runs=tuple(self.rounds.runs),
            memories=tuple(self.memories),
            problems=tuple(self.problems),
        )

    def _save(self, text: str) -> SavedTurn | None:
        if not self.remembers:
            return None
        try:
            return self.memory.save_conversation_turn(
                self.message, text, self.session_id, self.app_type, now=self.now
            )
        except (ChatmemError, OSError) as error:
            raise TurnNotSavedError(f"the answer is there, but {error}", text=text) from error

    def _raise_events(self, saved: SavedTurn | None) -> None:
        """Tokens used, if the server counts them, and the turn's end: the worker does the rest."""
        if saved is None:
            return
        events: list[tuple[str, dict[str, Any]]] = [("turn_end", {})]
        if self.usages:
            events.insert(0, ("usage", usage_data(self.usages[-1], self.limit_tokens)))
        for kind, data in events:
            event = {"type": kind, "data": data, "session_id": self.session_id}
            try:
                self.memory.handle_event(event, now=self.now)
            except (ChatmemError, OSError) as error:
                self.problems.append(f"event {kind}: {error}")

    def _own(self, write: object) -> Any:  # noqa: ANN401 - as a tool gave it
        """The write with this session; what is no write, memory itself refuses."""
        if isinstance(write, MemoryWrite):
            return replace(write, session_id=write.session_id or self.session_id)
        if not isinstance(write, Mapping) or write.get("sessionId"):
            return write
        return {**write, "session_id": write.get("session_id") or self.session_id}


def usage_data(usage: Usage, limit_tokens: int) -> dict[str, int]:
    """The data of a `usage` event: tokens in the context, and how many it may have."""
    used = usage.prompt_tokens + usage.completion_tokens
    return {"currentTokens": used, "tokenLimit": limit_tokens}
