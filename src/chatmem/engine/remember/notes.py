"""What conversations tell about a person, brought into their profile and out of it again.

`engine/documents/noticed.py` says how it stands there. A file that cannot be read or written is a
DocumentError.

Source: S2.2.2; decisions 4.
"""

import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from chatmem.engine.documents.noticed import (
    SINGLE_SLOTS,
    Noticed,
    message_of,
    noticed,
    of_slot,
    with_notice,
    without_lines,
    written_mark,
)
from chatmem.engine.remember.markdown import MAX_BYTES
from chatmem.engine.space import Space
from chatmem.errors import ReaderWeightsError
from chatmem.extraction.extractor import (
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
from chatmem.text.bullets import Bullet

MOST_READ = 40
"""The newest messages of a session that are read for the profile."""
_log = logging.getLogger(__name__)
_PASTED = 10
"""So much longer than what is read may a message be in which something is quoted."""


def own_messages(space: Space, *sessions: Sequence[StoredMessage]) -> list[list[NewMessage]]:
    """Of each session the user's own messages as they are read, without the secrets in them.

    Those with nothing left, or too long, are gone. In a chat between people they are those that
    carry the user's name.
    """
    own = [list(_own_messages(space, messages)) for messages in sessions]
    texts = [text for of in own for one in of for text in (one.content, one.question)]
    masked = iter(space.engine.all_without_secrets(texts))
    return [[replace(one, content=next(masked), question=next(masked)) for one in of] for of in own]


def _own_messages(space: Space, messages: Sequence[StoredMessage]) -> Iterator[NewMessage]:
    names = (None, "user", space.owner.user_id.casefold())
    own = {
        one.id: (one.speaker and one.speaker.casefold()) in names
        for one in messages
        if one.role == "user"
    }
    before = ""
    for one in messages:
        if own.get(one.id):
            is_short = len(one.content) <= _PASTED * MOST_CHARS
            content = own_part(one.content) if is_short else one.content
            if len(content) > MOST_CHARS:
                space.engine.note_unread(one.id)
            elif content:
                yield NewMessage(
                    role=one.role,
                    content=content,
                    at=one.create_time,
                    number=one.id,
                    question=question_before(before, content),
                    group=not all(own.values()),
                )
            before = ""
        elif one.role == "assistant":
            before = one.content


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
        (own,) = own_messages(space, messages)
        found = [one for each in own for one in candidates_of(each)]
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
    there = noticed(before.text) if before else []
    noted = {message_of(one) for one in there if one.attributes.get("session") == session_id}
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
            named = written_mark(one.slot, one.text)
            # What was written before and is gone, a person has taken out.
            was_written = history.is_buried(space.owner, named)
            if not was_written or of_slot(text, one.slot):
                after = with_notice(text, one)
                added.extend([named] if after != text else [])
                text = after
        return text, [] if len(text.encode()) > MAX_BYTES else added

    _rewrite(space, change, lambda added: history.bury(space.owner, added, now))


def forget_lines(
    space: Space, is_meant: Callable[[Bullet], bool], *, for_good: bool = False
) -> int:
    """How many lines of ours left the user's profile: those that are meant.

    Lines that a person has edited since are theirs and stay. What is gone may be said again, unless
    `for_good`.
    """
    if space.documents.folder.stamp(PROFILE) is None:
        return 0

    def change(text: str) -> tuple[str, list[str]]:
        meant = list(filter(is_meant, noticed(text)))
        marks = [written_mark(one.attributes.get("slot", ""), one.content) for one in meant]
        return without_lines(text, meant), marks

    def note(mark: str) -> None:
        if not for_good:
            space.store.history.unbury(space.owner, mark)

    return _rewrite(space, change, note)


def _rewrite(
    space: Space, change: Callable[[str], tuple[str, list[str]]], note: Callable[[str], object]
) -> int:
    """How many lines of the profile `change` names as changed; each of them is noted."""
    lines: list[str] = []

    def rewritten(before: StoredDocument | None) -> str | None:
        text, lines[:] = change(before.text if before else "")
        return text if lines else None

    written = space.documents.rewrite(PROFILE, rewritten)
    if lines:
        with space.store.transaction():
            for one in lines:
                note(one)
        space.documents.store_profile(PROFILE, written)
    return len(lines)
