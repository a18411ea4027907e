from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from tests.conftest import some
from tests.contract.conftest import PACK_EVERY, STORES, OpenStore, Settle
from tests.contract.given import NOON, delete, edit, got, keep, keep_contents, memory, rows_with

from chatmem.storage.sqlite import store as sqlite
from chatmem.storage.sqlite.store import SqliteStore
from chatmem.storage.tables.store import Store
from chatmem.storage.values import ROW_DTYPE, Owner, RowState
from chatmem.text.cues import TextFlags
from chatmem.text.segment import index_tokens

CONTENTS = (
    "我喜欢用 Python 写代码",
    "Python and pythons: a python handbook",
    "她住在北京，養了一隻貓",
    "The cat sat; the cat ran; the cat slept",
    "明天下午三点在咖啡馆见面",
    "Nothing in common",
    "猫和狗都怕打雷",
    "café Zürich naïve 𰻝 🫠",
    "ＦＵＬＬ width ｋａｔａｋａｎａ カタカナ",
    "last words, not yet packed",
)


@pytest.fixture(params=[*STORES, "sqlite by MATCH", "sqlite without FTS5"])
def open_store(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> OpenStore:
    """Opens the test's store, as often as it is called."""
    if request.param in STORES:
        return STORES[request.param](request)
    monkeypatch.setattr(sqlite, "MOST_READ", 0)
    has_it = request.param == "sqlite by MATCH"
    return lambda folder: SqliteStore(
        folder / "chatmem.db", full_text=has_it, pack_every=PACK_EVERY
    )


@pytest.fixture
def filled(store: Store, owner: Owner, settle: Settle) -> Store:
    """A store with the contents in its rows, packed or not."""
    keep_contents(store, owner, *CONTENTS)
    settle(store)
    return store


def _expected(term: str) -> dict[int, int]:
    found = {row: Counter(index_tokens(content))[term] for row, content in enumerate(CONTENTS)}
    return {row: count for row, count in found.items() if count}


@pytest.mark.scenario("S5.2.1")
def test_postings_are_exactly_the_tokens_of_the_texts(filled: Store, owner: Owner) -> None:
    terms = sorted({term for content in CONTENTS for term in index_tokens(content)})

    every = filled.lexical.occurrences(owner, terms, [])
    found = {term: every.among([place]) for place, term in enumerate(terms)}
    assert {
        term: dict(zip(one.rows.tolist(), one.counts.tolist(), strict=True))
        for term, one in found.items()
    } == {term: _expected(term) for term in terms}
    assert all((one.rows[1:] > one.rows[:-1]).all() for one in found.values())


@pytest.mark.scenario("S3.3.3")
@pytest.mark.parametrize(
    ("prefix", "found"),
    [
        *(("pyth", {0: 1, 1: 3}), ("c", {3: 3, 7: 1, 5: 1}), ("北", {2: 2}), ("zzz", {})),
        *(("pythons", {1: 1}), ("not", {5: 1, 9: 1}), ("nothi", {5: 1}), ("thin", {})),
    ],
)
def test_a_prefix_finds_every_word_that_begins_so(
    filled: Store, owner: Owner, prefix: str, found: dict[int, int]
) -> None:
    one = filled.lexical.occurrences(owner, ["nowhere"], [prefix])

    assert one.frequency.tolist() == [0, len(found)]
    assert dict(zip(one.rows.tolist(), one.counts.tolist(), strict=True)) == found


def test_an_unknown_term_and_no_term_find_nothing(filled: Store, owner: Owner) -> None:
    assert rows_with(filled, owner, "unheard") == []
    assert filled.lexical.occurrences(owner, [], []).rows.size == 0


def test_a_deleted_row_is_gone_from_postings(filled: Store, owner: Owner) -> None:
    deleted = [0, 2, 9]

    for row in deleted:
        delete(filled, owner, f"mei{row}")

    for row in deleted:
        for term in index_tokens(CONTENTS[row]):
            left = [other for other in _expected(term) if other not in deleted]
            assert rows_with(filled, owner, term) == left
    assert filled.lexical.rows(owner)["state"].tolist() == [0, 3, 0, *[3] * 6, 0]


def test_an_edited_row_has_its_new_terms_only(filled: Store, owner: Owner) -> None:
    for row in (1, 9):
        before = some(filled.memories.get(owner, f"mei{row}"))
        edit(filled, owner, replace(before, content="Python Rust Rust 上海"))

    assert rows_with(filled, owner, "handbook") == rows_with(filled, owner, "pack") == []
    assert rows_with(filled, owner, "python") == [0, 1, 9]
    rust = filled.lexical.occurrences(owner, ["rust"], [])
    assert (rust.rows.tolist(), rust.counts.tolist()) == ([1, 9], [2, 2])
    assert rows_with(filled, owner, "上海") == [1, 9]
    lengths = filled.lexical.rows(owner)["length"].tolist()
    assert lengths[1] == lengths[9] == len(index_tokens("Python Rust Rust 上海"))


def test_edits_before_packing_are_packed_as_they_are(store: Store, owner: Owner) -> None:
    keep_contents(store, owner, *CONTENTS)
    edit(store, owner, replace(got(store, owner), content="Go Go"))
    delete(store, owner, "mei3")
    store.pack()

    assert rows_with(store, owner, "go") == [0]
    assert rows_with(store, owner, "代码") == []
    assert rows_with(store, owner, "cat") == []


def test_packing_changes_nothing_that_ranking_knows(store: Store, owner: Owner) -> None:
    keep_contents(store, owner, *CONTENTS)
    keep(
        store,
        owner,
        memory("u", "有人吗？", session_id="s1", role="user"),
        memory("a", "在的", session_id="s1", role="assistant"),
        memory("v", "2019 年", session_id="s1", role="user", visibility="public", valid_to=NOON),
    )
    delete(store, owner, "mei5")
    before = store.lexical.rows(owner).copy()

    assert store.pack() == 12

    assert store.lexical.rows(owner).dtype == ROW_DTYPE
    assert store.lexical.rows(owner).tolist() == before.tolist()
    delete(store, owner, "a")
    changed = store.lexical.rows(owner)
    assert changed[11].tolist() == before[5].tolist()  # a deleted row is one like any other
    assert np.delete(changed, 11).tolist() == np.delete(before, 11).tolist()


def test_packing_takes_whole_packs_and_only_once(store: Store, owner: Owner) -> None:
    keep_contents(store, owner, *CONTENTS)

    assert store.pack() == 8
    assert store.pack() == 0
    keep_contents(store, owner, "eleven", "twelve")
    assert store.pack() == 4
    assert rows_with(store, owner, "twelv") == [11]


def test_row_facts_say_what_ranking_needs(store: Store, owner: Owner, settle: Settle) -> None:
    keep(
        store,
        owner,
        memory("u1", "几点了？", session_id="s1", role="user"),
        memory("x1", "hello", session_id="s2", role="user"),
        memory("a1", "三点", session_id="s1", role="assistant"),
        memory("n", "note", memory_type="long_term", session_id="s1", visibility="group"),
    )
    settle(store)
    facts = store.lexical.rows(owner)

    assert facts["previous"].tolist() == [-1, -1, 0, -1]
    assert facts["session"].tolist() == [0, 1, 0, -1]
    speakers = {number: name for number, name, _ in store.owners.speakers(owner)}
    said_by = [speakers.get(int(number)) for number in facts["speaker"]]
    assert said_by == ["user", "user", "assistant", None]
    assert facts["flags"][0] & TextFlags.QUESTION
    assert not facts["flags"][3] & TextFlags.QUESTION
    assert set(facts["time"].tolist()) == {int(NOON.timestamp() * 1000)}
    assert facts["state"].tolist() == [
        RowState.LIVE,
        RowState.LIVE,
        RowState.LIVE,
        RowState.LIVE | RowState.LONG_TERM | RowState.SHARED,
    ]


def test_a_superseded_row_says_so(filled: Store, owner: Owner) -> None:
    before = some(filled.memories.get(owner, "mei1"))
    with filled.transaction():
        filled.memories.update(owner, replace(before, valid_to=NOON))

    expected = RowState.LIVE | RowState.LONG_TERM | RowState.SUPERSEDED
    assert filled.lexical.rows(owner)["state"][1] == expected
    assert rows_with(filled, owner, "python") == [0, 1]


def test_speakers_are_numbered_by_name(store: Store, owner: Owner) -> None:
    with store.transaction():
        for place, name in enumerate(["Ann Lee", "王芳", "Ann Lee"]):
            one = memory(f"m{place}", "hi", session_id="s", role="user")
            store.memories.insert_all(owner, [(one, name)])

    speakers = store.owners.speakers(owner)

    assert [(number, name) for number, name, _ in speakers] == [(0, "Ann Lee"), (1, "王芳")]
    assert speakers[0][2].split() == index_tokens("Ann Lee")
    assert store.lexical.rows(owner)["speaker"].tolist() == [0, 1, 0]


def test_each_change_of_rows_changes_the_version(store: Store, owner: Owner, other: Owner) -> None:
    seen = [store.owners.extent(owner).version]
    untouched = store.owners.extent(other).version
    keep_contents(store, owner, *CONTENTS)
    seen.append(store.owners.extent(owner).version)
    with store.transaction():
        store.memories.update(owner, replace(got(store, owner), valid_to=NOON))
    seen.append(store.owners.extent(owner).version)
    delete(store, owner, "mei1")
    seen.append(store.owners.extent(owner).version)
    store.pack()
    seen.append(store.owners.extent(owner).version)

    assert len(set(seen)) == len(seen)
    assert store.owners.extent(other).version == untouched


def test_a_text_of_more_tokens_than_are_counted_is_kept(store: Store, owner: Owner) -> None:
    keep_contents(store, owner, "word " * 70_000, "second", "third", "fourth")

    assert store.lexical.rows(owner)["length"][0] == 65_535
    fresh = rows_with(store, owner, "word")
    assert store.pack() == 4
    assert rows_with(store, owner, "word") == fresh == [0]


def test_reindexing_makes_the_same_index_again(store: Store, owner: Owner, settle: Settle) -> None:
    keep_contents(store, owner, *CONTENTS)
    delete(store, owner, "mei4")
    settle(store)
    facts = store.lexical.rows(owner).tolist()
    terms = sorted({term for content in CONTENTS for term in index_tokens(content)})

    def everything() -> list[list[float]]:
        every = store.lexical.occurrences(owner, terms, ["p"])
        found = [every.among([place]) for place in range(every.terms)]
        return [[*one.rows.tolist(), *one.counts.tolist()] for one in found]

    before = everything()
    assert store.reindex() == len(CONTENTS) - 1
    assert everything() == before
    assert store.lexical.rows(owner).tolist() == facts
    assert store.pack() == 8
    assert everything() == before
    assert store.check() == []
