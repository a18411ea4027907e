"""What a turn gives: the answer while it comes, and everything about it afterwards.

Source: S4.3; S1.2.
"""

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from typing import Any, Self

from chatmem.errors import InvalidInputError
from chatmem.model import AtomicMemoryRecord, Missing, SavedTurn
from chatmem.prompt.receipt import Receipt
from chatmem.providers.chat_deltas import ToolCall, Usage


@dataclass(frozen=True, slots=True)
class ToolRun:
    """A tool call that was carried out, and what the tool gave back."""

    name: str
    arguments: Any
    result: Any
    failed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatReply:
    """A finished turn.

    `text` is the answer as it was shown and saved. `message` is the user's, as the model got it.
    `saved` is None where the turn is not kept (memory switched off), or not yet: `tool_calls` are
    calls of tools that the caller runs itself, and with them the turn is not over. `memories` are
    those written by tools' `memory_writes` and by the answer's own `memory_update`. `finish_reason`
    is the server's: `length` for an answer that met a limit. `usage` counts all requests of the
    turn; None where the server does not say. `problems` did not keep the turn from being finished.
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
    tool_calls: tuple[ToolCall, ...] = ()
    memories: tuple[AtomicMemoryRecord, ...] = ()
    problems: tuple[str, ...] = ()


class ChatStream(Iterator[str]):
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

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
