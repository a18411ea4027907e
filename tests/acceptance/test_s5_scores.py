"""S3.3, S5.2, S5.3: what the scores of a search are worth: BM25, and nearness in meaning."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from itertools import chain, combinations
from pathlib import Path

import apsw
import numpy as np
import pytest

from chatmem import MemoryService
from chatmem.model import Message
from chatmem.storage.values import Vectors
from chatmem.testing import FakeEmbedder

HOUSE = (
    "Kettle on the stove",
    "A copper kettle whistles, a copper kettle sings",
    "Bought copper wire, nails, paint, a saw, a ladder, two brushes",
    "Copper pans shine",
    "Quince jam, boiled with cinnamon, cloves, honey, lemon, vanilla",
    *("Tulips by our gate", "Tulips, tulips, tulips everywhere"),
    *("Kitchen is cold", "Kitchen has two doors", "Kitchen smells of bread"),
    *("Plays the oboe", "Sails on Sunday", "Reads old maps", "Keeps bees", "Grows leeks"),
    *("Walks to work", "Sings bass", "Collects stamps"),
)


def fts5_scores(contents: Sequence[str], query: str) -> dict[str, float]:
    """The BM25 of what matches any word, as SQLite's own full-text search reckons it."""
    connection = apsw.Connection(":memory:")
    connection.execute("CREATE VIRTUAL TABLE entry USING fts5 (text, tokenize = 'porter')")
    connection.executemany("INSERT INTO entry VALUES (?)", [(one,) for one in contents])
    found = connection.execute(
        "SELECT text, -bm25(entry) FROM entry WHERE entry MATCH ?", (" OR ".join(query.split()),)
    )
    return {str(text): float(str(score)) for text, score in found}


@pytest.mark.scenario("S5.2.1", "S3.3.3")
@pytest.mark.parametrize("others", [0, 600])
def test_the_order_is_that_of_sqlites_own_bm25(memory: MemoryService, others: int) -> None:
    """Rare words, repeated words, short texts; among few rows and among many new ones.

    A tenth is what two scores may differ by and stand the other way round: the constants of the
    formula are not the same.
    """
    notes = [f"note number {number}" for number in range(others)]
    moment = datetime(2026, 3, 2, tzinfo=UTC)
    memory.save_messages(
        Message(role="user", content=note, session_id=note, timestamp=moment) for note in notes
    )
    for text in HOUSE:
        memory.append_memory(text)

    for query in ("copper kettle", "quince kitchen", "copper", "tulips", "copp* stamps"):
        expected = fts5_scores([*HOUSE, *notes], query)
        found = [hit.memory.content for hit in memory.search_memories(query)]
        assert set(found) == set(expected), query
        for better, worse in combinations(found, 2):
            assert expected[better] > 0.9 * expected[worse], (query, better, worse)


@pytest.mark.scenario("S3.3.4")
@pytest.mark.files
def test_without_full_text_the_share_of_the_keywords_counts(
    memory: MemoryService, data: Path
) -> None:
    shares = {
        "lantern cellar": {"Keeps a lantern in the cellar": 1.0, "The lantern is broken": 0.5},
        "地窖 灯笼": {"地窖里有灯笼": 1.0, "灯笼坏了": 0.5},
    }
    for text in chain.from_iterable(shares.values()):
        memory.append_memory(text)
    breaker = apsw.Connection(str(data / "chatmem.db"))
    breaker.execute("DROP TABLE memory_fts")
    breaker.close()

    for message, expected in shares.items():
        found = memory.get_relevant_memories(message)
        assert "full_text" in {one.what for one in found.missing}
        assert expected == pytest.approx(
            {
                hit.memory.content: (hit.parts.keyword or 0) / (0.5 + 0.5 * (hit.parts.bm25 or 0))
                for hit in found
            }
        )


class Angles(FakeEmbedder):
    """Lays each of some texts at an angle, by its cosine, to everything else."""

    def __init__(self, cosines: Mapping[str, float]) -> None:
        super().__init__(dimension=2, floor=0.1, name="angles")
        self._cosines = cosines

    def _encode(self, texts: list[str]) -> Vectors:
        cosines = np.array([self._cosines.get(text, 1.0) for text in texts], np.float32)
        return np.stack([cosines, np.sqrt(1 - cosines**2)], axis=1)


@pytest.mark.scenario("S5.3.1")
def test_what_is_nearer_has_the_higher_vector_score_and_words_add_theirs(place: str) -> None:
    """Of two texts without a common word, and one with the word alone; the same each time."""
    cosines = {"Bakes sourdough": 0.6, "Saw a quokka once": 0.0, "Mends violins": 0.95}
    nearer, named, nearest = cosines
    with MemoryService.open(place, embedder=Angles(cosines), background=False) as memory:
        for text in cosines:
            memory.append_memory(text)
        memory.wait_until_indexed()

        found = memory.search_memories("quokka")
        again = memory.search_memories("quokka")

    for hit in found:
        vector, bm25 = hit.parts.vector, hit.parts.bm25
        assert vector is not None and bm25 is not None
        assert hit.score == hit.parts.relevance == pytest.approx(0.7 * vector + 0.3 * bm25)
    parts = {hit.memory.content: hit.parts for hit in found}
    by_vector = sorted(parts, key=lambda text: -(parts[text].vector or 0))
    assert by_vector[:2] == [nearest, nearer]
    assert (parts[nearest].vector or 0) > (parts[nearer].vector or 0) > 0
    assert parts[named].vector == 0
    assert (parts[named].bm25 or 0) > 0
    assert [parts[text].bm25 for text in (nearer, nearest)] == [0, 0]
    order = [hit.memory.content for hit in found]
    assert order[:2] == [nearest, nearer]
    assert named in order
    assert [(hit.memory.content, hit.parts) for hit in again] == [
        (hit.memory.content, hit.parts) for hit in found
    ]
