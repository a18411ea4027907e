"""Conversations and memories from other programs' files, saved.

A file is read twice: once to check all of it, so that a broken file changes nothing, and once to
save. A second import of it saves nothing again: messages are known by the ids of their
source, memories by theirs, or by their text where the source has no ids.

Memories are read here: mem0's export, Markdown bullets, and JSON Lines, which may hold messages
too. Each reader yields what a file holds in its order, and raises ImportFormatError where it holds
nothing, or a part of it has not the expected shape.

Source: interfaces.md, "Command line"; decisions 1 (imports deduplicate by the source's own ids), 2.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

from chatmem.engine.checks import COLUMNS, checked_choice, checked_columns, checked_text
from chatmem.engine.importing import conversations
from chatmem.engine.importing.conversations import read_talk, said, spoken, talks_of
from chatmem.engine.importing.source_file import ID_PREFIX, Item, read_date
from chatmem.engine.importing.source_file import ImportedMemory as ImportedMemory
from chatmem.engine.importing.source_file import Note as Note
from chatmem.engine.importing.source_file import SourceFile as SourceFile
from chatmem.errors import InvalidInputError
from chatmem.model import CATEGORIES, AtomicMemoryRecord, ImportFormat, Message
from chatmem.model import Role as RoleName
from chatmem.model.time import utc_now
from chatmem.storage.documents.places import MAIN, daily_document
from chatmem.storage.documents.records import stated_columns
from chatmem.storage.tables.database import to_json
from chatmem.text.bullets import parse
from chatmem.text.clean import clean_text

if TYPE_CHECKING:
    from chatmem.engine.service import MemoryService

JSONL = (
    'one {"role", "content", "timestamp"?, "session_id"?, "id"?} a line, or one '
    '{"conv", "id", "speaker", "text", "date"?, "session"?}'
)
MEM0 = 'a list, or {"results": [...]}, of {"id", "memory", "created_at"?, "user_id"?}'
MARKDOWN = "bullets (`- text`), best under headings such as Preferences, Facts, Patterns"
_EXPORTED = "a line that `chatmem export` wrote"


def as_json(record: AtomicMemoryRecord) -> dict[str, object]:
    """Every column of a memory, times as ISO 8601 text in UTC, ready for `json.dumps`."""
    columns: dict[str, object] = json.loads(to_json(record))
    return columns


def read_jsonl(source: SourceFile) -> Iterator[Item]:
    """What the lines hold, in file order; superseded memories are left out, with a note.

        {"role": "user", "content": "...", "timestamp"?, "session_id"?, "id"?}
        {"conv": "c1", "id": "m1", "speaker": "Mei", "text": "...", "date"?, "session"?, "caption"?}

    or a memory as `chatmem export` wrote it, with the column names of the database.
    """
    moment, talk = source.now, list[dict[str, Any]]()
    for number, line in source.lines():
        place = f"line {number}"
        fields = source.checked(source.parse(line, place), place, JSONL)
        if "conv" not in fields and "memory_type" not in fields and said(fields):
            talk.append(fields)
        elif "memory_type" not in fields or "content" not in fields:
            moment = source.moment(fields.get("date"), moment)
            yield read_line(source, place, fields, moment)
        elif fields.get("valid_to") is None:
            yield _exported(source, place, fields)
        else:
            source.notes[Note.SUPERSEDED] += 1
    for session, messages in talks_of(talk).items():
        yield from read_talk(source, messages, session)


def read_line(
    source: SourceFile, place: str, fields: Mapping[str, object], moment: datetime
) -> Message:
    """The message of one line; without `session`, a conversation is one session."""
    number = (str, int)
    source.checked(fields, place, JSONL, conv=number, id=number, speaker=str, text=str)
    conversation, session = fields["conv"], fields.get("session")
    name = str(conversation) if session is None else f"{conversation}/{session}"
    return spoken(fields, name, moment, f"{conversation}/{fields['id']}")


def _exported(source: SourceFile, place: str, fields: Mapping[str, object]) -> Item:
    source.checked(fields, place, _EXPORTED, id=str, content=str, memory_type=str)
    moment = read_date(fields.get("timestamp"))
    if moment is None:
        raise source.broken(place, "no `timestamp`", _EXPORTED)
    given = {name: value for name, value in fields.items() if value is not None}
    identifier = f"{ID_PREFIX}{given['id']}"
    if given["memory_type"] == "long_term":
        columns: dict[str, Any] = {name: given[name] for name in COLUMNS if name in given}
        return ImportedMemory(timestamp=moment, source_tag=identifier, **columns)
    return Message(
        role=checked_choice(given.get("role", "user"), "role", get_args(RoleName)),
        content=str(given["content"]),
        session_id=str(given.get("session_id") or given["id"]),
        timestamp=moment,
        app_type=str(given.get("app_type") or "chat"),
        source_id=identifier,
    )


def read_mem0(source: SourceFile) -> Iterator[ImportedMemory]:
    """The memories of the file, or those of the target user when it holds several users' memories.

        [{"id": "...", "memory": "...", "created_at": "...", "metadata": {...}, "user_id": "..."}]

    or the same list under `results` or `memories`. Several users' memories without one of the
    target user's are an error.
    """
    entries = source.json
    if isinstance(entries, dict):
        entries = entries.get("results", entries.get("memories"))
    if not isinstance(entries, list):
        raise source.broken(None, "no list of memories")
    for index, entry in enumerate(entries):
        source.checked(entry, f"entry {index}", memory=str)
    users = {str(entry["user_id"]) for entry in entries if entry.get("user_id") is not None}
    several = len(users) > 1
    if several and source.user_id not in users:
        names = ", ".join(sorted(users)[:5])
        raise source.broken(
            None, f"memories of {len(users)} users ({names})", "one user, or one named with --user"
        )
    for entry in entries:
        if several and str(entry.get("user_id")) != source.user_id:
            source.notes[Note.FOREIGN] += 1
        else:
            yield _mem0_memory(source, entry)


def _mem0_memory(source: SourceFile, entry: Mapping[str, Any]) -> ImportedMemory:
    metadata, tags = entry.get("metadata"), entry.get("categories")
    category = metadata.get("category") if isinstance(metadata, dict) else None
    moment = read_date(entry.get("created_at"))
    if moment is None:
        source.notes[Note.MEMORY_UNDATED] += 1
    texts = (tag for tag in (tags if isinstance(tags, list) else ()) if isinstance(tag, str))
    return ImportedMemory(
        content=entry["memory"],
        category=next((known for known in CATEGORIES if known == category), "fact"),
        timestamp=moment,
        tags=tuple(tag for tag in texts if tag.strip()),
        source_tag=f"mem0:{entry['id']}" if entry.get("id") is not None else None,
    )


def read_markdown(source: SourceFile) -> Iterator[ImportedMemory]:
    """One memory for each bullet; superseded ones are left out, with a note.

        ## Preferences
        - Drinks oolong, no sugar

    The heading tells the category; bullets under a date, or in a file named after one
    (`2026-05-20.md`), are entries of that day's log. What chatmem wrote is read with all that its
    comments say.
    """
    bullets = parse(source.text).bullets
    if not bullets:
        raise source.broken(None, "no bullet in it", code="nothing")
    file_day = read_date(source.path.name.split(".")[0])
    for bullet in bullets:
        day = read_date(bullet.heading) or file_day
        stated, warnings = stated_columns(bullet, daily_document(day.date()) if day else MAIN)
        source.notes.update(warnings)
        if stated["valid_to"] is not None:
            source.notes[Note.SUPERSEDED] += 1
        elif stated["content"]:
            columns = {name: stated[name] for name in (*COLUMNS, "timestamp")}
            yield ImportedMemory(
                **{name: value for name, value in columns.items() if value is not None},
                source_tag=None if bullet.id is None else f"{ID_PREFIX}{bullet.id}",
            )


Progress: TypeAlias = Callable[[int, int], None]
_Reader: TypeAlias = Callable[[SourceFile], Iterator[Item]]
_READERS: Mapping[ImportFormat, tuple[_Reader, str]] = MappingProxyType(
    {
        "chatgpt": (conversations.read_chatgpt, conversations.CHATGPT),
        "openai": (partial(conversations.read_json, raw_ids=True), conversations.JSON),
        "locomo": (conversations.read_locomo, conversations.LOCOMO),
        "json": (conversations.read_json, conversations.JSON),
        "jsonl": (read_jsonl, JSONL),
        "mem0": (read_mem0, MEM0),
        "markdown": (read_markdown, MARKDOWN),
    }
)
"""What reads a format, and what the errors say that it expects."""
FORMATS: tuple[ImportFormat, ...] = tuple(_READERS)
_ANY = (
    "a ChatGPT export, OpenAI messages, LoCoMo, JSON or JSON Lines of messages "
    '({"role", "content", "timestamp"?, "session_id"?}), mem0 memories, or Markdown bullets '
    "(name the format with --format)"
)
_BY_FIELD: Mapping[str, ImportFormat] = {
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
    format: ImportFormat
    sessions: int
    messages: int
    messages_known: int
    memories: int
    memories_known: int
    notes: Mapping[str, int]


def detect_format(source: SourceFile) -> ImportFormat:
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


def read_items(source: SourceFile, name: ImportFormat) -> Iterator[Item]:
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
    format: ImportFormat | Literal["auto"] = "auto",
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
    counts = dict.fromkeys(("messages", "messages_known", "memories", "memories_known"), 0)
    sessions = set[str]()
    marks, texts = _known(memory) if compares else (set[str](), set[str]())

    def new_messages() -> Iterator[Message]:
        """Those that may be new; memories in between are saved unless they are known."""
        for done, item in enumerate(read_items(source, name), start=1):
            if isinstance(item, Message):
                sessions.add(item.session_id)
                if _is_exported(item) and item.source_id in marks:
                    counts["messages_known"] += 1
                else:
                    yield item
            elif item.source_tag in marks or item.content.strip() in texts:
                counts["memories_known"] += 1
            else:
                own = () if item.source_tag is None else (item.source_tag,)
                columns = {name: getattr(item, name) for name in COLUMNS}
                columns |= {"tags": (*item.tags, *own), "fact": columns.pop("content")}
                memory.append_memory(now=item.timestamp, **columns)
                texts.add(item.content.strip())
                marks.update(own)
                counts["memories"] += 1
            if progress is not None:
                progress(done, total)

    for saved in memory.save_messages(new_messages()):
        counts["messages_known" if saved.duplicate else "messages"] += 1
    notes = dict(source.notes)
    return ImportReport(path=str(path), format=name, sessions=len(sessions), notes=notes, **counts)


def _known(memory: "MemoryService") -> tuple[set[str], set[str]]:
    """By what an item of a file is known: tags and ids of the stored memories, and their texts."""
    marks, texts = set[str](), set[str]()
    for record in memory.export_records():
        marks.update((ID_PREFIX + record.id, *record.tags))
        if record.memory_type == "long_term":
            texts.add(record.content.strip())
    return marks, texts


def _is_exported(message: Message) -> bool:
    """True for a message of our own export: its id is that of the database it came from."""
    return (message.source_id or "").startswith(ID_PREFIX)
