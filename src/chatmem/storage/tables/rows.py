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
from chatmem.text.normalise import tag_form

OWNER_BITS = 32
_ROW_MASK = (1 << OWNER_BITS) - 1
_TIMES = ("timestamp", "create_time", "valid_from", "valid_to", "last_accessed")


def row_id(owner: Owner, row: int) -> int:
    """The key of an owner's row: a query over one owner is a range of keys."""
    return owner.number << OWNER_BITS | row


def row_of(key: int) -> int:
    """The owner's row that a key stands for."""
    return key & _ROW_MASK


def place_of(key: int) -> Place:
    """Owner number and row that a key stands for."""
    return key >> OWNER_BITS, key & _ROW_MASK


def key_range(owner: Owner, first: int = 0) -> tuple[int, int]:
    """The lowest and the highest key of an owner's rows from `first` on."""
    return row_id(owner, first), row_id(owner, _ROW_MASK)


def bound(owner: Owner, **more: Any) -> dict[str, Any]:  # noqa: ANN401 - what a statement takes
    """Bindings of a statement on an owner's rows: the name and the number, and these."""
    return {"user_id": owner.user_id, "owner": owner.number, **more}


def to_record(row: Row) -> AtomicMemoryRecord:
    """The record of a row selected as `{memory}` (statements.py)."""
    (_, memory_id, user_id, timestamp, create_time, content, tags, session_id, app_type, role,
     memory_type, kind, category, key, value, confidence, source, importance, visibility,
     valid_from, valid_to, superseded_by, document, last_accessed, access_count) = row  # fmt: skip
    return AtomicMemoryRecord(
        id=memory_id, user_id=user_id, timestamp=from_text(timestamp),
        create_time=from_text(create_time), content=content,
        tags=tuple(json.loads(tags)) if tags != "[]" else (),
        session_id=session_id, app_type=app_type, role=role, memory_type=memory_type, kind=kind,
        category=category, key=key, value=json.loads(value) if value != "null" else None,
        confidence=confidence, source=source, importance=importance, visibility=visibility,
        valid_from=_moment(valid_from), valid_to=_moment(valid_to), superseded_by=superseded_by,
        document=document, last_accessed=_moment(last_accessed), access_count=access_count or 0,
    )  # fmt: skip


def to_standing(row: Row) -> Standing:
    """The standing of a row selected as `statements.STANDING_WITH_COUNTERS`."""
    (_, timestamp, category, confidence, importance,
     valid_from, valid_to, last_accessed, access_count) = row  # fmt: skip
    return Standing(
        timestamp=from_text(timestamp), category=category, confidence=confidence,
        importance=importance, valid_from=_moment(valid_from), valid_to=_moment(valid_to),
        last_accessed=_moment(last_accessed), access_count=access_count or 0,
    )  # fmt: skip


def to_bindings(key: int, record: AtomicMemoryRecord) -> dict[str, Any]:
    """Named parameters for `insert` and `update`."""
    bindings = plain(record)
    bindings["row_id"] = key
    bindings["tags"] = json.dumps(record.tags, ensure_ascii=False)
    bindings["tag_forms"] = [tag_form(tag) for tag in record.tags]
    bindings["value"] = json.dumps(record.value, ensure_ascii=False)
    return bindings


def plain(record: AtomicMemoryRecord) -> dict[str, Any]:
    """The record's columns as JSON knows them."""
    found = {field.name: getattr(record, field.name) for field in fields(record)}
    for name in _TIMES:
        if found[name] is not None:
            found[name] = to_text(found[name])
    return found


def from_plain(columns: Mapping[str, Any]) -> AtomicMemoryRecord:
    """The record that `plain` was made of."""
    values = dict(columns)
    for name in _TIMES:
        values[name] = _moment(values.get(name))
    values["tags"] = tuple(values["tags"])
    return AtomicMemoryRecord(**values)


def _moment(text: str | None) -> datetime | None:
    return from_text(text) if text is not None else None
