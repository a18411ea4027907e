from chatmem.storage.tables.packed_index import VersionCache


def test_a_value_is_that_of_its_key_and_version() -> None:
    cache = VersionCache[str](100, len)
    cache.put("rows", 7, "facts")

    assert cache.get("rows", 7) == "facts"
    assert cache.get("rows", 8) is None
    assert cache.get("codes", 7) is None
    cache.put("rows", 8, "others")
    assert (cache.get("rows", 7), cache.get("rows", 8)) == (None, "others")


def test_the_least_lately_asked_go_first() -> None:
    cache = VersionCache[str](10, len)
    for key in ("a", "b", "c"):
        cache.put(key, 1, "three")
        cache.get("a", 1)

    assert [cache.get(key, 1) for key in ("a", "b", "c")] == ["three", None, "three"]


def test_what_is_larger_than_the_cache_is_not_kept() -> None:
    cache = VersionCache[str](10, len)
    cache.put("a", 1, "eleven bytes")
    cache.put("b", 1, "ten")

    assert (cache.get("a", 1), cache.get("b", 1)) == (None, "ten")
