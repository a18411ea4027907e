"""The port of moving everything from one store to another, whatever kinds they are."""

from collections.abc import Sequence
from typing import Any, Protocol, TypeAlias

MovedRow: TypeAlias = tuple[Any, ...]


class Moving(Protocol):
    """Rows of every table that is not derived, in an order and with columns that all stores share.

    The first columns of a row are its key. Reading goes on behind a key, and rows that are there
    are left as they are: a move that was interrupted goes on where it stopped.
    """

    @property
    def tables(self) -> Sequence[str]:
        """The tables to move, those that others refer to first."""

    def is_empty(self) -> bool:
        """True where nobody has kept anything yet."""

    def begun(self) -> str | None:
        """Where the move that was begun into this store comes from; None where none was."""

    def begin(self, origin: str) -> None:
        """A move begins: what a new store has from the start goes, and the origin is noted."""

    def finish(self) -> None:
        """The move is over: numbers go on behind those that were moved."""

    def count(self, table: str) -> int:
        """How many rows there are to move."""

    def key(self, table: str, row: MovedRow) -> MovedRow:
        """The key of a row."""

    def last(self, table: str) -> MovedRow | None:
        """The key of the last row, None where there is none."""

    def page(self, table: str, after: MovedRow | None, limit: int) -> list[MovedRow]:
        """At most `limit` rows behind the key, in the order of their keys."""

    def put(self, table: str, rows: Sequence[MovedRow]) -> None:
        """Add those that are not there; inside a transaction."""
