"""The use case: a file goes in, its conversations and memories are kept.

The file is read twice: once to check all of it, so that a broken file changes nothing, and once to
save. A second import of the same file saves nothing again, because messages are known by the ids of
their source and memories by theirs, or by their text where the source has no ids.
Source: decisions 1 (imports deduplicate by the source's own ids).
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, TypeAlias

from chatmem.engine.importing import chatgpt, jsonl, locomo, markdown, mem0, openai_messages
from chatmem.engine.importing.detect import detect_format
from chatmem.engine.importing.items import Format, ImportedMemory, Item
from chatmem.engine.importing.records import ID_PREFIX
from chatmem.engine.importing.source_file import SourceFile
from chatmem.model import Message
from chatmem.model.time import utc_now

if TYPE_CHECKING:
    from chatmem.engine.service import MemoryService

BATCH_MESSAGES = 256

Progress: TypeAlias = Callable[[int, int], None]

READERS: Mapping[Format, Callable[[SourceFile], Iterator[Item]]] = MappingProxyType(
    {
        "chatgpt": chatgpt.read,
        "openai": openai_messages.read,
        "locomo": locomo.read,
        "jsonl": jsonl.read,
        "mem0": mem0.read,
        "markdown": markdown.read,
    }
)
FORMATS: tuple[Format, ...] = tuple(READERS)


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportReport:
    """What an import did: what was new, what stood there already, and what a person should know."""

    path: str
    format: Format
    sessions: int
    messages: int
    messages_known: int
    memories: int
    memories_known: int
    notes: Mapping[str, int]


def import_file(
    memory: "MemoryService",
    path: Path,
    *,
    user_id: str,
    format: Format | Literal["auto"] = "auto",
    now: datetime | None = None,
    progress: Progress | None = None,
) -> ImportReport:
    """Brings a file's conversations and memories in; `progress` hears (done, total) items.

    Raises:
        ImportFormatError: the file is broken or of no known format; nothing was saved.
        StorageError: the file cannot be read; nothing was saved.
    """
    source = SourceFile(path, user_id=user_id, now=now or utc_now())
    name = detect_format(source) if format == "auto" else format
    total, compares = _survey(READERS[name](source))
    if total == 0:
        reasons = "; ".join(source.notes) or "no message and no memory"
        raise source.broken(
            None, f"nothing to import ({reasons})", "a conversation", code="nothing"
        )
    source.notes.clear()
    saving = _Saving(memory, _Known.of(memory) if compares else _Known())
    for done, item in enumerate(READERS[name](source), start=1):
        saving.take(item)
        if progress is not None:
            progress(done, total)
    saving.flush()
    return ImportReport(
        path=str(path),
        format=name,
        sessions=len(saving.sessions),
        messages=saving.messages,
        messages_known=saving.messages_known,
        memories=saving.memories,
        memories_known=saving.memories_known,
        notes=dict(source.notes),
    )


def _survey(items: Iterator[Item]) -> tuple[int, bool]:
    """How many items there are, and whether any has to be compared with what is kept."""
    total, compares = 0, False
    for item in items:
        total += 1
        compares = compares or isinstance(item, ImportedMemory) or _exported_id(item) is not None
    return total, compares


def _exported_id(message: Message) -> str | None:
    """The id that a message of our own export had, in the database it came from."""
    name = message.source_id or ""
    return name.removeprefix(ID_PREFIX) if name.startswith(ID_PREFIX) else None


@dataclass(frozen=True, slots=True)
class _Known:
    """What is kept already, in the three ways by which an import recognises it."""

    ids: set[str] = field(default_factory=set)
    tags: set[str] = field(default_factory=set)
    texts: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, memory: "MemoryService") -> "_Known":
        known = cls()
        for record in memory.export_records():
            known.ids.add(record.id)
            known.tags.update(record.tags)
            if record.memory_type == "long_term":
                known.texts.add(record.content.strip())
        return known

    def has(self, item: Item) -> bool:
        if isinstance(item, Message):
            return _exported_id(item) in self.ids
        tag = item.source_tag
        if tag is not None and (tag in self.tags or tag.removeprefix(ID_PREFIX) in self.ids):
            return True
        return item.content.strip() in self.texts

    def add(self, item: ImportedMemory) -> None:
        self.texts.add(item.content.strip())
        if item.source_tag is not None:
            self.tags.add(item.source_tag)


class _Saving:
    """Saves items as they come, messages in batches, and counts."""

    def __init__(self, memory: "MemoryService", known: _Known) -> None:
        self._memory = memory
        self._known = known
        self._waiting: list[Message] = []
        self.sessions: set[str] = set()
        self.messages = self.messages_known = self.memories = self.memories_known = 0

    def take(self, item: Item) -> None:
        if isinstance(item, Message):
            self.sessions.add(item.session_id)
            if self._known.has(item):
                self.messages_known += 1
                return
            self._waiting.append(item)
            if len(self._waiting) >= BATCH_MESSAGES:
                self.flush()
        elif self._known.has(item):
            self.memories_known += 1
        else:
            self._remember(item)

    def flush(self) -> None:
        saved = self._memory.save_messages(self._waiting) if self._waiting else ()
        known = sum(message.duplicate for message in saved)
        self.messages += len(saved) - known
        self.messages_known += known
        self._waiting = []

    def _remember(self, item: ImportedMemory) -> None:
        tags = item.tags if item.source_tag is None else (*item.tags, item.source_tag)
        self._memory.append_memory(
            item.content,
            item.category,
            importance=item.importance,
            confidence=item.confidence,
            visibility=item.visibility,
            kind=item.kind,
            key=item.key,
            value=item.value,
            tags=tags,
            source=item.source,
            now=item.timestamp,
        )
        self._known.add(item)
        self.memories += 1
