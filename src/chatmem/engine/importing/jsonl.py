"""JSON Lines: one message a line, as `chatmem eval` reads them, or one memory of an export.

    {"conv": "c1", "id": "m1", "speaker": "Mei", "text": "...", "date"?, "session"?, "caption"?}

`chatmem export` writes memories with the column names of the database; they are read back here.
Source: interfaces.md, "Command line", "read with every column"; decisions 1 (columns).
"""

from collections.abc import Iterator, Mapping
from dataclasses import fields as columns_of
from datetime import datetime
from typing import Any, get_args

from chatmem.engine.checks import checked_choice, checked_number
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
from chatmem.errors import InvalidInputError
from chatmem.model import CATEGORIES, KINDS, SOURCES, VISIBILITIES, AtomicMemoryRecord, Message
from chatmem.model import Role as RoleName
from chatmem.model.time import to_text

EXPECTED = 'one {"conv", "id", "speaker", "text", "date"?, "session"?} a line'
EXPECTED_EXPORT = "a line that `chatmem export` wrote"
_COLUMNS = tuple(column.name for column in columns_of(AtomicMemoryRecord))
_CHOICES: Mapping[str, tuple[str, ...]] = {
    "category": CATEGORIES,
    "kind": KINDS,
    "visibility": VISIBILITIES,
    "source": SOURCES,
}


def as_json(record: AtomicMemoryRecord) -> dict[str, object]:
    """Every column of a memory, times as ISO 8601 text in UTC, ready for `json.dumps`."""
    return {name: _plain(getattr(record, name)) for name in _COLUMNS}


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
    source.checked(fields, place, EXPECTED_EXPORT, id=str, content=str)
    moment = read_date(fields.get("timestamp"))
    if moment is None:
        raise source.broken(place, "no `timestamp`", EXPECTED_EXPORT)
    given = {name: value for name, value in fields.items() if value is not None}
    identifier = ID_PREFIX + str(given["id"])
    try:
        if given["memory_type"] == "long_term":
            return ImportedMemory(
                content=str(given["content"]),
                timestamp=moment,
                source_tag=identifier,
                **_columns(given),
            )
        return Message(
            role=checked_choice(given.get("role", "user"), "role", get_args(RoleName)),
            content=str(given["content"]),
            session_id=str(given.get("session_id") or given["id"]),
            timestamp=moment,
            app_type=str(given.get("app_type") or "chat"),
            source_id=identifier,
        )
    except InvalidInputError as error:
        raise source.broken(place, str(error), EXPECTED_EXPORT) from error


def _columns(given: Mapping[str, Any]) -> dict[str, Any]:
    """The checked columns of a memory; those that are not given have their defaults.

    Raises:
        InvalidInputError: a value that its column does not take.
    """
    found: dict[str, Any] = {
        name: checked_choice(given[name], name, choices)
        for name, choices in _CHOICES.items()
        if name in given
    }
    if "importance" in given:
        found["importance"] = int(checked_number(given["importance"], "importance", 1, 5))
    if "confidence" in given:
        found["confidence"] = checked_number(given["confidence"], "confidence", 0, 1)
    tags = given.get("tags", [])
    if not isinstance(tags, list) or not all(isinstance(tag, str) for tag in tags):
        raise InvalidInputError(f"tags: got {tags!r}, takes a list of texts")
    key = given.get("key")
    return found | {
        "tags": tuple(tags),
        "key": None if key is None else str(key),
        "value": given.get("value"),
    }


def _plain(value: object) -> object:
    if isinstance(value, datetime):
        return to_text(value)
    return list(value) if isinstance(value, tuple) else value
