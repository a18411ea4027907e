"""Sessions of a user: begun, listed, read, named, ended, and deleted with all that came of them.

Source: S2.4, S2.5; S3.1; interfaces ("forget is final").
"""

import uuid
from collections.abc import Sequence
from datetime import datetime

from chatmem.engine.checks import checked_limit, checked_number, checked_text
from chatmem.engine.remember.extract import SESSION_END
from chatmem.engine.remember.notes import forget_lines
from chatmem.engine.sessions import working_memory as working
from chatmem.engine.sessions.forget import forget
from chatmem.engine.space import Space, SpacePart
from chatmem.errors import InvalidInputError, SessionNotFoundError
from chatmem.model import Page, Session, SessionSummary, WorkingMemory
from chatmem.model.time import moment_or_now
from chatmem.storage.values import StoredMessage

_MOST_MESSAGES = 1 << 62


class Sessions(SpacePart):
    """The sessions of one user. Ids are a user's own: two users may have a session of one id.

    Methods that name a session raise `SessionNotFoundError` where this user has none of that id.
    """

    def __init__(self, space: Space) -> None:
        super().__init__(space)
        self._current: str | None = None

    def new(self, *, now: datetime | None = None) -> str:
        """The id of a new session, with an empty window; the one begun before it here ends.

        Source: S2.4.2.
        """
        moment = moment_or_now(now)
        session_id = uuid.uuid4().hex
        with self._store.transaction():
            if self._current is not None:
                self._end(self._current, moment)
            self._store.sessions.open(self._owner, session_id, moment)
        self._current = session_id
        self._engine.jobs_wake.set()
        return session_id

    def list(self, limit: int = 50, offset: int = 0) -> Page[Session]:
        """A page of sessions, the one that was active last first."""
        most, start = checked_limit(limit), max(0, offset)
        found = self._store.sessions.page(self._owner, most, start)
        return Page(tuple(found), self._store.sessions.count(self._owner), most, start)

    def get(self, session_id: str) -> Session:
        """The session, with its title and the number of its messages."""
        found = self._store.sessions.get(self._owner, str(session_id))
        if found is None:
            raise SessionNotFoundError(str(session_id))
        return found

    def messages(self, session_id: str, limit: int | None = None) -> Sequence[StoredMessage]:
        """The session's messages, oldest first; the newest `limit` of them where it is given."""
        self.get(session_id)
        if limit is None:
            return self._store.conversations.of_session(self._owner, session_id)
        return self._store.conversations.window(self._owner, session_id, checked_limit(limit))

    def window(self, session_id: str, limit: int) -> Sequence[StoredMessage]:
        """The newest whole rounds that have at most `limit` messages together, oldest first.

        Empty for a session in which nothing was said yet. Source: S1.4.1, S2.5.1.
        """
        most = checked_limit(limit)
        found = self._store.conversations.window(self._owner, session_id, most + 1)
        if len(found) <= most:
            return found
        # A round that no longer fits as a whole goes as a whole.
        begins = (place for place, one in enumerate(found) if place and one.role == "user")
        return found[next(begins, len(found)) :]

    def rename(self, session_id: str, title: str | None) -> Session:
        """The session under the title that a person gives; None goes back to the summary's."""
        chosen = None if title is None else checked_text(title, "title")
        self.get(session_id)
        with self._store.transaction():
            self._store.sessions.rename(self._owner, session_id, chosen)
        return self.get(session_id)

    def collect(self, session_id: str, message_id: int, collected: bool = True) -> None:
        """Mark a message of the session as collected, or no longer. Source: S2.4 (is_collected)."""
        self.get(session_id)
        number = int(checked_number(message_id, "message id", 0, _MOST_MESSAGES, whole=True))
        conversations = self._store.conversations
        with self._store.transaction():
            if not conversations.collect(self._owner, session_id, number, collected):
                raise InvalidInputError(
                    f"message id: session {session_id!r} has no message {message_id}; messages() "
                    "lists them"
                )

    def collected(self, limit: int = 50, offset: int = 0) -> Sequence[StoredMessage]:
        """Collected messages of all sessions, newest first."""
        most, start = checked_limit(limit), max(0, offset)
        return self._store.conversations.collected(self._owner, most, start)

    def receive(
        self, session_id: str, message: str, *, now: datetime | None = None
    ) -> WorkingMemory:
        """Working memory after a user's message has come in; its turn does not count it again.

        Source: S3.1.1, S3.1.2.
        """
        session = checked_text(session_id, "session_id")
        text = checked_text(message, "message")
        moment = moment_or_now(now)
        working.retire_if_idle(self._space, session, moment)
        return working.receive(self._space, session, text, moment)

    def working_memory(
        self, session_id: str, *, now: datetime | None = None
    ) -> WorkingMemory | None:
        """What the session is about; None where nothing runs, or has been idle for too long."""
        session = checked_text(session_id, "session_id")
        return working.current(self._space, session, moment_or_now(now))

    def summary(self, session_id: str) -> SessionSummary | None:
        """The session's summary, None before there is one. Source: S2.3."""
        self.get(session_id)
        return self._store.summaries.of_session(self._owner, session_id)

    def end(self, session_id: str, *, now: datetime | None = None) -> None:
        """The session is over: its summary is renewed; the next message opens it again."""
        self.get(session_id)
        with self._store.transaction():
            self._end(session_id, moment_or_now(now))
        self._engine.jobs_wake.set()

    def delete(self, session_id: str, *, now: datetime | None = None) -> int:
        """How many messages were deleted for good, with everything that came from them.

        That is: its memories, as `forget` deletes them, its summary and working memory, and what it
        added to the profile. An import does not bring its messages back.

        What is gone before a `DocumentError` stays gone.
        """
        count = self.get(session_id).message_count
        store, owner, moment = self._store, self._owner, moment_or_now(now)

        def write() -> None:
            gone = store.memories.of_session(owner, session_id)
            said = store.conversations.of_session(owner, session_id)
            forget(self._space, gone, said, "its session was deleted", moment)
            forget_lines(self._space, lambda line: line.attributes.get("session") == session_id)
            with store.transaction():
                store.conversations.delete_session(owner, session_id)
                store.sessions.delete(owner, session_id)

        self._documents.edit(write)
        if self._current == session_id:
            self._current = None
        store.purge()
        return count

    def take_back(self, session_id: str, *, now: datetime | None = None) -> StoredMessage | None:
        """The session's newest message, which is gone for good; None where it has none.

        Its words stay where the session has them a second time; it may be said again.
        """
        self.get(session_id)
        store, owner, moment = self._store, self._owner, moment_or_now(now)

        def write() -> StoredMessage | None:
            for message in store.conversations.window(owner, session_id, 1):
                with store.transaction():
                    alone = store.conversations.take_back(owner, message.id)
                memory = store.memories.get(owner, message.memory_id or "")
                is_turn = memory is not None and memory.memory_type == "short_term"
                gone = [memory] if memory is not None and alone and is_turn else []
                forget(self._space, gone, [message], "taken back", moment, may_return=True)
                return message
            return None

        message = self._documents.edit(write)
        store.purge()
        return message

    def _end(self, session_id: str, now: datetime) -> None:
        store, owner = self._store, self._owner
        known = store.sessions.get(owner, session_id)
        if known is not None and known.ended_at is None:
            store.sessions.end(owner, session_id, now)
            if known.message_count:
                store.jobs.put(owner, "summary", session_id, now, SESSION_END)
