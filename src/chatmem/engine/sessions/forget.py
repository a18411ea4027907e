"""Forgetting for good: what was made of what, and so goes with it; the proof that it is gone.

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

The proof is made after the deletion: whatever would give away what was forgotten is looked for
everywhere. Words and pieces of text that other rows have too prove nothing, and are left out.

Source: S3.4.3, S3.4.4; interfaces ("forget is final").
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

import numpy as np

from chatmem.engine.documents.changes import Change, said_marks
from chatmem.engine.documents.noticed import message_of
from chatmem.engine.remember.extract import extracted_id
from chatmem.engine.remember.lifecycle import find_own
from chatmem.engine.remember.notes import forget_lines
from chatmem.engine.sessions import working_memory as working
from chatmem.engine.space import Space, SpacePart
from chatmem.extraction.settle import EXTRACTED
from chatmem.model import AtomicMemoryRecord, MemoryFilter
from chatmem.model.time import moment_or_now
from chatmem.storage.documents.places import SKELETONS
from chatmem.storage.tables.dense import encode
from chatmem.storage.tables.memories import EVERYTHING
from chatmem.storage.tables.store import Store
from chatmem.storage.values import StoredMessage, Trace, TraceKind, index_entry
from chatmem.text.normalise import normalise

LEAST_WORD_BYTES: Final = 5
"""Less is found in any file by chance."""
LEAST_PIECE_BYTES: Final = 12
_SCALE_BYTES: Final = 4
_VECTOR_BYTES: Final = 128
"""So much of a vector stands in one page."""
_BREAKS: Final = re.compile(r'["\\\n\r\t]+')
"""Where Markdown or JSON may write a text otherwise."""
_WORD: Final = re.compile(r"[^\W_]+")
_MOST_READ = 32
_TURNS = MemoryFilter(memory_type="short_term", state="all")


@dataclass(frozen=True, slots=True)
class Proof:
    """Where it was looked (files by path from the data folder, or TABLE.COLUMN), and what for.

    `looked_for` counts pieces of text, words and vectors; `found` has those of the places that
    still hold one, and of which kinds: it is empty where all is gone.
    """

    looked_in: tuple[str, ...]
    looked_for: Mapping[TraceKind, int]
    found: Mapping[str, tuple[TraceKind, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Forgotten:
    """What `forget` has done.

    `removed` counts memories, messages, lines of the profile. `purged` is False while another
    program's open snapshot keeps deleted text in the write-ahead log: it goes once that ends.
    `proof` is there where it was asked for.
    """

    removed: Mapping[str, int]
    purged: bool
    proof: Proof | None = None


class MemoryEraser(SpacePart):
    """Deletes memories for good, with all that was made of them.

    What stays is a hash, so that a memory is not extracted again.
    """

    def forget(
        self, memory_id: str, *, prove: bool = False, now: datetime | None = None
    ) -> Forgotten:
        """What went, with a memory that is deleted for good, everywhere. Source: S3.4.3.

        A turn's message leaves its conversation too, and whatever was made of it is forgotten.
        With `prove` all that is stored is searched for what is left of their words.
        """
        store, owner = self._store, self._owner

        def write() -> tuple[Counter[str], list[AtomicMemoryRecord], dict[str, bytes]]:
            gone = find_own(self._space, memory_id)
            said = store.conversations.of_memory(owner, gone.id) if gone.role else []
            whole = [gone, *made_of(self._space, said)]
            vectors: dict[str, bytes] = {}  # by content, before the memories are deleted
            for one in whole if prove else ():
                rows = [] if (row := store.memories.row_of(owner, one.id)) is None else [row]
                had, found = store.dense.vectors(owner, np.array(rows, np.int64))
                if len(had):
                    vectors[one.content] = encode(found)[0][_SCALE_BYTES:][:_VECTOR_BYTES]
            removed = forget(self._space, [gone], said, "forgotten", moment_or_now(now))
            return removed, whole, vectors

        removed, gone, vectors = self._documents.edit(write)
        purged = store.purge()
        proof = proof_of(store, [one.content for one in gone], vectors) if prove else None
        return Forgotten(removed=removed, purged=purged, proof=proof)

    def forget_all(self, *, now: datetime | None = None) -> int:
        """How many long-term memories were deleted for good; turns stay. Source: S3.4.4.

        Whatever conversations have told the user's profile goes too.
        """

        def write() -> int:
            records = self._store.memories.export(self._owner)
            gone = [record for record in records if record.memory_type == "long_term"]
            forget(self._space, gone, [], "all forgotten", moment_or_now(now))
            forget_lines(self._space, lambda _: True, for_good=True)
            return len(gone)

        count = self._documents.edit(write)
        self._store.purge()
        return count


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
    numbers = {one.id for one in messages}
    sessions = dict.fromkeys(one.session_id for one in messages)
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
        for session_id in dict.fromkeys(one.session_id for one in messages)
        for one in space.store.memories.of_session(space.owner, session_id)
        if one.role is None and _is_made_of(space, one, numbers)
    ]


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


def proof_of(store: Store, texts: Collection[str], vectors: Mapping[str, bytes]) -> Proof:
    """What is left of the texts, and of `vectors`, by text, wherever this store writes."""
    # What would give the texts away: what no row of anybody has, nor the tables themselves.
    owners = store.owners.everybody()
    ours = "\n".join([store.own_text, *SKELETONS.values()]).encode()
    found: dict[tuple[TraceKind, bytes], None] = {}
    for text in texts:
        tokens = list(dict.fromkeys(index_entry(text).tokens))
        held = (store.lexical.occurrences(one, tokens, []).frequency for one in owners)
        live = {tokens[place] for found in held for place in np.flatnonzero(found)}
        words = {*_WORD.findall(text), *_WORD.findall(normalise(text)), *tokens}
        for word in sorted(words):
            data, own = word.lower().encode("utf-8", "replace"), set(index_entry(word).tokens)
            if own and not own & live and len(data) >= LEAST_WORD_BYTES:
                found["word", data] = None
        pieces = [one.strip() for one in _BREAKS.split(text)]
        for piece in pieces:
            data = piece.lower().encode("utf-8", "replace")
            if len(data) >= LEAST_PIECE_BYTES and not any(
                store.pages.count(owner, EVERYTHING, [piece]) for owner in owners
            ):
                found["text", data] = None
                if text in vectors and len(pieces) == 1:
                    found["vector", vectors[text]] = None
    made = (Trace(kind, data) for kind, data in found)
    traces = [one for one in made if one.kind != "word" or not one.is_in(ours)]
    places, kinds = store.search(traces), [one.kind for one in traces]
    return Proof(
        looked_in=tuple(places),
        looked_for={kind: kinds.count(kind) for kind in dict.fromkeys(kinds)},
        found={place: tuple(sorted(held)) for place, held in places.items() if held},
    )
