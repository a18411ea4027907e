"""Memories written as Markdown bullets, by a person or by another program.

    ## Preferences
    - Drinks oolong, no sugar

The heading tells the category; bullets under a date, or in a file named after one
(`2026-05-20.md`), are entries of that day's log. What chatmem wrote is read with all that its
comments say. Source: interfaces.md, "Command line"; decisions 2.
"""

from collections.abc import Iterator
from datetime import datetime

from chatmem.engine.importing.dates import read_date
from chatmem.engine.importing.items import ImportedMemory
from chatmem.engine.importing.notes import Note
from chatmem.engine.importing.records import ID_PREFIX
from chatmem.engine.importing.source_file import SourceFile
from chatmem.storage.documents.places import MAIN, daily_document
from chatmem.storage.documents.records import MemoryFields, bullet_to_fields
from chatmem.text.bullets import parse

EXPECTED = "bullets (`- text`), best under headings such as Preferences, Facts, Patterns"


def read(source: SourceFile) -> Iterator[ImportedMemory]:
    """One memory for each bullet, in file order; superseded ones are left out, with a note.

    Raises:
        ImportFormatError: the file has no bullet.
    """
    bullets = parse(source.text).bullets
    if not bullets:
        raise source.broken(None, "no bullet in it", EXPECTED, code="nothing")
    file_day = read_date(source.path.name.split(".")[0])
    for bullet in bullets:
        fields = bullet_to_fields(bullet, _document(read_date(bullet.heading) or file_day))
        source.notes.update(fields.warnings)
        if fields.valid_to is not None:
            source.notes[Note.SUPERSEDED] += 1
        elif fields.content:
            yield _memory(fields)


def _document(day: datetime | None) -> str:
    """The document of our own in which such a bullet would stand."""
    return MAIN if day is None else daily_document(day.date())


def _memory(fields: MemoryFields) -> ImportedMemory:
    return ImportedMemory(
        content=fields.content,
        category=fields.category or "fact",
        kind=fields.kind or "semantic",
        timestamp=fields.timestamp,
        tags=fields.tags,
        source_tag=None if fields.id is None else f"{ID_PREFIX}{fields.id}",
        importance=fields.importance,
        confidence=fields.confidence,
        visibility=fields.visibility,
        source=fields.source,
        key=fields.key,
        value=fields.value,
    )
