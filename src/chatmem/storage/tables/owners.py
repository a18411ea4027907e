"""Owners: their numbers, the rows they take and the keys of these, their sessions and speakers."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple, TypeAlias

from chatmem.errors import UserNotFoundError
from chatmem.model import AtomicMemoryRecord, Message
from chatmem.model.people import UserCounts
from chatmem.storage.tables.database import Row, SqlDatabase, T, Table
from chatmem.storage.values import Owner
from chatmem.text.segment import index_tokens

OWNER_BITS = 32
_ROW_MASK = (1 << OWNER_BITS) - 1


class Extent(NamedTuple):
    """How many rows an owner has taken and how many are packed, and counters of their changes.

    `version` counts every change of the owner's rows, `packed_version` those of packed ones, and
    `sharing` those of what anybody shares, with whom.
    """

    rows: int = 0
    packed: int = 0
    version: int = 0
    packed_version: int = 0
    sharing: int = 0


class State(NamedTuple):
    """What a call asks first: `settings` counts their changes, `embedder` is the live index's.

    `waits` is whether a row of the owner waits for its vector, `held` whether a change of a
    document could not be folded in.
    """

    settings: int = 0
    embedder: str | None = None
    waits: bool = False
    held: bool = False
    extent: Extent = Extent()


class Known(NamedTuple):
    """Numbers of an owner's speakers, if any; numbers, newest rows and times of sessions."""

    speakers: Mapping[str | None, int | None]
    sessions: Mapping[str, tuple[int, int, datetime]]


Entered: TypeAlias = tuple[int, AtomicMemoryRecord | Message, str | None]
"""A row's key, what it says, and who said it."""


class PassedError(Exception):
    """What was assumed of a snapshot is no longer so."""


class Owners(Table):
    """Numbers that stand for names in the index."""

    def owner(self, user_id: str) -> Owner:
        """The user's owner; a new user gets the next number."""
        if (known := self.find(user_id)) is not None:
            return known
        with self._db.transaction():
            self._db.run("owners.create", name=user_id)
            return Owner(self._db.value("owners.number", name=user_id), user_id)

    def find(self, user_id: str) -> Owner | None:
        """The user's owner, None for a user who has none yet."""
        number = self._db.value("owners.number", name=user_id)
        return None if number is None else Owner(number, user_id)

    def of_number(self, number: int) -> Owner:
        """The owner of a number that a row's key has."""
        return Owner(number, self._db.value("owners.name", number=number))

    def counted(self, user_id: str | None = None) -> list[UserCounts]:
        """What everybody has who owns something, has a key, or is in a circle or invited to one."""
        return self._db.records(UserCounts, "owners.counted", name=user_id)

    def everybody(self) -> list[Owner]:
        """All owners, the oldest first."""
        return [Owner(*row) for row in self._db.rows("owners.everybody")]

    def extent(self, owner: Owner) -> Extent:
        """How far the owner's rows go."""
        return Extent(*(self._db.row("owners.extent", owner) or ()))

    def state(self, owner: Owner) -> State:
        """What a call for the owner asks first, in one statement."""
        found = self._db.row("owners.state", owner, **key_range(owner)) or State()[:4]
        settings, embedder, waits, held, *extent = found
        return State(settings, embedder, waits, held, Extent(*extent))

    def as_of(self, state: State, owner: Owner, work: Callable[[], T]) -> T:
        """What the work gives in a snapshot of this state, or a newer one; it may be done again."""
        try:
            with self._db.snapshot():
                self._db.assume("owners.extent", owner, state.extent)
                return work()
        except PassedError:
            with self._db.snapshot():
                return work()

    def touch(self, owner: Owner) -> None:
        """A row of the owner has changed."""
        self._db.run("owners.touch", owner)

    def take_rows(self, owner: Owner, count: int) -> int:
        """The first of the next free rows, so many of which are taken; or UserNotFoundError."""
        end = self._db.value("owners.take_rows", owner, count=count)
        if end is None:
            raise UserNotFoundError(owner.user_id)
        return int(end) - count

    def enter_sessions(
        self, owner: Owner, rows: Sequence[Entered], given: Known | None
    ) -> list[tuple[int, int]]:
        """For each row the number of its session and the row before it in there.

        Both are -1 for what is no turn: a memory keeps its session as where it came from.
        """
        known = dict(given.sessions) if given else {}
        entered = []
        for key, one, _ in rows:
            session_id, row, at = one.session_id, row_of(key), one.timestamp
            number, previous = -1, -1
            if session_id is not None and one.role:
                if session_id not in known:
                    found = self._db.row("owners.session", owner, session_id=session_id)
                    found = found or self.create_session(owner, session_id, at)
                    known[session_id] = (found[0], found[1], at)
                number, previous, latest = known[session_id]
                known[session_id] = (number, row, max(latest, at))
            entered.append((number, previous))
        last = [
            {"session_id": session_id, "row": row, "at": latest}
            for session_id, (_, row, latest) in known.items()
        ]
        if last:
            self._db.many("owners.touch_session", owner, last)
        return entered

    def create_session(self, owner: Owner, session_id: str, at: datetime) -> Row:
        """The new session's number, and -1: no row is in it yet.

        The number of a deleted session may come again: its rows are deleted, and count for nothing.
        Raises UserNotFoundError for an owner who was deleted meanwhile.
        """
        found = self._db.row("owners.create_session", owner, session_id=session_id, at=at)
        if found is None:
            raise UserNotFoundError(owner.user_id)
        return found

    def enter_speakers(
        self, owner: Owner, rows: Sequence[Entered], known: Known | None
    ) -> Mapping[str | None, int]:
        """The number of every speaker, a new one for each new name; -1 for nobody."""
        numbers: dict[str | None, Any] = {None: -1, **(known.speakers if known else {})}
        if named := [name for _, _, name in rows if numbers.get(name) is None]:
            numbers |= {name: number for number, name, _ in self.speakers(owner)}
        for name in named:
            if name is not None and numbers.get(name) is None:
                given = {"name": name, "terms": " ".join(index_tokens(name))}
                numbers[name] = self._db.value("owners.create_speaker", owner, **given)
        return numbers

    def speakers(self, owner: Owner) -> list[tuple[int, str, str]]:
        """Number, name and index terms of each speaker."""
        found = self._db.rows("owners.speakers", owner)
        return [(number, name, terms) for number, name, terms in found]

    def forget_speakers(self, owner: Owner) -> None:
        """Delete the names of those whose every message is gone."""
        self._db.run("owners.forget_speakers", owner, **key_range(owner))
        self.touch(owner)


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
