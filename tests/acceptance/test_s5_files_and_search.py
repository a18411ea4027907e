"""S5, and S3.3: Markdown files are the truth; words and vectors find it, and have scores."""

import json
import sys
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from itertools import combinations
from pathlib import Path
from types import SimpleNamespace

import apsw
import numpy as np
import pytest
from tests.acceptance.conftest import daily_log
from tests.doors import by_words, client_of

from chatmem import MemoryService, SearchResults
from chatmem.engine.importing import import_file
from chatmem.engine.tools import memory_tools
from chatmem.model import Message
from chatmem.storage.values import Vectors
from chatmem.testing import FakeEmbedder

MEMORY_FOLDER = Path("prompts/memory")


def rows(database: Path, sql: str) -> list[str]:
    """The first column of what the database holds, read past the engine.

    Through the engine's own SQLite: a second copy of the library in one process breaks the locks of
    the first.
    """
    connection = apsw.Connection(str(database), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        return [row[0] for row in connection.execute(sql)]
    finally:
        connection.close()


def assert_mixed(found: SearchResults) -> None:
    """Every relevance is 0.7 of the vector's score and 0.3 of the keywords'."""
    assert found.hits or found.nearest
    for hit in (*found.hits, *found.nearest):
        assert hit.parts.vector is not None and hit.parts.bm25 is not None
        expected = 0.7 * hit.parts.vector + 0.3 * hit.parts.bm25
        assert hit.parts.relevance == pytest.approx(expected, abs=1e-9)
        assert 0 <= hit.parts.vector <= 1 and 0 <= hit.parts.bm25 <= 1
        assert hit.score == hit.parts.relevance


@pytest.mark.scenario("S5.1.1", "S5.1.2")
@pytest.mark.files
def test_facts_and_notes_are_files_where_the_specification_says(
    memory: MemoryService, data: Path
) -> None:
    memory.append_memory("Was born in Tainan")
    memory.append_daily_log("水管修好了", now=datetime(2026, 3, 2, 12, 0).astimezone())

    assert "- Was born in Tainan" in (data / MEMORY_FOLDER / "MEMORY.md").read_text("utf-8")
    assert "水管修好了" in (data / MEMORY_FOLDER / "daily" / "2026-03-02.md").read_text("utf-8")


@pytest.mark.scenario("S5.1.1")
def test_a_fact_is_appended_to_the_main_file(memory: MemoryService) -> None:
    memory.append_memory("喜欢在雨天散步", "preference")
    before = memory.main.read().content
    memory.append_memory("Was born in Tainan")

    after = memory.main.read().content
    assert "- 喜欢在雨天散步" in before
    assert "- Was born in Tainan" in after
    assert after.index("喜欢在雨天散步") < after.index("Was born in Tainan")
    assert memory.read_main() == after


@pytest.mark.scenario("S5.1.1")
def test_the_file_is_the_truth_and_the_database_comes_back_from_it(data: Path) -> None:
    with by_words(data) as memory:
        memory.append_memory("Keeps bees on the roof", key="hobby", importance=4, tags=("bees",))
        memory.append_memory("Keeps quails on the roof", key="hobby")
        memory.append_daily_log("蜂箱搬到了东边")
        known = {one.id: one for one in memory.export_records()}
    for file in data.glob("chatmem.db*"):
        file.unlink()

    with by_words(data) as memory:
        assert {one.id: one for one in memory.export_records()} == known
        assert memory.search_memories("quails")[0].memory.content == "Keeps quails on the roof"


@pytest.mark.scenario("S5.1.2")
def test_a_note_is_appended_to_the_log_of_its_day(memory: MemoryService) -> None:
    noon = datetime(2026, 3, 2, 12, 0).astimezone()

    memory.append_daily_log("Called the plumber", now=noon)
    memory.append_daily_log("水管修好了", now=noon.replace(hour=18))
    memory.append_daily_log("Paid the plumber", now=noon.replace(day=3))

    first, second = (memory.daily_logs.read(date(2026, 3, day)).content for day in (2, 3))
    lines = [line for line in first.splitlines() if line.startswith("- ")]
    assert ["Called the plumber" in lines[0], "水管修好了" in lines[1]] == [True, True]
    assert len(lines) == 2
    assert "Paid the plumber" in second
    assert memory.search_memories("plumber")[0].memory.kind == "episodic"


@pytest.mark.scenario("S5.1.2")
@pytest.mark.parametrize("door", ["append_memory", "apply_writes", "event", "rest", "jsonl"])
def test_what_is_episodic_stands_in_the_log_whoever_writes(
    memory: MemoryService, own_folder: Path, door: str
) -> None:
    write = {"content": "和小林去爬山 with Lin", "kind": "episodic", "category": "preference"}
    if door == "append_memory":
        memory.append_memory(write["content"], "preference", kind="episodic")
    elif door == "apply_writes":
        memory.apply_writes([write])
    elif door == "event":
        data = {"memoryWrites": [write]}
        memory.handle_event({"type": "tool_result", "session_id": "s1", "data": data})
    elif door == "rest":
        with client_of(memory) as client:
            assert client.post("/api/memory", json=write).status_code == 201
    else:
        line = {**write, "id": "m1", "memory_type": "long_term", "timestamp": "2026-05-01T09:00Z"}
        (own_folder / "out.jsonl").write_text(json.dumps(line), "utf-8")
        import_file(memory, own_folder / "out.jsonl")

    [kept] = memory.list_memories().items
    assert (kept.kind, kept.category) == ("episodic", "preference")
    assert kept.document == f"daily/{kept.timestamp.astimezone().date()}.md"
    assert write["content"] in daily_log(memory)
    assert write["content"] not in memory.read_main()


@pytest.mark.scenario("S5.1.3")
def test_missing_folders_are_made_at_the_start(data: Path) -> None:
    deep = data / "not" / "yet"

    with by_words(deep):
        assert (deep / MEMORY_FOLDER).is_dir()
        assert (deep / MEMORY_FOLDER / "daily").is_dir()


@pytest.mark.scenario("S5.2.1")
def test_memories_come_in_the_order_of_their_bm25_scores(memory: MemoryService) -> None:
    memory.append_memory("The kettle is in the kitchen")
    memory.append_memory("The copper kettle whistles: a copper kettle from Oslo")
    memory.append_memory("茶壶是铜做的")
    memory.append_memory("The garden needs rain")
    memory.append_memory("Bought copper wire for the fence, and nails, and paint, and a saw")

    found = memory.search_memories("copper kettle")

    assert [hit.memory.content.split()[1] for hit in found] == ["copper", "kettle", "copper"]
    scores = [hit.parts.bm25 for hit in found]
    assert scores == sorted(scores, key=lambda score: -(score or 0))
    assert [hit.score for hit in found] == scores
    assert len(set(scores)) == 3
    assert scores[0] == 1.0


@pytest.mark.scenario("S5.2.1")
@pytest.mark.files
def test_the_index_is_an_fts5_table(memory: MemoryService, data: Path) -> None:
    memory.append_memory("The kettle is in the kitchen")

    tables = rows(data / "chatmem.db", "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")
    assert any("VIRTUAL TABLE" in sql and "fts5" in sql.lower() for sql in tables)


@pytest.mark.scenario("S5.2.2")
def test_the_watcher_brings_an_edit_into_the_index_without_any_call(data: Path) -> None:
    main = data / MEMORY_FOLDER / "MEMORY.md"
    with by_words(data, background=True):
        written_s = time.monotonic()
        main.write_text(main.read_text("utf-8") + "- 冬天去哈尔滨看冰灯\n", "utf-8")

        until_s = time.monotonic() + 10
        while "冬天去哈尔滨看冰灯" not in rows(
            data / "chatmem.db", "SELECT content FROM atomic_memory"
        ):
            assert time.monotonic() < until_s
            time.sleep(0.05)
        assert time.monotonic() - written_s >= 1.5  # nobody writes on


@pytest.mark.scenario("S5.2.2")
def test_an_edit_is_found_by_the_next_search_when_the_last_look_is_a_second_old(data: Path) -> None:
    main = data / MEMORY_FOLDER / "MEMORY.md"
    with by_words(data) as memory:
        memory.append_memory("Rides a tandem")  # its words are in the index from the end on
    with by_words(data, scan_interval_seconds=0.2) as memory:
        assert list(memory.search_memories("tandem")) != []
        main.write_text(main.read_text("utf-8").replace("a tandem", "a unicycle"), "utf-8")
        time.sleep(0.25)

        assert [hit.memory.content for hit in memory.search_memories("unicycle")] == [
            "Rides a unicycle"
        ]
        assert list(memory.search_memories("tandem")) == []


@pytest.mark.scenario("S5.3.1")
def test_words_and_vectors_are_mixed_seven_to_three(data: Path) -> None:
    with MemoryService.open(data, embedder=FakeEmbedder(floor=0.1), background=False) as memory:
        fill(memory)

        question = "What do I drink in the morning? And where is the kettle?"
        for query in ("copper kettle", "铜壶", question, "kettl*"):
            assert_mixed(memory.search_memories(query))
            for hit in memory.get_relevant_memories(query):
                assert hit.parts.vector is not None and hit.parts.bm25 is not None
                assert hit.parts.relevance == pytest.approx(
                    0.7 * hit.parts.vector + 0.3 * hit.parts.bm25, abs=1e-9
                )


@pytest.mark.scenario("S5.3.1")
def test_the_default_embedder_mixes_alike(meaning: MemoryService) -> None:
    fill(meaning)

    for query in ("copper kettle", "我早上喝什么", "how did the storm go?"):
        assert_mixed(meaning.search_memories(query))


@pytest.mark.scenario("S5.3.1")
def test_the_same_two_texts_are_worth_the_same_in_every_search(meaning: MemoryService) -> None:
    fill(meaning)
    before = {hit.memory.id: hit.parts for hit in meaning.search_memories("copper kettle")}
    meaning.append_memory(
        "The copper kettle stands on the stove, the second copper kettle in the box"
    )
    meaning.wait_until_indexed()

    after = {hit.memory.id: hit.parts for hit in meaning.search_memories("copper kettle")}
    assert before.keys() < after.keys()
    for memory_id, parts in before.items():
        assert after[memory_id].vector == pytest.approx(parts.vector, abs=1e-6)
        assert after[memory_id].bm25 == pytest.approx(parts.bm25, abs=0.1)


@pytest.mark.scenario("S5.3.1")
@pytest.mark.parametrize(
    "query",
    ["Kubernetes ingress", "zzzzqqq", "xyzzy", "量子色动力学的渐近自由", "铜锣湾在香港的哪个区？"],
)
def test_what_nothing_speaks_of_finds_nothing_and_what_is_nearest_stands_apart(
    meaning: MemoryService, query: str
) -> None:
    fill(meaning)

    found = meaning.search_memories(query)
    assert found.hits == ()
    assert all(hit.score < 0.5 for hit in found.nearest)
    assert bool(found.nearest) == ("铜" in query)  # one character of the kettle's
    assert meaning.get_relevant_memories(query).hits == ()


class Broken:
    """What a package that was installed in part raises when it is asked for anything."""

    def __getattr__(self, name: str) -> object:
        raise SystemError(f"{name}: undefined symbol")


@pytest.mark.scenario("S5.3.2")
@pytest.mark.parametrize(
    "package",
    [SimpleNamespace(__spec__=SimpleNamespace(origin="nowhere/it.py")), None, Broken()],
    ids=["without its library", "not installed", "broken"],
)
def test_without_the_vector_extension_words_alone_are_searched(
    data: Path, monkeypatch: pytest.MonkeyPatch, package: object
) -> None:
    monkeypatch.setitem(sys.modules, "sqlite_vec", package)

    with MemoryService.open(data, embedder=FakeEmbedder(), background=False) as memory:
        fill(memory)
        found = memory.search_memories("copper kettle")

        assert found[0].memory.content == "The copper kettle whistles"
        assert all(hit.parts.vector is None for hit in found)
        assert all(hit.score == hit.parts.relevance == hit.parts.bm25 for hit in found)
        assert [one.what for one in found.missing] == ["vectors"]
        assert "install the package sqlite-vec again" in found.missing[0].why
        with client_of(memory) as http:
            assert http.get("/readyz").json()["degraded"][0]["name"] == "vectors"
            assert http.get("/api/memory/search?q=kettle").json()["results"]
        (search,) = (one for one in memory_tools(memory) if one.name == "search_memory")
        assert '"missing": ["vectors: sqlite-vec' in json.dumps(
            search.call({"query": "kettle"}).content
        )
        assert memory.get_relevant_memories("copper kettle")[0].memory.content == (
            "The copper kettle whistles"
        )


def fill(memory: MemoryService) -> None:
    """Facts and a turn, with their vectors."""
    for text in ("The copper kettle whistles", "早上喝红茶，用铜壶烧水", "The storm took the roof"):
        memory.append_memory(text, now=datetime(2026, 3, 2, tzinfo=UTC))
    memory.save_conversation_turn("Where is my kettle?", "On the stove, it is copper.", "s1")
    memory.wait_until_indexed()


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
@pytest.mark.parametrize("others", [0, 1_100])
def test_the_order_is_that_of_sqlites_own_bm25(memory: MemoryService, others: int) -> None:
    """Rare words, repeated words, short texts; among few rows and among many new ones.

    A tenth is what two scores may differ by and stand the other way round: the constants of the
    formula are not the same.
    """
    notes = [f"note number {number}" for number in range(others)]
    moment = datetime(2026, 3, 2, tzinfo=UTC)
    for text in HOUSE:
        memory.append_memory(text)
    memory.save_messages(
        Message(role="user", content=note, session_id=note, timestamp=moment) for note in notes
    )

    for query in ("copper kettle", "quince kitchen", "copper", "tulips", "copp* stamps"):
        expected = fts5_scores([*HOUSE, *notes], query)
        found = [hit.memory.content for hit in memory.search_memories(query)]
        assert set(found) == set(expected), query
        for better, worse in combinations(found, 2):
            assert expected[better] > 0.9 * expected[worse], (query, better, worse)


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
