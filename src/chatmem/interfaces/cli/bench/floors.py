"""What the benchmark compares with: the embedder alone, and bare queries on the product's tables.

A bare full-text query is FTS5's own bm25, best ten of one user; a bare vector query is one numpy
dot product with all vectors of that user, held in memory. Neither knows of windows, sessions,
speakers, visibility or parts; what a search costs beyond them is what those cost.
Source: interfaces.md (`chatmem bench`).
"""

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path

import apsw
import numpy as np
from numpy.typing import NDArray

from chatmem.interfaces.cli.latency import timed
from chatmem.providers.ports import Embedder
from chatmem.text.segment import query_tokens

DATABASE = "chatmem.db"
TOP = 10

_OWNER = "SELECT number << 32, (number + 1 << 32) - 1 FROM owner WHERE user_id = ?"
_FULL_TEXT = """
    SELECT rowid FROM memory_fts WHERE memory_fts MATCH ? AND rowid BETWEEN ? AND ?
    ORDER BY bm25(memory_fts) LIMIT ?
"""
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


def dot_product_ms(folder: Path, user_id: str, vectors: NDArray[np.float32]) -> list[float]:
    """Milliseconds of a bare vector query for each of the questions' vectors; [] without any."""
    with _connection(folder) as connection:
        blobs = [row[0] for row in connection.execute(_VECTORS, _range(connection, user_id))]
    if not blobs:
        return []
    matrix = np.frombuffer(b"".join(blobs), np.float16).reshape(len(blobs), -1).astype(np.float32)
    top = min(TOP, len(matrix)) - 1

    def best(vector: NDArray[np.float32]) -> NDArray[np.intp]:
        return np.argpartition(matrix @ -vector, top)[: top + 1]

    best(vectors[0])
    return [timed(partial(best, vector))[1] for vector in vectors]


@contextmanager
def _connection(folder: Path) -> Iterator[apsw.Connection]:
    path = str(folder / DATABASE)
    with closing(apsw.Connection(path, flags=apsw.SQLITE_OPEN_READONLY)) as connection:
        yield connection


def _range(connection: apsw.Connection, user_id: str) -> tuple[int, int]:
    low, high = next(connection.execute(_OWNER, (user_id,)))
    return int(low), int(high)
