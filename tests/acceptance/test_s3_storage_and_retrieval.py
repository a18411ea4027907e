"""S3: what a long-term memory holds, how it is found and scored, and how it goes."""

import math
from datetime import timedelta
from itertools import product
from pathlib import Path

import apsw
import pytest
from tests.doors import by_words

from chatmem import Hit, MemoryService, SearchResults, Settings
from chatmem.model import CATEGORIES, SOURCES
from chatmem.storage.sqlite.database import SqliteDatabase
from chatmem.testing import FakeClock, FakeEmbedder
from chatmem.text.segment import extract_keywords


def contents(found: SearchResults) -> list[str]:
    return [hit.memory.content for hit in found]


def by_hand(hit: Hit) -> float:
    """S3.3.5's sum of the hit's parts, times S3.3.7's factor."""
    parts = hit.parts
    assert parts.keyword is not None and parts.category is not None
    assert parts.recency is not None and parts.frequency is not None
    assert parts.confidence is not None and parts.topic is not None
    total = (
        parts.keyword * 0.4
        + parts.category * 0.2
        + parts.recency * 0.15
        + parts.frequency * 0.1
        + parts.confidence * 0.15
    )
    return total * parts.topic


@pytest.mark.scenario("S3.2.1")
def test_what_the_user_stated_becomes_a_memory_with_every_field(
    memory: MemoryService, clock: FakeClock
) -> None:
    kept = memory.append_memory(
        "喜欢深色主题",
        "preference",
        key="editor.theme",
        value={"theme": "dark", "since": 2024},
        session_id="s1",
        now=clock(),
    )

    record = memory.get(kept.id)

    assert record.id
    assert record.session_id == "s1"
    assert (record.category, record.key) == ("preference", "editor.theme")
    assert record.value == {"theme": "dark", "since": 2024}
    assert record.source == "user_stated"
    assert record.confidence >= 0.9
    assert record.create_time == clock()
    assert (record.last_accessed, record.access_count) == (None, 0)
    assert record.memory_type == "long_term"


@pytest.mark.scenario("S3.2.1")
def test_every_category_and_source_is_kept(memory: MemoryService) -> None:
    for category, source in product(CATEGORIES, SOURCES):
        kept = memory.append_memory(
            f"Waters the {source} {category}", category, source=source, confidence=0.25
        )

        record = memory.get(kept.id)
        sure = 0.9 if source == "user_stated" else 0.25
        assert (record.category, record.source, record.confidence) == (category, source, sure)


