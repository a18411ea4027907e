"""What things are: frozen values without I/O."""

from chatmem.model.capability import Missing
from chatmem.model.filter import (
    MEMORY_SORTS,
    MEMORY_STATES,
    GrowthDay,
    MemoryFilter,
    MemorySort,
    MemoryState,
)
from chatmem.model.history import Action, HistoryEntry
from chatmem.model.hit import Hit, Parts, SearchResults
from chatmem.model.job import JobReport, JobState
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
    Standing,
    Visibility,
)
from chatmem.model.page import Page
from chatmem.model.people import (
    ANY_TAG,
    CIRCLE_KINDS,
    EFFECTS,
    Circle,
    CircleKind,
    Effect,
    Invitation,
    Member,
    RoleRule,
)
from chatmem.model.profile import PROFILES, ProfileDocument, ProfileName
from chatmem.model.session import EMOTIONS, Session, SessionSummary, WorkingMemory
from chatmem.model.turn import Message, Role, SavedMessage, SavedTurn

__all__ = [
    "ANY_TAG",
    "CATEGORIES",
    "CIRCLE_KINDS",
    "EFFECTS",
    "EMOTIONS",
    "KINDS",
    "MEMORY_SORTS",
    "MEMORY_STATES",
    "MEMORY_TYPES",
    "PROFILES",
    "SOURCES",
    "VISIBILITIES",
    "Action",
    "AtomicMemoryRecord",
    "Category",
    "Circle",
    "CircleKind",
    "Effect",
    "GrowthDay",
    "HistoryEntry",
    "Hit",
    "Invitation",
    "JobReport",
    "JobState",
    "Kind",
    "Member",
    "MemoryFilter",
    "MemorySort",
    "MemoryState",
    "MemoryType",
    "Message",
    "Missing",
    "Page",
    "Parts",
    "ProfileDocument",
    "ProfileName",
    "Role",
    "RoleRule",
    "SavedMessage",
    "SavedTurn",
    "SearchResults",
    "Session",
    "SessionSummary",
    "Source",
    "Standing",
    "Visibility",
    "WorkingMemory",
]
