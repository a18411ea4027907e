"""Text that people and machines really send: kept, found, or refused with one clear error."""

import time
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.contract.given import said

from chatmem import MemoryService
from chatmem.errors import InvalidInputError

BLANK = ["", " ", "\n\t\r\n", "\x00", "\x00 \x07", "\ufeff", "\u2028", "\u3000"]
ODD = {
    "emoji": "My cat 🐈‍⬛ and the flag 🏴󠁧󠁢󠁷󠁬󠁳󠁿 live on 👩‍👩‍👧 street zebrawood",
    "right to left": "שלום zebrawood مرحبا بالعالم \u202bאבג\u202c",
    "combining": "Zebrawood and Zoë, Ångström, e\u0301, Việt Nam, ก็ น้ำ",
    "quotes": "\"zebrawood\" 'single' `back` «guillemets» „low“ “high”",
    "markup": "<!-- id=abc at=2020-01-01 --> zebrawood <script>alert(1)</script> --> <!--",
    "markdown": "# zebrawood\n\n## Facts\n- a bullet\n  - nested\n```\n- code\n```\n---",
    "conflict": "<<<<<<< HEAD\n- zebrawood\n=======\n- other\n>>>>>>> branch",
    "front matter": "---\ntitle: zebrawood\n---\n- x",
    "fence": "```python\nprint('zebrawood')",
    "tabs": "zebrawood\tone\ttwo",
    "sql": "zebrawood'); DROP TABLE atomic_memory; --",
    "percent": "100% zebrawood _under_ \\back\\ %s {x} $HOME",
}
QUERIES = [
    'zebrawood"', "'zebrawood'", "zebrawood AND", "OR zebrawood", "NOT zebrawood",
    "NEAR(zebrawood)", "zebrawood*", "*zebrawood", "(zebrawood", "zebrawood)", "tokens:zebrawood",
    "^zebrawood",
    "zebrawood^2", "-zebrawood", "+zebrawood", "zebrawood -- ;", "{zebrawood}", "zebrawood\x00",
    "[zebrawood]",
    "zebrawood\ud83d", "NEAR(zebrawood, 5) AND (", '""" zebrawood', "zebrawood/*", "zebrawood ?",
]  # fmt: skip


def test_text_without_a_visible_character_is_refused(memory: MemoryService) -> None:
    kept = memory.append_memory("Stays")
    calls: tuple[Callable[[str], object], ...] = (
        memory.append_memory,
        memory.append_daily_log,
        lambda blank: memory.save_conversation_turn(blank, "answer", "s1"),
        lambda blank: memory.save_conversation_turn("question", blank, "s1"),
        lambda blank: memory.save_conversation_turn("question", "answer", blank),
        lambda blank: memory.update(kept.id, content=blank),
    )
    for blank, call in product(BLANK, calls):
        with pytest.raises(InvalidInputError, match="takes text with at least one visible"):
            call(blank)
        assert list(memory.search_memories(blank)) == []
    assert memory.list_memories(None).items == (kept,)


def test_a_value_that_a_column_does_not_take_is_refused_by_name(memory: MemoryService) -> None:
    kept = memory.append_memory("Stays")
    wrong: tuple[dict[str, Any], ...] = (
        *({"importance": one} for one in (0, 6, 2.5, "high", True)),
        *({"confidence": one} for one in (-0.1, 1.1, float("nan"))),
        *({"category": "opinion"}, {"visibility": "secret"}, {"source": "guessed"}),
        *({"kind": "procedural"}, {"key": ""}, {"key": 7}, {"colour": "red"}),
        *({"tags": one} for one in (["ok", ""], 5, "text")),
        *({"value": one} for one in ({1, 2}, float("nan"))),
        *({"session_id": one} for one in (7, "")),
    )
    for columns in wrong:
        (name,) = columns
        with pytest.raises(InvalidInputError, match=name):
            memory.append_memory("A fact", **columns)
        if name != "session_id":
            with pytest.raises(InvalidInputError, match=name):
                memory.update(kept.id, **columns)
    assert memory.list_memories(None).items == (kept,)


def test_a_limit_out_of_range_is_refused(memory: MemoryService) -> None:
    calls: tuple[Callable[[Any], object], ...] = (
        lambda number: memory.search_memories("x", limit=number),
        lambda number: memory.get_relevant_memories("x", number),
        lambda number: memory.list_memories(limit=number),
    )
    for number, call in product((-1, 1_001, 2.5, "ten", True), calls):
        with pytest.raises(InvalidInputError, match="limit"):
            call(number)


@pytest.mark.parametrize("text", ODD.values(), ids=ODD.keys())
def test_odd_text_is_kept_to_the_letter_found_and_comes_back_from_the_file_alone(
    memory: MemoryService, reopen: Callable[[], MemoryService], data: Path, text: str
) -> None:
    turn = memory.save_conversation_turn(text, f"Reply: {text}", "s1")
    fact = memory.append_memory(text, tags=("a,b", "c d", '"'), key=text[:20], value={"v": text})
    note = memory.append_daily_log(text)
    memory.append_memory("The next bullet")

    assert memory.get(turn.user.id).content == text
    assert memory.get(fact.id) == fact
    assert fact.content == memory.get(note.id).content == text
    assert fact.tags == ("a,b", "c d", '"')
    found = {hit.memory.id for hit in memory.search_memories("zebrawood")}
    assert found >= {*turn.ids, fact.id, note.id}
    memory.close()
    for file in data.glob("chatmem.db*"):
        file.unlink()
    again = reopen()
    assert again.get(fact.id) == fact
    assert again.get(note.id) == note
    assert again.list_memories().total == 3


