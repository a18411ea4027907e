from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pytest
from tests.contract.conftest import Settle
from tests.contract.given import delete, edit, got, keep_contents

from chatmem.storage.tables.dense import decode
from chatmem.storage.tables.store import Store
from chatmem.storage.values import Owner, Vector
from chatmem.testing import FakeEmbedder

pytestmark = pytest.mark.vec

CONTENTS = tuple(f"{animal} in the {place}" for animal in ("cat", "dog", "owl") for place in "abcd")
FAKE = FakeEmbedder()


def _hashes(texts: Sequence[str]) -> list[int]:
    return [sum(text.encode()) * 1_000 + len(text) for text in texts]


def embed_all(store: Store, embedder: FakeEmbedder = FAKE) -> int:
    """Empty the queue with this embedder, as the indexer does; how many rows."""
    store.dense.use(embedder.identity, embedder.dimension)
    done = 0
    while queued := store.dense.queued(5):
        texts = [text for _, text in queued]
        with store.transaction():
            store.dense.put(queued, _hashes(texts), embedder.embed(texts))
        done += len(queued)
    return done


@pytest.fixture
def embedded(store: Store, owner: Owner, settle: Settle) -> Store:
    """A store with twelve rows, packed or not, and their vectors."""
    keep_contents(store, owner, *CONTENTS)
    embed_all(store)
    settle(store)
    return store


def _stored(store: Store, owner: Owner, *rows: int) -> dict[int, Vector]:
    found, matrix = store.dense.vectors(owner, np.array(rows, np.int64))
    assert (found[1:] > found[:-1]).all()
    for _ in range(2):  # read, and as they were kept
        assert np.array_equal(decode(store.dense.kept(owner, found)), matrix)
    return dict(zip(found.tolist(), matrix, strict=True))


def _are(
    stored: dict[int, Vector], texts: Mapping[int, str], embedder: FakeEmbedder = FAKE
) -> bool:
    """Whether these are the texts' vectors, as exactly as a store may keep them."""
    made = embedder.embed(list(texts.values()))
    return list(stored) == list(texts) and all(
        one.shape == two.shape and np.allclose(one, two, atol=0.01)
        for one, two in zip(stored.values(), made, strict=True)
    )


def _same(one: dict[int, Vector], two: dict[int, Vector]) -> bool:
    return list(one) == list(two) and all(map(np.array_equal, one.values(), two.values()))


def test_a_new_row_waits_for_its_vector(store: Store, owner: Owner) -> None:
    keep_contents(store, owner, *CONTENTS)

    assert store.dense.queue_length() == len(CONTENTS)
    assert [text for _, text in store.dense.queued(3)] == list(CONTENTS[:3])
    assert _stored(store, owner, 0, 1) == {}
    assert embed_all(store) == len(CONTENTS)
    assert store.dense.queue_length() == 0


def test_vectors_come_back_for_the_rows_that_are_asked(embedded: Store, owner: Owner) -> None:
    for rows in ([0, 1, 2], [0, 2], [0, 2, 3], [1, 11], [1, 3, 5, 7, 9], [5, 400]):
        known = [row for row in rows if row < len(CONTENTS)]
        assert _are(_stored(embedded, owner, *rows), {row: CONTENTS[row] for row in known})
    assert _stored(embedded, owner) == {}


def test_the_nearest_eligible_rows_are_candidates(embedded: Store, owner: Owner) -> None:
    everyone = np.ones(len(CONTENTS), bool)
    query = FAKE.embed_query("owl in the c")

    found = embedded.dense.candidates(owner, query, 100, everyone)[0]
    assert sorted(found.tolist()) == list(range(len(CONTENTS)))
    assert 10 in embedded.dense.candidates(owner, query, 1, everyone)[0]

    allowed = np.zeros(len(CONTENTS), bool)
    allowed[[1, 6, 11]] = True
    found = embedded.dense.candidates(owner, FAKE.embed_query("cat in the a"), 4, allowed)[0]
    assert sorted(found.tolist()) == [1, 6, 11]


