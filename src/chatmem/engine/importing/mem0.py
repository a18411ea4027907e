"""Memories exported from mem0.

    [{"id": "...", "memory": "...", "created_at": "...", "metadata": {...}, "user_id": "..."}]

or the same list under `results` or `memories`. Source: interfaces.md, "Command line".
"""

from collections.abc import Iterator, Mapping
from typing import Any

from chatmem.engine.importing.dates import read_date
from chatmem.engine.importing.source_file import ImportedMemory, Note, SourceFile
from chatmem.model import CATEGORIES

EXPECTED = 'a list, or {"results": [...]}, of {"id", "memory", "created_at"?, "user_id"?}'


def read(source: SourceFile) -> Iterator[ImportedMemory]:
    """The memories of the file, or those of the target user when it holds several users' memories.

    Raises:
        ImportFormatError: an entry is no memory, or the file holds several users' memories and
            none of the target user's.
    """
    entries = source.json
    if isinstance(entries, dict):
        entries = entries.get("results", entries.get("memories"))
    if not isinstance(entries, list):
        raise source.broken(None, "no list of memories", EXPECTED)
    for index, entry in enumerate(entries):
        source.checked(entry, f"entry {index}", EXPECTED, memory=str)
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
            yield _memory(source, entry)


def _memory(source: SourceFile, entry: Mapping[str, Any]) -> ImportedMemory:
    metadata, tags = entry.get("metadata"), entry.get("categories")
    category = metadata.get("category") if isinstance(metadata, dict) else None
    moment = read_date(entry.get("created_at"))
    if moment is None:
        source.notes[Note.MEMORY_UNDATED] += 1
    return ImportedMemory(
        content=entry["memory"],
        category=next((known for known in CATEGORIES if known == category), "fact"),
        timestamp=moment,
        tags=tuple(
            tag
            for tag in (tags if isinstance(tags, list) else ())
            if isinstance(tag, str) and tag.strip()
        ),
        source_tag=f"mem0:{entry['id']}" if entry.get("id") is not None else None,
    )
