"""The ports of the two legs of search."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from chatmem.storage.ports.values import Owner, Postings, Rows, Vector, Vectors


class LexicalIndex(Protocol):
    """The lexical leg: who contains which term."""

    def postings(
        self, owner: Owner, terms: Sequence[str], prefixes: Sequence[str]
    ) -> list[Postings]:
        """One entry a term, then one a prefix (all its words together).

        Raises:
            LexicalUnavailableError: the full-text index is missing or rejected the query.
        """

    def tokens(self, owner: Owner, rows: Rows) -> list[list[str]]:
        """The index terms of each of these rows, ascending, as often as they occur.

        Raises:
            LexicalUnavailableError: the full-text index is missing or incomplete.
        """

    def session(self, owner: Owner, session_id: str) -> int:
        """The session's number in the rows' facts, -1 where the owner has no such session."""

    def rows(self, owner: Owner) -> NDArray[np.void]:
        """`ROW_DTYPE`, one entry a row from 0 on; deleted rows have state 0."""

    def facts_of(self, owner: Owner, rows: Rows) -> NDArray[np.void]:
        """The same of these rows, ascending; of the owner's other rows nothing is read."""

    def version(self, owner: Owner) -> int:
        """Counts every change of the owner's rows: what was read at another version is stale."""

    def speakers(self, owner: Owner) -> list[tuple[int, str, str]]:
        """Number, name and index terms of everybody who speaks in the owner's conversations."""


class DenseIndex(Protocol):
    """The dense leg: vectors of one embedder, and who is near a query's."""

    def candidates(
        self, owner: Owner, query: Vectors, limit: int, eligible: NDArray[np.bool_]
    ) -> Rows:
        """Of the rows marked in `eligible`, those with the nearest codes, unordered.

        At most `limit` of the packed and as many of the newest rows.
        """

    def candidates_of_each(
        self, owner: Owner, query: Vectors, limit: int, eligible: Sequence[NDArray[np.bool_]]
    ) -> list[Rows]:
        """What `candidates` gives for each of the marks."""

    def vectors(self, owner: Owner, rows: Rows, *, keep: bool = False) -> tuple[Rows, Vectors]:
        """Those of the rows that have a vector, ascending, and the vectors, (n, dimension).

        `keep` is for who asks for rows of their own, and will ask again.
        """

    def identity(self) -> str | None:
        """The embedder of the live index, None before the first."""

    def dimension(self) -> int:
        """Components of the live index's vectors; 0 before the first embedder."""

    def use(self, identity: str, dimension: int) -> bool:
        """True when the live index is of this embedder; else a new one is begun beside it."""

    def queued(self, limit: int) -> list[tuple[int, str]]:
        """Row ids that wait for a vector, and their texts."""

    def queue_length(self) -> int:
        """How many rows wait."""

    def cached(self, hashes: Sequence[int]) -> dict[int, Vector]:
        """Vectors of texts that were embedded before, by the text's hash."""

    def put(
        self, queued: Sequence[tuple[int, str]], hashes: Sequence[int], vectors: Vectors
    ) -> None:
        """Write the vectors of the queued rows whose text is still the same; off the queue."""

    def finish(self) -> bool:
        """True when a new index beside the live one was complete and has taken its place."""
