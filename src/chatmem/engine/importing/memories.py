"""Memories of other programs: mem0's export, and Markdown bullets.

Each reader yields the memories of a file in its order, and raises ImportFormatError where it has
none, or a part of it has not the expected shape.

Source: interfaces.md, "Command line"; decisions 2.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from chatmem.engine.importing.dates import read_date
from chatmem.engine.importing.source_file import ID_PREFIX, ImportedMemory, Note, SourceFile
from chatmem.engine.remember.append import COLUMNS
from chatmem.model import CATEGORIES
from chatmem.storage.documents.places import MAIN, daily_document
from chatmem.storage.documents.records import bullet_to_fields
from chatmem.text.bullets import parse

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
        found = bullet_to_fields(bullet, daily_document(day.date()) if day else MAIN)
        source.notes.update(found.warnings)
        if found.columns["valid_to"] is not None:
            source.notes[Note.SUPERSEDED] += 1
        elif found.columns["content"]:
            columns = {name: found.columns[name] for name in (*COLUMNS, "timestamp")}
            yield ImportedMemory(
                **{name: value for name, value in columns.items() if value is not None},
                source_tag=None if found.id is None else f"{ID_PREFIX}{found.id}",
            )
