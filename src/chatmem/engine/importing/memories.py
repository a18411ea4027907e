"""Memories of files: mem0's export, Markdown bullets, and JSON Lines, which may hold messages too.

Each reader yields what a file holds in its order, and raises ImportFormatError where it holds
nothing, or a part of it has not the expected shape.

Source: interfaces.md, "Command line"; decisions 2.
"""

import json
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, get_args

from chatmem.engine.checks import checked_choice
from chatmem.engine.importing.conversations import read_talk, said, talks_of
from chatmem.engine.importing.source_file import (
    ID_PREFIX,
    ImportedMemory,
    Item,
    Note,
    SourceFile,
    read_date,
    role_and_speaker,
    with_caption,
)
from chatmem.engine.remember.append import COLUMNS, checked_columns
from chatmem.model import CATEGORIES, AtomicMemoryRecord, Message
from chatmem.model import Role as RoleName
from chatmem.storage.documents.places import MAIN, daily_document
from chatmem.storage.documents.records import stated_columns
from chatmem.storage.tables.database import to_json
from chatmem.text.bullets import parse

JSONL = (
    'one {"role", "content", "timestamp"?, "session_id"?, "id"?} a line, or one '
    '{"conv", "id", "speaker", "text", "date"?, "session"?}'
)
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
    role, speaker = role_and_speaker(str(fields["speaker"]))
    return Message(
        role=role,
        speaker=speaker,
        content=with_caption(str(fields["text"]), fields.get("caption")),
        session_id=str(conversation) if session is None else f"{conversation}/{session}",
        timestamp=moment,
        source_id=f"{conversation}/{fields['id']}",
    )


def _exported(source: SourceFile, place: str, fields: Mapping[str, object]) -> Item:
    source.checked(fields, place, _EXPORTED, id=str, content=str, memory_type=str)
    moment = read_date(fields.get("timestamp"))
    if moment is None:
        raise source.broken(place, "no `timestamp`", _EXPORTED)
    given = {name: value for name, value in fields.items() if value is not None}
    identifier = f"{ID_PREFIX}{given['id']}"
    if given["memory_type"] == "long_term":
        columns = checked_columns({name: given[name] for name in COLUMNS if name in given})
        return ImportedMemory(timestamp=moment, source_tag=identifier, **columns)
    return Message(
        role=checked_choice(given.get("role", "user"), "role", get_args(RoleName)),
        content=str(given["content"]),
        session_id=str(given.get("session_id") or given["id"]),
        timestamp=moment,
        app_type=str(given.get("app_type") or "chat"),
        source_id=identifier,
    )


MEM0 = 'a list, or {"results": [...]}, of {"id", "memory", "created_at"?, "user_id"?}'
MARKDOWN = "bullets (`- text`), best under headings such as Preferences, Facts, Patterns"


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
