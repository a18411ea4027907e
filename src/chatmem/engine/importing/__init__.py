"""Conversations and memories from other programs' files, saved.

A file is read twice: once to check all of it, so that a broken file changes nothing, and once to
save. A second import of it saves nothing again: messages are known by the ids of their
source, memories by theirs, or by their text where the source has no ids.
Source: decisions 1 (imports deduplicate by the source's own ids).
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, TypeAlias

from chatmem.engine.checks import checked_text
from chatmem.engine.importing import conversations, memories
from chatmem.engine.importing.memories import as_json as as_json
from chatmem.engine.importing.source_file import ID_PREFIX, Item
from chatmem.engine.importing.source_file import Format as Format
from chatmem.engine.importing.source_file import ImportedMemory as ImportedMemory
from chatmem.engine.importing.source_file import Note as Note
from chatmem.engine.importing.source_file import SourceFile as SourceFile
from chatmem.engine.remember.append import COLUMNS, checked_columns
from chatmem.errors import InvalidInputError
from chatmem.model import Message
from chatmem.model.time import utc_now
from chatmem.text.clean import clean_text

if TYPE_CHECKING:
    from chatmem.engine.service import MemoryService

Progress: TypeAlias = Callable[[int, int], None]
_Reader: TypeAlias = Callable[[SourceFile], Iterator[Item]]
_READERS: Mapping[Format, tuple[_Reader, str]] = MappingProxyType(
    {
        "chatgpt": (conversations.read_chatgpt, conversations.CHATGPT),
        "openai": (partial(conversations.read_json, raw_ids=True), conversations.JSON),
        "locomo": (conversations.read_locomo, conversations.LOCOMO),
        "json": (conversations.read_json, conversations.JSON),
        "jsonl": (memories.read_jsonl, memories.JSONL),
        "mem0": (memories.read_mem0, memories.MEM0),
        "markdown": (memories.read_markdown, memories.MARKDOWN),
    }
)
"""What reads a format, and what the errors say that it expects."""
FORMATS: tuple[Format, ...] = tuple(_READERS)
_ANY = (
    "a ChatGPT export, OpenAI messages, LoCoMo, JSON or JSON Lines of messages "
    '({"role", "content", "timestamp"?, "session_id"?}), mem0 memories, or Markdown bullets '
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
    source.expected = _ANY
    if source.is_zip:
        return "chatgpt"
    number, line = next(source.lines(), (0, ""))
    if not line:
        raise source.broken(None, "the file is empty", code="empty")
    if source.is_json_lines:
        sample = source.parse(line, f"line {number}")
    elif line.lstrip()[0] not in "{[" or source.path.suffix.lower() in (".md", ".markdown"):
        return "markdown"
    elif not source.json_list:
        raise source.broken(None, "an empty list", code="empty")
    else:
        sample = source.json_list[0]
    if isinstance(sample, list):  # a list of conversations, each a bare list of messages
        sample = sample[0] if sample else None
    names = list(sample) if isinstance(sample, dict) else []
    if source.is_json_lines and "messages" not in names and conversations.said(sample):
        return "jsonl"
    found = next((kind for name, kind in _BY_FIELD.items() if name in names), None)
    if found is None and any(conversations.read_json(source)):
        found = "json"
    if found is None:
        which = f" (fields {', '.join(names[:5])})" if isinstance(sample, dict) else ""
        raise source.broken(None, f"JSON of no known format{which}", code="unknown")
    return found


def read_items(source: SourceFile, name: Format) -> Iterator[Item]:
    """The messages and memories of a file in this format, in its order; notes are counted.

    Raises:
        ImportFormatError: a part of it is not as the format says, or cannot be stored.
        StorageError: it cannot be read.
    """
    read, source.expected = _READERS[name]
    try:
        for item in read(source):
            yield _storable(item)
    except InvalidInputError as error:
        raise source.broken(source.place, str(error)) from error


def _storable(item: Item) -> Item:
    """The item as it can be stored: its names in whole characters, without NUL and the like."""
    if isinstance(item, ImportedMemory):
        given = {name: getattr(item, name) for name in COLUMNS}
        own = checked_columns({name: one for name, one in given.items() if one is not None})
        return replace(item, **own, source_tag=clean_text(item.source_tag or "") or None)
    return replace(
        item,
        session_id=checked_text(item.session_id, "session_id"),
        app_type=checked_text(item.app_type, "app_type"),
        speaker=clean_text(item.speaker or "") or None,
        source_id=clean_text(item.source_id or "") or None,
    )


def import_file(
    memory: "MemoryService",
    path: Path,
    *,
    format: Format | Literal["auto"] = "auto",
    progress: Progress | None = None,
) -> ImportReport:
    """Bring a file's conversations and memories in; `progress` gets (done, total) items.

    Raises:
        ImportFormatError: the file is broken or of no known format; nothing was saved.
        StorageError: the file cannot be read; nothing was saved.
    """
    source = SourceFile(path, user_id=memory.user_id, now=utc_now())
    name = detect_format(source) if format == "auto" else format
    total, compares = 0, False
    for item in read_items(source, name):
        total += 1
        compares = compares or isinstance(item, ImportedMemory) or _is_exported(item)
    if total == 0:
        reasons = "; ".join(source.notes) or "no message and no memory"
        raise source.broken(
            None, f"nothing to import ({reasons})", "a conversation", code="nothing"
        )
    source.notes.clear()
    importer = _Importer(memory, compares=compares)

    def new_messages() -> Iterator[Message]:
        for done, item in enumerate(read_items(source, name), start=1):
            if (message := importer.take(item)) is not None:
                yield message
            if progress is not None:
                progress(done, total)

    counts = importer.counts
    for saved in memory.save_messages(new_messages()):
        counts["messages_known" if saved.duplicate else "messages"] += 1
    return ImportReport(
        path=str(path),
        format=name,
        sessions=len(importer.sessions),
        notes=dict(source.notes),
        **counts,
    )


def _is_exported(message: Message) -> bool:
    """True for a message of our own export: its id is that of the database it came from."""
    return (message.source_id or "").startswith(ID_PREFIX)


class _Importer:
    """Saves the memories of a file, gives back its messages that may be new, and counts.

    With `compares`, memories that are stored are known by `marks`, their tags and ids, or `texts`.
    """

    def __init__(self, memory: "MemoryService", *, compares: bool) -> None:
        self.sessions: set[str] = set()
        self.counts = dict.fromkeys(("messages", "messages_known", "memories", "memories_known"), 0)
        self._memory = memory
        self._marks: set[str | None] = set()
        self._texts: set[str] = set()
        for record in memory.export_records() if compares else ():
            self._marks.update((ID_PREFIX + record.id, *record.tags))
            if record.memory_type == "long_term":
                self._texts.add(record.content.strip())

    def take(self, item: Item) -> Message | None:
        """The message, unless it is known; None for a memory, which is saved unless it is known."""
        if isinstance(item, Message):
            self.sessions.add(item.session_id)
            if not _is_exported(item) or item.source_id not in self._marks:
                return item
            self.counts["messages_known"] += 1
            return None
        text, mark = item.content.strip(), item.source_tag
        if mark in self._marks or text in self._texts:
            self.counts["memories_known"] += 1
            return None
        own = () if mark is None else (mark,)
        columns = {name: getattr(item, name) for name in COLUMNS}
        columns |= {"tags": (*item.tags, *own), "fact": columns.pop("content")}
        self._memory.append_memory(now=item.timestamp, **columns)
        self._texts.add(text)
        self._marks.update(own)
        self.counts["memories"] += 1
        return None
