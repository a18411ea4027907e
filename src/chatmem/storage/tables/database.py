"""What the tables ask of a database, whichever dialect it speaks."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol, TypeAlias

from chatmem.model import Missing

Row: TypeAlias = tuple[Any, ...]
Bindings: TypeAlias = Mapping[str, Any]


class SqlDatabase(Protocol):
    """Statements in, rows out; transactions and snapshots belong to the thread that opens them.

    Bindings have names, and those of a user's rows are led by `user_id` or `viewer`: a database
    that many processes write lets one transaction at a time read and write a user's rows, from the
    first statement on that names the user. One that knows who a statement acts for shows it no row
    that this user may not see: that is the user whom the first statement of a transaction or a
    snapshot names, unless `acting_for` says otherwise.
    """

    rolled_back: int
    """How many transactions came to nothing: what was read in one may not be kept."""
    no_vectors: str | None
    """Why there is no vector search here, None where there is."""

    @property
    def writing(self) -> bool:
        """True inside this thread's open transaction."""

    def statements(self, name: str) -> Mapping[str, str]:
        """The statements of `<name>.sql`, as this database understands them."""

    def execute(self, sql: str, bindings: Bindings = ...) -> list[Row]:
        """All rows of one statement."""

    def one(self, sql: str, bindings: Bindings = ...) -> Row | None:
        """The first row of one statement, or None."""

    def many(self, sql: str, bindings: Sequence[Bindings]) -> None:
        """One statement for each of many bindings, inside the open transaction."""

    def acting_for(self, user_id: str) -> AbstractContextManager[None]:
        """Every statement of this thread inside acts for the user, whomever it names."""

    def transaction(self) -> AbstractContextManager[None]:
        """Everything executed by this thread inside is written together, or not at all."""

    def snapshot(self) -> AbstractContextManager[None]:
        """Everything read by this thread inside sees one state of the database."""

    def missing(self) -> tuple[Missing, ...]:
        """What this database cannot do here, and why."""

    def close(self) -> None:
        """Let go of every connection."""
