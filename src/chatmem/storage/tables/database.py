"""What the tables ask of a database, whichever dialect it speaks."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, TypeAlias

from chatmem.model import Missing
from chatmem.storage.tables.statements import SqlStatement
from chatmem.storage.values import Owner

Row: TypeAlias = tuple[Any, ...]
Bindings: TypeAlias = Mapping[str, Any]
NONE: Bindings = {}


class SqlDatabase(ABC):
    """Statements in, rows out; transactions and snapshots belong to the thread that opens them.

    A statement is named as `file.name`, and acts for the owner that is passed. Where many processes
    write, one transaction at a time reads and writes an owner's rows, from the first statement on
    that is passed the owner. A transaction or a snapshot sees no more than the owner of its first
    statement may see, unless `acting_for` says otherwise.
    """

    rolled_back = 0
    """How many transactions came to nothing: what was read in one may not be cached."""
    no_vectors: str | None = None
    """Why there is no vector search here, None where there is."""

    def rows(
        self, name: str | SqlStatement, owner: Owner | None = None, /, **bindings: object
    ) -> list[Row]:
        """All rows of a statement for the owner, whose name and number are bound as well."""
        statement = self.statement(name)
        if owner is None:
            assert statement.acts_for != "for a user", name
            return self.execute(statement, bindings)
        return self.execute(statement, _of(owner) | bindings, owner.user_id)

    def row(
        self, name: str | SqlStatement, owner: Owner | None = None, /, **bindings: object
    ) -> Row | None:
        """The first row of a statement, or None."""
        found = self.rows(name, owner, **bindings)
        return found[0] if found else None

    def value(
        self, name: str | SqlStatement, owner: Owner | None = None, /, **bindings: object
    ) -> Any:  # noqa: ANN401 - a column of whatever type
        """The first column of the first row, or None."""
        found = self.rows(name, owner, **bindings)
        return found[0][0] if found else None

    def run(
        self, name: str | SqlStatement, owner: Owner | None = None, /, **bindings: object
    ) -> None:
        """A statement whose rows nobody reads."""
        self.rows(name, owner, **bindings)

    def many(
        self, name: str | SqlStatement, owner: Owner | None, bindings: Iterable[Bindings]
    ) -> None:
        """A statement for each of many bindings, inside the open transaction."""
        ours = {} if owner is None else _of(owner)
        user_id = None if owner is None else owner.user_id
        self.execute_many(self.statement(name), [{**ours, **one} for one in bindings], user_id)

    def statement(self, name: str | SqlStatement) -> SqlStatement:
        """The statement of a name `file.name`, as this database understands it."""
        if isinstance(name, SqlStatement):
            return name
        file, _, title = name.partition(".")
        return self.statements(file)[title]

    @property
    @abstractmethod
    def writing(self) -> bool:
        """True inside this thread's open transaction."""

    @abstractmethod
    def statements(self, file: str) -> Mapping[str, SqlStatement]:
        """The statements of `<file>.sql`."""

    @abstractmethod
    def execute(
        self, statement: SqlStatement | str, bindings: Bindings = NONE, user_id: str | None = None
    ) -> list[Row]:
        """All rows of a statement for the user, none of one without rows."""

    @abstractmethod
    def execute_many(
        self,
        statement: SqlStatement | str,
        bindings: Sequence[Bindings],
        user_id: str | None = None,
    ) -> None:
        """A statement for the user, once for each of the bindings."""

    @abstractmethod
    def acting_for(self, user_id: str) -> AbstractContextManager[None]:
        """Every statement of this thread inside sees what this user may see."""

    @abstractmethod
    def transaction(self) -> AbstractContextManager[None]:
        """Everything executed by this thread inside is written together, or not at all."""

    @abstractmethod
    def snapshot(self) -> AbstractContextManager[None]:
        """Everything read by this thread inside sees one state of the database."""

    @abstractmethod
    def missing(self) -> tuple[Missing, ...]:
        """What this database cannot do here, and why."""

    @abstractmethod
    def close(self) -> None:
        """Let go of every connection."""


class Table:
    """A table, or a few that belong together, of a database."""

    def __init__(self, database: SqlDatabase) -> None:
        self._db = database


def _of(owner: Owner) -> dict[str, object]:
    """The owner's name, as who owns rows and as who looks at them, and number."""
    return {"user_id": owner.user_id, "viewer": owner.user_id, "owner": owner.number}
