"""Memories written as Markdown bullets, by a person or by another program.

    ## Preferences
    - Drinks oolong, no sugar

The heading tells the category; bullets under a date, or in a file named after one
(`2026-05-20.md`), are entries of that day's log. What chatmem wrote is read with all that its
comments say. Source: interfaces.md, "Command line"; decisions 2.
"""

from collections.abc import Iterator
from dataclasses import fields

from chatmem.engine.importing.dates import read_date
from chatmem.engine.importing.source_file import ID_PREFIX, ImportedMemory, Note, SourceFile
from chatmem.storage.documents.places import MAIN, daily_document
from chatmem.storage.documents.records import bullet_to_fields
from chatmem.text.bullets import parse

EXPECTED = "bullets (`- text`), best under headings such as Preferences, Facts, Patterns"
_COLUMNS = tuple(one.name for one in fields(ImportedMemory) if one.name != "source_tag")


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
        day = read_date(bullet.heading) or file_day
        found = bullet_to_fields(bullet, daily_document(day.date()) if day else MAIN)
        source.notes.update(found.warnings)
        if found.valid_to is not None:
            source.notes[Note.SUPERSEDED] += 1
        elif found.content:
            told = {name: getattr(found, name) for name in _COLUMNS}
            yield ImportedMemory(
                **{name: value for name, value in told.items() if value is not None},
                source_tag=None if found.id is None else f"{ID_PREFIX}{found.id}",
            )
