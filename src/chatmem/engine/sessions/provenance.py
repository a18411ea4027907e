"""What was made of what, and so goes with it when a message or a memory is forgotten.

    message ──► the memory of its words, its speaker's name, its event's id
            ──► memories extracted from it, the line of the log that its session was archived as
            ──► lines of USER.md
            ──► title, snippet, topic and variables of its session, made anew of what is left
    memory  ──► its bullet and copies of that in every document, its line of USER.md; history,
                terms, vector, jobs, links to it
    either  ──► answers that are kept for writes that are sent twice

The rule for a memory that was extracted from a forgotten message: it goes, unless another message
of the person has the same words, whose memory it is then, or a person has written the same down, or
over the words that were extracted. Lines of USER.md go, and are noticed again in other messages.

Source: S3.4.3, S3.4.4; interfaces ("forget is final").
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from datetime import datetime

from chatmem.engine.documents.changes import Change, said_marks
from chatmem.engine.documents.noticed import message_of
from chatmem.engine.remember.extract import extracted_id
from chatmem.engine.remember.notes import forget_lines
from chatmem.engine.sessions import working_memory as working
from chatmem.engine.space import Space
from chatmem.extraction.settle import EXTRACTED
from chatmem.model import AtomicMemoryRecord, MemoryFilter
from chatmem.storage.values import StoredMessage

_MOST_READ = 32
_TURNS = MemoryFilter(memory_type="short_term", state="all")


def forget(
    space: Space,
    memories: Iterable[AtomicMemoryRecord],
    messages: Sequence[StoredMessage],
    why: str,
    now: datetime,
    *,
    may_return: bool = False,
) -> Counter[str]:
    """How many memories, lines of the profile and messages went; inside `MemoryDocuments.edit`.

    What was made of them goes too. Rows of messages whose memory stays are the caller's to delete;
    with `may_return` what is forgotten may be said, and extracted, again.
    """
    store, owner = space.store, space.owner
    doomed = {one.id: one for one in (*memories, *made_of(space, messages))}
    numbers, sessions = {one.id for one in messages}, _sessions_of(messages)
    told = {(one.session_id, one.id) for one in messages}
    lines = forget_lines(
        space, lambda line: (line.attributes.get("session"), message_of(line)) in told
    )
    changes = [Change("forget", one, None, why, now) for one in doomed.values()]
    again = [one for old in doomed.values() if messages for one in _retold(space, old, numbers)]
    changes += [Change("add", None, one, "told by another message", now) for one in again]
    space.documents.folder.initialise(skeleton=False)  # what a killed writer has left goes
    space.documents.apply(changes)
    for session_id in sessions:
        working.renew_without_model(space, session_id, now)
    with store.transaction():
        for one in doomed.values() if may_return else ():
            for mark in said_marks(one):
                store.history.unbury(owner, mark)
        for one in again:  # the profile hears of it again
            store.jobs.put(owner, "profile", one.session_id or "", now)
        for session_id in sessions:
            working.read_again(space, session_id)
        if any(one.speaker for one in messages):
            store.owners.forget_speakers(owner)
        if messages:  # memories see to it themselves
            store.answers.blank()
    return Counter(memories=len(doomed), profile_lines=lines, messages=len(messages))


def made_of(space: Space, messages: Sequence[StoredMessage]) -> list[AtomicMemoryRecord]:
    """Memories that were made of these messages, and no person has changed since."""
    numbers = {one.id for one in messages}
    return [
        one
        for session_id in _sessions_of(messages)
        for one in space.store.memories.of_session(space.owner, session_id)
        if one.role is None and _is_made_of(space, one, numbers)
    ]


def _sessions_of(messages: Sequence[StoredMessage]) -> Sequence[str]:
    return list(dict.fromkeys(one.session_id for one in messages))


def _is_made_of(space: Space, record: AtomicMemoryRecord, numbers: Collection[int]) -> bool:
    """An id says which message and which words a memory was extracted from."""
    if record.app_type == EXTRACTED:
        session, key, content = record.session_id or "", record.key, record.content
        ids = (extracted_id(space.owner, session, one, key, content) for one in (None, *numbers))
        return record.id in ids
    if record.source != "system" or working.ARCHIVED_TAG not in record.tags:
        return False
    first = space.store.history.of_memory(space.owner, record.id)[:1]
    return all(one.after.content == record.content for one in first)


def _retold(
    space: Space, record: AtomicMemoryRecord, forgotten: Collection[int]
) -> Iterable[AtomicMemoryRecord]:
    """An extracted memory as that of another message of the person that has its words, if any."""
    store, owner = space.store, space.owner
    if record.role is not None or record.app_type != EXTRACTED:
        return ()
    turns, _ = store.pages.page(owner, _TURNS, (_MOST_READ, 0), [record.content])
    for message in (one for turn in turns for one in store.conversations.of_memory(owner, turn.id)):
        if message.role == "user" and message.id not in forgotten:
            session_id = message.session_id
            new_id = extracted_id(owner, session_id, message.id, record.key, record.content)
            return (replace(record, id=new_id, session_id=session_id),)
    return ()
