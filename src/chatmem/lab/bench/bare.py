"""What the benchmark compares with: the least that a search or a write can cost.

Bare queries are FTS5's bm25, the best ten of one user, and a numpy dot product.
"""

import os
from collections.abc import Callable
from pathlib import Path

import apsw
import numpy as np

from chatmem.model import Message
from chatmem.providers.embedding import Vector, Vectors
from chatmem.storage.documents.folder import flush_folder
from chatmem.storage.tables.dense import decode, stacked
from chatmem.text.segment import query_tokens

DATABASE = "chatmem.db"
TOP = 10

_OWNER = "SELECT number << 32, (number + 1 << 32) - 1 FROM owner WHERE user_id = ?"
_FULL_TEXT = """
    SELECT rowid FROM memory_fts WHERE memory_fts MATCH ? AND rowid BETWEEN ? AND ?
    ORDER BY bm25(memory_fts) LIMIT ?
"""
_VECTORS = "SELECT vector FROM memory_vector WHERE row_id BETWEEN ? AND ?"
_NEW = "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; CREATE TABLE bare (said)"


def bare_turn(database: apsw.Connection) -> Callable[[tuple[Message, Message]], object]:
    """What puts the two texts of a turn into a new database, as durably as a turn."""
    database.execute(_NEW).fetchall()
    insert = "INSERT INTO bare VALUES (?), (?)"
    return lambda turn: database.execute(insert, [one.content for one in turn])


def bare_write(folder: Path, database: apsw.Connection) -> Callable[[str], object]:
    """What puts a text into a file and a row of it into a database, as durably as a memory."""
    new = folder / "bare.new"

    def write(text: str) -> None:
        with new.open("wb") as out:
            out.write(text.encode())
            out.flush()
            os.fsync(out.fileno())
        new.replace(folder / "bare.md")
        flush_folder(folder)
        database.execute("INSERT INTO bare VALUES (?)", (len(text),))

    return write


class BareQueries:
    """Bare queries over one user's rows; `vectors` is how many of them have a vector."""

    def __init__(self, folder: Path, user_id: str) -> None:
        self._database = apsw.Connection(str(folder / DATABASE), flags=apsw.SQLITE_OPEN_READONLY)
        self._range: tuple[int, int] = next(self._database.execute(_OWNER, (user_id,)))
        blobs = [row[0] for row in self._database.execute(_VECTORS, self._range)]
        self._matrix: Vectors = decode(stacked(blobs))
        self.vectors = len(blobs)

    def full_text(self, question: str) -> list[int]:
        """Row ids of FTS5's best ten."""
        expression = " OR ".join(f'"{term}"' for term in query_tokens(question).terms)
        found = self._database.execute(_FULL_TEXT, (expression, *self._range, TOP))
        return [row[0] for row in found]

    def dot_product(self, vector: Vector) -> list[int]:
        """Indices of the ten highest dot products, unordered."""
        top = min(TOP, len(self._matrix)) - 1
        indices: list[int] = np.argpartition(self._matrix @ -vector, top)[: top + 1].tolist()
        return indices

    def close(self) -> None:
        """Closes the database."""
        self._database.close()
