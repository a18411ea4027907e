"""Attributes of bullets as values of columns, and back."""

import json
import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import TypeVar

from chatmem.model.memory import JsonValue
from chatmem.storage.documents.moments import moment_of

_Value = TypeVar("_Value")
_TAG_SIGNS = re.compile("[,，、]")


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

    def moment(self, name: str) -> datetime | None:
        """The moment that the attribute tells, in UTC."""
        return self.read(name, lambda text: moment_of(text).astimezone(UTC), None)

    def choice(self, name: str, choices: tuple[_Value, ...], default: _Value) -> _Value | None:
        """One of the choices; an empty text is None: the column holds nothing."""

        def chosen(text: str) -> _Value | None:
            return choices[[str(choice) for choice in choices].index(text)] if text else None

        fallback: _Value | None = default
        return self.read(name, chosen, fallback)


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
