"""Between rows of `atomic_memory` and records."""

import json
from collections.abc import Mapping
from dataclasses import fields
from datetime import datetime
from typing import Any

from chatmem.model import AtomicMemoryRecord, Standing
from chatmem.model.time import from_text, to_text
from chatmem.storage.tables.database import Row
from chatmem.storage.values import Owner, Place
from chatmem.text.tags import tag_form

OWNER_BITS = 32
_ROW_MASK = (1 << OWNER_BITS) - 1
_COLUMNS = tuple(field.name for field in fields(AtomicMemoryRecord))
_STANDING = tuple(field.name for field in fields(Standing))
_TIMES = ("timestamp", "create_time", "valid_from", "valid_to", "last_accessed")
_STANDING_TIMES = tuple(name for name in _TIMES if name in _STANDING)


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


def to_record(row: Row) -> AtomicMemoryRecord:
    """The record of a row selected as `{memory}`."""
    values = dict(zip(_COLUMNS, row[1:], strict=True))
    values["tags"] = tuple(json.loads(values["tags"])) if values["tags"] != "[]" else ()
    values["value"] = json.loads(values["value"]) if values["value"] != "null" else None
    return AtomicMemoryRecord(**_read(values, _TIMES))


def to_standing(row: Row) -> Standing:
    """The standing of a row selected as `statements.columns_of(Standing)`."""
    return Standing(**_read(dict(zip(_STANDING, row[1:], strict=True)), _STANDING_TIMES))


def to_bindings(key: int, record: AtomicMemoryRecord) -> dict[str, Any]:
    """Named parameters for `memories.insert` and `memories.update`."""
    return plain(record) | {
        "row_id": key,
        "tags": json.dumps(record.tags, ensure_ascii=False),
        "tag_forms": [tag_form(tag) for tag in record.tags],
        "value": json.dumps(record.value, ensure_ascii=False),
    }


def plain(record: AtomicMemoryRecord) -> dict[str, Any]:
    """The record's columns as JSON knows them."""
    found = {name: getattr(record, name) for name in _COLUMNS}
    for name in _TIMES:
        if found[name] is not None:
            found[name] = to_text(found[name])
    return found


def from_plain(columns: Mapping[str, Any]) -> AtomicMemoryRecord:
    """The record that `plain` was made of, by this version or an older one."""
    values = _read(dict.fromkeys((*_TIMES, "access_count")) | dict(columns), _TIMES)
    values["tags"] = tuple(values["tags"])
    return AtomicMemoryRecord(**values)


def optional_time(text: str | None) -> datetime | None:
    """The moment, None for none."""
    return from_text(text) if text else None


def _read(values: dict[str, Any], times: tuple[str, ...]) -> dict[str, Any]:
    """The values with moments instead of texts, and a number of accesses."""
    for name in times:
        text = values[name]
        if text is not None:
            values[name] = from_text(text)
    values["access_count"] = values["access_count"] or 0
    return values