def test_before_the_first_vector_there_are_no_candidates(store: Store, owner: Owner) -> None:
    keep_contents(store, owner, *CONTENTS)
    everyone = np.ones(len(CONTENTS), bool)

    assert store.dense.candidates(owner, FAKE.embed_query("cat"), 5, everyone)[0].tolist() == []
    store.pack()
    assert store.dense.candidates(owner, FAKE.embed_query("cat"), 5, everyone)[0].tolist() == []


def test_an_edited_row_loses_its_vector_and_waits_again(embedded: Store, owner: Owner) -> None:
    edit(embedded, owner, replace(got(embedded, owner), content="a whale"))

    assert list(_stored(embedded, owner, *range(12))) == list(range(1, 12))
    assert [text for _, text in embedded.dense.queued(9)] == ["a whale"]
    embed_all(embedded)
    assert _are(_stored(embedded, owner, 0), {0: "a whale"})
    near = embedded.dense.candidates(owner, FAKE.embed_query("a whale"), 1, np.ones(12, bool))[0]
    assert 0 in near


def test_an_edit_that_keeps_the_text_keeps_the_vector(embedded: Store, owner: Owner) -> None:
    with embedded.transaction():
        embedded.memories.update(owner, replace(got(embedded, owner), importance=5))

    assert embedded.dense.queue_length() == 0
    assert 0 in _stored(embedded, owner, 0)


def test_a_deleted_row_waits_for_no_vector(store: Store, owner: Owner, settle: Settle) -> None:
    keep_contents(store, owner, *CONTENTS)
    settle(store)
    delete(store, owner, "mei3")
    embed_all(store)
    delete(store, owner, "mei4")

    assert store.dense.queue_length() == 0
    assert sorted(_stored(store, owner, *range(12))) == [0, 1, 2, *range(5, 12)]


def test_a_vector_of_a_text_that_has_changed_is_not_written(store: Store, owner: Owner) -> None:
    keep_contents(store, owner, "old words", "deleted words", "kept words")
    store.dense.use(FAKE.identity, FAKE.dimension)
    queued = store.dense.queued(10)
    texts = [text for _, text in queued]
    edit(store, owner, replace(got(store, owner), content="new words"))
    delete(store, owner, "mei1")

    with store.transaction():
        store.dense.put(queued, _hashes(texts), FAKE.embed(texts))

    assert list(_stored(store, owner, 0, 1, 2)) == [2]
    assert [text for _, text in store.dense.queued(10)] == ["new words"]


def test_vectors_are_found_again_by_the_hash_of_their_text(embedded: Store, owner: Owner) -> None:
    hashes = _hashes(CONTENTS[:2])

    found = embedded.dense.cached([*hashes, 5])

    assert _are(found, dict(zip(hashes, CONTENTS, strict=False)))
    assert embedded.dense.cached([]) == {}


WIDER = FakeEmbedder(dimension=130, name="wider")


def test_another_embedder_is_indexed_beside_the_live_index(embedded: Store, owner: Owner) -> None:
    before = _stored(embedded, owner, *range(12))
    everyone = np.ones(12, bool)

    assert embedded.dense.use(FAKE.identity, FAKE.dimension)
    assert not embedded.dense.use(WIDER.identity, WIDER.dimension)
    assert embedded.dense.cached(_hashes(CONTENTS)) == {}
    queued = embedded.dense.queued(7)
    texts = [text for _, text in queued]
    with embedded.transaction():
        embedded.dense.put(queued, _hashes(texts), WIDER.embed(texts))

    assert not embedded.dense.finish()
    assert embedded.facts()["embedder"] == FAKE.identity
    assert _same(_stored(embedded, owner, *range(12)), before)
    assert embedded.dense.candidates(owner, FAKE.embed_query("cat"), 20, everyone)[0].size == 12
    assert embedded.dense.candidates(owner, WIDER.embed_query("cat"), 20, everyone)[0].size == 0

    embed_all(embedded, WIDER)
    assert embedded.dense.finish()
    assert not embedded.dense.finish()
    assert embedded.facts()["embedder"] == WIDER.identity
    after = _stored(embedded, owner, *range(12))
    assert _are(after, dict(enumerate(CONTENTS)), WIDER)
    assert embedded.dense.candidates(owner, WIDER.embed_query("cat"), 20, everyone)[0].size == 12
    assert embedded.dense.candidates(owner, FAKE.embed_query("cat"), 20, everyone)[0].size == 0


