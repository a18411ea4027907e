"""Saving what was said: one turn, or many messages of an import."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice

from chatmem.engine.checks import checked_text
from chatmem.engine.documents.changes import source_mark
from chatmem.engine.remember.extract import EXTRACTION, SESSION_END, extracts, message_saved
from chatmem.engine.sessions import working_memory as working
from chatmem.engine.space import Space
from chatmem.engine.state import entry_of, new_id
from chatmem.model import AtomicMemoryRecord, Message, Role, SavedMessage, SavedTurn
from chatmem.model.time import as_utc, utc_now
from chatmem.text.clean import clean_text

BATCH_MESSAGES = 500
"""Messages of an import written in one transaction: large enough to cost little, short enough to
let other writers in between."""

Progress = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Turn:
    """What was said and answered.

    With a `source_id` the messages are known by `part_ids` of it: an import does not bring them in
    again.
    """

    user: str
    assistant: str
    session_id: str
    app_type: str = "chat"
    source_id: str | None = None


def save_turn(
    space: Space,
    turn: Turn,
    now: datetime | None = None,
) -> SavedTurn:
    """The user's and the assistant's message, saved in one transaction.

    The session's working memory, its summary's job, the accesses of its prompt and what was said
    about the profile go along. Source: S1.2, S1.3, S2.2.2, S2.3.2, S2.4.1, S3.1.2.

    Raises:
        InvalidInputError: no session id, or a message without a visible character.
    """
    space.engine.note_caller()
    moment = as_utc(now) if now else utc_now()
    session = checked_text(turn.session_id, "session_id")
    roles: tuple[Role, Role] = ("user", "assistant")
    user, assistant = (
        Message(
            role=role,
            content=checked_text(content, f"{role}_content"),
            session_id=session,
            timestamp=moment,
            app_type=turn.app_type,
        )
        for role, content in zip(roles, (turn.user, turn.assistant), strict=True)
    )
    working.retire_if_idle(space, session, moment)
    kinds = ["analysis", EXTRACTION] if extracts(space.engine) else ["analysis"]
    with space.store.transaction():
        if space.store.sessions.open(space.owner, session, moment):
            kinds.append("summary")
        known_by = [_free(space, part) for part in part_ids(turn.source_id)]
        kept = [
            with_memory(space, replace(message, source_id=source))
            for message, source in zip((user, assistant), known_by, strict=True)
        ]
        keep(space, kept)
        saved = SavedTurn(kept[0].saved, kept[1].saved)
        working.answer(space, session, user.content, moment)
        space.engine.accesses.flush(space.store)
        message_saved(space.store, space.owner, session, moment)
        for kind in kinds:
            space.store.jobs.put(space.owner, kind, session, moment)
    space.engine.accesses.next_turn(space.owner, session)
    space.engine.wake.set()
    space.engine.jobs_wake.set()
    return saved


def part_ids(source_id: str | None) -> tuple[str | None, str | None]:
    """What the user's and the assistant's message of a turn are known by."""
    return (f"{source_id}-user", f"{source_id}-assistant") if source_id else (None, None)


def leave_out(space: Space, source_ids: Iterable[str], now: datetime) -> None:
    """Never bring in messages with these ids; nothing of them is kept but a hash of the id."""
    with space.store.transaction():
        for source_id in source_ids:
            space.store.history.bury(space.owner, source_mark(source_id), now)


def _free(space: Space, source_id: str | None) -> str | None:
    """The id where it is no other message's: the same words may be said again."""
    if source_id is None or space.store.conversations.by_source(space.owner, source_id) is not None:
        return None
    return source_id


def save_message(
    space: Space, role: Role, content: str, session_id: str, now: datetime
) -> SavedMessage:
    """One message as it arrived, by a host that tells each of them; inside a transaction.

    Source: S2.4.1, S3.1.1.
    """
    message = Message(
        role=role, content=content, session_id=session_id, timestamp=now, app_type="chat"
    )
    is_new = space.store.sessions.open(space.owner, session_id, now)
    saved = _save(space, message)
    if role == "user":
        working.received(space, session_id, content, now)
    elif role == "assistant":
        working.answered(space, session_id, now)
        space.engine.accesses.flush(space.store)
        space.engine.accesses.next_turn(space.owner, session_id)
    if is_new:
        space.store.jobs.put(space.owner, "summary", session_id, now)
    message_saved(space.store, space.owner, session_id, now)
    return saved


