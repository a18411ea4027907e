"""A model's own `memory_update`, as a memory to be written.

    {"memory_update": {"should_store": true, "category": "preference", "key": "taste:tea",
                       "value": "oolong", "content": "Likes oolong tea"}}

Source: S3.2.1; decisions 4.
"""

from collections.abc import Mapping
from typing import Any, Final

from chatmem.model import CATEGORIES
from chatmem.model.memory import DEFAULT_CONFIDENCE

_COLON: Final = ": "


def write_of(update: Mapping[str, Any]) -> dict[str, Any] | None:
    """What `apply_writes` takes; None where nothing shall be stored, or nothing is said.

    Only these fields are read: who may see a memory, and whose it is, is not for a model to say.
    Its confidence is at least 0.9.
    """
    if update.get("should_store") not in (True, "true", "True", 1):
        return None
    key, value = _text(update.get("key")), update.get("value")
    content = _text(update.get("content"))
    if content is None:
        told = _text(value) if isinstance(value, str) else None if value is None else str(value)
        content = _COLON.join(part for part in (key, told) if part) if told else None
    if content is None:
        return None
    category = update.get("category")
    return {
        "content": content,
        "category": category if category in CATEGORIES else "fact",
        "key": key,
        "value": value,
        "confidence": _confidence(update.get("confidence")),
        "source": "user_stated",
    }


def _confidence(said: object) -> float:
    if isinstance(said, bool) or not isinstance(said, (int, float)):
        return DEFAULT_CONFIDENCE
    return min(1.0, max(DEFAULT_CONFIDENCE, float(said)))


def _text(value: object) -> str | None:
    return value.strip() or None if isinstance(value, str) else None
