"""JSON Lines: one message a line, as `chatmem eval` reads them, or one memory of an export.

    {"conv": "c1", "id": "m1", "speaker": "Mei", "text": "...", "date"?, "session"?, "caption"?}

`chatmem export` writes memories with the column names of the database; they are read back here.
Source: interfaces.md, "Command line", "read with every column"; decisions 1 (columns).
"""

from collections.abc import Iterator, Mapping
from dataclasses import fields as columns_of
from datetime import datetime
from typing import get_args

from chatmem.engine.checks import checked_choice
from chatmem.engine.importing.dates import read_date
from chatmem.engine.importing.source_file import (
    ID_PREFIX,
    ImportedMemory,
    Item,
    Note,
    SourceFile,
    role_and_speaker,
    with_caption,
)
from chatmem.engine.remember.append import COLUMNS, checked_columns
from chatmem.errors import InvalidInputError
from chatmem.model import AtomicMemoryRecord, Message
from chatmem.model import Role as RoleName
from chatmem.model.time import to_text

EXPECTED = 'one {"conv", "id", "speaker", "text", "date"?, "session"?} a line'
_EXPORTED = "a line that `chatmem export` wrote"
_COLUMNS = tuple(column.name for column in columns_of(AtomicMemoryRecord))


def as_json(record: AtomicMemoryRecord) -> dict[str, object]:
    """Every column of a memory, times as ISO 8601 text in UTC, ready for `json.dumps`."""
    return {name: _plain(getattr(record, name)) for name in _COLUMNS}


def _plain(value: object) -> object:
    if isinstance(value, datetime):
        return to_text(value)
    return list(value) if isinstance(value, tuple) else value


def read(source: SourceFile) -> Iterator[Item]:
    """What the lines hold, in file order; superseded memories are left out, with a note.

    Raises:
        ImportFormatError: a line is no JSON object, lacks a field or has a value it cannot have.
    """
    moment = source.now
    for number, line in source.lines():
        place = f"line {number}"
        fields = source.checked(source.parse(line, place), place, EXPECTED)
        if "memory_type" not in fields or "content" not in fields:
            moment = source.moment(fields.get("date"), moment)
            yield read_line(source, place, fields, moment)
        elif fields.get("valid_to") is None:
            yield _exported(source, place, fields)
        else:
            source.notes[Note.SUPERSEDED] += 1


def read_line(
    source: SourceFile, place: str, fields: Mapping[str, object], moment: datetime
) -> Message:
    """The message of one line; without `session`, a conversation is one session.

    Raises:
        ImportFormatError: a field is missing.
    """
    number = (str, int)
    source.checked(fields, place, EXPECTED, conv=number, id=number, speaker=str, text=str)
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
    source.checked(fields, place, _EXPORTED, id=str, content=str)
    moment = read_date(fields.get("timestamp"))
    if moment is None:
        raise source.broken(place, "no `timestamp`", _EXPORTED)
    given = {name: value for name, value in fields.items() if value is not None}
    identifier = f"{ID_PREFIX}{given['id']}"
    try:
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
    except InvalidInputError as error:
        raise source.broken(place, str(error), _EXPORTED) from error
