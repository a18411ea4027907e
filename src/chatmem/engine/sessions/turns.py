"""Saving what was said: a turn, one message as it arrives, or many messages of an import."""

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import TypeAlias

from chatmem.engine.checks import checked_text
from chatmem.engine.documents.changes import source_mark
from chatmem.engine.remember.extract import EXTRACTION, SESSION_END, extracts, step_flush
from chatmem.engine.sessions import working_memory as working
from chatmem.engine.space import Space, SpacePart
from chatmem.engine.state import new_id
from chatmem.extraction.flush import on_message
from chatmem.model import Message, Role, SavedMessage, SavedTurn
from chatmem.model.time import as_utc, moment_or_now, to_text, utc_now
from chatmem.storage.tables.database import Row
from chatmem.storage.tables.owners import Known
from chatmem.storage.values import PAUSE_S, in_batches, index_entry
from chatmem.text.clean import clean_text

_Draft: TypeAlias = tuple[Message, SavedMessage]


class MessageWriter(SpacePart):
    """Saves turns, and the messages of imports."""

    def save_conversation_turn(
        self,
        user_content: str,
        assistant_content: str,
        session_id: str,
        app_type: str = "chat",
        *,
        source_id: str | None = None,
        now: datetime | None = None,
    ) -> SavedTurn:
        """The two rows of a turn, and which of them were there already.

        Written in one transaction with the session's working memory, its jobs and the accesses of
        its prompt. `save_messages` does not bring in again what was saved with a `source_id`: it
        knows the rows as `SOURCE_ID-user` and `SOURCE_ID-assistant`.

        Source: S1.2, S1.3, S2.2.2, S2.3.2, S2.4.1, S3.1.2.
        """
        space, moment = self._space, moment_or_now(now)
        space.engine.callers.note()
        session = checked_text(session_id, "session_id")
        said = partial(Message, session_id=session, timestamp=moment, app_type=app_type)
        user_text = checked_text(user_content, "user_content")
        assistant_text = checked_text(assistant_content, "assistant_content")
        user_source, assistant_source = part_ids(source_id)
        messages = (
            said(role="user", content=user_text, source_id=user_source),
            said(role="assistant", content=assistant_text, source_id=assistant_source),
        )
        for text in (user_text, assistant_text):
            if len(text) >= self._store.lexical.later_below:
                index_entry(text)
        save = partial(_save_turn, space, messages)
        while (saved := self._store.database.together(save)) is None:
            working.retire_if_idle(space, session, moment)
        space.engine.accesses.next_turn(space.owner, session)
        _wake(space)
        return saved

    def save_messages(
        self, messages: Iterable[Message], *, progress: Callable[[int], None] | None = None
    ) -> list[SavedMessage]:
        """What became of each message of an import, in order; a `source_id` is brought in once.

        A message without a visible character, or that was forgotten, is not saved: its
        `SavedMessage` has an empty id. `progress` gets the number of messages done.
        """
        space, store = self._space, self._store
        self._engine.obey_settings()
        saved: list[SavedMessage] = []
        for batch in in_batches(map(_cleaned, messages), lambda one: one.content):
            with store.transaction():
                done = _save_batch(space, batch)
                pairs = zip(batch, done, strict=True)
                new = (message for message, one in pairs if one.id and not one.duplicate)
                for session_id in dict.fromkeys(message.session_id for message in new):
                    more = [SESSION_END] if extracts(space.engine) else []
                    store.jobs.put(space.owner, "summary", session_id, utc_now(), *more)
            saved += done
            _wake(space)
            time.sleep(PAUSE_S)
            if progress is not None:
                progress(len(saved))
        return saved

    def leave_out_messages(self, source_ids: Iterable[str], *, now: datetime | None = None) -> None:
        """See that `save_messages` never brings in messages with these ids; keeps their hashes."""
        with self._store.transaction():
            for source_id in source_ids:
                self._store.history.bury(self._owner, source_mark(source_id), moment_or_now(now))


def _save_turn(space: Space, messages: tuple[Message, Message]) -> SavedTurn | None:
    """What became of a turn; None where its session has been idle too long, and nothing is saved.

    Inside a transaction.
    """
    engine, store, owner = space.engine, space.store, space.owner
    session, moment = messages[0].session_id, messages[0].timestamp
    standing = store.sessions.standing(owner, session)
    newest, _, active_at, flush, version, number, user, assistant = standing
    engine.obey_settings(version)
    if active_at is not None and active_at < to_text(working.idle_since(engine, moment)):
        return None
    jobs = [EXTRACTION] if extracts(engine) else []
    if store.sessions.open(owner, session, moment, standing):
        jobs.append("summary")
    same = store.conversations.same_start(owner, *messages)
    drafts = [_draft(space, _unless_taken(space, message), same) for message in messages]
    sessions = {} if number is None else {session: (number, newest, moment)}
    _insert(space, drafts, moment, Known({"user": user, "assistant": assistant}, sessions))
    store.working.count(owner, session, messages[0].content, moment)
    engine.accesses.flush(store)
    if flush is not None:
        step_flush(store, owner, session, on_message, moment)
    store.jobs.put(owner, "analysis", session, moment, *jobs)
    return SavedTurn(*(saved for _, saved in drafts))


