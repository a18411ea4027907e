"""What things are: frozen values without I/O."""

from chatmem.model.capability import Missing
from chatmem.model.history import Action, HistoryEntry
from chatmem.model.hit import Hit, Parts, SearchResults
from chatmem.model.memory import (
    CATEGORIES,
    KINDS,
    MEMORY_TYPES,
    SOURCES,
    VISIBILITIES,
    AtomicMemoryRecord,
    Category,
    Kind,
    MemoryType,
    Source,
    Visibility,
)
from chatmem.model.page import Page
from chatmem.model.turn import Message, Role, SavedMessage, SavedTurn

__all__ = [
    "CATEGORIES",
    "KINDS",
    "MEMORY_TYPES",
    "SOURCES",
    "VISIBILITIES",
    "Action",
    "AtomicMemoryRecord",
    "Category",
    "HistoryEntry",
    "Hit",
    "Kind",
    "MemoryType",
    "Message",
    "Missing",
    "Page",
    "Parts",
    "Role",
    "SavedMessage",
    "SavedTurn",
    "SearchResults",
    "Source",
    "Visibility",
]
