"""Between rows and records, whose fields are named as the columns are."""

import json
from collections.abc import Mapping
from dataclasses import fields
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from chatmem.model import AtomicMemoryRecord
from chatmem.model.time import from_text, to_text
from chatmem.storage.tables.database import Row
from chatmem.storage.values import Owner, Place
from chatmem.text.normalise import tag_form

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

OWNER_BITS = 32
_ROW_MASK = (1 << OWNER_BITS) - 1
_Record = TypeVar("_Record", bound="DataclassInstance")


def row_id(owner: Owner, row: int) -> int:
    """The key of an owner's row: a query over one owner is a range of keys."""
    return owner.number << OWNER_BITS | row


def row_of(key: int) -> int:
    """The owner's row that a key stands for."""
    return key & _ROW_MASK


def place_of(key: int) -> Place:
    """Owner number and row that a key stands for."""
    return key >> OWNER_BITS, key & _ROW_MASK


def key_range(owner: Owner, first: int = 0) -> dict[str, int]:
    """The lowest and the highest key of an owner's rows from `first` on, as `low` and `high`."""
    return {"low": row_id(owner, first), "high": row_id(owner, _ROW_MASK)}


def containing(text: str) -> str:
    """The `LIKE` pattern of everything that contains the text, whatever signs are in it."""
    escaped = text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    return f"%{escaped}%"


def from_row(kind: type[_Record], row: Row) -> _Record:
    """The record whose fields are the row's columns, in their order."""
    names, times = _layout(kind)
    values = dict(zip(names, row, strict=True))
    for name in times:
        if values[name] is not None:
            values[name] = from_text(values[name])
    return kind(**values)


def columns(record: "DataclassInstance") -> dict[str, Any]:
    """The record's fields by name, as JSON and a database know them."""
    names, times = _layout(type(record))
    values = {name: getattr(record, name) for name in names}
    for name in times:
        if values[name] is not None:
            values[name] = to_text(values[name])
    return values


def to_record(row: Row) -> AtomicMemoryRecord:
    """The record of a row selected as `{memory}`."""
    values = list(row[1:])
    values[_TAGS] = tuple(json.loads(values[_TAGS])) if values[_TAGS] != "[]" else ()
    values[_VALUE] = json.loads(values[_VALUE]) if values[_VALUE] != "null" else None
    return from_row(AtomicMemoryRecord, tuple(values))


def to_bindings(key: int, record: AtomicMemoryRecord) -> dict[str, Any]:
    """Named parameters for `memories.insert` and `memories.update`."""
    return columns(record) | {
        "row_id": key,
        "tags": json.dumps(record.tags, ensure_ascii=False),
        "tag_forms": [tag_form(tag) for tag in record.tags],
        "value": json.dumps(record.value, ensure_ascii=False),
    }


def from_columns(known: Mapping[str, Any]) -> AtomicMemoryRecord:
    """The record that `columns` was made of, by this version or an older one."""
    values = {**known, "tags": tuple(known["tags"])}
    for name in _layout(AtomicMemoryRecord)[1]:
        if values.get(name) is not None:
            values[name] = from_text(values[name])
    return AtomicMemoryRecord(**values)


@cache
def _layout(kind: type["DataclassInstance"]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Names of all fields of a dataclass, and of those that are times."""
    every = fields(kind)
    times = tuple(one.name for one in every if one.type in (datetime, datetime | None))
    return tuple(one.name for one in every), times


_NAMES = _layout(AtomicMemoryRecord)[0]
_TAGS, _VALUE = _NAMES.index("tags"), _NAMES.index("value")
