from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.contract.given import memory

from chatmem.model.memory import (
    CATEGORIES,
    KINDS,
    SOURCES,
    VISIBILITIES,
    AtomicMemoryRecord,
    JsonValue,
)
from chatmem.storage.documents.places import category_of
from chatmem.storage.documents.records import (
    record_to_bullet,
    stated_columns,
    tags_of,
    value_of,
    value_text,
)
from chatmem.text.bullets import Bullet, append, parse, render
from chatmem.text.clean import clean_text

TAIPEI = timezone(timedelta(hours=8))
WHEN = datetime(2026, 11, 21, 6, 5, 31, tzinfo=UTC)
DAY = "daily/2026-11-21.md"
DOCUMENTS = ("MEMORY.md", DAY, "archive/2026-11.md")

PLAIN = memory(
    "m1", "喜歡烏龍茶", "default", timestamp=WHEN, memory_type="long_term", kind="semantic",
    category="preference",
)  # fmt: skip


def only(text: str) -> Bullet:
    (bullet,) = parse(text).bullets
    return bullet


def rebuilt(bullet: Bullet, columns: dict[str, Any], document: str) -> AtomicMemoryRecord:
    """The row that a deleted database gets back from this bullet."""
    where = {"user_id": "default", "memory_type": "long_term", "document": document}
    return AtomicMemoryRecord(**{"id": bullet.id, **where, **columns})


def test_only_what_differs_from_the_defaults_is_written() -> None:
    plain = record_to_bullet(PLAIN, "MEMORY.md")
    assert render(plain) == "- 喜歡烏龍茶 <!-- id=m1 at=2026-11-21T06:05:31Z -->\n"
    assert plain.heading == "Preferences"
    more = record_to_bullet(
        replace(
            PLAIN, confidence=0.75, importance=5, tags=("茶", "taste"), key="drink", value="乌龙"
        ),
        "MEMORY.md",
    )
    assert render(more) == (
        "- 喜歡烏龍茶 <!-- id=m1 at=2026-11-21T06:05:31Z key=drink value=乌龙 confidence=0.75 "
        "importance=5 tags=茶,taste -->\n"
    )


def test_a_daily_entry_shows_its_local_time_and_reads_back_without() -> None:
    entry = replace(PLAIN, content="看牙医", kind="episodic", category="fact")
    bullet = record_to_bullet(entry, DAY, TAIPEI)
    assert render(bullet) == "- 14:05 看牙医 <!-- id=m1 at=2026-11-21T14:05:31+08:00 -->\n"
    assert bullet.heading is None
    elsewhere, _ = stated_columns(bullet, DAY, ZoneInfo("America/New_York"))
    assert (elsewhere["content"], elsewhere["timestamp"]) == ("看牙医", WHEN)


@pytest.mark.parametrize(
    ("line", "content", "hour", "minute"),
    [
        ("- 09:30 dentist", "09:30 dentist", 9, 30),
        ("- 9:30 看牙医", "9:30 看牙医", 9, 30),
        ("- 23：15 回家", "23：15 回家", 23, 15),
        ("- dentist at 09:30", "dentist at 09:30", 12, 0),
        ("- 24:00 no such time", "24:00 no such time", 12, 0),
    ],
)
def test_a_hand_written_daily_entry_keeps_its_text_and_gives_its_time(
    line: str, content: str, hour: int, minute: int
) -> None:
    columns, _ = stated_columns(only(line), DAY, TAIPEI)
    assert columns["content"] == content
    assert columns["timestamp"] == datetime(2026, 11, 21, hour, minute, tzinfo=TAIPEI)
    assert (columns["kind"], columns["category"]) == ("episodic", "fact")


def test_local_time_is_the_machines_own_unless_told() -> None:
    columns, _ = stated_columns(only("- 09:30 x"), DAY)
    assert columns["timestamp"] == datetime(2026, 11, 21, 9, 30).astimezone()


@pytest.mark.parametrize(
    ("shown", "when"),
    [("15:20 dentist", datetime(2026, 11, 21, 15, 20, tzinfo=TAIPEI)), ("dentist", WHEN)],
)
def test_a_shown_time_that_a_person_changed_is_the_time(shown: str, when: datetime) -> None:
    bullet = only(f"- {shown} <!-- id=m1 at=2026-11-21T14:05:31+08:00 -->")
    columns, _ = stated_columns(bullet, DAY)
    assert (columns["content"], columns["timestamp"]) == (shown, when)


@pytest.mark.parametrize(
    ("heading", "category"),
    [
        ("Preferences", "preference"), ("preference:", "preference"), ("偏好", "preference"),
        ("🍵 喜好", "preference"), ("喜歡", "preference"), ("Facts", "fact"), ("事实", "fact"),
        ("事實", "fact"), ("习惯", "pattern"), ("習慣", "pattern"), ("模式", "pattern"),
        ("Habits", "pattern"), ("Holiday plans", "fact"), (None, "fact"),
    ],
)  # fmt: skip
def test_headings_give_the_category(heading: str | None, category: str) -> None:
    assert category_of(heading) == category
    title = f"## {heading}\n\n" if heading else ""
    assert stated_columns(only(f"{title}- x"), "MEMORY.md")[0]["category"] == category