@pytest.mark.scenario("S3.2.2")
def test_recall_is_ranked_and_five_long_unless_configured(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def recalled() -> SearchResults:
        with by_words(data) as memory:
            return memory.get_relevant_memories("bread flour oven")

    with by_words(data) as memory:
        for number in range(4):
            memory.append_memory(f"Bakes bread on day {number}")
            memory.append_memory(f"Bakes bread with rye flour, recipe {number}")
            memory.append_memory(f"The stone oven bakes bread of any flour, loaf {number}")

    default = recalled()
    monkeypatch.setenv("MEMORY_RETRIEVAL_LIMIT", "9")
    nine = recalled()
    monkeypatch.setenv("MEMORY_RETRIEVAL_LIMIT", "2")
    two = recalled()

    assert [len(default), len(nine), len(two)] == [5, 9, 2]
    for found in (default, nine, two):
        scores = [hit.score for hit in found]
        assert scores == sorted(scores, reverse=True)
    assert all("stone oven" in text for text in contents(default)[:4])
    assert contents(nine)[:5] == contents(default)


@pytest.mark.scenario("S3.3.1")
def test_the_keywords_are_exactly_those_of_the_specification() -> None:
    found = extract_keywords("我喜欢用 Python 写代码")

    assert set(found) == {"Python", "代码", "喜欢"}
    assert len(found) == 3
    assert not {"我", "用", "写"} & set(found)


@pytest.mark.scenario("S3.3.2")
def test_preferences_come_first_when_the_message_states_one(
    memory: MemoryService, clock: FakeClock
) -> None:
    """Everything else about the two is equal."""
    for category in ("fact", "pattern", "preference"):
        memory.append_memory(f"{category}: 咖啡加奶", category, now=clock())
    unlike = memory.append_memory("Prefers the window seat", "preference", now=clock())

    found = memory.get_relevant_memories("我喜欢喝咖啡", 10, now=clock())
    neutral = memory.get_relevant_memories("咖啡", 10, now=clock())

    assert found[0].memory.category == "preference"
    assert {hit.memory.category: hit.parts.category for hit in found} == {
        "preference": 1.5,
        "fact": 1.0,
        "pattern": 1.0,
    }
    assert unlike.id in [hit.memory.id for hit in found]  # of the category, without a common word
    assert {hit.parts.category for hit in neutral} == {1.0}
    assert unlike.id not in [hit.memory.id for hit in neutral]


@pytest.mark.scenario("S3.3.3")
def test_the_beginning_of_a_word_with_a_star_finds_it(memory: MemoryService) -> None:
    """Whole words count, and no stems: `programming` has the stem `program`."""
    python = memory.append_memory("Enjoys programming Python at work")
    running = memory.append_memory("跑步 while running: 去北京大学")
    memory.append_memory("Keeps a pygmy hedgehog, in a run, on a program; 大家")
    shared = memory.for_user("tom").append_memory("Teaches juggling", visibility="public")

    for found, queries in {
        shared.id: ("juggli*", "juggl*"),
        python.id: ("Pyth*", "pyth*", "PYTHO*", "Python*", "programm*", "programming*"),
        running.id: ("runn*", "runni*", "跑*", "北京大*"),
    }.items():
        for query in queries:
            assert [hit.memory.id for hit in memory.search_memories(query)] == [found], query
            assert [hit.memory.id for hit in memory.get_relevant_memories(query)] == [found], query
    assert list(memory.search_memories("Pyth")) == []


@pytest.mark.scenario("S3.3.3")
def test_the_keyword_score_is_the_bm25_of_the_keywords_that_match(
    memory: MemoryService, clock: FakeClock
) -> None:
    """keyword = share of the message's keywords * (0.5 + 0.5 * bm25 / best bm25)."""
    shares = {
        "Keeps a lantern in the cellar": 2 / 2,
        "The lantern is broken, and the ladder, and the lock of the shed": 1 / 2,
        "Cellar stairs: eleven": 1 / 2,
    }
    for text in shares:
        memory.append_memory(text, now=clock())

    found = memory.get_relevant_memories("lantern cellar", now=clock())

    assert set(contents(found)) == set(shares)
    for hit in found:
        assert hit.parts.bm25 is not None and 0 < hit.parts.bm25 <= 1
        expected = shares[hit.memory.content] * (0.5 + 0.5 * hit.parts.bm25)
        assert hit.parts.keyword == pytest.approx(expected)
    assert found[0].parts.bm25 == 1.0
    assert len({hit.parts.bm25 for hit in found}) == 3
    assert "full_text" not in {one.what for one in found.missing}


@pytest.mark.scenario("S3.3.4")
@pytest.mark.files
def test_without_full_text_like_finds_the_same_and_it_is_said(
    meaning: MemoryService, data: Path, clock: FakeClock
) -> None:
    """Topic, category, prefixes and meaning count as they do with FTS5."""
    for text in ("用户喜欢在阳台上种番茄", "阳台朝南", "Gardening calms the programmer"):
        meaning.append_memory(text, now=clock())
    meaning.append_memory("Prefers the window seat", "preference", now=clock())
    meaning.save_conversation_turn("番茄什么时候種？", "四月。", "s1", now=clock())
    meaning.set_topic("s1", "番茄", now=clock())
    meaning.wait_until_indexed()

    def found() -> dict[str, tuple[SearchResults, SearchResults]]:
        return {
            message: (
                meaning.get_relevant_memories(message, 10, session_id="s1", now=clock()),
                meaning.search_memories(message),
            )
            for message in ("阳台 番茄", "我喜欢朝南", "gardens", "programm* calms", "種*", "zzz")
        }

    with_it = found()
    breaker = apsw.Connection(str(data / "chatmem.db"))
    breaker.execute("DROP TABLE memory_fts")
    breaker.close()
    meaning.forget(meaning.append_memory("Sails on Sundays", now=clock()).id, now=clock())
    without = found()

    for message, both in without.items():
        for one, known in zip(both, with_it[message], strict=True):
            assert one.hits == known.hits, message
            assert known.hits or message == "zzz"
            assert {missing.what for missing in known.missing} == set()
            assert {missing.what for missing in one.missing} == {"full_text"}
    assert {hit.parts.topic for hit in without["阳台 番茄"][0]} == {1.0, 1.3}
    assert {hit.parts.category for hit in without["我喜欢朝南"][0]} == {1.0, 1.5}
    with by_words(data) as words:  # where no vector lifts it, the share of the keywords counts
        parts = {hit.memory.content: hit.parts for hit in words.get_relevant_memories("阳台 朝南")}
    shares = {
        text: (one.keyword or 0) / (0.5 + 0.5 * (one.bm25 or 0)) for text, one in parts.items()
    }
    assert shares == pytest.approx({"阳台朝南": 1.0, "用户喜欢在阳台上种番茄": 0.5})


@pytest.mark.scenario("S3.3.5")
@pytest.mark.parametrize("embedded", [False, True])
def test_the_score_is_the_sum_of_its_parts(data: Path, clock: FakeClock, embedded: bool) -> None:
    settings = Settings(embedder={"name": "none"})
    embedder = FakeEmbedder() if embedded else None
    with MemoryService.open(data, settings=settings, embedder=embedder, background=False) as memory:
        old = memory.append_memory("Sails a small boat", confidence=0.5, now=clock())
        seen = memory.append_memory("Repairs my small boat in winter", now=clock())
        liked = memory.append_memory("Likes the boat best", "preference", now=clock())
        memory.wait_until_indexed()
        for _ in range(9):
            memory.count_access([seen.id], now=clock() + timedelta(days=10.5))
        now = clock() + timedelta(days=14)

        found = memory.get_relevant_memories("I love my small boat", now=now)
        parts = {hit.memory.id: hit.parts for hit in found}

        assert len(found) == 3
        for hit in found:
            assert hit.score == pytest.approx(by_hand(hit), abs=1e-12)
            assert 0.2 <= hit.score <= 1.43
            assert hit.parts.vector is not None if embedded else hit.parts.vector is None
        assert [parts[one.id].confidence for one in (old, seen, liked)] == [0.5, 0.9, 0.9]
        # The half-life is 7 days: 14 days since it was written, 3.5 since the last access.
        assert parts[old.id].recency == pytest.approx(0.25)
        assert parts[seen.id].recency == pytest.approx(2**-0.5)
        assert parts[seen.id].frequency == pytest.approx(math.log(10) / math.log(101))
        assert parts[old.id].frequency == 0.0
        assert [parts[one.id].category for one in (old, seen, liked)] == [1.0, 1.0, 1.5]


@pytest.mark.scenario("S3.3.6")
def test_what_matches_nothing_gives_an_empty_list(memory: MemoryService) -> None:
    memory.append_memory("Collects stamps from Norway")
    memory.append_memory("周五晚上打羽毛球")

    for message in ("quantum chromodynamics", "火山喷发", "???", "", " \n", "😀", "zzz*"):
        assert list(memory.get_relevant_memories(message)) == [], message
        assert list(memory.search_memories(message)) == [], message
    assert memory.append_memory("Still works").content == "Still works"
    assert contents(memory.get_relevant_memories("stamps")) == ["Collects stamps from Norway"]


@pytest.mark.scenario("S3.3.6")
def test_an_empty_memory_and_one_of_something_else_give_an_empty_list(
    meaning: MemoryService,
) -> None:
    for message in ("我喜欢喝什么？", "where do I live?", "好的", "Pyth*"):
        assert list(meaning.get_relevant_memories(message)) == []
        assert list(meaning.search_memories(message)) == []

    meaning.append_memory("Collects stamps from Norway")
    meaning.append_memory("周五晚上打羽毛球")
    meaning.wait_until_indexed()

    # The printer's message shares a character with badminton.
    for message in (
        "explain photosynthesis in two sentences",
        "把这段 SQL 改成窗口函数",
        "打印机卡纸了怎么办",
    ):
        assert list(meaning.get_relevant_memories(message)) == [], message


@pytest.mark.scenario("S3.3.7")
def test_the_topic_of_the_session_widens_recall_and_lifts_what_belongs_to_it(
    memory: MemoryService, clock: FakeClock
) -> None:
    on_topic = memory.append_memory("去柏林要先预约市民局", now=clock())
    other = memory.append_memory("搬家公司要提前一个月预约", now=clock())
    memory.set_topic("s1", "柏林", now=clock())

    def recalled(message: str, session_id: str | None) -> dict[str, Hit]:
        found = memory.get_relevant_memories(message, session_id=session_id, now=clock())
        return {hit.memory.id: hit for hit in found}

    boosted = recalled("预约", "s1")
    plain = recalled("预约", "s2")

    assert boosted[on_topic.id].parts.topic == 1.3
    assert boosted[other.id].parts.topic == 1.0
    assert boosted[on_topic.id].score == pytest.approx(1.3 * plain[on_topic.id].score)
    assert boosted[other.id].score == pytest.approx(plain[other.id].score)
    assert boosted[on_topic.id].score == pytest.approx(by_hand(boosted[on_topic.id]))
    assert boosted[on_topic.id].parts.keyword == plain[on_topic.id].parts.keyword
    # Widened: a message that shares no word with it finds what belongs to the topic.
    assert list(recalled("清单", "s1")) == [on_topic.id]
    assert recalled("清单", "s2") == {}
    assert recalled("清单", None) == {}
    memory.set_topic("s1", None, now=clock())
    assert recalled("清单", "s1") == {}


@pytest.mark.scenario("S3.4.1")
def test_there_is_no_limit_of_our_own(memory: MemoryService) -> None:
    for number in range(150):
        memory.append_memory(f"Owns the book with the number {number}")

    pages = [memory.list_memories(limit=60, offset=offset) for offset in (0, 60, 120, 180)]
    assert [len(page.items) for page in pages] == [60, 60, 30, 0]
    assert len({one.id for page in pages for one in page.items if one.is_valid}) == 150
    database = memory._engine.store._db
    if isinstance(database, SqliteDatabase):  # a limit on pages is that of a connection
        limits = [database.writer.pragma(one) for one in ("max_page_count", "page_size")]
        assert limits == [2**32 - 2, 4_096]  # SQLite's own: 17 TB


@pytest.mark.scenario("S3.4.2")
def test_past_the_threshold_the_least_sure_and_longest_unused_go(
    place: str, monkeypatch: pytest.MonkeyPatch, clock: FakeClock
) -> None:
    monkeypatch.setenv("MEMORY_EVICTION_THRESHOLD", "3")
    with by_words(place) as memory:
        turn = memory.save_conversation_turn("Do I own a kayak?", "Maybe.", "s1", now=clock())
        sure = memory.append_memory("Speaks Welsh", confidence=1.0, now=clock())
        stale = memory.append_memory("Sleeps late", confidence=0.8, now=clock())
        used = memory.append_memory("Walks to work", confidence=0.8, now=clock())
        memory.count_access([used.id], now=clock.advance(days=1))
        assert memory.get(stale.id).valid_to is None

        unsure = memory.append_memory("May own a kayak", confidence=0.3, now=clock())
        assert memory.get(unsure.id).valid_to is not None  # the least sure, though the newest
        newest = memory.append_memory("Plays chess", confidence=0.9, now=clock())

        valid = {one.id for one in memory.list_memories().items if one.is_valid}
        assert valid == {sure.id, used.id, newest.id}
        assert all(memory.get(one).is_valid for one in turn.ids)
        assert list(memory.get_relevant_memories("Sleeps late")) == []
        assert "Sleeps late" not in memory.read_main()

        restored = memory.restore(stale.id, now=clock())  # evicted is not deleted
        assert restored.is_valid
        assert contents(memory.get_relevant_memories("Sleeps late")) == ["Sleeps late"]


@pytest.mark.scenario("S3.4.2")
def test_a_threshold_acts_when_it_is_set(place: str) -> None:
    with by_words(place) as memory:
        for number in range(6):
            memory.append_memory(f"Fact {number}", confidence=number / 10)
        memory.for_user("other").append_memory("Alone")
        memory.config.set({"eviction_threshold": 4})
        memory.wait_until_idle()
        assert memory.list_memories().total == 4
    with by_words(place, eviction_threshold=2) as memory:  # what is stored counts, until it goes
        memory.wait_until_idle()
        assert memory.list_memories().total == 4
        memory.config.unset(["eviction_threshold"])
        memory.wait_until_idle()
        assert [one.content for one in memory.list_memories().items] == ["Fact 5", "Fact 4"]
    with by_words(place, eviction_threshold=1) as memory:
        memory.wait_until_idle()
        assert memory.list_memories().total == memory.for_user("other").list_memories().total == 1


@pytest.mark.scenario("S3.4.2")
def test_without_a_threshold_nothing_is_evicted(memory: MemoryService) -> None:
    assert memory.settings.memory.eviction_threshold is None
    for number in range(40):
        memory.append_memory(f"Heard song {number}", confidence=0.01)

    assert all(one.is_valid for one in memory.list_memories(limit=100).items)
    assert memory.list_memories().total == 40
