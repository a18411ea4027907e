"""What the benchmark compares with: the embedder alone, and bare queries on the product's tables.

A bare full-text query is FTS5's own bm25, the best ten of one user. A bare vector query asks
sqlite-vec for the ten nearest of the same vectors as floats, in a table in memory; one numpy dot
product with all of them is the least that exact search can cost. None of these knows of windows,
sessions, speakers or parts: what a search costs beyond them is what those cost.
Source: interfaces.md (`chatmem bench`).
"""

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path

import apsw
import numpy as np
import sqlite_vec
from numpy.typing import NDArray

from chatmem.interfaces.cli.latency import timed
from chatmem.providers.ports import Embedder, Vector, Vectors
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


def embedding_rate(embedder: Embedder, texts: Sequence[str]) -> float:
    """Texts that the embedder alone turns into vectors in a second, in one batch."""
    embedder.embed(texts[:8])  # loads the model
    _, took_ms = timed(lambda: embedder.embed(texts))
    return len(texts) / took_ms * 1000


def query_embedding_ms(embedder: Embedder, questions: Sequence[str]) -> list[float]:
    """Milliseconds for the vector of each question."""
    embedder.embed_query("warm")
    return [timed(partial(embedder.embed_query, text))[1] for text in questions]


def full_text_ms(folder: Path, user_id: str, questions: Sequence[str]) -> list[float]:
    """Milliseconds of a bare FTS5 query for each question."""
    expressions = [" OR ".join(f'"{term}"' for term in query_tokens(q).terms) for q in questions]
    with _connection(folder) as connection:
        low, high = _range(connection, user_id)

        def best(expression: str) -> list[object]:
            return list(connection.execute(_FULL_TEXT, (expression, low, high, TOP)))

        best(expressions[0])
        return [timed(partial(best, text))[1] for text in expressions]


def nearest_ms(matrix: Vectors, wanted: Vectors) -> list[float]:
    """Milliseconds of a bare sqlite-vec query for each of the questions' vectors."""
    with closing(apsw.Connection(":memory:")) as connection:
        connection.enable_load_extension(True)
        sqlite_vec.load(connection)
        connection.execute(_CREATE_VECTORS.format(dimension=matrix.shape[1]))
        with connection:
            rows = ((number, vector.tobytes()) for number, vector in enumerate(matrix))
            connection.executemany(_INSERT_VECTOR, rows)

        def best(vector: bytes) -> list[object]:
            return list(connection.execute(_NEAREST, (vector, TOP)))

        best(wanted[0].tobytes())
        return [timed(partial(best, vector.tobytes()))[1] for vector in wanted]


def dot_product_ms(matrix: Vectors, wanted: Vectors) -> list[float]:
    """Milliseconds of one dot product with all vectors, and its ten best, for each question."""
    top = min(TOP, len(matrix)) - 1

    def best(vector: Vector) -> NDArray[np.intp]:
        return np.argpartition(matrix @ -vector, top)[: top + 1]

    best(wanted[0])
    return [timed(partial(best, vector))[1] for vector in wanted]


def stored_vectors(folder: Path, user_id: str) -> Vectors:
    """All vectors of the user, (n, dimension)."""
    with _connection(folder) as connection:
        blobs = [row[0] for row in connection.execute(_VECTORS, _range(connection, user_id))]
    matrix: Vectors = np.frombuffer(b"".join(blobs), np.float16).astype(np.float32)
    return matrix.reshape(len(blobs), -1)


@contextmanager
def _connection(folder: Path) -> Iterator[apsw.Connection]:
    path = str(folder / DATABASE)
    with closing(apsw.Connection(path, flags=apsw.SQLITE_OPEN_READONLY)) as connection:
        yield connection


def _range(connection: apsw.Connection, user_id: str) -> tuple[int, int]:
    low, high = next(connection.execute(_OWNER, (user_id,)))
    return int(low), int(high)
