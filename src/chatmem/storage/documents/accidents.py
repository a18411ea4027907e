"""Changes of documents that look like an accident and not like what somebody wanted.

A document is held when one of these is so; nothing of it is folded in then, and its memories stay
known, until it looks whole again or the caller accepts it by name:

- It is missing or blank, and memories that it held stand nowhere else.
- It was cut: its last line has no newline, and holds a comment that does not end; or memories are
  gone, and that line is in a bullet without an id, or they were exactly the last ones.
- More than half of its memories, of at least 8, are gone at once.
- Memories that it held stand only in a document that is held.

Less than that is taken for a person's wish. A bullet deleted in an editor is forgotten.

Source: decisions 2 ("half-written files ... are normal input"); lessons.md (lost notes).
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from chatmem.text.bullets import MarkdownPage
from chatmem.text.comments import CLOSE, OPEN

_BRING_BACK = "put it back, or let `chatmem reindex` write it again"
_CONFIRM = "or forget what is gone from it with `chatmem reindex --accept FILE`"
_MANY = 8
_HALF = 0.5

# Per document, as far as possible in its order: id -> fingerprint of the bullet as it was indexed.
Known: TypeAlias = Mapping[str, Mapping[str, str]]


@dataclass(frozen=True, slots=True)
class Held:
    """A document that is not folded in, and a sentence for a person: why, and what to do."""

    document: str
    reason: str


def accidents(
    known: Known, pages: Mapping[str, MarkdownPage | None], accepted: Collection[str] = ()
) -> tuple[Held, ...]:
    """The documents, of those that changed, that are to be left alone for now."""
    present = {path: _ids(page) for path, page in pages.items()}
    anywhere = set().union(*present.values())
    held: dict[str, str] = {}
    for path, page in pages.items():
        ids = list(known.get(path, {}))
        gone = [memory_id for memory_id in ids if memory_id not in anywhere]
        reason = _reason(page, ids, gone)
        if reason and path not in accepted:
            held[path] = f"{path} {reason}"
    while waiting := _waiting(known, present, held):
        for path in waiting:
            held[path] = f"{path} waits: memories moved from it to a document that is held"
    return tuple(Held(path, reason) for path, reason in held.items())


def _waiting(
    known: Known, present: Mapping[str, set[str]], held: Collection[str]
) -> tuple[str, ...]:
    """Documents from which memories went to held ones; folding them in would forget those."""
    readable = set().union(*(ids for path, ids in present.items() if path not in held))
    unreadable = set().union(*present.values()) - readable
    return tuple(
        path
        for path in present
        if path not in held and unreadable.intersection(known.get(path, ()))
    )


def _reason(page: MarkdownPage | None, ids: list[str], gone: list[str]) -> str | None:
    if gone and page is None:
        return f"is missing: {_BRING_BACK}, {_CONFIRM}"
    if gone and page and not page.text.strip("\ufeff \t\r\n"):
        return f"is empty: {_BRING_BACK}, {_CONFIRM}"
    if page and _is_cut(page, ids, gone):
        return "ends in the middle of a line; restore it, or finish that line with a newline"
    if len(ids) >= _MANY and len(gone) > len(ids) * _HALF:
        return f"has lost {len(gone)} of {len(ids)} memories at once: put them back, {_CONFIRM}"
    return None


def _is_cut(page: MarkdownPage, ids: list[str], gone: list[str]) -> bool:
    if not page.text or page.text.endswith("\n"):
        return False
    last_line = page.text[page.text.rfind("\n") + 1 :]
    if last_line.rfind(OPEN) > last_line.rfind(CLOSE):
        return True
    if not gone:
        return False
    last = page.bullets[-1] if page.bullets else None
    if last is not None and last.place is not None and last.place.end == len(page.text):
        return last.id is None
    return gone == ids[-len(gone) :]


def _ids(page: MarkdownPage | None) -> set[str]:
    return {bullet.id for bullet in page.bullets if bullet.id} if page else set()
