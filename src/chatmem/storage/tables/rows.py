"""Between rows and records, whose fields are named as the columns are."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar

from chatmem.model import AtomicMemoryRecord
from chatmem.model.memory import JsonValue
from chatmem.model.time import from_text, to_text
from chatmem.storage.tables.database import Row, SqlDatabase
from chatmem.storage.values import Owner
from chatmem.text.normalise import tag_form

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

OWNER_BITS = 32
_ROW_MASK = (1 << OWNER_BITS) - 1
_Record = TypeVar("_Record", bound="DataclassInstance")
_Convert: TypeAlias = Callable[[Any], Any]


def row_id(owner: Owner, row: int) -> int:
    """The key of an owner's row: a query over one owner is a range of keys."""
    return owner.number << OWNER_BITS | row


def row_of(key: int) -> int:
    """The owner's row that a key stands for."""
    return key & _ROW_MASK


def key_range(owner: Owner, first: int = 0) -> dict[str, int]:
    """The lowest and the highest key of an owner's rows from `first` on, as `low` and `high`."""
    return {"low": row_id(owner, first), "high": row_id(owner, _ROW_MASK)}


def pages(database: SqlDatabase, name: str, owner: Owner, size: int) -> Iterator[list[Row]]:
    """The rows of a statement in the order of their keys, `size` at a time."""
    named = {**key_range(owner), "limit": size}
    while page := database.rows(name, owner, **named):
        yield page
        named["low"] = page[-1][0] + 1


def containing(text: str) -> str:
    """The `LIKE` pattern of everything that contains the text, whatever signs are in it."""
    escaped = text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    return f"%{escaped}%"


def from_row(kind: type[_Record], row: Row) -> _Record:
    """The record whose fields are the row's columns, in their order."""
    names, converters = _layout(kind)
    values = dict(zip(names, row, strict=True))
    for name, (read, _) in converters.items():
        if values[name] is not None:
            values[name] = read(values[name])
    return kind(**values)


def to_bindings(record: "DataclassInstance") -> dict[str, Any]:
    """The record's fields by name, as the columns of a row."""
    values = _values(record)
    for name, (_, write) in _layout(type(record))[1].items():
        values[name] = write(values[name])
    return values


def to_record(row: Row) -> AtomicMemoryRecord:
    """The record of a row selected as `{memory}`."""
    return from_row(AtomicMemoryRecord, row[1:])


def memory_bindings(key: int, record: AtomicMemoryRecord) -> dict[str, Any]:
    """Named parameters for `memories.insert` and `memories.update`."""
    bindings = to_bindings(record)
    bindings.update(row_id=key, tag_forms=[tag_form(tag) for tag in record.tags])
    return bindings


def to_json(record: AtomicMemoryRecord) -> str:
    """The memory as a JSON object with the names of the columns."""
    values = _values(record)
    return _text(values | {name: _TIME[1](values[name]) for name in _times()})


def from_json(text: str) -> AtomicMemoryRecord:
    """The memory that `to_json` wrote, in this version or an older one."""
    values = json.loads(text)
    for name in _times():
        if values.get(name) is not None:
            values[name] = from_text(values[name])
    return AtomicMemoryRecord(**values | {"tags": tuple(values["tags"])})


def _values(record: "DataclassInstance") -> dict[str, Any]:
    return {name: getattr(record, name) for name in _layout(type(record))[0]}


def _times() -> list[str]:
    converters = _layout(AtomicMemoryRecord)[1]
    return [name for name, converter in converters.items() if converter is _TIME]


def _text(value: object) -> str:
    return json.dumps(dict(value) if isinstance(value, Mapping) else value, ensure_ascii=False)


_TIME: Final = (from_text, lambda moment: moment and to_text(moment))
_CONVERTERS: Final[Mapping[object, tuple[_Convert, _Convert]]] = {
    datetime: _TIME,
    datetime | None: _TIME,
    bool: (bool, int),
    tuple[str, ...]: (lambda text: tuple(json.loads(text)) if text != "[]" else (), _text),
    JsonValue: (lambda text: json.loads(text) if text != "null" else None, _text),
    Mapping[str, JsonValue]: (json.loads, _text),
    AtomicMemoryRecord: (from_json, to_json),
    AtomicMemoryRecord | None: (from_json, lambda record: record and to_json(record)),
}
"""Types of fields whose columns are text or numbers: how each is read, and how it is written."""


@cache
def _layout(
    kind: type["DataclassInstance"],
) -> tuple[tuple[str, ...], Mapping[str, tuple[_Convert, _Convert]]]:
    """Names of all fields of a dataclass, and the converters of those that need one."""
    every = fields(kind)
    converters = {one.name: _CONVERTERS[one.type] for one in every if one.type in _CONVERTERS}
    return tuple(one.name for one in every), converters
