"""What a client gets; most are classes of the core, taken over by `columns_of`.

Source: S3.1, S5.8.2, S5.8.3; interfaces.md (REST).
"""

import datetime
from typing import Annotated, Final, Literal, TypeAlias

from pydantic import AliasPath, BaseModel, Field, JsonValue
from pydantic.alias_generators import to_camel

from chatmem import __version__, model
from chatmem.config import MemorySettings
from chatmem.engine.diagnosis import Stats
from chatmem.engine.sessions.events import HandledEvent
from chatmem.engine.sessions.forget import Proof
from chatmem.extraction.redact import KINDS, masked_kinds
from chatmem.interfaces.rest import wire
from chatmem.interfaces.rest.wire import Moment, PageBody, ResponseBody, columns_of
from chatmem.model.people import UserCounts
from chatmem.prompt import receipt
from chatmem.storage.values import StoredMessage


@columns_of(model.AtomicMemoryRecord)
class Memory(ResponseBody):
    """A memory, with every column."""

    user_id: str = Field(description="Whose memory it is: others may share theirs.")
    timestamp: Moment = Field(description="When it happened.")
    create_time: Moment = Field(description="When it was stored.")
    role: str | None = Field(description="Who said it, of a turn of a conversation.")
    key: str | None = Field(description="What it tells, where that has one value at a time.")
    value: JsonValue
    confidence: float = Field(ge=0, le=1)
    importance: int = Field(ge=1, le=5, description="3 is neutral.")
    valid_to: Moment | None = Field(description="Since when a newer memory holds in its place.")
    document: str | None = Field(description="The Markdown file that holds it; null for a turn.")
    masked: list[str] = Field(
        default_factory=lambda written: list(masked_kinds(written["content"])),
        description="Kinds of secrets that were masked in its text when it was written: "
        + ", ".join(KINDS),
    )


class RestoredMemory(Memory):
    """A memory whose last change is undone."""

    other: Memory | None = Field(
        description="The one that had taken its place, as it is now: valid too, or out of date."
    )


class MemoryPage(PageBody[Memory]):
    """A page of memories, newest first."""


NOT_PURGED: Final = Field(
    None, description="There, and false, while another program's reading keeps words in a log."
)


@columns_of(Proof)
class DeletionProof(ResponseBody):
    """Where was looked for what is left, files or columns of tables; what of it was `found`."""


class Deleted(ResponseBody):
    """A memory is gone for good; `removed` and `proof` with `?prove=true`."""

    deleted: bool = True
    id: str
    purged: bool | None = NOT_PURGED
    removed: dict[str, int] | None = None
    proof: DeletionProof | None = None


class DeletedCount(ResponseBody):
    """How many memories are gone for good."""

    deleted: int = Field(ge=0)
    purged: bool | None = NOT_PURGED


@columns_of(model.HistoryEntry)
class HistoryStep(ResponseBody, title="Step"):
    """One change of a memory; `before` is null for the first."""

    before: Memory | None
    after: Memory


class History(ResponseBody):
    """What happened to a memory, oldest first."""

    items: list[HistoryStep]
    total: int = Field(ge=0)


class MissingCapability(ResponseBody):
    """Something that could not be used, and why."""

    what: str = Field(examples=["embedder"])
    why: str = Field(examples=["none is configured; keywords only"])


@columns_of(model.Parts)
class HitParts(ResponseBody):
    """Why a memory scored as it did; null for what does not apply."""


class SearchHit(ResponseBody):
    """A memory that matched."""

    id: str = Field(validation_alias=AliasPath("memory", "id"))
    content: str = Field(validation_alias=AliasPath("memory", "content"))
    score: float = Field(ge=0, description="Relevance, 1 at most.")
    parts: HitParts
    memory_type: model.MemoryType = Field(validation_alias=AliasPath("memory", "memory_type"))
    kind: model.Kind | None = Field(validation_alias=AliasPath("memory", "kind"))
    session_id: str | None = Field(validation_alias=AliasPath("memory", "session_id"))
    timestamp: Moment = Field(validation_alias=AliasPath("memory", "timestamp"))


class SearchAnswer(ResponseBody):
    """What matched, best first, and what could not be used to find it."""

    results: list[SearchHit] = Field(validation_alias="hits")
    missing: list[MissingCapability]
    nearest: list[SearchHit] = Field(description="Where nothing speaks of it, what comes nearest.")


