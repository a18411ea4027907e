"""Memory for chat applications and agents.

    from chatmem import MemoryService

    with MemoryService.open("data") as memory:
        memory.append_memory("Likes oolong tea", "preference")
        for hit in memory.get_relevant_memories("what should I drink?"):
            print(hit.score, hit.memory.content)

Names are loaded when first used: `chatmem --help` has no need of numpy.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from chatmem.agent.controller import AgentController
    from chatmem.chat.pipeline import ChatPipeline
    from chatmem.config import Settings
    from chatmem.engine.context import ChatContextBuilder, PromptComposer
    from chatmem.engine.service import AsyncMemoryService, MemoryService
    from chatmem.engine.sessions.events import HandledEvent
    from chatmem.errors import ChatmemError
    from chatmem.model import (
        AtomicMemoryRecord,
        HistoryEntry,
        Hit,
        Message,
        Missing,
        Parts,
        SavedTurn,
        SearchResults,
    )
    from chatmem.model.memory import MemoryWrite, ToolExecutionResult

__version__ = "0.1.0"

__all__ = [
    "AgentController",
    "AsyncMemoryService",
    "AtomicMemoryRecord",
    "ChatContextBuilder",
    "ChatPipeline",
    "ChatmemError",
    "HandledEvent",
    "HistoryEntry",
    "Hit",
    "MemoryService",
    "MemoryWrite",
    "Message",
    "Missing",
    "Parts",
    "PromptComposer",
    "SavedTurn",
    "SearchResults",
    "Settings",
    "ToolExecutionResult",
    "__version__",
]

_HOMES = {"Settings": "chatmem.config", "MemoryService": "chatmem.engine.service"} | {
    "AgentController": "chatmem.agent.controller",
    "AsyncMemoryService": "chatmem.engine.service",
    "ChatPipeline": "chatmem.chat.pipeline",
    "HandledEvent": "chatmem.engine.sessions.events",
    "MemoryWrite": "chatmem.model.memory",
    "ToolExecutionResult": "chatmem.model.memory",
    "ChatmemError": "chatmem.errors",
    "ChatContextBuilder": "chatmem.engine.context",
    "PromptComposer": "chatmem.engine.context",
}


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES.get(name, "chatmem.model")), name)
