"""Memories as JSON objects with the column names of the database.

`chatmem export` writes them, `chatmem import` reads them back.
Source: decisions 1 (columns); interfaces.md ("read with every column").
"""

from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import fields as columns_of
from datetime import datetime
from typing import TypeVar, get_args

from chatmem.engine.importing.dates import read_date
from chatmem.engine.importing.items import ImportedMemory, Item
from chatmem.engine.importing.notes import Note
from chatmem.engine.importing.source_file import SourceFile
from chatmem.model import CATEGORIES, KINDS, SOURCES, VISIBILITIES, AtomicMemoryRecord, Message
from chatmem.model import Role as RoleName
from chatmem.model.memory import DEFAULT_CONFIDENCE, NEUTRAL_IMPORTANCE
from chatmem.model.time import to_text

ID_PREFIX = "chatmem:"
EXPECTED = "a line that `chatmem export` wrote"

_COLUMNS = tuple(column.name for column in columns_of(AtomicMemoryRecord))
_ROLES: tuple[RoleName, ...] = get_args(RoleName)

Choice = TypeVar("Choice", bound=str)


def as_json(record: AtomicMemoryRecord) -> dict[str, object]:
    """Every column of a memory, times as ISO 8601 text in UTC, ready for `json.dumps`."""
    return {name: _plain(getattr(record, name)) for name in _COLUMNS}


def is_record(fields: Mapping[str, object]) -> bool:
    """True for an object that `as_json` made."""
    return "memory_type" in fields and "content" in fields


def read_record(source: SourceFile, place: str, fields: Mapping[str, object]) -> Item | None:
    """The message or memory of an exported record; None for one that a newer took the place of.

    Raises:
        ImportFormatError: a column is missing or has a value it does not take.
    """
    columns = _Columns(source, place, fields)
    identifier, moment = columns.text("id"), read_date(fields.get("timestamp"))
    if moment is None:
        raise source.broken(place, "no `timestamp`", EXPECTED)
    if fields.get("valid_to") is not None:
        source.notes[Note.SUPERSEDED] += 1
        return None
    if fields["memory_type"] == "long_term":
        return _memory(columns, identifier, moment)
    return Message(
        role=columns.choice("role", _ROLES, "user"),
        content=columns.text("content"),
        session_id=str(fields.get("session_id") or identifier),
        timestamp=moment,
        app_type=str(fields.get("app_type") or "chat"),
        source_id=ID_PREFIX + identifier,
    )


def _memory(columns: "_Columns", identifier: str, moment: datetime) -> ImportedMemory:
    key = columns.fields.get("key")
    return ImportedMemory(
        content=columns.text("content"),
        timestamp=moment,
        source_tag=ID_PREFIX + identifier,
        category=columns.choice("category", CATEGORIES, "fact"),
        kind=columns.choice("kind", KINDS, "semantic"),
        visibility=columns.choice("visibility", VISIBILITIES, "private"),
        source=columns.choice("source", SOURCES, "user_stated"),
        importance=int(columns.number("importance", NEUTRAL_IMPORTANCE, 1, 5)),
        confidence=columns.number("confidence", DEFAULT_CONFIDENCE, 0, 1),
        tags=columns.texts("tags"),
        key=None if key is None else str(key),
        value=columns.fields.get("value"),  # type: ignore[arg-type]  # JSON was parsed into it
    )


@dataclass(frozen=True, slots=True)
class _Columns:
    """The columns of one line, each checked as it is taken."""

    source: SourceFile
    place: str
    fields: Mapping[str, object]

    def text(self, name: str) -> str:
        value = self.fields.get(name)
        if not isinstance(value, str):
            raise self.source.broken(self.place, f"no `{name}`", EXPECTED)
        return value

    def texts(self, name: str) -> tuple[str, ...]:
        value = self.fields.get(name) or []
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise self.source.broken(self.place, f"{name} is {value!r}", "a list of texts")
        return tuple(value)

    def choice(self, name: str, known: tuple[Choice, ...], default: Choice) -> Choice:
        value = self.fields.get(name)
        if value is None:
            return default
        for choice in known:
            if choice == value:
                return choice
        raise self.source.broken(self.place, f"{name} is {value!r}", " or ".join(known))

    def number(self, name: str, default: float, least: float, most: float) -> float:
        value = self.fields.get(name)
        if value is None:
            return default
        if isinstance(value, int | float) and least <= value <= most:
            return value
        raise self.source.broken(self.place, f"{name} is {value!r}", f"{least} to {most}")


def _plain(value: object) -> object:
    if isinstance(value, datetime):
        return to_text(value)
    return list(value) if isinstance(value, tuple) else value
