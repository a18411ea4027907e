"""What was made of what, and so goes with it when a message or a memory is forgotten.

    message ──► the memory of its words, its speaker's name, its event's id
            ──► memories extracted from it, the line of the log that its session was archived as
            ──► lines of USER.md
            ──► title, snippet, topic and variables of its session, made anew of what is left
    memory  ──► its bullet and copies of that in every document, its line of USER.md; history,
                terms, vector, jobs, links to it
    either  ──► answers that are kept for writes that are sent twice

The rule for a memory that was extracted from a forgotten message: it goes, unless another message
of the person tells the same, whose memory it is then, or a person has written it: as a memory of
their own, or over the words that were extracted. Lines of USER.md likewise.

Source: S3.4.3, S3.4.4; interfaces ("forget is final").
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial, reduce
from itertools import groupby

import numpy as np

from chatmem.engine.documents.noticed import Noticed, is_of_session, message_of
from chatmem.engine.documents.sync import Change, statement_mark
from chatmem.engine.remember.extract import extracted_id
from chatmem.engine.remember.notes import forget_lines, own_messages
from chatmem.engine.sessions import working_memory as working
from chatmem.engine.space import Space
from chatmem.errors import ReaderWeightsError
from chatmem.extraction.extractor import candidates_of
from chatmem.extraction.settle import EXTRACTED, same_value
from chatmem.model import AtomicMemoryRecord
from chatmem.storage.values import StoredMessage, index_entry
from chatmem.text.bullets import Bullet
from chatmem.text.normalise import normalise

_MOST_READ = 32
"""Messages that are read for whether one tells the same, the newest first."""


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
    store, owner, tellings = space.store, space.owner, _Tellings(space, messages)
    doomed = {one.id: one for one in memories}
    lines = 0
    in_order = sorted(messages, key=lambda one: one.session_id)
    for session_id, of_session in groupby(in_order, key=lambda one: one.session_id):
        numbers = {one.id for one in of_session}
        told = partial(_is_told, session_id=session_id, numbers=numbers)
        lines += forget_lines(space, told, tellings.of_line)
        doomed |= {one.id: one for one in made_of(space, session_id, numbers)}
    changes = [Change("forget", one, None, why, now) for one in doomed.values()]
    if messages:
        extracted = (one for one in doomed.values() if one.role is None)
        again = (tellings.of_memory(one) for one in extracted if one.app_type == EXTRACTED)
        reason = "told by another message"
        changes += [Change("add", None, one, reason, now) for one in again if one is not None]
    space.documents.apply(changes)
    with store.transaction():
        for one in doomed.values() if may_return else ():
            store.history.unbury(owner, one.content)
            store.history.unbury(owner, statement_mark(one))
        for session_id in {one.session_id for one in messages}:
            working.renew_without_model(space, session_id, now)
            working.read_again(space, session_id)
        if any(one.speaker for one in messages):
            store.owners.forget_speakers(owner)
        store.answers.blank()
    return Counter(memories=len(doomed), profile_lines=lines, messages=len(messages))


def made_of(space: Space, session_id: str, numbers: Collection[int]) -> list[AtomicMemoryRecord]:
    """What was made of these messages of a session, and no person has changed since."""
    found = space.store.memories.of_session(space.owner, session_id)
    return [one for one in found if one.role is None and _is_made_of(space, one, numbers)]


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


def _is_told(line: Bullet, session_id: str, numbers: Collection[int]) -> bool:
    return is_of_session(line, session_id) and message_of(line) in numbers


class _Tellings:
    """Messages beside the forgotten ones that tell the same, as the reader reads them."""

    def __init__(self, space: Space, forgotten: Iterable[StoredMessage]) -> None:
        self._space = space
        self._forgotten = {one.id for one in forgotten}

    def of_memory(self, record: AtomicMemoryRecord) -> AtomicMemoryRecord | None:
        """The memory as another message's, None where none tells it."""
        found = self._telling(record)
        if found is None:
            return None
        told = (found.session_id, found.id, record.key, record.content)
        new_id = extracted_id(self._space.owner, *told)
        return replace(record, id=new_id, session_id=found.session_id)

    def of_line(self, line: Bullet) -> Noticed | None:
        """The profile's line as another message's, None where none tells it."""
        found = self._telling(line)
        if found is None:
            return None
        slot = line.attributes.get("slot", "")
        return Noticed(line.content, slot, found.session_id, found.id)

    def _telling(self, told: AtomicMemoryRecord | Bullet) -> StoredMessage | None:
        """The newest message that has the words, and is read as saying so."""
        key, value = None, None
        if isinstance(told, AtomicMemoryRecord) and told.value is not None:
            key, value = told.key, told.value
        words = set(index_entry(told.content if key is None else str(value)).tokens)
        store, owner = self._space.store, self._space.owner
        if not words:
            return None
        rows = reduce(
            np.intersect1d, (one.rows for one in store.lexical.postings(owner, [*words], []))
        )
        turns = store.memories.by_rows(owner, rows[-_MOST_READ:].tolist()).values()
        ids = [one.id for one in turns if one.role is not None]
        for message in (one for each in ids for one in store.conversations.of_memory(owner, each)):
            if message.id in self._forgotten:
                continue
            try:
                own = own_messages(self._space, [message])
                said = [one for each in own for one in candidates_of(each)]
            except ReaderWeightsError:
                return None  # nothing is there to read with: it goes
            for one in said:
                if normalise(one.content) == normalise(told.content) or (
                    key is not None and one.key == key and same_value(one.value, value)
                ):
                    return message
        return None