def save_messages(
    space: Space, messages: Iterable[Message], progress: Progress | None = None
) -> list[SavedMessage]:
    """What became of each message, in order; equal `source_id`s are brought in once.

    Messages without a visible character are not kept, and a message that was forgotten is not
    brought back: theirs is a `SavedMessage` with an empty id.

    Raises:
        InvalidInputError: a message without a session id.
    """
    space.engine.obey_settings()
    saved: list[SavedMessage] = []
    for batch in _batches(iter(messages)):
        with space.store.transaction():
            done = _save_batch(space, batch)
            fresh = {
                message.session_id: None
                for message, one in zip(batch, done, strict=True)
                if one.id and not one.duplicate
            }
            for session_id in fresh:
                space.store.jobs.put(space.owner, "summary", session_id.strip(), utc_now())
                if extracts(space.engine):
                    space.store.jobs.put(space.owner, SESSION_END, session_id.strip(), utc_now())
            saved += done
        space.engine.wake.set()
        space.engine.jobs_wake.set()
        if progress is not None:
            progress(len(saved))
    return saved


def _save_batch(space: Space, batch: Sequence[Message]) -> list[SavedMessage]:
    """What became of each; messages that follow each other and are new go in together."""
    store = space.store
    sources = [message.source_id for message in batch if message.source_id is not None]
    known = store.conversations.by_sources(space.owner, sources) if sources else {}
    may_be_buried = store.history.any_buried(space.owner)
    done: list[SavedMessage] = []
    waiting: list[KeptMessage] = []
    for raw in batch:
        message = _cleaned(raw)
        source = message.source_id
        if not message.content:
            done.append(SavedMessage("", message.role, duplicate=False))
        elif source is None:
            keep(space, waiting)  # it may say what one of these says
            waiting = []
            done.append(_save(space, message))
        elif may_be_buried and store.history.is_buried(space.owner, source_mark(source)):
            done.append(SavedMessage("", message.role, duplicate=True))  # it was forgotten
        elif source in known:
            done.append(SavedMessage(known[source], message.role, duplicate=True))
        else:
            new = KeptMessage(message, new_id(), utc_now())
            known[source] = new.memory_id
            waiting.append(new)
            done.append(new.saved)
    keep(space, waiting)
    return done


def _cleaned(message: Message) -> Message:
    """The message as it is kept; empty where nothing can be seen of it."""
    content = clean_text(message.content)
    if not content:
        return replace(message, content="")
    return replace(
        message,
        content=content,
        session_id=checked_text(message.session_id, "session_id"),
        timestamp=as_utc(message.timestamp),
    )


def _save(space: Space, message: Message) -> SavedMessage:
    kept = with_memory(space, message)
    keep(space, [kept])
    return kept.saved


def _batches(messages: Iterator[Message]) -> Iterator[list[Message]]:
    while batch := list(islice(messages, BATCH_MESSAGES)):
        yield batch


@dataclass(frozen=True, slots=True)
class KeptMessage:
    """A message to be kept, the id of its memory, and when that is stored: None for one that is."""

    message: Message
    memory_id: str
    stored_at: datetime | None

    @property
    def saved(self) -> SavedMessage:
        """What became of it."""
        return SavedMessage(self.memory_id, self.message.role, duplicate=self.stored_at is None)


def with_memory(space: Space, message: Message) -> KeptMessage:
    """The message with the memory that says the same, as S1.3 has it, or with a new one."""
    same = space.store.memories.same_start(
        space.owner, message.session_id, message.role, message.content
    )
    if space.engine.settings.memory.dedup == "exact":
        same = [(known, content) for known, content in same if content == message.content]
    if same:
        return KeptMessage(message, same[0][0], None)
    return KeptMessage(message, new_id(), message.timestamp)


def keep(space: Space, kept: Sequence[KeptMessage]) -> None:
    """Write the messages, and memories of those that are new, together."""
    entered = []
    for one in kept:
        if one.stored_at is None:
            continue
        message = one.message
        record = AtomicMemoryRecord(
            id=one.memory_id,
            user_id=space.owner.user_id,
            timestamp=message.timestamp,
            create_time=one.stored_at,
            content=message.content,
            session_id=message.session_id,
            app_type=message.app_type,
            role=message.role,
            memory_type="short_term",
        )
        entered.append((record, entry_of(record, message.speaker or message.role)))
    if entered:
        space.store.memories.insert_all(space.owner, entered)
    if kept:
        space.store.conversations.insert_all(
            space.owner, [(one.message, one.memory_id) for one in kept]
        )
