"""Owners: their numbers, the rows they take, their sessions and speakers."""

from collections.abc import Sequence

from chatmem.storage.tables.database import Row, SqlDatabase
from chatmem.storage.tables.rows import bound
from chatmem.storage.values import Owner


class Owners:
    """Numbers that stand for names in the index."""

    def __init__(self, database: SqlDatabase) -> None:
        self._db = database
        self._sql = database.statements("owners")
        self._known: dict[str, Owner] = {}
        self._names: dict[int, str] = {}
        self._speakers: dict[tuple[int, str], int] = {}
        self._rolled_back = 0

    def owner(self, user_id: str) -> Owner:
        """The user's owner; a new user gets the next number."""
        owner = self._known.get(user_id)
        if owner is None:
            found = self._db.one(self._sql["number"], {"name": user_id})
            if found is None:
                with self._db.transaction():
                    self._db.execute(self._sql["create"], {"name": user_id})
                    found = self._db.one(self._sql["number"], {"name": user_id})
            assert found is not None
            owner = Owner(found[0], user_id)
            if not self._db.writing:  # what stands in an open transaction may yet be rolled back
                self._known[user_id] = owner
        return owner

    def of_number(self, number: int) -> Owner:
        """The owner of a number that a row's key has."""
        if number not in self._names:
            found = self._db.one(self._sql["name"], {"number": number})
            assert found is not None
            if self._db.writing:
                return Owner(number, found[0])
            self._names[number] = found[0]
        return Owner(number, self._names[number])

    def everybody(self) -> list[Owner]:
        """All owners, the oldest first."""
        return [Owner(row[0], row[1]) for row in self._db.execute(self._sql["everybody"])]

    def users(self) -> list[str]:
        """All users, the oldest first."""
        return [owner.user_id for owner in self.everybody()]

    def extent(self, owner: Owner) -> tuple[int, int]:
        """How many rows the owner has taken, and how many of them are packed."""
        found = self._db.one(self._sql["extent"], bound(owner))
        return (found[0], found[1]) if found else (0, 0)

    def version(self, owner: Owner) -> int:
        """Counts every change of the owner's rows."""
        found = self._db.one(self._sql["extent"], bound(owner))
        return int(found[2]) if found else 0

    def touch(self, owner: Owner) -> None:
        """A row of the owner has changed."""
        self._db.execute(self._sql["touch"], bound(owner))

    def take_rows(self, owner: Owner, count: int) -> int:
        """The first of the next free rows, so many of which are taken."""
        found = self._db.one(self._sql["take_rows"], bound(owner, count=count))
        assert found is not None
        return int(found[0]) - count

    def enter_sessions(
        self, owner: Owner, said: Sequence[tuple[str | None, int, str]]
    ) -> list[tuple[int, int]]:
        """For each (session, row, time) the session's number and the row before it in there.

        Both are -1 without a session.
        """
        known: dict[str, tuple[int, int, str]] = {}
        entered = []
        for session_id, row, at in said:
            if session_id is None:
                entered.append((-1, -1))
                continue
            if session_id not in known:
                found = self._db.one(self._sql["session"], bound(owner, session_id=session_id))
                if found is None:
                    found = self.create_session(owner, session_id, at)
                known[session_id] = (found[0], found[1], at)
            number, previous, latest = known[session_id]
            entered.append((number, previous))
            known[session_id] = (number, row, max(latest, at))
        touched = [
            bound(owner, session_id=session_id, row=last, at=latest)
            for session_id, (_, last, latest) in known.items()
        ]
        self._db.many(self._sql["touch_session"], touched)
        return entered

    def create_session(self, owner: Owner, session_id: str, at: str) -> Row:
        """The new session's number, and -1: no row is in it yet.

        The number of a deleted session may come again: its rows are deleted, and count for nothing.
        """
        bindings = bound(owner, session_id=session_id, at=at)
        found = self._db.one(self._sql["create_session"], bindings)
        assert found is not None
        return found

    def session(self, owner: Owner, session_id: str) -> int:
        """The session's number, -1 where the owner has no such session."""
        found = self._db.one(self._sql["session"], bound(owner, session_id=session_id))
        return int(found[0]) if found else -1

    def speaker(self, owner: Owner, name: str | None, terms: str) -> int:
        """The speaker's number, a new one for a new name; -1 for nobody."""
        if name is None:
            return -1
        if self._rolled_back != self._db.rolled_back:
            self._speakers.clear()
            self._rolled_back = self._db.rolled_back
        key = (owner.number, name)
        if key not in self._speakers:
            for number, known, _ in self.speakers(owner):
                self._speakers[owner.number, known] = number
        if key not in self._speakers:
            bindings = bound(owner, name=name, terms=terms)
            found = self._db.one(self._sql["create_speaker"], bindings)
            assert found is not None
            return int(found[0])
        return self._speakers[key]

    def speakers(self, owner: Owner) -> list[tuple[int, str, str]]:
        """Number, name and index terms of each speaker."""
        return [
            (row[0], row[1], row[2])
            for row in self._db.execute(self._sql["speakers"], bound(owner))
        ]
