"""What a user said in a session, as it is read for memories and for the profile.

Source: decisions 4; S2.2.2.
"""

from collections.abc import Sequence

from chatmem.engine.space import Space
from chatmem.extraction.candidate import NewMessage, own_part
from chatmem.extraction.reader.reading import MOST_CHARS, question_before
from chatmem.storage.values import Owner, StoredMessage


def said_of(space: Space, messages: Sequence[StoredMessage]) -> list[NewMessage]:
    """The user's own messages as they are read; those with nothing left, or too long, are gone.

    In a chat between people they are those that carry the user's name.
    """
    group = _is_group(space.owner, messages)
    found: list[NewMessage] = []
    asked = ""
    for one in messages:
        if one.role == "assistant":
            asked = one.content
        elif one.role == "user" and _is_own(space.owner, one):
            content = space.engine.without_secrets(own_part(one.content))
            if len(content) > MOST_CHARS:
                space.engine.note_unread(one.id)
            elif content:
                found.append(
                    NewMessage(
                        role=one.role,
                        content=content,
                        at=one.create_time,
                        number=one.id,
                        question=space.engine.without_secrets(question_before(asked, content)),
                        group=group,
                    )
                )
            asked = ""
    return found


def _is_group(owner: Owner, messages: Sequence[StoredMessage]) -> bool:
    """Whether others than the user and the assistant talk."""
    return any(one.role == "user" and not _is_own(owner, one) for one in messages)


def _is_own(owner: Owner, message: StoredMessage) -> bool:
    speaker = message.speaker
    return speaker is None or speaker.casefold() in ("user", owner.user_id.casefold())
