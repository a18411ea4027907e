"""What things are: frozen values without I/O."""

<<<<<<< HEAD
from chatmem.model.memory import CATEGORIES as CATEGORIES
from chatmem.model.memory import KINDS as KINDS
from chatmem.model.memory import MEMORY_TYPES as MEMORY_TYPES
from chatmem.model.memory import SOURCES as SOURCES
from chatmem.model.memory import VISIBILITIES as VISIBILITIES
from chatmem.model.memory import Action as Action
from chatmem.model.memory import AtomicMemoryRecord as AtomicMemoryRecord
from chatmem.model.memory import Category as Category
from chatmem.model.memory import HistoryEntry as HistoryEntry
from chatmem.model.memory import Kind as Kind
from chatmem.model.memory import MemoryType as MemoryType
from chatmem.model.memory import ScoreInputs as ScoreInputs
from chatmem.model.memory import Source as Source
from chatmem.model.memory import Visibility as Visibility
from chatmem.model.people import ANY_TAG as ANY_TAG
from chatmem.model.people import CIRCLE_KINDS as CIRCLE_KINDS
from chatmem.model.people import EFFECTS as EFFECTS
from chatmem.model.people import PROFILES as PROFILES
from chatmem.model.people import Circle as Circle
from chatmem.model.people import CircleKind as CircleKind
from chatmem.model.people import Effect as Effect
from chatmem.model.people import Invitation as Invitation
from chatmem.model.people import Member as Member
from chatmem.model.people import ProfileDocument as ProfileDocument
from chatmem.model.people import ProfileName as ProfileName
from chatmem.model.people import RoleRule as RoleRule
from chatmem.model.search import MEMORY_SORTS as MEMORY_SORTS
from chatmem.model.search import MEMORY_STATES as MEMORY_STATES
from chatmem.model.search import GrowthDay as GrowthDay
from chatmem.model.search import Hit as Hit
from chatmem.model.search import MemoryFilter as MemoryFilter
from chatmem.model.search import MemorySort as MemorySort
from chatmem.model.search import MemoryState as MemoryState
from chatmem.model.search import Missing as Missing
from chatmem.model.search import Page as Page
from chatmem.model.search import Parts as Parts
from chatmem.model.search import SearchResults as SearchResults
from chatmem.model.session import EMOTIONS as EMOTIONS
from chatmem.model.session import ImportFormat as ImportFormat
from chatmem.model.session import JobReport as JobReport
from chatmem.model.session import JobState as JobState
from chatmem.model.session import Message as Message
from chatmem.model.session import Role as Role
from chatmem.model.session import SavedMessage as SavedMessage
from chatmem.model.session import SavedTurn as SavedTurn
from chatmem.model.session import Session as Session
from chatmem.model.session import SessionSummary as SessionSummary
from chatmem.model.session import WorkingMemory as WorkingMemory
=======
from chatmem.model.memory import (
    CATEGORIES,
    KINDS,
    MEMORY_TYPES,
    SOURCES,
    VISIBILITIES,
    Action,
    AtomicMemoryRecord,
    Category,
    HistoryEntry,
    Kind,
    MemoryType,
    ScoreInputs,
    Source,
    Visibility,
)
from chatmem.model.people import (
    ANY_TAG,
    CIRCLE_KINDS,
    EFFECTS,
    PROFILES,
    Circle,
    CircleKind,
    DocumentText,
    Effect,
    Invitation,
    Member,
    ProfileName,
    RoleRule,
)
from chatmem.model.search import (
    MEMORY_SORTS,
    MEMORY_STATES,
    GrowthDay,
    Hit,
    MemoryFilter,
    MemorySort,
    MemoryState,
    Missing,
    Page,
    Parts,
    SearchResults,
)
from chatmem.model.session import (
    EMOTIONS,
    ImportFormat,
    JobReport,
    JobState,
    Message,
    Role,
    SavedMessage,
    SavedTurn,
    Session,
    SessionSummary,
    WorkingMemory,
)

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
    "DocumentText",
    "Effect",
    "GrowthDay",
    "HistoryEntry",
    "Hit",
    "ImportFormat",
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
    "ProfileName",
    "Role",
    "RoleRule",
    "SavedMessage",
    "SavedTurn",
    "ScoreInputs",
    "SearchResults",
    "Session",
    "SessionSummary",
    "Source",
    "Visibility",
    "WorkingMemory",
]
>>>>>>> engine16
