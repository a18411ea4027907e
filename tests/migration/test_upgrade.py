import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from tests.migration.old_files import BARE, COMPLETE, GUIDS, Row, read, write_old

from chatmem.model.time import utc_now
from chatmem.storage.sqlite.store import SqliteStore
from chatmem.storage.values import Owner
from chatmem.text.segment import query_tokens

SENTENCES = (
    "我喜欢用 Python 写代码",
    "她的貓叫做小黑，住在台北",
    "I play the violin on Sundays",
    "会议改到下周三下午",
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "chatmem.db"


def _opened(path: Path) -> Iterator[tuple[SqliteStore, Owner]]:
    store = SqliteStore(path)
    yield store, store.owner("default")
    store.close()


def _find(store: SqliteStore, owner: Owner, words: str) -> list[str]:
    """Contents of the rows that hold every term of the words."""
    terms = query_tokens(words).terms
    found = store.lexical.occurrences(owner, terms, []).rows.tolist()
    rows = [row for row in set(found) if found.count(row) == len(terms)]
    return [one.content for one in store.memories.by_rows(owner, sorted(rows)).values()]


def _rows(schema: str) -> list[Row]:
    rows: list[Row] = [
        {"content": text, "timestamp": f"2025-05-0{place + 1} 08:00:00"}
        for place, text in enumerate(SENTENCES)
    ]
    if schema is GUIDS:
        for place, row in enumerate(rows):
            row["id"] = f"6F9619FF-8B86-D011-B42D-00C04FC964F{place}"
    return rows


@pytest.mark.scenario("S1.1.1", "S1.1.2")
@pytest.mark.parametrize("version", [0, 1, 4, 5])
@pytest.mark.parametrize("schema", [COMPLETE, GUIDS, BARE], ids=["complete", "guids", "bare"])
def test_old_rows_are_short_term_and_are_found(path: Path, schema: str, version: int) -> None:
    write_old(path, schema, _rows(schema), version=version)

    for store, owner in _opened(path):
        kept = list(store.memories.export(owner))
        assert [one.content for one in kept] == list(SENTENCES)
        assert {one.memory_type for one in kept} == {"short_term"}
        assert [one.timestamp.day for one in kept] == [1, 2, 3, 4]
        assert _find(store, owner, "代碼") == [SENTENCES[0]]
        assert _find(store, owner, "猫") == [SENTENCES[1]]
        assert _find(store, owner, "台北") == [SENTENCES[1]]
        assert _find(store, owner, "violins") == [SENTENCES[2]]
        assert _find(store, owner, "下周三") == [SENTENCES[3]]
        assert store.dense.queue_length() == len(SENTENCES)
        assert store.check() == []
    assert read(path, "PRAGMA user_version") == [(11,)]


def test_a_file_of_version_6_keeps_what_was_long_term(path: Path) -> None:
    schema = COMPLETE + (
        "ALTER TABLE atomic_memory ADD COLUMN memory_type TEXT DEFAULT 'short_term';"
    )
    rows: list[Row] = [
        {"content": "kept", "memory_type": "long_term"},
        {"content": "said"},
        {"content": "unknown", "memory_type": None},
        {"content": "odd", "memory_type": "LONG"},
    ]
    write_old(path, schema, rows, version=6)

    for store, owner in _opened(path):
        kept = store.memories.export(owner)
        assert [(one.content, one.memory_type) for one in kept] == [
            ("kept", "long_term"),
            ("said", "short_term"),
            ("unknown", "short_term"),
            ("odd", "short_term"),
        ]


def test_ids_stay_and_missing_or_repeated_ones_are_made(path: Path) -> None:
    schema = "CREATE TABLE atomic_memory (id, content TEXT)"
    rows: list[Row] = [{"id": one, "content": f"{one}"} for one in (7, "b-7", None, 7, "b-7", 8)]
    write_old(path, schema, rows)

    for store, owner in _opened(path):
        ids = [one.id for one in store.memories.export(owner)]
        assert [ids[0], ids[1], ids[5]] == ["7", "b-7", "8"]
        assert len(set(ids)) == 6
        assert all(ids)


DAY = datetime(2025, 5, 6, 7, 8, 9, tzinfo=UTC)


@pytest.mark.parametrize(
    ("stamp", "moment"),
    [
        ("2025-05-06 07:08:09", DAY),
        ("2025-05-06T15:08:09.250+08:00", DAY + timedelta(milliseconds=250)),
        ("2025/5/6 7:08:09", DAY),
        ("2025-05-06", DAY.replace(hour=0, minute=0, second=0)),
        (" 20250506 ", DAY.replace(hour=0, minute=0, second=0)),
        (int(DAY.timestamp()), DAY),
        (str(int(DAY.timestamp())), DAY),
        (DAY.timestamp() + 0.5, DAY + timedelta(milliseconds=500)),
        (int(DAY.timestamp() * 1000) + 7, DAY + timedelta(milliseconds=7)),
    ],
)
def test_times_of_every_kind_are_understood(path: Path, stamp: object, moment: datetime) -> None:
    schema = "CREATE TABLE atomic_memory (id INTEGER PRIMARY KEY, timestamp, content, create_time)"
    write_old(
        path,
        schema,
        [
            {"content": "both", "timestamp": stamp, "create_time": "2020-01-01 00:00:00"},
            {"content": "only stored", "create_time": stamp},
            {"content": "unreadable", "timestamp": "soon", "create_time": stamp},
        ],
    )

    for store, owner in _opened(path):
        both, stored, unreadable = store.memories.export(owner)
        assert both.timestamp == stored.timestamp == unreadable.timestamp == moment
        assert both.create_time == datetime(2020, 1, 1, tzinfo=UTC)
        facts = store.lexical.rows(owner)
        assert facts["time"][0] == int(moment.timestamp() * 1000)


@pytest.mark.parametrize("stamp", [None, "", "soon", "nan", "inf", "9" * 30, b"\xff"])
def test_a_time_that_nobody_can_read_is_now(path: Path, stamp: object) -> None:
    schema = "CREATE TABLE atomic_memory (id INTEGER PRIMARY KEY, timestamp, content)"
    write_old(path, schema, [{"content": "x", "timestamp": stamp}])

    for store, owner in _opened(path):
        (kept,) = store.memories.export(owner)
        assert abs(kept.timestamp - utc_now()) < timedelta(minutes=1)


@pytest.mark.parametrize(
    ("tags", "found"),
    [
        ('["咖啡", "food"]', ("咖啡", "food")),
        ("咖啡, food,", ("咖啡", "food")),
        ("咖啡，food", ("咖啡", "food")),
        ("[1, 2]", ("1", "2")),
        ("", ()),
        (None, ()),
        ("[broken", ("[broken",)),
        ('{"a": 1}', ('{"a": 1}',)),
    ],
)
def test_tags_are_read_from_both_forms(path: Path, tags: object, found: tuple[str, ...]) -> None:
    write_old(path, COMPLETE, [{"content": "x", "tags": tags}])

    for store, owner in _opened(path):
        (kept,) = store.memories.export(owner)
        assert kept.tags == found
    stored = read(path, "SELECT tags FROM atomic_memory")[0][0]
    assert tuple(json.loads(stored)) == found


def test_odd_contents_do_not_stop_the_upgrade(path: Path) -> None:
    schema = "CREATE TABLE atomic_memory (id INTEGER PRIMARY KEY, content)"
    contents = [None, "", b"caf\xc3\xa9 \xff", 12, "a\x00b", "  outer  ", "x" * 100_000]
    write_old(path, schema, [{"content": content} for content in contents])

    for store, owner in _opened(path):
        kept = [one.content for one in store.memories.export(owner)]
        assert kept == ["", "", "café \ufffd", "12", "ab", "outer", "x" * 100_000]
        assert _find(store, store.owner("default"), "café") == ["café \ufffd"]


@pytest.mark.scenario("S2.4.1")
def test_turns_and_conversations_come_along(path: Path) -> None:
    turns: list[Row] = [
        {"content": "几点了？", "session_id": "s1", "role": "user"},
        {"content": "三点", "session_id": "s1", "role": "assistant"},
    ]
    write_old(path, COMPLETE, turns)
    messages: list[Row] = [
        {**turns[0], "create_time": 1_700_000_000, "is_collected": 1},
        {**turns[1], "create_time": "2024-01-02 03:04:05"},
        {"content": "not a memory", "session_id": "s1", "role": "user", "create_time": None},
        {"content": None, "session_id": None, "role": None},
    ]
    write_old(path, COMPLETE, messages, table="conversation")

    for store, owner in _opened(path):
        kept = store.conversations.of_session(owner, "s1")
        assert [(one.content, one.role, one.memory_id) for one in kept] == [
            ("几点了？", "user", "1"),
            ("三点", "assistant", "2"),
            ("not a memory", "user", None),
        ]
        assert kept[0].create_time == datetime.fromtimestamp(1_700_000_000, UTC)
        assert kept[1].create_time == datetime(2024, 1, 2, 3, 4, 5, tzinfo=UTC)
        assert [one.is_collected for one in kept] == [True, False, False]
        assert store.conversations.counts(owner) == (4, 1)
        assert store.lexical.rows(owner)["previous"].tolist() == [-1, 0]
        assert [name for _, name, _ in store.owners.speakers(owner)] == ["user", "assistant"]

        with store.transaction():
            assert store.memories.delete(owner, "1")
        left = [one.content for one in store.conversations.of_session(owner, "s1")]
        assert left == ["三点", "not a memory"]


def test_summaries_and_profiles_come_along(path: Path) -> None:
    write_old(path, COMPLETE, [])
    summary: Row = {"session_id": "s1", "title": "Tea", "snippet": "…", "created_at": 1_700_000_000}
    write_old(path, COMPLETE, [summary], table="session_summary")
    write_old(path, COMPLETE, [{"content": "# Me"}], table="user_profile")

    for _ in _opened(path):
        pass

    assert read(path, "SELECT user_id, session_id, title, created_at FROM session_summary") == [
        ("default", "s1", "Tea", "2023-11-14T22:13:20.000Z")
    ]
    assert read(path, "SELECT user_id, content FROM user_profile") == [("default", "# Me")]


def test_new_rows_follow_the_old_ones(path: Path) -> None:
    write_old(path, COMPLETE, _rows(COMPLETE))
    for store, owner in _opened(path):
        (first, *_) = store.memories.export(owner)
        with store.transaction():
            row = store.memories.insert_all(owner, [(replace(first, id="new"), None)])
        assert row == len(SENTENCES)


def test_a_large_file_is_upgraded_and_packed(path: Path) -> None:
    rows: list[Row] = [{"content": f"note number{place} 笔记"} for place in range(1_100)]
    write_old(path, COMPLETE, rows)

    for store, owner in _opened(path):
        assert store.lexical.occurrences(owner, ["笔记"], []).rows.size == 1_100
        assert store.pack() == 1_024
        assert store.lexical.occurrences(owner, ["笔记"], []).rows.size == 1_100
        assert _find(store, owner, "number1050") == ["note number1050 笔记"]
