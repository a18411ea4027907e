"""What a tool gives back: an answer for the model, and what is worth remembering of it.

Source: S4.3.2.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from chatmem.model.memory import JsonValue, MemoryWrite


@dataclass(frozen=True, slots=True)
class ToolExecutionResult:
    """The result of one tool call.

    `content` is what the model reads, anything that JSON can carry. `memory_writes` are what
    `MemoryService.apply_writes` takes. `failed` is True where the call did not do its work; the
    content says why.
    """

    content: JsonValue
    memory_writes: Sequence[MemoryWrite | Mapping[str, Any]] = ()
    failed: bool = False