@pytest.mark.parametrize(
    ("attribute", "field", "default"),
    [
        ("confidence=abc", "confidence", 0.9),
        ("confidence=nan", "confidence", 0.9),
        ("importance=9", "importance", 3),
        ("visibility=everyone", "visibility", "private"),
        ("source=gossip", "source", "user_stated"),
        ("kind=odd", "kind", "semantic"),
        ("category=odd", "category", "fact"),
        ("at=yesterday", "timestamp", None),
        ("at=9999-12-31T23:59:59-23:00", "timestamp", None),
        ("valid_to=soon", "valid_to", None),
        ("tags=[1,2]", "tags", ()),
    ],
)
def test_a_value_that_cannot_be_read_is_the_default_and_a_warning(
    attribute: str, field: str, default: object
) -> None:
    columns, (warning,) = stated_columns(only(f"- tea <!-- id=m1 {attribute} -->"), "MEMORY.md")
    assert columns[field] == default
    name, value = attribute.split("=", 1)
    assert warning == f"MEMORY.md, 'm1': {name}={value!r} cannot be read; took the default"


def test_hand_written_text_is_cleaned() -> None:
    assert stated_columns(only("- tea\x00 \x07time"), "MEMORY.md")[0]["content"] == "tea time"


def test_attributes_of_others_survive_and_old_ones_of_ours_do_not() -> None:
    others = {"id": "m1", "importance": "5", "plugin": "kept"}
    bullet = record_to_bullet(PLAIN, "MEMORY.md", others=others)
    assert bullet.attributes == {"id": "m1", "at": "2026-11-21T06:05:31Z", "plugin": "kept"}


@pytest.mark.parametrize("text", ["茶,咖啡", "茶，咖啡", "茶、 咖啡,", '["茶","咖啡"]'])
def test_tags_are_read_as_people_write_them(text: str) -> None:
    assert tags_of(text) == ("茶", "咖啡")


@pytest.mark.parametrize(
    ("value", "text"),
    [("tea", "tea"), ("5", '"5"'), (5, "5"), ("null", '"null"'), (True, "true"), ("", ""),
     ({"a": [1]}, '{"a":[1]}'), ("[" * 100_000, "[" * 100_000)],
)  # fmt: skip
def test_values_are_json_and_plain_text_where_that_is_clear(value: JsonValue, text: str) -> None:
    assert value_text(value) == text
    assert value_of(text) == value


TEXTS = st.text(max_size=20)
TIMES = st.datetimes(datetime(1971, 1, 1), datetime(2199, 1, 1), timezones=st.just(UTC))
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=5,
)
CONTENTS = st.one_of(
    TEXTS, TEXTS.map("06:05 ".__add__), TEXTS.map("```\n".__add__), TEXTS.map("- <!-- id=".__add__)
)
RECORDS = st.builds(
    AtomicMemoryRecord,
    id=st.uuids().map(str),
    user_id=st.just("default"),
    timestamp=TIMES | st.just(WHEN),
    create_time=TIMES | st.just(WHEN),
    content=CONTENTS.map(clean_text).filter(bool),
    tags=st.lists(TEXTS, max_size=3).map(tuple),
    session_id=st.none() | TEXTS,
    app_type=st.none() | TEXTS,
    role=st.none() | TEXTS,
    memory_type=st.just("long_term"),
    kind=st.none() | st.sampled_from(KINDS),
    category=st.none() | st.sampled_from(CATEGORIES),
    key=st.none() | TEXTS,
    value=JSON,
    confidence=st.floats(0, 1),
    source=st.sampled_from(SOURCES),
    importance=st.integers(1, 5),
    visibility=st.sampled_from(VISIBILITIES),
    valid_from=st.none() | TIMES,
    valid_to=st.none() | TIMES,
    superseded_by=st.none() | TEXTS,
)
ZONES = st.sampled_from([UTC, TAIPEI, ZoneInfo("America/St_Johns"), ZoneInfo("Asia/Kathmandu")])


@settings(max_examples=300, deadline=None)
@given(RECORDS, st.sampled_from(DOCUMENTS), ZONES, ZONES)
def test_every_row_is_rebuilt_from_its_bullet(
    record: AtomicMemoryRecord, document: str, here: timezone, there: timezone
) -> None:
    stored = replace(record, document=document)
    bullet = record_to_bullet(stored, document, here)
    text = append("# Memory\n", bullet, [bullet.heading] if bullet.heading else [])
    columns, warnings = stated_columns(only(text), document, there)
    assert warnings == []
    assert rebuilt(only(text), columns, document) == stored
