"""What conversations told about a person, as bullets of an own section of their profile.

    ## Noticed in conversations <!-- chatmem=noticed -->

    - Prefers short answers <!-- slot=reply_length session=s1 message=12 hash=3f2a... -->

Text in, text out. Nothing outside that section changes by a byte, and in it only bullets that still
say what was written: one that a person has edited is theirs.

Source: S2.2.2.
"""

import hashlib
import re
from dataclasses import dataclass
from typing import Final

from chatmem.extraction.profile import SINGLE_SLOTS, ProfileStatement
from chatmem.text.bullets import (
    Bullet,
    append,
    append_to,
    parse,
    plain_title,
    replace,
    visible_text,
    without,
)
from chatmem.text.languages import script_of, script_phrases
from chatmem.text.normalise import normalise
from chatmem.text.outline import Section, outline

TITLES: Final = script_phrases("profile.noticed")
MARK: Final = "<!-- chatmem=noticed -->"
"""Behind the heading: the section is known by it when a person gives it another title."""
_VISIBLE_MARK = re.compile(r"(?<![ \t])[ \t]*+<!-- chatmem=noticed -->")
_HASH_CHARS = 12
_PLAIN = {plain_title(title) for title in TITLES.values()}
_LIST_SIGN = re.compile(r"^\s*(?:[-*+]|[0-9]{1,9}[.)])\s+")


@dataclass(frozen=True, slots=True)
class Noticed:
    """A statement, and the message it was found in."""

    statement: ProfileStatement
    session_id: str
    message_id: int


def with_notice(text: str, one: Noticed) -> str:
    """The profile with a statement.

    A bullet of a slot that has one value is replaced by a later message's; what the profile says
    already is not said again.
    """
    statement = one.statement
    same_slot = _of_slot(text, statement.slot)
    lines = (_LIST_SIGN.sub("", line).strip() for line in visible_text(text).splitlines())
    said_later = any(_message(bullet) >= one.message_id for bullet in same_slot)
    if said_later or normalise(statement.text) in map(normalise, lines):
        return text
    attributes = {
        "slot": statement.slot,
        "session": one.session_id,
        "message": str(one.message_id),
        "hash": _hash(statement.text),
    }
    bullet = Bullet(statement.text, attributes)
    if same_slot:
        return replace(text, same_slot[-1], bullet)
    section = _section(text)
    if section is None:
        return append(text, bullet, [f"{TITLES[script_of(statement.text)]} {MARK}"])
    return append_to(text, bullet, section)


def holds_slot(text: str, slot: str) -> bool:
    """True when a bullet of ours stands for the slot, and a new statement would replace it."""
    return bool(_of_slot(text, slot))


def messages_noted(text: str, session_id: str) -> frozenset[int]:
    """The messages of a session that bullets of ours are from."""
    return frozenset(map(_message, _of_session(text, session_id)))


def without_session(text: str, session_id: str) -> tuple[str, list[Bullet]]:
    """The profile without what this session told, and the bullets that went.

    A section of ours that holds nothing more goes with them.
    """
    gone = _of_session(text, session_id)
    text = without(text, gone)
    section = _section(text) if gone else None
    if section is not None and not text[section.body : section.end].strip():
        text = text[: section.start] + text[section.end :]
    return text, gone


def visible_profile(text: str) -> str:
    """The profile as a prompt takes it: without our comments."""
    return _VISIBLE_MARK.sub("", visible_text(text)).strip()


def mark(slot: str, statement: str) -> str:
    """What is remembered of a statement that was written once."""
    return f"profile {slot}: {statement}"


def _section(text: str) -> Section | None:
    """Our section: the one that has our mark, else the first that has our title."""
    sections = [one for one in outline(text).sections if text.startswith("##", one.start)]
    marked = (one for one in sections if MARK in text[one.start : one.body])
    titled = (one for one in sections if plain_title(one.title) in _PLAIN)
    return next(marked, next(titled, None))


def _own(text: str) -> list[Bullet]:
    """Bullets of our section that nobody has touched."""
    section = _section(text)
    if section is None:
        return []
    inside = range(section.body, section.end)
    return [
        one
        for one in parse(text).bullets
        if one.place
        and one.place.start in inside
        and one.attributes.get("hash") == _hash(one.content)
    ]


def _of_slot(text: str, slot: str) -> list[Bullet]:
    """Our bullets of a slot that has one value."""
    own = _own(text) if slot in SINGLE_SLOTS else ()
    return [one for one in own if one.attributes.get("slot") == slot]


def _of_session(text: str, session_id: str) -> list[Bullet]:
    return [one for one in _own(text) if one.attributes.get("session") == session_id]


def _message(bullet: Bullet) -> int:
    number = bullet.attributes.get("message", "")
    return int(number) if number.isascii() and number.isdigit() else 0


def _hash(content: str) -> str:
    return hashlib.sha256(content.encode("utf-8", "replace")).hexdigest()[:_HASH_CHARS]
