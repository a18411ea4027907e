"""A turn while it runs: what it began with, and what it has come to."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from chatmem.chat.answer import AnswerReader
from chatmem.chat.shown import ShownText
from chatmem.chat.toolbox import Toolbox
from chatmem.engine.context import ContextMessages
from chatmem.model import AtomicMemoryRecord
from chatmem.providers.chat_deltas import Delta, ToolCall, Usage


@dataclass(slots=True, kw_only=True)
class Turn:
    """One message and its answer; `message` is the user's as the model gets it."""

    message: str
    session_id: str
    app_type: str
    remembers: bool
    prompt: ContextMessages
    box: Toolbox
    limit_tokens: int
    now: datetime | None = None
    shown: ShownText = field(default_factory=ShownText)
    updates: list[Mapping[str, Any]] = field(default_factory=list)
    memories: list[AtomicMemoryRecord] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    usages: list[Usage] = field(default_factory=list)
    tool_calls: list[ToolCall] = field(default_factory=list)
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