def save_message(
    space: Space, role: Role, content: str, session_id: str, now: datetime
) -> SavedMessage:
    """One message as it arrived, by a host that reports each of them; inside a transaction.

    Source: S2.4.1, S3.1.1.
    """
    is_new = space.store.sessions.open(space.owner, session_id, now)
    message = Message(role=role, content=content, session_id=session_id, timestamp=now)
    saved = _save(space, message)
    if role == "user":
        space.store.working.count(space.owner, session_id, content, now, is_open=True)
    elif role == "assistant":
        space.store.working.answered(space.owner, session_id, now)
        space.engine.accesses.flush(space.store)
        space.engine.accesses.next_turn(space.owner, session_id)
    if is_new:
        space.store.jobs.put(space.owner, "summary", session_id, now)
    step_flush(space.store, space.owner, session_id, on_message, now)
    return saved


def part_ids(source_id: str | None) -> tuple[str | None, str | None]:
    """The source ids of the user's and the assistant's message of a turn."""
    return (f"{source_id}-user", f"{source_id}-assistant") if source_id else (None, None)


def _wake(space: Space) -> None:
    for event in (space.engine.wake, space.engine.jobs_wake):
        if not event.is_set():
            event.set()


def _unless_taken(space: Space, message: Message) -> Message:
    """The message, without its source's id if another has that: words may be said again."""
    source, known = message.source_id, space.store.conversations
    is_taken = source is not None and known.by_sources(space.owner, [source])
    return replace(message, source_id=None) if is_taken else message


def _save_batch(space: Space, batch: Sequence[Message]) -> list[SavedMessage]:
    """What became of each; messages that follow each other and are new go in together."""
    store = space.store
    sources = [message.source_id for message in batch if message.source_id is not None]
    known = store.conversations.by_sources(space.owner, sources) if sources else {}
    may_be_buried = store.history.any_buried(space.owner)
    done: list[SavedMessage] = []
    drafts: list[_Draft] = []
    now = utc_now()
    for message in batch:
        source = message.source_id
        if not message.content:
            done.append(SavedMessage("", message.role, duplicate=False))
        elif source is None:
            _insert(space, drafts, now)  # it may say what one of these says
            drafts = []
            done.append(_save(space, message))
        elif may_be_buried and store.history.is_buried(space.owner, source_mark(source)):
            done.append(SavedMessage("", message.role, duplicate=True))  # it was forgotten
        elif source in known:
            done.append(SavedMessage(known[source], message.role, duplicate=True))
        else:
            done.append(SavedMessage(new_id(), message.role, duplicate=False))
            drafts.append((message, done[-1]))
            known[source] = done[-1].id
    _insert(space, drafts, now)
    return done


def _cleaned(message: Message) -> Message:
    """The message as it is saved; with empty content where nothing of it is visible."""
    content = clean_text(message.content)
    if not content:
        return replace(message, content="")
    session, moment = checked_text(message.session_id, "session_id"), as_utc(message.timestamp)
    return replace(message, content=content, session_id=session, timestamp=moment)


def _save(space: Space, message: Message) -> SavedMessage:
    same = space.store.conversations.same_start(space.owner, message, message)
    draft = _draft(space, message, same)
    _insert(space, [draft], message.timestamp)
    return draft[1]


def _draft(space: Space, message: Message, same: Sequence[Row]) -> _Draft:
    """The message with the one of these memories that says the same (S1.3), or with a new one."""
    is_exact = space.engine.settings.memory.dedup == "exact"
    for memory_id, role, content in same:
        if role == message.role and (not is_exact or content == message.content):
            return message, SavedMessage(memory_id, role, duplicate=True)
    return message, SavedMessage(new_id(), message.role, duplicate=False)


def _insert(
    space: Space, drafts: Sequence[_Draft], stored_at: datetime, known: Known | None = None
) -> None:
    """Write the messages, and memories of those that are new, together."""
    if new := [(message, saved.id) for message, saved in drafts if not saved.duplicate]:
        space.store.memories.insert_turns(space.owner, new, stored_at, known)
    if drafts:
        rows = [(message, saved.id) for message, saved in drafts]
        space.store.conversations.insert_all(space.owner, rows)
