"""Conversations: every message as it was said (S2.4)."""

import json
from collections.abc import Sequence

from chatmem.model import Message
from chatmem.model.time import from_text, to_text
from chatmem.storage.tables.database import Bindings, SqlDatabase
from chatmem.storage.tables.rows import bound
from chatmem.storage.values import Owner, StoredMessage


class ConversationTable:
    """Every message as it was said: the table `conversation`."""

    def __init__(self, database: SqlDatabase) -> None:
        self._db = database
        self._sql = database.statements("conversations")
        self._sessions = database.statements("sessions")

    def insert(self, owner: Owner, message: Message, memory_id: str) -> None:
        """Keep the message; `memory_id` is the memory with the same words."""
        self.insert_all(owner, [(message, memory_id)])

    def insert_all(self, owner: Owner, said: Sequence[tuple[Message, str]]) -> None:
        """Keep the messages, each with the memory of the same words."""
        self._db.many(
            self._sql["insert"],
            [
                {
                    "user_id": owner.user_id,
                    "session_id": message.session_id,
                    "role": message.role,
                    "content": message.content,
                    "create_time": to_text(message.timestamp),
                    "app_type": message.app_type,
                    "speaker": message.speaker,
                    "source_id": message.source_id,
                    "memory_id": memory_id,
                }
                for message, memory_id in said
            ],
        )

    def by_sources(self, owner: Owner, source_ids: Sequence[str]) -> dict[str, str]:
        """The memories of messages that an import has brought in before, by source id."""
        bindings = bound(owner, ids=json.dumps(list(source_ids)))
        found = self._db.execute(self._sql["by_sources"], bindings)
        return {row[0]: str(row[1]) for row in found}

    def by_source(self, owner: Owner, source_id: str) -> str | None:
        """The memory of a message that an import has brought in before."""
        found = self._db.one(self._sql["by_source"], bound(owner, source_id=source_id))
        return str(found[0]) if found else None

    def sources_of(self, owner: Owner, memory_id: str) -> list[str]:
        """The source ids of the messages that hold the memory's words."""
        found = self._db.execute(self._sql["sources"], bound(owner, memory_id=memory_id))
        return [str(row[0]) for row in found]

    def of_session(self, owner: Owner, session_id: str) -> list[StoredMessage]:
        """The session's messages, oldest first."""
        return self._messages("of_session", bound(owner, session_id=session_id))

    def of_memory(self, owner: Owner, memory_id: str) -> list[StoredMessage]:
        """The messages that hold the memory's words, oldest first."""
        return self._messages("of_memory", bound(owner, memory_id=memory_id))

    def window(self, owner: Owner, session_id: str, limit: int) -> list[StoredMessage]:
        """The session's newest messages, at most `limit`, oldest first."""
        return self._messages("window", bound(owner, session_id=session_id, limit=limit))[::-1]

    def after(self, owner: Owner, session_id: str, number: int, limit: int) -> list[StoredMessage]:
        """The session's messages past a number, at most `limit`, oldest first."""
        return self._messages(
            "after", bound(owner, session_id=session_id, number=number, limit=limit)
        )

    def count_after(self, owner: Owner, session_id: str, number: int) -> int:
        """How many messages of the session are past a number."""
        found = self._db.one(
            self._sql["count_after"], bound(owner, session_id=session_id, number=number)
        )
        return int(found[0]) if found else 0

    def collect(self, owner: Owner, session_id: str, message_id: int, collected: bool) -> bool:
        """True when the session has such a message; it is (or is no longer) collected."""
        bindings = bound(owner, session_id=session_id, number=message_id, collected=int(collected))
        return self._db.one(self._sql["collect"], bindings) is not None

    def collected(self, owner: Owner, limit: int, offset: int) -> list[StoredMessage]:
        """Collected messages, newest first."""
        return self._messages("collected", bound(owner, limit=limit, offset=offset))

    def delete_session(self, owner: Owner, session_id: str) -> int:
        """How many messages are gone."""
        found = self._db.execute(self._sql["delete_session"], bound(owner, session_id=session_id))
        return len(found)

    def take_back(self, owner: Owner, number: int) -> bool:
        """Delete one message; True when no other has the same memory."""
        found = self._db.one(self._sql["take_back"], bound(owner, number=number))
        if found is None or found[0] is None:
            return False
        return self._db.one(self._sql["has_memory"], bound(owner, memory_id=found[0])) is None

    def speakers_of(self, owner: Owner, memory_ids: Sequence[str]) -> dict[str, str]:
        """Names of those who said the words of these memories, by memory, where a name is known."""
        bindings = bound(owner, ids=json.dumps(list(memory_ids)))
        return {row[0]: row[1] for row in self._db.execute(self._sql["speakers_of"], bindings)}

    def counts(self, owner: Owner) -> tuple[int, int]:
        """How many messages and how many sessions there are."""
        messages = self._db.one(self._sql["count"], bound(owner))
        sessions = self._db.one(self._sessions["count"], bound(owner))
        return (messages or (0,))[0], (sessions or (0,))[0]

    def _messages(self, name: str, bindings: Bindings) -> list[StoredMessage]:
        return [
            StoredMessage(
                row[0], row[1], row[2], row[3], from_text(row[4]), bool(row[5]), row[6], row[7]
            )
            for row in self._db.execute(self._sql[name], bindings)
        ]
