"""How far extraction has come in a session, and which events were handled,."""

import json
from datetime import datetime

from chatmem.model.time import from_text, to_text
from chatmem.storage.tables.database import SqlDatabase
from chatmem.storage.tables.rows import bound
from chatmem.storage.values import Extraction, Owner


class ExtractionTable:
    """How far sessions were read for memories, and which events were handled."""

    def __init__(self, database: SqlDatabase) -> None:
        self._db = database
        self._sql = database.statements("extraction")

    def get(self, owner: Owner, session_id: str) -> Extraction:
        """Where the session stands; a new one's is the default."""
        found = self._db.one(self._sql["get"], bound(owner, session_id=session_id))
        if found is None:
            return Extraction()
        at = from_text(found[1]) if found[1] else None
        return Extraction(found[0], at, json.loads(found[2]))

    def put(self, owner: Owner, session_id: str, extraction: Extraction) -> None:
        """Insert or replace."""
        at = extraction.extracted_at
        bindings = {
            "user_id": owner.user_id,
            "session_id": session_id,
            "extracted_to": extraction.extracted_to,
            "extracted_at": to_text(at) if at else None,
            "flush": json.dumps(dict(extraction.flush)),
        }
        self._db.execute(self._sql["put"], bindings)

    def handle(self, owner: Owner, session_id: str, event_id: str, at: datetime) -> bool:
        """True the first time that this event is handled."""
        bindings = {
            "user_id": owner.user_id, "session_id": session_id, "event_id": event_id,
            "at": to_text(at),
        }  # fmt: skip
        return self._db.one(self._sql["handle"], bindings) is not None

    def forget_events(self, before: datetime) -> None:
        """Forget ids of events that were handled before then: nobody delivers them again."""
        self._db.execute(self._sql["forget_events"], {"before": to_text(before)})
