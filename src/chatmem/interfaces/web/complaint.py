"""Errors in the visitor's language, chosen by type and code.

The engine's own sentence, which is English, stands below where it says more.
"""

from dataclasses import dataclass
from typing import Final

from chatmem import errors
from chatmem.interfaces.web.words import Words
from chatmem.model import Missing

_COMPLETE: Final = (
    errors.CircleNotFoundError,
    errors.MemoryNotFoundError,
    errors.NothingToRestoreError,
    errors.SessionNotFoundError,
    errors.StaleEtagError,
)
"""Of these the visitor's own sentence says all."""
_FIELDS: Final = frozenset({"content", "confidence", "importance", "tags", "key", "value"})


@dataclass(frozen=True, slots=True)
class Complaint:
    """A sentence, and the engine's own as a detail, "" where that adds nothing."""

    text: str
    detail: str = ""

    def __str__(self) -> str:
        return f"{self.text} ({self.detail})" if self.detail else self.text


def complaint_of(words: Words, error: errors.ChatmemError) -> Complaint:
    """The error as the visitor reads it; in English alone where there are no words for it."""
    kinds = [kind.__name__ for kind in type(error).__mro__]
    for name in (f"{kind}{code}" for kind in kinds for code in (f"_{error.code}", "")):
        if text := _find(words, name, error):
            says_all = isinstance(error, errors.InvalidInputError) and name not in kinds
            return Complaint(text, "" if says_all else _detail(error))
    return Complaint(str(error))


def missing_of(words: Words, missing: Missing) -> Complaint:
    """What could not be used, as the visitor reads it; why, where that is not all of it."""
    name = f"errors.missing_{missing.what}"
    text = words.get(f"{name}_{missing.code}", "") or words.get(name, "")
    if not text:
        return Complaint(missing.why)
    return Complaint(text, "" if missing.code in ("off", "renewing", "waiting") else missing.why)


def _find(words: Words, name: str, error: errors.ChatmemError) -> str:
    facts = dict(error.facts)
    if facts.get("name") in _FIELDS:
        facts["name"] = words(f"card.{facts['name']}")
    try:
        return words(f"errors.{name}", **facts)
    except KeyError:
        return ""


def _detail(error: errors.ChatmemError) -> str:
    if isinstance(error, _COMPLETE):
        return ""
    if isinstance(error, errors.ImportFormatError) and error.facts:  # without the server's folder
        file, place = error.facts.get("file"), error.facts.get("place")
        where = f"{file}, {place}" if place else file
        return f"{where}: {error.facts.get('reason')}"
    return error.problem if isinstance(error, errors.ChatError) else str(error)
