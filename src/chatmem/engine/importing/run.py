"""A file's conversations and memories, saved.

The file is read twice: once to check all of it, so that a broken file changes nothing, and once to
save. A second import of the file saves nothing again: messages are known by the ids of their
source, memories by theirs, or by their text where the source has no ids.
Source: decisions 1 (imports deduplicate by the source's own ids).
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from datetime import datetime
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, TypeAlias

from chatmem.engine.importing import chatgpt, jsonl, locomo, markdown, mem0, openai_messages
from chatmem.engine.importing.source_file import ID_PREFIX, Format, ImportedMemory, Item, SourceFile
from chatmem.model import Message
from chatmem.model.time import utc_now

if TYPE_CHECKING:
    from chatmem.engine.service import MemoryService

BATCH_MESSAGES = 256
COUNTED = ("messages", "messages_known", "memories", "memories_known")
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
EXPECTED = (
    "a ChatGPT export, OpenAI messages, LoCoMo, JSON Lines, mem0 memories, or Markdown bullets "
    "(name the format with --format)"
)
_BY_FIELD: Mapping[str, Format] = {
    "mapping": "chatgpt",
    "conversation": "locomo",
    "messages": "openai",
    "conv": "jsonl",
    "memory_type": "jsonl",
    "memory": "mem0",
    "role": "openai",
    "results": "mem0",
    "memories": "mem0",
}
"""The first field that an object has decides; the order matters where formats share fields."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportReport:
    """What an import did: what was new, what was known, and what a person should know."""

    path: str
    format: Format
    sessions: int
    messages: int
    messages_known: int
    memories: int
    memories_known: int
    notes: Mapping[str, int]


def detect_format(source: SourceFile) -> Format:
    """The format of the file, by its content.

    Raises:
        ImportFormatError: it is empty, or in none of the formats.
        StorageError: it cannot be read.
    """
    if source.is_zip:
        return "chatgpt"
    number, line = next(source.lines(), (0, ""))
    if not line:
        raise source.broken(None, "the file is empty", EXPECTED, code="empty")
    if source.is_json_lines:
        sample = source.parse(line, f"line {number}")
    elif line.lstrip()[0] not in "{[" or source.path.suffix.lower() in (".md", ".markdown"):
        return "markdown"
    elif not source.json_list:
        raise source.broken(None, "an empty list", EXPECTED, code="empty")
    else:
        sample = source.json_list[0]
    if isinstance(sample, list):  # a list of conversations, each a bare list of messages
        sample = sample[0] if sample else None
    names = list(sample) if isinstance(sample, dict) else []
    found = next((kind for name, kind in _BY_FIELD.items() if name in names), None)
    if found is None:
        which = f" (fields {', '.join(names[:5])})" if isinstance(sample, dict) else ""
        raise source.broken(None, f"JSON of no known format{which}", EXPECTED, code="unknown")
    return found


def import_file(
    memory: "MemoryService",
    path: Path,
    *,
    user_id: str,
    format: Format | Literal["auto"] = "auto",
    now: datetime | None = None,
    progress: Progress | None = None,
) -> ImportReport:
    """Brings a file's conversations and memories in; `progress` gets (done, total) items.

    Raises:
        ImportFormatError: the file is broken or of no known format; nothing was saved.
        StorageError: the file cannot be read; nothing was saved.
    """
    source = SourceFile(path, user_id=user_id, now=now or utc_now())
    name = detect_format(source) if format == "auto" else format
    total, compares = 0, False
    for item in READERS[name](source):
        total += 1
        compares = compares or isinstance(item, ImportedMemory) or _exported_id(item) is not None
    if total == 0:
        reasons = "; ".join(source.notes) or "no message and no memory"
        raise source.broken(
            None, f"nothing to import ({reasons})", "a conversation", code="nothing"
        )
    source.notes.clear()
    saving = _Saving(memory)
    if compares:
        saving.look_up()
    for done, item in enumerate(READERS[name](source), start=1):
        saving.take(item)
        if progress is not None:
            progress(done, total)
    saving.flush()
    return ImportReport(
        path=str(path),
        format=name,
        sessions=len(saving.sessions),
        notes=dict(source.notes),
        **saving.counts,
    )


def _exported_id(message: Message) -> str | None:
    """The id that a message of our own export had, in the database it came from."""
    name = message.source_id or ""
    return name.removeprefix(ID_PREFIX) if name.startswith(ID_PREFIX) else None


@dataclass(slots=True)
class _Saving:
    """Saves items as they come, messages in batches, and counts.

    Items that are stored already are known by `ids`, `tags` or `texts`.
    """

    memory: "MemoryService"
    ids: set[str] = field(default_factory=set)
    tags: set[str] = field(default_factory=set)
    texts: set[str] = field(default_factory=set)
    sessions: set[str] = field(default_factory=set)
    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(COUNTED, 0))
    _batch: list[Message] = field(default_factory=list)

    def look_up(self) -> None:
        """Take note of all that is stored."""
        for record in self.memory.export_records():
            self.ids.add(record.id)
            self.tags.update(record.tags)
            if record.memory_type == "long_term":
                self.texts.add(record.content.strip())

    def take(self, item: Item) -> None:
        if isinstance(item, ImportedMemory):
            self._take_memory(item)
            return
        self.sessions.add(item.session_id)
        if _exported_id(item) in self.ids:
            self.counts["messages_known"] += 1
            return
        self._batch.append(item)
        if len(self._batch) >= BATCH_MESSAGES:
            self.flush()

    def flush(self) -> None:
        saved = self.memory.save_messages(self._batch) if self._batch else ()
        known = sum(message.duplicate for message in saved)
        self.counts["messages"] += len(saved) - known
        self.counts["messages_known"] += known
        self._batch = []

    def _take_memory(self, item: ImportedMemory) -> None:
        own = [item.source_tag] if item.source_tag is not None else []
        is_known = any(tag in self.tags or tag.removeprefix(ID_PREFIX) in self.ids for tag in own)
        if is_known or item.content.strip() in self.texts:
            self.counts["memories_known"] += 1
            return
        columns = {one.name: getattr(item, one.name) for one in fields(item)}
        del columns["source_tag"]
        fact, moment = columns.pop("content"), columns.pop("timestamp")
        self.memory.append_memory(fact, now=moment, **columns | {"tags": (*item.tags, *own)})
        self.texts.add(item.content.strip())
        self.tags.update(own)
        self.counts["memories"] += 1
