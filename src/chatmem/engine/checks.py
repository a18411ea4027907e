"""Values from outside, checked.

All raise `InvalidInputError`, which names the value, what it got and what it takes.
"""

import json
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, date, datetime, time
from typing import Any, TypeVar

from chatmem.errors import InvalidInputError
from chatmem.model import (
    CATEGORIES,
    KINDS,
    MEMORY_STATES,
    MEMORY_TYPES,
    SOURCES,
    VISIBILITIES,
    MemoryFilter,
)
from chatmem.model.memory import JsonValue
from chatmem.text.clean import clean_text, without_surrogates

MOST_LISTED = 1_000
"""Items of a page, at most."""
_Choice = TypeVar("_Choice", bound=str)


def checked_text(value: object, name: str) -> str:
    """The text, cleaned, with at least one visible character."""
    if not isinstance(value, str):
        raise InvalidInputError(f"{name}: got {type(value).__name__}, takes text")
    cleaned = clean_text(value)
    if not cleaned:
        raise InvalidInputError(
            f"{name}: is empty, takes text with at least one visible character"
        ).coded("empty", name=name)
    return cleaned


def checked_texts(value: object, name: str) -> tuple[str, ...]:
    """The texts, each as `checked_text` gives it; one text alone is no list of them."""
    if not isinstance(value, (list, tuple, set, frozenset)):
        raise InvalidInputError(f"{name}: got {type(value).__name__}, takes a list of texts")
    return tuple(checked_text(one, name) for one in value)


def checked_json(value: object, name: str) -> JsonValue:
    """The value as JSON gives it back: tuples as lists, names as text, whole characters."""
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidInputError(f"{name}: takes what JSON can carry ({error})") from error
    found: JsonValue = json.loads(without_surrogates(text))
    return found


def checked_user(value: object) -> str:
    """The user id in NFC: ids that look the same are one user, with one folder and set of rows."""
    if not isinstance(value, str) or not value:
        raise InvalidInputError(f"user id: got {value!r}, takes a name such as 'default'").coded(
            "user"
        )
    if value != without_surrogates(value):
        raise InvalidInputError(f"user id: got {value!r}, takes whole characters")
    return unicodedata.normalize("NFC", value)


def checked_choice(value: object, name: str, choices: tuple[_Choice, ...]) -> _Choice:
    """The value, which is one of the choices."""
    for choice in choices:
        if value == choice:
            return choice
    raise InvalidInputError(f"{name}: got {value!r}, takes one of {', '.join(choices)}")


def checked_number(
    value: object, name: str, low: float, high: float, *, whole: bool = False
) -> float:
    """The number, which lies in [low, high]; `whole` takes integers only."""
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if number and low <= float(str(value)) <= high and not (whole and not isinstance(value, int)):
        return float(str(value))
    kind = "a whole number" if whole else "a number"
    raise InvalidInputError(f"{name}: got {value!r}, takes {kind} from {low:g} to {high:g}").coded(
        "number", name=name, low=low, high=high
    )


def checked_limit(limit: object) -> int:
    """The number of items asked for, in [0, `MOST_LISTED`]."""
    return int(checked_number(limit, "limit", 0, MOST_LISTED, whole=True))


def checked_range(value: object) -> tuple[datetime | None, datetime | None]:
    """Begin and end, each a moment in UTC, None for open; a date as end is its last moment.

    Takes a pair of datetimes, dates, ISO 8601 texts or None; without a zone they are local time.
    """
    if value is None:
        return None, None
    if not isinstance(value, (tuple, list)) or len(value) != 2:
        raise InvalidInputError(f"time_range: got {value!r}, takes a pair: begin and end, or None")
    begin, end = value
    return checked_moment(begin, "time_range"), checked_moment(end, "time_range", time.max)


def checked_moment(value: object, name: str, of_day: time = time.min) -> datetime | None:
    """The moment in UTC, None for None; takes what `checked_range` takes a pair of."""
    if value is None:
        return None
    try:
        if isinstance(value, str):
            value = date.fromisoformat(value) if len(value) == 10 else datetime.fromisoformat(value)
        if isinstance(value, datetime):
            return value.astimezone(UTC)
        if isinstance(value, date):
            return datetime.combine(value, of_day).astimezone(UTC)
    except (ValueError, OverflowError, OSError) as error:
        raise InvalidInputError(
            f"{name}: got {value!r}, takes ISO 8601 times such as 2026-11-21 ({error})"
        ) from error
    raise InvalidInputError(f"{name}: got {value!r}, takes a datetime, a date, ISO text or None")


_CHECKS: Mapping[str, Callable[[Any], Any]] = {
    "content": lambda value: checked_text(value, "content"),
    "category": lambda value: checked_choice(value, "category", CATEGORIES),
    "kind": lambda value: checked_choice(value, "kind", KINDS),
    "source": lambda value: checked_choice(value, "source", SOURCES),
    "visibility": lambda value: checked_choice(value, "visibility", VISIBILITIES),
    "importance": lambda value: int(checked_number(value, "importance", 1, 5, whole=True)),
    "confidence": lambda value: checked_number(value, "confidence", 0, 1),
    "tags": lambda value: checked_texts(value, "tags"),
    "key": lambda value: None if value is None else checked_text(value, "key"),
    "value": lambda value: checked_json(value, "value"),
}
COLUMNS = tuple(_CHECKS)
"""The columns of a memory that a caller gives, and may edit."""


def checked_columns(columns: Mapping[str, Any]) -> dict[str, Any]:
    """The named columns, each with a value it can take.

    Raises:
        InvalidInputError: a column that cannot be edited, or a value it does not take.
    """
    return {
        name: _CHECKS[checked_choice(name, "column", COLUMNS)](value)
        for name, value in columns.items()
    }


def checked_filter(wanted: MemoryFilter) -> MemoryFilter:
    """The filter with its text cleaned, and its times in UTC.

    Raises:
        InvalidInputError: a value that a memory's column never has.
    """
    checked_choice(wanted.state, "state", MEMORY_STATES)
    if wanted.memory_type is not None:
        checked_choice(wanted.memory_type, "memory_type", MEMORY_TYPES)
    given = {name: getattr(wanted, name) for name in ("kind", "category", "source", "visibility")}
    checked_columns({name: value for name, value in given.items() if value is not None})
    return replace(
        wanted,
        text=clean_text(wanted.text or "") or None,
        time_from=checked_moment(wanted.time_from, "time_from"),
        time_to=checked_moment(wanted.time_to, "time_to"),
        as_of=checked_moment(wanted.as_of, "as_of"),
    )