def test_search_operators_and_quotes_are_plain_text(memory: MemoryService) -> None:
    memory.append_memory("The table is made of zebrawood")
    memory.append_memory("Nothing of interest")

    for query in QUERIES:
        for found in (memory.search_memories(query), memory.get_relevant_memories(query)):
            assert [hit.memory.content for hit in found] == ["The table is made of zebrawood"], (
                query
            )
            assert "full_text" not in {one.what for one in found.missing}, query


def test_a_query_of_stop_words_alone_finds_what_holds_them(memory: MemoryService) -> None:
    for query in ("hello", "写", "how are you", "什么", "The Who"):
        own = memory.for_user(query)
        kept = own.append_memory(f"{query} stands in this sentence of zebrawood")

        assert [hit.memory.id for hit in own.search_memories(query)] == [kept.id], query


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(query=st.text() | st.text(alphabet=st.characters(codec=None, categories=None), max_size=80)
       | st.text(alphabet='"*()^:{}+-ANDORNEAR 我喜欢\x00\ud800', max_size=40))  # fmt: skip
def test_no_text_makes_a_search_fail(memory: MemoryService, query: str) -> None:
    if not memory.list_memories(None).total:
        memory.append_memory("我喜欢 zebrawood AND or NEAR")
        memory.save_conversation_turn('A "quoted" question', "An (answered) one*", "s1")

    for found in (memory.search_memories(query), memory.get_relevant_memories(query)):
        assert all(0 <= hit.score <= 1.43 for hit in found)
        assert "full_text" not in {one.what for one in found.missing}


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(text=st.text(st.characters(codec=None, categories=None), max_size=200))
def test_any_text_is_saved_or_refused(memory: MemoryService, text: str) -> None:
    try:
        fact = memory.append_memory(text)
    except InvalidInputError:
        with pytest.raises(InvalidInputError):
            memory.save_conversation_turn(text, "x", "s1")
        return
    assert memory.get(fact.id).content == fact.content
    session = memory.new_session()
    saved = memory.save_conversation_turn(text, text, session)
    assert memory.get(saved.user.id).content == fact.content


def test_ten_megabytes_are_stored_whole_and_found(memory: MemoryService) -> None:
    sentence = "The archive of the harbour holds ledgers. 港口的档案馆里有账本。\n"
    end = "It ends with a zebrawood box."
    huge = sentence * (10_000_000 // len(sentence.encode())) + end

    saved = memory.save_conversation_turn(huge, "That is long.", "s1")
    fact = memory.append_memory(huge[-20_000:])

    assert len(huge.encode()) > 9_900_000
    for one, content in ((saved.user, huge), (fact, huge[-20_000:])):
        assert memory.get(one.id).content == content
        for word in ("zebrawood", "账本"):
            assert one.id in {hit.memory.id for hit in memory.search_memories(word)}
    with pytest.raises(InvalidInputError, match="at most 20,000"):
        memory.append_memory(huge[-20_001:])


def test_a_huge_message_is_answered_soon(memory: MemoryService) -> None:
    """What it begins and ends with counts."""
    memory.append_memory("The table is made of zebrawood")
    memory.append_memory("The chair is made of teak")
    pasted = " ".join(f"column{number}" for number in range(300_000))

    begun_s = time.monotonic()
    found = memory.get_relevant_memories(f"Is teak in this? {pasted} And zebrawood?")
    searched = memory.search_memories(f"teak {pasted} zebrawood")

    assert time.monotonic() - begun_s < 30  # minutes, if every word of it were asked for
    assert len(found) == len(searched) == 2


def test_an_import_keeps_what_it_can(memory: MemoryService) -> None:
    texts = ("one", "", "two \ud800", "\x00", "x" * 100_000, "one")
    saved = memory.save_messages(said(text) for text in texts)

    assert [bool(one.id) for one in saved] == [True, False, True, False, True, True]
    assert [one.duplicate for one in saved] == [False, False, False, False, False, True]
    assert memory.list_memories(None).total == 3


def test_a_time_range_takes_dates_texts_and_moments(memory: MemoryService) -> None:
    day = datetime(2026, 3, 5, 12, tzinfo=UTC)
    memory.save_conversation_turn("The zebrawood table arrived", "Good.", "s1", now=day)

    for inside in (
        (day - timedelta(hours=1), day + timedelta(hours=1)),
        (date(2026, 3, 4), date(2026, 3, 6)),
        ("2026-03-04", None),
        (None, "2026-03-05T12:00:01+00:00"),
    ):
        assert len(memory.search_memories("zebrawood", inside)) >= 1
    assert len(memory.search_memories("zebrawood", ("2026-03-07", None))) == 0
    for wrong in (("yesterday", None), "2026-03-05", (1, 2), (None,)):
        with pytest.raises(InvalidInputError, match="time_range"):
            memory.search_memories("zebrawood", wrong)  # type: ignore[arg-type]
