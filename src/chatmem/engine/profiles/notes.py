"""What conversations told about a person, as bullets of an own section of their profile.

    ## Noticed in conversations <!-- chatmem=noticed -->

    - Prefers short answers <!-- slot=reply_length session=s1 message=12 hash=3f2a... -->

Text in, text out. Nothing outside that section changes by a byte, and in it only bullets that still
say what was written: one that a person has edited is theirs.

Source: S2.2.2.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from chatmem.extraction.profile import SINGLE_SLOTS, ProfileStatement
from chatmem.text.bullet_edits import newline_of, plain_title, replace
from chatmem.text.bullets import Bullet, parse, render, visible_text
from chatmem.text.language import script_of
from chatmem.text.normalise import normalise
from chatmem.text.outline import Section, outline

TITLES: Final = {"en": "Noticed in conversations", "zh-Hans": "对话中得知", "zh-Hant": "對話中得知"}
MARK: Final = "<!-- chatmem=noticed -->"
"""Behind the heading: the section is known by it when a person gives it another title."""
_SHOWN_MARK = re.compile(r"(?<![ \t])[ \t]*+<!-- chatmem=noticed -->")
_HASH_CHARS = 12
_PLAIN = {plain_title(title) for title in TITLES.values()}
_LIST_SIGN = re.compile(r"^\s*(?:[-*+]|[0-9]{1,9}[.)])\s+")


@dataclass(frozen=True, slots=True)
class Noticed:
    """A statement, and the message it was found in."""

    statement: ProfileStatement
    session_id: str
    message_id: int


def with_notices(text: str, notices: Iterable[Noticed]) -> tuple[str, list[Noticed]]:
    """The profile with these, and those that are new in it.

    A bullet of a slot that has one value is replaced by a later message's; what the profile says
    already is not said again.
    """
    written: list[Noticed] = []
    for one in notices:
        after = _with_notice(text, one)
        if after != text:
            text = after
            written.append(one)
    return text, written


def holds_slot(text: str, slot: str) -> bool:
    """True when a bullet of ours stands for the slot, and a new statement would replace it."""
    return slot in SINGLE_SLOTS and any(_slot(one) == slot for one in _own(text))


def messages_told(text: str, session_id: str) -> frozenset[int]:
    """The messages of a session that bullets of ours are from."""
    own = (one for one in _own(text) if one.attributes.get("session") == session_id)
    return frozenset(map(_message, own))


def without_session(text: str, session_id: str) -> tuple[str, list[Bullet]]:
    """The profile without what this session told, and the bullets that went.

    A section of ours that holds nothing more goes with them.
    """
    gone = [one for one in _own(text) if one.attributes.get("session") == session_id]
    for bullet in reversed(gone):
        if bullet.place is not None:
            text = text[: bullet.place.start] + text[bullet.place.end :]
    section = _section(text) if gone else None
    if section is not None and not text[section.body : section.end].strip():
        text = text[: section.start] + text[section.end :]
    return text, gone


def shown(text: str) -> str:
    """The profile as a prompt takes it: without our comments."""
    return _SHOWN_MARK.sub("", visible_text(text)).strip()


def mark(slot: str, statement: str) -> str:
    """What is remembered of a statement that was written once."""
    return f"profile {slot}: {statement}"


def _with_notice(text: str, one: Noticed) -> str:
    statement = one.statement
    same_slot = [
        bullet
        for bullet in _own(text)
        if statement.slot in SINGLE_SLOTS and _slot(bullet) == statement.slot
    ]
    if any(_message(bullet) >= one.message_id for bullet in same_slot):
        return text  # what it says was said later
    if normalise(statement.text) in set(_said(text)):
        return text
    bullet = Bullet(
        statement.text,
        {
            "slot": statement.slot,
            "session": one.session_id,
            "message": str(one.message_id),
            "hash": _hash(statement.text),
        },
    )
    if same_slot:
        return replace(text, same_slot[-1], bullet)
    return _appended(text, bullet)


def _appended(text: str, bullet: Bullet) -> str:
    newline = newline_of(text)
    block = render(bullet).replace("\n", newline)
    section = _section(text)
    if section is None:
        heading = f"## {TITLES[script_of(bullet.content)]} {MARK}{newline}{newline}"
        apart = "" if not text else newline if text.endswith("\n") else newline * 2
        return text + apart + heading + block
    there = [one.place.end for one in _in_section(text, section) if one.place is not None]
    if there:
        end = max(there)
    else:
        end = section.start + len(text[section.start : section.end].rstrip())
        end = text.find("\n", end) + 1 or len(text)
        block = newline + block
    if text[end - 1] != "\n":
        block = newline + block
    return text[:end] + block + text[end:]


def _section(text: str) -> Section | None:
    """Our section: the one that has our mark, else the first that has our title."""
    titled: Section | None = None
    for section in outline(text).sections:
        if not text.startswith("##", section.start):
            continue
        if MARK in text[section.start : section.body]:
            return section
        if titled is None and plain_title(section.title) in _PLAIN:
            titled = section
    return titled


def _in_section(text: str, section: Section) -> list[Bullet]:
    return [
        bullet
        for bullet in parse(text).bullets
        if bullet.place is not None and section.body <= bullet.place.start < section.end
    ]


def _own(text: str) -> list[Bullet]:
    """Bullets of our section that nobody has touched."""
    section = _section(text)
    if section is None:
        return []
    return [
        bullet
        for bullet in _in_section(text, section)
        if bullet.attributes.get("hash") == _hash(bullet.content)
    ]


def _said(text: str) -> Iterator[str]:
    """Every line of the profile, as it is compared."""
    for line in visible_text(text).splitlines():
        yield normalise(_LIST_SIGN.sub("", line).strip())


def _slot(bullet: Bullet) -> str | None:
    return bullet.attributes.get("slot")


def _message(bullet: Bullet) -> int:
    number = bullet.attributes.get("message", "")
    return int(number) if number.isascii() and number.isdigit() else 0


def _hash(content: str) -> str:
    return hashlib.sha256(content.encode("utf-8", "replace")).hexdigest()[:_HASH_CHARS]
