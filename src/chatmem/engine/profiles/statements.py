"""What a user said in a session: how it is read for memories, and what the profile takes of it.

Source: decisions 4; S2.2.2.
"""

import logging
from collections.abc import Iterable, Sequence
from datetime import datetime

from chatmem.engine.documents.whole import change_whole
from chatmem.engine.profiles.notes import (
    Noticed,
    holds_slot,
    mark,
    messages_noted,
    with_notice,
    without_session,
)
from chatmem.engine.profiles.profiles import MAX_BYTES, store_profile
from chatmem.engine.space import Space
from chatmem.errors import ReaderWeightsError
from chatmem.extraction.candidate import Candidate, NewMessage, own_part
from chatmem.extraction.extractor import SINGLE_SLOTS, profile_statement, profile_statements
from chatmem.extraction.reader.reading import MOST_CHARS, question_before
from chatmem.storage.documents.places import PROFILE
from chatmem.storage.documents.ports import StoredDocument
from chatmem.storage.values import StoredMessage

_log = logging.getLogger(__name__)
LOOKED_AT = 40
"""The newest messages of a session that are read for the profile."""


def said_of(space: Space, messages: Sequence[StoredMessage]) -> list[NewMessage]:
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
    asked = ""
    for one in messages:
        if own.get(one.id):
            content = space.engine.without_secrets(own_part(one.content))
            if len(content) > MOST_CHARS:
                space.engine.note_unread(one.id)
            elif content:
                said = NewMessage(
                    role=one.role,
                    content=content,
                    at=one.create_time,
                    number=one.id,
                    question=space.engine.without_secrets(question_before(asked, content)),
                    group=not all(own.values()),
                )
                found.append(said)
            asked = ""
        elif one.role == "assistant":
            asked = one.content
    return found


def update_from_session(space: Space, session_id: str, now: datetime) -> int:
    """How many lines the user's profile gained from what they said in a session.

    None where a model is configured: its extraction does this (`update_from_candidates`). Safe to
    repeat: a statement is written once, whatever a person does with it afterwards.

    Raises:
        DocumentError: the file cannot be read or written.

    Source: S2.2.2.
    """
    if space.engine.model_extractor is not None:
        return 0
    noticed: list[Noticed] = []
    messages = space.store.conversations.window(space.owner, session_id, LOOKED_AT)
    try:
        for said in said_of(space, messages):
            lines = profile_statements(said)
            noticed += [Noticed(line, session_id, said.number) for line in lines]
    except ReaderWeightsError as error:
        _log.warning("nothing is noticed for the profile: %s", error)
    return _update(space, noticed, now)


def update_from_candidates(
    space: Space, session_id: str, candidates: Sequence[Candidate], now: datetime
) -> int:
    """How many lines the user's profile gained from what was extracted from a session.

    Safe to repeat, though a model may use other words the next time: of a message that a line is
    from nothing more is taken, nor of one that was forgotten meanwhile.

    Raises:
        DocumentError: the file cannot be read or written.

    Source: S2.2.2.
    """
    lines = [(one.said_in, line) for one in candidates if (line := profile_statement(one))]
    before = space.documents.read(PROFILE) if lines else None
    noted = messages_noted(before.text, session_id) if before else frozenset()
    noticed = [
        Noticed(line, session_id, number)
        for number, line in lines
        if number not in noted and _is_there(space, session_id, number)
    ]
    return _update(space, noticed, now)


def forget_session(space: Space, session_id: str) -> int:
    """How many lines that a session had told are gone from the user's profile.

    Lines that a person has edited since are theirs and stay; what is gone may be said again.

    Raises:
        DocumentError: the file cannot be read or written.
    """
    if space.documents.stamp(PROFILE) is None:
        return 0
    gone: list[str] = []

    def change(before: StoredDocument | None) -> str | None:
        text, bullets = without_session(before.text if before else "", session_id)
        gone[:] = [mark(one.attributes.get("slot", ""), one.content) for one in bullets]
        return text if gone else None

    written = change_whole(space.documents, PROFILE, change)
    if gone:
        with space.store.transaction():
            for one in gone:
                space.store.history.unbury(space.owner, one)
            store_profile(space, PROFILE, written)
    return len(gone)


def _is_there(space: Space, session_id: str, number: int) -> bool:
    found = space.store.conversations.after(space.owner, session_id, number - 1, 1)
    return bool(found) and found[0].id == number


def _update(space: Space, noticed: Iterable[Noticed], now: datetime) -> int:
    memory = space.engine.obey_settings().memory
    last = {
        (one.statement.slot, "" if one.statement.slot in SINGLE_SLOTS else one.statement.text): one
        for one in noticed
    }
    if not (last and memory.enabled and memory.auto_extract and memory.enable_user_profile):
        return 0
    added: list[str] = []

    def change(before: StoredDocument | None) -> str | None:
        added.clear()
        text = before.text if before else ""
        for one in last.values():
            named = mark(one.statement.slot, one.statement.text)
            # What was written before and is gone, a person has taken out.
            was_written = space.store.history.is_buried(space.owner, named)
            if not was_written or holds_slot(text, one.statement.slot):
                after = with_notice(text, one)
                added.extend([named] if after != text else [])
                text = after
        if len(text.encode()) > MAX_BYTES:
            added.clear()
        return text if added else None

    written = change_whole(space.documents, PROFILE, change)
    if added:
        with space.store.transaction():
            for one in added:
                space.store.history.bury(space.owner, one, now)
            store_profile(space, PROFILE, written)
    return len(added)
