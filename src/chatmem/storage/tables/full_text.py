"""The port of what is kept of each row's words: the store's own way to find them again."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from chatmem.storage.values import Owner


class NewEntry(NamedTuple):
    """A new row's key, facts (`length, session, previous, speaker, flags`) and tokens."""

    key: int
    facts: Mapping[str, Any]
    tokens: Sequence[str]


class FullText(Protocol):
    """The facts of rows, their tokens in order, and which of the newest rows hold a term."""

    def enter(self, owner: Owner, rows: Sequence[NewEntry]) -> None:
        """Enter new rows."""

    def change(
        self, owner: Owner, key: int, facts: Mapping[str, Any], tokens: Sequence[str]
    ) -> None:
        """The row's text is another: its tokens, `length` and `flags`."""

    def remove(self, owner: Owner, key: int) -> None:
        """Take the row's facts and tokens out."""

    def tokens(self, owner: Owner, key: int) -> list[str] | None:
        """The row's tokens in order; None where they cannot be told."""

    def tokens_of(self, owner: Owner, keys: Sequence[int]) -> dict[int, str]:
        """The tokens of these rows, blank separated, by key.

        Raises:
            LexicalUnavailableError: they cannot be told.
        """

    def newest(
        self, owner: Owner, first: int, terms: Sequence[str], prefixes: Sequence[str]
    ) -> list[tuple[int, str]]:
        """Keys and tokens of rows from `first` on; at least of those that hold a term or prefix.

        Raises:
            LexicalUnavailableError: they cannot be told.
        """

    def make(self) -> None:
        """Begin anew, before every row is changed."""

    def check(self) -> list[str]:
        """What is wrong, a sentence each."""
