"""Memories exported from mem0.

    [{"id": "...", "memory": "...", "created_at": "...", "metadata": {...}, "user_id": "..."}]

or the same list under `results` or `memories`. Source: interfaces.md, "Command line".
"""

from collections.abc import Iterator, Mapping

from chatmem.engine.importing.dates import read_date
from chatmem.engine.importing.items import ImportedMemory
from chatmem.engine.importing.notes import Note
from chatmem.engine.importing.source_file import SourceFile
from chatmem.model import CATEGORIES, Category

EXPECTED = 'a list, or {"results": [...]}, of {"id", "memory", "created_at"?, "user_id"?}'


def read(source: SourceFile) -> Iterator[ImportedMemory]:
    """The memories of the file, or those of the target user when it holds several users' memories.

    Raises:
        ImportFormatError: an entry is no memory, or the file holds several users' memories and
            none of the target user's.
    """
    entries = [_checked(source, index, entry) for index, entry in enumerate(_entries(source))]
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


def _entries(source: SourceFile) -> list[object]:
    document = source.json
    if isinstance(document, dict):
        document = document.get("results", document.get("memories"))
    if not isinstance(document, list):
        raise source.broken(None, "no list of memories", EXPECTED)
    return document


def _checked(source: SourceFile, index: int, entry: object) -> Mapping[str, object]:
    if not isinstance(entry, dict) or not isinstance(entry.get("memory"), str):
        raise source.broken(f"entry {index}", "no `memory` text", EXPECTED)
    return entry


def _memory(source: SourceFile, entry: Mapping[str, object]) -> ImportedMemory:
    metadata = entry.get("metadata")
    category = metadata.get("category") if isinstance(metadata, dict) else None
    moment = read_date(entry.get("created_at"))
    if moment is None:
        source.notes[Note.MEMORY_UNDATED] += 1
    return ImportedMemory(
        content=str(entry["memory"]),
        category=_category(category),
        timestamp=moment,
        tags=_tags(entry.get("categories")),
        source_tag=f"mem0:{entry['id']}" if entry.get("id") is not None else None,
    )


def _category(name: object) -> Category:
    return next((known for known in CATEGORIES if known == name), "fact")


def _tags(categories: object) -> tuple[str, ...]:
    if not isinstance(categories, list):
        return ()
    return tuple(name for name in categories if isinstance(name, str) and name.strip())
