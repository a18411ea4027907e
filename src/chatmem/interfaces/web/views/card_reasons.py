"""Why a memory was changed, in the visitor's language.

The engine writes its reasons in English, for every reader of a history. What is not known here
stands as it is.
"""

import re
from typing import Final

from chatmem.interfaces.web.words import Words

_UNDONE: Final = "undone: "
_BETWEEN: Final = re.compile("; (?=extracted from session )")
_OF_COURSE: Final = frozenset({"edited", "marked as important"})
"""What the name of the change has said already."""
_KNOWN: Final = tuple(
    (re.compile(pattern), name)
    for pattern, name in (
        (r"asked to remember", "asked"),
        (r"written into the daily log", "daily"),
        (r"extracted from session .* by rules", "extracted"),
        (r"extracted from session .* by reader", "extracted_by_reader"),
        (r"extracted from session .* by (?P<by>.+)", "extracted_by"),
        (r"said again", "said_again"),
        (r"superseded: near in meaning", "newer"),
        (r"superseded: (?P<what>.+)", "newer_key"),
        (r"conflict: .+", "conflict"),
        (r"maybe about .+", "maybe"),
        (r"said to be out of date", "out_of_date"),
        (r"said before what is known: .+", "older"),
        (r"says the same as .+", "same"),
        (r"MEMORY\.md was full", "full"),
        (r"evicted: more than (?P<count>\d+) memories", "evicted"),
        (r"written in (?P<file>.+)", "written_in"),
        (r"edited in (?P<file>.+)", "edited_in"),
        (r"moved to (?P<file>.+)", "moved_to"),
        (r"\b\w++ was restored", "other_restored"),
    )
)


def reason_of(words: Words, reason: str) -> str:
    """The reason as the visitor reads it; "" where there is nothing to add."""
    if reason.startswith(_UNDONE):
        rest = reason_of(words, reason.removeprefix(_UNDONE))
        return words("card.reason_undone", reason=rest) if rest else ""
    parts = [_part(words, part) for part in _BETWEEN.split(reason) if part not in _OF_COURSE]
    return words("card.between").join(dict.fromkeys(part for part in parts if part))


def _part(words: Words, part: str) -> str:
    for pattern, name in _KNOWN:
        found = pattern.fullmatch(part)
        if found:
            return words(f"card.reason_{name}", **found.groupdict())
    return part
