"""What conversations tell about a person, as bullets of an own section of their profile.

    ## Noticed in conversations <!-- chatmem=noticed -->

    - Prefers short answers <!-- slot=reply_length session=s1 message=12 hash=3f2a... -->

Nothing outside that section changes by a byte, and in it only bullets that still say what was
written: one that a person has edited is theirs.

Source: S2.2.2; decisions 4.
"""

import hashlib
import re
from collections.abc import Sequence
from typing import Final, NamedTuple

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
from chatmem.text.outline import LIST_MARKER, Section, outline

MARK: Final = "<!-- chatmem=noticed -->"
"""Behind the heading of our section: it is known by it when a person gives it another title."""
TITLES: Final = script_phrases("profile.noticed")
SINGLE_SLOTS: Final = frozenset(
    {"reply_language", "reply_length", "reply_tone", "reply_format", "address"}
)
"""Of these a profile holds one each: a new line replaces the old one."""
_HASH_CHARS = 12
_PLAIN = {plain_title(title) for title in TITLES.values()}
_LIST_SIGN = re.compile(rf"^\s*{LIST_MARKER}\s+")


class Noticed(NamedTuple):
    """A line of the profile, in the person's own words, and the message it was found in."""

    text: str
    slot: str
    session_id: str
    message_id: int


def with_notice(text: str, one: Noticed) -> str:
    """The profile with a line.

    A bullet of a slot that has one value is replaced by a later message's; what the profile says
    already is not said again.
    """
    same_slot = of_slot(text, one.slot)
    lines = (_LIST_SIGN.sub("", line).strip() for line in visible_text(text).splitlines())
    is_older = any(message_of(bullet) >= one.message_id for bullet in same_slot)
    if is_older or normalise(one.text) in map(normalise, lines):
        return text
    attributes = {
        "slot": one.slot,
        "session": one.session_id,
        "message": str(one.message_id),
        "hash": _hash(one.text),
    }
    bullet = Bullet(one.text, attributes)
    if same_slot:
        return replace(text, same_slot[-1], bullet)
    section = _section(text)
    if section is None:
        return append(text, bullet, [f"{TITLES[script_of(one.text)]} {MARK}"])
    return append_to(text, bullet, section)


def without_lines(text: str, gone: Sequence[Bullet]) -> str:
    """The profile without these bullets; a section of ours that holds nothing more goes too."""
    text = without(text, gone)
    section = _section(text) if gone else None
    if section is not None and not text[section.body : section.end].strip():
        text = text[: section.start] + text[section.end :]
    return text


def noticed(text: str) -> list[Bullet]:
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


def of_slot(text: str, slot: str) -> list[Bullet]:
    """Those of a slot that has one value."""
    own = noticed(text) if slot in SINGLE_SLOTS else ()
    return [one for one in own if one.attributes.get("slot") == slot]


def message_of(bullet: Bullet) -> int:
    """The number of the message that told it, 0 where that is unknown."""
    number = bullet.attributes.get("message", "")
    return int(number) if number.isascii() and number.isdigit() else 0


def written_mark(slot: str, statement: str) -> str:
    """What is remembered of a statement that was written once."""
    return f"profile {slot}: {statement}"


def _section(text: str) -> Section | None:
    """Our section: the one that has our mark, else the first that has our title."""
    sections = [one for one in outline(text).sections if text.startswith("##", one.start)]
    marked = (one for one in sections if MARK in text[one.start : one.body])
    titled = (one for one in sections if plain_title(one.title) in _PLAIN)
    return next(marked, next(titled, None))


def _hash(content: str) -> str:
    return hashlib.sha256(content.encode("utf-8", "replace")).hexdigest()[:_HASH_CHARS]
