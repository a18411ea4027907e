"""History and tombstones."""

import hashlib
import json
from datetime import datetime

from chatmem.model import HistoryEntry
from chatmem.model.time import from_text, to_text
from chatmem.storage.tables.database import SqlDatabase
from chatmem.storage.tables.rows import bound, from_plain, plain
from chatmem.storage.values import Owner
from chatmem.text.normalise import normalise


class HistoryTable:
    """What happened to memories, and the hashes of what was forgotten."""

    def __init__(self, database: SqlDatabase) -> None:
        self._db = database
        self._sql = database.statements("history")

    def add(self, owner: Owner, entry: HistoryEntry) -> None:
        """Append an entry."""
        before = plain(entry.before) if entry.before else None
        self._db.execute(
            self._sql["insert"],
            {
                "user_id": owner.user_id,
                "memory_id": entry.memory_id,
                "at": to_text(entry.at),
                "action": entry.action,
                "reason": entry.reason,
                "before": json.dumps(before, ensure_ascii=False) if before else None,
                "after": json.dumps(plain(entry.after), ensure_ascii=False),
            },
        )

    def of_memory(self, owner: Owner, memory_id: str) -> list[HistoryEntry]:
        """The memory's entries, oldest first."""
        return [
            HistoryEntry(
                memory_id=row[0],
                at=from_text(row[1]),
                action=row[2],
                reason=row[3],
                before=from_plain(json.loads(row[4])) if row[4] else None,
                after=from_plain(json.loads(row[5])),
            )
            for row in self._db.execute(self._sql["of_memory"], bound(owner, memory_id=memory_id))
        ]

    def bury(self, owner: Owner, content: str, at: datetime) -> None:
        """Remember, as a hash only, that this content, or this source id, was forgotten."""
        self._db.execute(self._sql["bury"], bound(owner, hash=_hash(content), at=to_text(at)))

    def is_buried(self, owner: Owner, content: str) -> bool:
        """True when this very content was forgotten by the owner."""
        return self._db.one(self._sql["is_buried"], bound(owner, hash=_hash(content))) is not None

    def any_buried(self, owner: Owner) -> bool:
        """True when the owner has forgotten anything."""
        return self._db.one(self._sql["any_buried"], bound(owner)) is not None

    def unbury(self, owner: Owner, content: str) -> None:
        """The person says it again: it is no longer unwanted."""
        self._db.execute(self._sql["unbury"], bound(owner, hash=_hash(content)))


def _hash(content: str) -> bytes:
    """Equal for texts that differ only in case, width, script variant or blanks."""
    return hashlib.blake2b("".join(normalise(content).split()).encode(), digest_size=16).digest()
