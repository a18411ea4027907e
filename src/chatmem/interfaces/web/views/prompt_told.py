"""What the ids and reasons of a receipt say to a person."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from chatmem.errors import MemoryNotFoundError, SessionNotFoundError
from chatmem.interfaces.web.visit import Visit
from chatmem.interfaces.web.words import Words
from chatmem.prompt.receipt import SUMMARIES, Receipt

_TOP_K: Final = re.compile(r"(?:semantic|episodic)_top_k: ([0-9]+) are better")
_PLACE: Final = re.compile(r"(window|rag)\[([0-9]+)\]")
_CUT: Final = "main_tokens: MEMORY.md is cut"
_TWICE: Final = "the same text is there already"
_LIMITS: Final = frozenset(
    (
        "total_tokens",
        "memory_tokens",
        "main_tokens",
        "household_tokens",
        "profile_tokens",
        "rag_tokens",
        "window_messages",
        "max_entries",
    )
)


@dataclass(frozen=True, slots=True)
class Told:
    """One thing of a receipt, in words; `memory_id` and `session_id` say what it opens."""

    text: str
    memory_id: str | None = None
    session_id: str | None = None


def told_items(visit: Visit, receipt: Receipt) -> Mapping[str, Told]:
    """Everything that a receipt names, by its id. To be called away."""
    summaries = {item for one in receipt.sections if one.name == SUMMARIES for item in one.items}
    return {one: _told(visit, one, one in summaries) for one in _ids(receipt)}


def reason_told(words: Words, reason: str) -> str:
    """Why something was left out, as a person says it; an unknown reason as it is."""
    if reason == _CUT:
        return words("prompt.reason_main_cut")
    if reason == _TWICE:
        return words("prompt.reason_twice")
    if (match := _TOP_K.fullmatch(reason)) is not None:
        return words("prompt.reason_top_k", count=match[1])
    limit, _, how = reason.partition(": ")
    if limit not in _LIMITS:
        return reason
    told = words(f"prompt.reason_{limit}")
    return words("prompt.reason_cut", reason=told) if how == "cut" else told


def _ids(receipt: Receipt) -> Iterator[str]:
    for section in receipt.sections:
        yield from section.items
    for left in receipt.left_out:
        yield left.id


def _told(visit: Visit, item: str, is_summary: bool) -> Told:
    words = visit.words
    if (match := _PLACE.fullmatch(item)) is not None:
        return Told(words(f"prompt.item_{match[1]}", number=int(match[2]) + 1))
    if not is_summary:
        try:
            return Told(visit.memory.get(item).content, memory_id=item)
        except MemoryNotFoundError:
            pass
    try:
        session = visit.memory.sessions.get(item)
    except SessionNotFoundError:
        return Told(_section_or_id(words, item))
    title = session.title or words("sessions.untitled")
    return Told(words("prompt.item_summary", title=title), session_id=item)


def _section_or_id(words: Words, item: str) -> str:
    try:
        return words(f"prompt.section_{item}")
    except KeyError:
        return item
