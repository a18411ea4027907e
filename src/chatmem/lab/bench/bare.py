"""What the benchmark compares with: the least that a search or a write can cost.

Bare queries are FTS5's bm25, the best ten of one user; sqlite-vec's ten nearest, in memory; a numpy
dot product, the least that exact search can cost.
"""

import os
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import apsw
import numpy as np

from chatmem.providers.embedding import Vector, Vectors
from chatmem.storage.documents.folder import flush_folder
from chatmem.storage.tables.dense import decode
from chatmem.text.segment import query_tokens

DATABASE = "chatmem.db"
TOP = 10

_OWNER = "SELECT number << 32, (number + 1 << 32) - 1 FROM owner WHERE user_id = ?"
_FULL_TEXT = """
    SELECT rowid FROM memory_fts WHERE memory_fts MATCH ? AND rowid BETWEEN ? AND ?
    ORDER BY bm25(memory_fts) LIMIT ?
"""
_CREATE_VECTORS = "CREATE VIRTUAL TABLE nearest USING vec0 (vector float[{dimension}])"
_INSERT_VECTOR = "INSERT INTO nearest (rowid, vector) VALUES (?, ?)"
_NEAREST = "SELECT rowid FROM nearest WHERE vector MATCH ? AND k = ?"
_VECTORS = "SELECT vector FROM memory_vector WHERE row_id BETWEEN ? AND ?"


def bare_write(folder: Path, database: apsw.Connection) -> Callable[[str], object]:
    """What puts a text into a file and a row of it into a database, as durably as a memory."""
    database.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL").fetchall()
    database.execute("CREATE TABLE bare (bytes INTEGER)")
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
        self._matrix: Vectors = decode(blobs)
        self.vectors = len(blobs)
        self._nearest = apsw.Connection(":memory:")
        if blobs:
            self._nearest.enable_load_extension(True)
            import_module("sqlite_vec").load(self._nearest)
            self._nearest.execute(_CREATE_VECTORS.format(dimension=self._matrix.shape[1]))
            with self._nearest:
                rows = ((index, vector.tobytes()) for index, vector in enumerate(self._matrix))
                self._nearest.executemany(_INSERT_VECTOR, rows)

    def full_text(self, question: str) -> list[int]:
        """Row ids of FTS5's best ten."""
        expression = " OR ".join(f'"{term}"' for term in query_tokens(question).terms)
        found = self._database.execute(_FULL_TEXT, (expression, *self._range, TOP))
        return [row[0] for row in found]

    def nearest(self, vector: Vector) -> list[int]:
        """Indices of sqlite-vec's ten nearest."""
        return [row[0] for row in self._nearest.execute(_NEAREST, (vector.tobytes(), TOP))]

    def dot_product(self, vector: Vector) -> list[int]:
        """Indices of the ten highest dot products, unordered."""
        top = min(TOP, len(self._matrix)) - 1
        indices: list[int] = np.argpartition(self._matrix @ -vector, top)[: top + 1].tolist()
        return indices

    def close(self) -> None:
        """Closes the databases."""
        self._database.close()
        self._nearest.close()
