"""What conversations tell about a person, as bullets of an own section of their profile.

    ## Noticed in conversations <!-- chatmem=noticed -->

    - Prefers short answers <!-- slot=reply_length session=s1 message=12 hash=3f2a... -->

Nothing outside that section changes by a byte, and in it only bullets that still say what was
written: one that a person has edited is theirs. A file that cannot be read or written is a
DocumentError.

Source: S2.2.2; decisions 4.
"""

import hashlib
import logging
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from chatmem.engine.remember.markdown import MARK, MAX_BYTES, store_profile
from chatmem.engine.space import Space
from chatmem.errors import ReaderWeightsError
from chatmem.extraction.extractor import (
    SINGLE_SLOTS,
    Candidate,
    NewMessage,
    candidates_of,
    own_part,
    profile_slot,
)
from chatmem.extraction.reader.reading import MOST_CHARS, question_before
from chatmem.storage.documents.places import PROFILE
from chatmem.storage.documents.ports import StoredDocument
from chatmem.storage.values import StoredMessage
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

TITLES: Final = script_phrases("profile.noticed")
MOST_READ = 40
"""The newest messages of a session that are read for the profile."""
_HASH_CHARS = 12
_PLAIN = {plain_title(title) for title in TITLES.values()}
_LIST_SIGN = re.compile(rf"^\s*{LIST_MARKER}\s+")
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Noticed:
    """A line of the profile, in the person's own words, and the message it was found in."""

    text: str
    slot: str
    session_id: str
    message_id: int


def own_messages(space: Space, messages: Sequence[StoredMessage]) -> list[NewMessage]:
    """The user's own messages as they are read; those with nothing left, or too long, are gone.

    In a chat between people they are those that carry the user's name.
    """
    names = (None, "user", space.owner.user_id.casefold())
    own = {
        one.id: (one.speaker and one.speaker.casefold()) in names
        for one in messages
        if one.role == "user"
    }
    found: list[NewMessage] = []
    before = ""
    for one in messages:
        if own.get(one.id):
            content = own_part(one.content)
            if len(content) > MOST_CHARS:
                space.engine.note_unread(one.id)
            elif content := space.engine.without_secrets(content):
                message = NewMessage(
                    role=one.role,
                    content=content,
                    at=one.create_time,
                    number=one.id,
                    question=space.engine.without_secrets(question_before(before, content)),
                    group=not all(own.values()),
                )
                found.append(message)
            before = ""
        elif one.role == "assistant":
            before = one.content
    return found


def has_message(space: Space, session_id: str, number: int) -> bool:
    """True while the session has the message: it may be forgotten while it is read."""
    found = space.store.conversations.after(space.owner, session_id, number - 1, 1)
    return bool(found) and found[0].id == number


def update_from_session(space: Space, session_id: str, now: datetime) -> None:
    """Add lines to the user's profile from what they said in a session.

    Where a model is configured its extraction does this (`update_from_candidates`).
    """
    if space.engine.model_extractor is not None:
        return
    messages = space.store.conversations.window(space.owner, session_id, MOST_READ)
    try:
        found = [one for each in own_messages(space, messages) for one in candidates_of(each)]
    except ReaderWeightsError as error:
        _log.warning("nothing is noticed for the profile: %s", error)
        return
    update_from_candidates(space, session_id, found, now)


def update_from_candidates(
    space: Space, session_id: str, candidates: Sequence[Candidate], now: datetime
) -> None:
    """Add lines to the user's profile from what was found in a session.

    Safe to repeat, though a model may use other words the next time: of a message that a line is
    from nothing more is taken, nor of one that was forgotten meanwhile.
    """
    memory = space.engine.obey_settings().memory
    lines = [(one, slot) for one in candidates if (slot := profile_slot(one))]
    if not (lines and memory.enabled and memory.auto_extract and memory.enable_user_profile):
        return
    before = space.documents.folder.read(PROFILE)
    noted = set(map(_message, _of_session(before.text, session_id))) if before else set()
    last = {
        (slot, "" if slot in SINGLE_SLOTS else one.content): Noticed(
            one.content, slot, session_id, one.said_in
        )
        for one, slot in lines
        if one.said_in not in noted and has_message(space, session_id, one.said_in)
    }
    if not last:
        return
    history = space.store.history

    def change(text: str) -> tuple[str, list[str]]:
        added: list[str] = []
        for one in last.values():
            named = _mark(one.slot, one.text)
            # What was written before and is gone, a person has taken out.
            was_written = history.is_buried(space.owner, named)
            if not was_written or _of_slot(text, one.slot):
                after = with_notice(text, one)
                added.extend([named] if after != text else [])
                text = after
        return text, [] if len(text.encode()) > MAX_BYTES else added

    _rewrite(space, change, lambda added: history.bury(space.owner, added, now))


def forget_session(space: Space, session_id: str) -> None:
    """Take the lines that a session had told out of the user's profile.

    Lines that a person has edited since are theirs and stay; what is gone may be said again.
    """
    if space.documents.folder.stamp(PROFILE) is None:
        return

    def change(text: str) -> tuple[str, list[str]]:
        text, bullets = without_session(text, session_id)
        return text, [_mark(one.attributes.get("slot", ""), one.content) for one in bullets]

    history = space.store.history
    _rewrite(space, change, lambda gone: history.unbury(space.owner, gone))


def _rewrite(
    space: Space, change: Callable[[str], tuple[str, list[str]]], note: Callable[[str], object]
) -> None:
    """Change the profile; each line that `change` names as changed is noted."""
    lines: list[str] = []

    def rewritten(before: StoredDocument | None) -> str | None:
        text, lines[:] = change(before.text if before else "")
        return text if lines else None

    written = space.documents.rewrite(PROFILE, rewritten)
    if lines:
        with space.store.transaction():
            for one in lines:
                note(one)
            store_profile(space, PROFILE, written)


def with_notice(text: str, one: Noticed) -> str:
    """The profile with a line.

    A bullet of a slot that has one value is replaced by a later message's; what the profile says
    already is not said again.
    """
    same_slot = _of_slot(text, one.slot)
    lines = (_LIST_SIGN.sub("", line).strip() for line in visible_text(text).splitlines())
    is_older = any(_message(bullet) >= one.message_id for bullet in same_slot)
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


def _mark(slot: str, statement: str) -> str:
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
