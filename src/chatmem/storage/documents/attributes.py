"""Attributes of bullets as values of columns and back; times, and the clock of a daily entry."""

import json
import re
from collections.abc import Callable, Collection, Mapping
from datetime import UTC, date, datetime, time, tzinfo
from typing import Any, TypeVar

from chatmem.model.memory import JsonValue

_Value = TypeVar("_Value")
_TAG_SIGNS = re.compile("[,，、]")
_CLOCK = re.compile(r"(?P<hour>[01]?[0-9]|2[0-3])[:：](?P<minute>[0-5][0-9])(?=\s|$)")
_NOON = time(12)
# What must begin its line to be what it is: a fence, a quote, a heading, a table, a list.
_BLOCK = re.compile(r"```|~~~|>|#|\||(?:[-*+]|[0-9]{1,9}[.)])(?:\s|$)")


class AttributeReader:
    """Reads attributes one by one and collects a warning for each that cannot be read."""

    def __init__(self, attributes: Mapping[str, str], where: str) -> None:
        self._attributes = attributes
        self._where = where
        self.warnings: list[str] = []

    def read(self, name: str, meaning: Callable[[str], _Value], default: _Value) -> _Value:
        """What the attribute means; the default when it is missing or cannot be read."""
        text = self._attributes.get(name)
        if text is None:
            return default
        try:
            return meaning(text)
        except (ValueError, OverflowError, RecursionError):
            self.warnings.append(f"{self._where}: {name}={text!r} cannot be read; took the default")
            return default


def one_of(choices: Collection[str], empty: str | None) -> Callable[[str], Any]:
    """What reads one of the choices; an empty text stands for `empty`."""

    def read(text: str) -> str | None:
        if text and text not in choices:
            raise ValueError
        return text or empty

    return read


def confidence_of(text: str) -> float:
    """A number in [0, 1]; ValueError otherwise."""
    confidence = float(text)
    if not 0 <= confidence <= 1:
        raise ValueError
    return confidence


def importance_of(text: str) -> int:
    """A whole number in 1..5; ValueError otherwise."""
    importance = int(text)
    if not 1 <= importance <= 5:
        raise ValueError
    return importance


def tags_text(tags: tuple[str, ...]) -> str:
    """Tags with commas between them, or as a JSON list where that would not bring them back."""
    text = ",".join(tags)
    plain = not text.startswith("[") and tags_of(text) == tags
    return text if plain else json.dumps(tags, ensure_ascii=False)


def tags_of(text: str) -> tuple[str, ...]:
    """The tags of such a text, Chinese commas included; ValueError for a list of other things."""
    if text.startswith("["):
        tags = json.loads(text)
        if not all(isinstance(tag, str) for tag in tags):
            raise ValueError
        return tuple(tags)
    return tuple(tag.strip() for tag in _TAG_SIGNS.split(text) if tag.strip())


def value_text(value: JsonValue) -> str:
    """JSON, or the bare text of a string that is no JSON by itself: `value=tea`."""
    if isinstance(value, str) and value_of(value) == value:
        return value
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def value_of(text: str) -> JsonValue:
    """The JSON value, or the text itself where it is no JSON."""
    try:
        value: JsonValue = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return value


def moment_text(moment: datetime) -> str:
    """The moment in its own offset, as short as nothing is lost: `2026-11-21T06:05:31Z`."""
    if moment.microsecond == 0:
        precision = "seconds"
    else:
        precision = "microseconds" if moment.microsecond % 1000 else "milliseconds"
    return moment.isoformat(timespec=precision).replace("+00:00", "Z")


def moment_of(text: str) -> datetime:
    """The moment in the offset that the text gives; without one it is local time.

    Raises:
        ValueError: no ISO 8601 time.
        OverflowError: a time outside the years that can be kept.
    """
    moment = datetime.fromisoformat(text)
    aware = moment if moment.tzinfo else moment.astimezone()
    aware.astimezone(UTC)
    return aware


def utc_text(moment: datetime) -> str:
    """The moment in UTC."""
    return moment_text(moment.astimezone(UTC))


def utc_of(text: str) -> datetime:
    """The moment in UTC; errors are those of `moment_of`."""
    return moment_of(text).astimezone(UTC)


def clock_text(moment: datetime) -> str:
    """`14:05`, in the moment's own offset."""
    return f"{moment:%H:%M}"


def with_clock(content: str, clock: str) -> str:
    """The content of a daily entry behind its time."""
    return f"{clock}\n{content}" if _BLOCK.match(content) else f"{clock} {content}"


def without_clock(content: str, clock: str) -> str | None:
    """What stands behind this very time; None when the content does not begin with it."""
    if not content.startswith(clock):
        return None
    rest = content[len(clock) :]
    return rest.strip() if rest[:1].isspace() or not rest else None


def clock_moment(content: str, day: date, zone: tzinfo | None) -> datetime | None:
    """The moment that an entry of this day begins with (`09:30 dentist`), or None."""
    clock = _CLOCK.match(content)
    return clock and _local(day, time(int(clock["hour"]), int(clock["minute"])), zone)


def noon(day: date, zone: tzinfo | None) -> datetime:
    """Noon of this day: the time of an entry that tells none."""
    return _local(day, _NOON, zone)


def _local(day: date, clock: time, zone: tzinfo | None) -> datetime:
    moment = datetime.combine(day, clock, zone)
    return moment if zone else moment.astimezone()
