"""Conversations: every message as it was said (S2.4)."""

import json
from collections.abc import Sequence

from chatmem.model import Message
from chatmem.storage.tables.database import Table
from chatmem.storage.tables.rows import columns, from_row
from chatmem.storage.values import Owner, StoredMessage


class ConversationTable(Table):
    """Every message as it was said: the table `conversation`."""

    def insert(self, owner: Owner, message: Message, memory_id: str) -> None:
        """Add the message; `memory_id` is the memory with the same words."""
        self.insert_all(owner, [(message, memory_id)])

    def insert_all(self, owner: Owner, messages: Sequence[tuple[Message, str]]) -> None:
        """Add the messages, each with the memory of the same words."""
        self._db.many(
            "conversations.insert",
            owner,
            ({**columns(message), "memory_id": memory_id} for message, memory_id in messages),
        )

    def by_sources(self, owner: Owner, source_ids: Sequence[str]) -> dict[str, str]:
        """The memories of messages that were imported before, by source id."""
        ids = json.dumps(list(source_ids))
        found = self._db.rows("conversations.by_sources", owner, ids=ids)
        return {known: str(memory_id) for known, memory_id in found}

    def by_source(self, owner: Owner, source_id: str) -> str | None:
        """The memory of a message that was imported before."""
        return self.by_sources(owner, [source_id]).get(source_id)

    def sources_of(self, owner: Owner, memory_id: str) -> list[str]:
        """The source ids of the messages that hold the memory's words."""
        found = self._db.rows("conversations.sources", owner, memory_id=memory_id)
        return [row[0] for row in found]

    def of_session(self, owner: Owner, session_id: str) -> list[StoredMessage]:
        """The session's messages, oldest first."""
        return self._messages("of_session", owner, session_id=session_id)

    def of_memory(self, owner: Owner, memory_id: str) -> list[StoredMessage]:
        """The messages that hold the memory's words, oldest first."""
        return self._messages("of_memory", owner, memory_id=memory_id)

    def window(self, owner: Owner, session_id: str, limit: int) -> list[StoredMessage]:
        """The session's newest messages, at most `limit`, oldest first."""
        return self._messages("window", owner, session_id=session_id, limit=limit)[::-1]

    def after(self, owner: Owner, session_id: str, number: int, limit: int) -> list[StoredMessage]:
        """The session's messages past a number, at most `limit`, oldest first."""
        return self._messages("after", owner, session_id=session_id, number=number, limit=limit)

    def count_after(self, owner: Owner, session_id: str, number: int) -> int:
        """How many messages of the session are past a number."""
        named = {"session_id": session_id, "number": number}
        return int(self._db.value("conversations.count_after", owner, **named))

    def collect(self, owner: Owner, session_id: str, message_id: int, collected: bool) -> bool:
        """True when the session has such a message; it is (or is no longer) collected."""
        named = {"session_id": session_id, "number": message_id, "collected": int(collected)}
        return self._db.row("conversations.collect", owner, **named) is not None

    def collected(self, owner: Owner, limit: int, offset: int) -> list[StoredMessage]:
        """Collected messages, newest first."""
        return self._messages("collected", owner, limit=limit, offset=offset)

    def delete_session(self, owner: Owner, session_id: str) -> int:
        """How many messages were deleted."""
        return len(self._db.rows("conversations.delete_session", owner, session_id=session_id))

    def take_back(self, owner: Owner, number: int) -> bool:
        """Delete one message; True when no other has the same memory."""
        memory_id = self._db.value("conversations.take_back", owner, number=number)
        if memory_id is None:
            return False
        return self._db.row("conversations.has_memory", owner, memory_id=memory_id) is None

    def speakers_of(self, owner: Owner, memory_ids: Sequence[str]) -> dict[str, str]:
        """Names of those who said the words of these memories, by memory, where a name is known."""
        ids = json.dumps(list(memory_ids))
        return dict(self._db.rows("conversations.speakers_of", owner, ids=ids))

    def counts(self, owner: Owner) -> tuple[int, int]:
        """How many messages and how many sessions there are."""
        return self._db.value("conversations.count", owner), self._db.value("sessions.count", owner)

    def _messages(self, name: str, owner: Owner, **bindings: object) -> list[StoredMessage]:
        found = self._db.rows(f"conversations.{name}", owner, **bindings)
        return [from_row(StoredMessage, (*row[:5], bool(row[5]), *row[6:])) for row in found]