@columns_of(Stats, without=("users", "database", "backend"))
class StatsAnswer(ResponseBody):
    """Counts of this user, and how the place is."""

    waiting_for_vectors: int = Field(description="Memories of the whole place without a vector.")
    waiting_jobs: int = Field(description="Background work of the whole place.")
    missing: list[MissingCapability]


@columns_of(model.DocumentText)
class DocumentAnswer(ResponseBody, title="Document"):
    """A document as it stands, comments included; `etag` is for `If-Match`."""

    content: str = Field(
        description="Empty where nobody has written it yet.",
        examples=["# Memory\n\n## Facts\n\n- Lives in Berlin\n"],
    )
    etag: str = Field(description="Empty where nobody has written it yet.")


class DailyLog(DocumentAnswer, title="DailyLog"):
    """The log of a day as it stands; empty where there is none."""

    date: datetime.date


class DailyDays(PageBody[datetime.date]):
    """A page of the days that have a log, the latest first."""


@columns_of(model.WorkingMemory)
class WorkingState(ResponseBody):
    """What a running session is about."""

    context_variables: dict[str, JsonValue]


class NewSession(ResponseBody):
    """A session that has begun."""

    session_id: str


@columns_of(model.Session)
class ListedSession(ResponseBody):
    """A session as it is listed; `ended_at` is null while it runs."""


class SessionPage(PageBody[ListedSession]):
    """A page of sessions, the one that was active last first."""


@columns_of(StoredMessage)
class SaidMessage(ResponseBody):
    """A message as it was said; `memory_id` is the memory with its words."""


class MessagePage(PageBody[SaidMessage]):
    """A page of a session's messages, oldest first."""


@columns_of(model.SavedMessage)
class SavedRow(ResponseBody):
    """The memory that a message became; `duplicate` when an equal one stood there already."""


class SavedTurnAnswer(ResponseBody):
    """The two rows of a turn, by id, and which of them were there already."""

    session_id: str
    ids: list[str] = Field(description="The user's row, then the assistant's.")
    duplicates: list[str] = Field(description="Ids of those that were there already.")
    user: SavedRow
    assistant: SavedRow


@columns_of(HandledEvent)
class EventAnswer(ResponseBody):
    """What followed from an event."""

    asked_for: list[str] = Field(description="Kinds of background work that it asked for.")
    memory_ids: list[str] = Field(description="Memories that it wrote.")


@columns_of(receipt.ReceiptSection)
class ReceiptPart(ResponseBody, title="ReceiptSection"):
    """A part of the prompt: its tokens, and the ids of the memories in it."""


@columns_of(receipt.LeftOut)
class ReceiptOmission(ResponseBody, title="LeftOut"):
    """Something that is not in the prompt, or only in part, and the reason."""


@columns_of(receipt.Receipt)
class ReceiptAnswer(ResponseBody):
    """What went into a prompt, by section, and what was left out and why."""

    sections: list[ReceiptPart]
    left_out: list[ReceiptOmission]


class PromptMessage(ResponseBody):
    """A message for a chat model."""

    role: str
    content: str


class PromptMessages(ResponseBody):
    """The prompt as messages, and its receipt."""

    messages: list[PromptMessage]
    receipt: ReceiptAnswer


class PromptText(ResponseBody):
    """The prompt as one text, and its receipt."""

    text: str
    receipt: ReceiptAnswer


PromptAnswer: TypeAlias = Annotated[
    PromptMessages | PromptText, Field(description="As the format that was asked for.")
]


_SHOWN: Final = {
    name: (kind, Field(..., examples=[MemorySettings.model_fields[name].default]))
    for name, kind in wire.SETTINGS.items()
}


@wire.with_fields(_SHOWN)
class Config(
    ResponseBody, alias_generator=to_camel, serialize_by_alias=True, validate_by_name=True
):
    """The settings in force."""

    enabled: bool = Field(description="Memory as a whole.", examples=[True])
    auto_extract: bool = Field(
        description="Remember by itself, from finished turns.", examples=[True]
    )


class Alive(BaseModel):
    """The process answers."""

    status: Literal["ok"] = "ok"
    version: str = Field(examples=[__version__])


class Degraded(BaseModel):
    """Something that was wanted and is not there."""

    name: str = Field(examples=["embedder"])
    detail: str = Field(examples=["none is configured; keywords only"])


class Ready(BaseModel):
    """Whether requests can be served, and how well."""

    status: Literal["ready", "degraded", "unavailable"]
    degraded: list[Degraded] = []
    waiting_for_vectors: int = 0
    waiting_jobs: int = 0


@columns_of(UserCounts)
class UserCountsAnswer(ResponseBody):
    """A user, and how much they have."""
