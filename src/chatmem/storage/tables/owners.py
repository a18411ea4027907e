"""Owners: their numbers, the rows they take and the keys of these, their sessions and speakers."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from chatmem.storage.tables.database import Row, SqlDatabase
from chatmem.storage.values import Owner

OWNER_BITS = 32
_ROW_MASK = (1 << OWNER_BITS) - 1


class Owners:
    """Numbers that stand for names in the index."""

    def __init__(self, database: SqlDatabase) -> None:
        self._db = database
        self._known: dict[str, Owner] = {}
        self._names: dict[int, str] = {}
        self._speakers: dict[tuple[int, str], int] = {}
        self._rolled_back = 0

    def owner(self, user_id: str) -> Owner:
        """The user's owner; a new user gets the next number."""
        owner = self._known.get(user_id)
        if owner is None:
            number = self._db.value("owners.number", name=user_id)
            if number is None:
                with self._db.transaction():
                    self._db.run("owners.create", name=user_id)
                    number = self._db.value("owners.number", name=user_id)
            owner = Owner(number, user_id)
            if not self._db.writing:  # what stands in an open transaction may yet be rolled back
                self._known[user_id] = owner
        return owner

    def of_number(self, number: int) -> Owner:
        """The owner of a number that a row's key has."""
        name = self._names.get(number)
        if name is None:
            name = str(self._db.value("owners.name", number=number))
            if not self._db.writing:
                self._names[number] = name
        return Owner(number, name)

    def everybody(self) -> list[Owner]:
        """All owners, the oldest first."""
        return [Owner(*row) for row in self._db.rows("owners.everybody")]

    def extent(self, owner: Owner) -> tuple[int, int]:
        """How many rows the owner has taken, and how many of them are packed."""
        next_row, packed_rows, *_ = self._db.row("owners.extent", owner) or (0, 0)
        return next_row, packed_rows

    def version(self, owner: Owner) -> int:
        """Counts every change of the owner's rows."""
        found = self._db.row("owners.extent", owner)
        return found[2] if found else 0

    def touch(self, owner: Owner) -> None:
        """A row of the owner has changed."""
        self._db.run("owners.touch", owner)

    def take_rows(self, owner: Owner, count: int) -> int:
        """The first of the next free rows, so many of which are taken."""
        return int(self._db.value("owners.take_rows", owner, count=count)) - count

    def enter_sessions(
        self, owner: Owner, turns: Sequence[tuple[str | None, int, datetime]]
    ) -> list[tuple[int, int]]:
        """For each (session, row, time) the session's number and the row before it in there.

        Both are -1 without a session.
        """
        known: dict[str, tuple[int, int, datetime]] = {}
        entered = []
        for session_id, row, at in turns:
            if session_id is None:
                entered.append((-1, -1))
                continue
            if session_id not in known:
                found = self._db.row("owners.session", owner, session_id=session_id)
                if found is None:
                    found = self.create_session(owner, session_id, at)
                known[session_id] = (found[0], found[1], at)
            number, previous, latest = known[session_id]
            entered.append((number, previous))
            known[session_id] = (number, row, max(latest, at))
        last = [
            {"session_id": session_id, "row": row, "at": latest}
            for session_id, (_, row, latest) in known.items()
        ]
        self._db.many("owners.touch_session", owner, last)
        return entered

    def create_session(self, owner: Owner, session_id: str, at: datetime) -> Row:
        """The new session's number, and -1: no row is in it yet.

        The number of a deleted session may come again: its rows are deleted, and count for nothing.
        """
        (found,) = self._db.rows("owners.create_session", owner, session_id=session_id, at=at)
        return found

    def speaker(self, owner: Owner, name: str | None, terms: str) -> int:
        """The speaker's number, a new one for a new name; -1 for nobody."""
        if name is None:
            return -1
        if self._rolled_back != self._db.rolled_back:
            self._speakers.clear()
            self._rolled_back = self._db.rolled_back
        if (owner.number, name) not in self._speakers:
            for number, known, _ in self.speakers(owner):
                self._speakers[owner.number, known] = number
        found = self._speakers.get((owner.number, name))
        if found is None:
            found = self._db.value("owners.create_speaker", owner, name=name, terms=terms)
        return int(found)

    def speakers(self, owner: Owner) -> list[tuple[int, str, str]]:
        """Number, name and index terms of each speaker."""
        found = self._db.rows("owners.speakers", owner)
        return [(number, name, terms) for number, name, terms in found]


def row_id(owner: Owner, row: int) -> int:
    """The key of an owner's row: a query over one owner is a range of keys."""
    return owner.number << OWNER_BITS | row


def row_of(key: int) -> int:
    """The owner's row that a key stands for."""
    return key & _ROW_MASK


def key_range(owner: Owner, first: int = 0) -> dict[str, int]:
    """The lowest and the highest key of an owner's rows from `first` on, as `low` and `high`."""
    return {"low": row_id(owner, first), "high": row_id(owner, _ROW_MASK)}


def pages(database: SqlDatabase, name: str, owner: Owner, size: int) -> Iterator[list[Row]]:
    """The rows of a statement in the order of their keys, `size` at a time."""
    named = {**key_range(owner), "limit": size}
    while page := database.rows(name, owner, **named):
        yield page
        named["low"] = page[-1][0] + 1