def test_a_switch_that_is_rolled_back_leaves_the_live_index(embedded: Store, owner: Owner) -> None:
    embed_all(embedded, WIDER)

    with pytest.raises(ZeroDivisionError), embedded.transaction():
        assert embedded.dense.finish()
        _ = 1 / 0

    assert embedded.facts()["embedder"] == FAKE.identity
    assert _are(_stored(embedded, owner, 0), {0: CONTENTS[0]})
    found = embedded.dense.candidates(owner, FAKE.embed_query("cat"), 20, np.ones(12, bool))[0]
    assert found.size == 12
    assert embedded.dense.finish()


def test_going_back_to_the_first_embedder_keeps_its_vectors(embedded: Store, owner: Owner) -> None:
    before = _stored(embedded, owner, *range(12))
    embedded.dense.use(WIDER.identity, WIDER.dimension)
    keep_contents(embedded, owner, "one more")

    assert embedded.dense.use(FAKE.identity, FAKE.dimension)

    assert [text for _, text in embedded.dense.queued(50)] == ["one more"]
    embed_all(embedded)
    assert not embedded.dense.finish()
    assert embedded.facts()["embedder"] == FAKE.identity
    after = _stored(embedded, owner, *range(13))
    assert _same({row: after[row] for row in before}, before)
    assert _are({12: after[12]}, {12: "one more"})


def test_a_third_embedder_takes_the_place_of_the_second(embedded: Store, owner: Owner) -> None:
    third = FakeEmbedder(dimension=70, name="third")
    embedded.dense.use(WIDER.identity, WIDER.dimension)
    queued = embedded.dense.queued(5)
    with embedded.transaction():
        texts = [text for _, text in queued]
        embedded.dense.put(queued, _hashes(texts), WIDER.embed(texts))

    embed_all(embedded, third)
    assert embedded.dense.finish()

    assert _are(_stored(embedded, owner, *range(12)), dict(enumerate(CONTENTS)), third)


def test_an_empty_index_changes_its_embedder_too(store: Store, owner: Owner) -> None:
    keep_contents(store, owner, "one")
    embed_all(store)
    delete(store, owner, "mei0")
    store.dense.use(WIDER.identity, WIDER.dimension)
    assert store.dense.finish()

    keep_contents(store, owner, "two")
    embed_all(store, WIDER)

    found = store.dense.candidates(owner, WIDER.embed_query("two"), 5, np.array([False, True]))[0]
    assert found.tolist() == [1]


def test_rows_deleted_while_the_index_is_rebuilt_stay_away(embedded: Store, owner: Owner) -> None:
    embed_all(embedded, WIDER)
    delete(embedded, owner, "mei1")

    assert embedded.dense.finish()
    assert sorted(_stored(embedded, owner, *range(12))) == [0, *range(2, 12)]


def test_reindexing_keeps_vectors_and_makes_codes_again(embedded: Store, owner: Owner) -> None:
    before = _stored(embedded, owner, *range(12))

    embedded.reindex()

    assert _same(_stored(embedded, owner, *range(12)), before)
    assert embedded.dense.queue_length() == 0
    found = embedded.dense.candidates(owner, FAKE.embed_query("dog"), 50, np.ones(12, bool))[0]
    assert sorted(found.tolist()) == list(range(12))


def test_new_vectors_change_the_owners_version(
    store: Store, owner: Owner, other: Owner, settle: Settle
) -> None:
    keep_contents(store, owner, *CONTENTS)
    settle(store)
    before, untouched = store.owners.extent(owner).version, store.owners.extent(other).version
    embed_all(store)
    embedded = store.owners.extent(owner).version
    assert embedded != before
    assert store.owners.extent(other).version == untouched

    embed_all(store, WIDER)
    store.dense.finish()
    assert store.owners.extent(owner).version != embedded
