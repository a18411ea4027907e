"""Which keys may be about one person, and when a statement is about another one."""

from datetime import UTC, datetime

import pytest

from chatmem.extraction.role_keys import is_another, keys_alike
from chatmem.model import AtomicMemoryRecord
from chatmem.model.memory import JsonValue


def known(content: str, key: str | None = None, value: JsonValue = None) -> AtomicMemoryRecord:
    at = datetime(2026, 3, 1, tzinfo=UTC)
    return AtomicMemoryRecord(
        id="a", user_id="u", timestamp=at, create_time=at, content=content, key=key, value=value
    )


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("relation:妹妹", "relation:sister"),
        ("relation:sister:home", "relation:姐姐:home"),
        ("relation:mother", "relation:妈妈"),
        ("relation:妈:occupation", "relation:mum:occupation"),
        ("relation:老板", "relation:boss"),
        ("pet:猫", "pet:cat"),
    ],
)
def test_keys_of_one_role_are_alike_in_both_languages(one: str, other: str) -> None:
    assert other in keys_alike(one)
    assert one in keys_alike(other)
    assert keys_alike(one)[0] == one


def test_chinese_tells_sisters_apart() -> None:
    assert "relation:姐姐" not in keys_alike("relation:妹妹")
    assert "relation:妹" in keys_alike("relation:妹妹")
    assert keys_alike("home") == ("home",)
    assert keys_alike("relation:friend amy:home") == ("relation:friend amy:home",)


@pytest.mark.parametrize(
    ("content", "key", "old"),
    [
        ("Other sister lives in Galway", "relation:other sister:home",
         known("Sister lives in Cork", "relation:sister:home", "Cork")),
        ("Friend Jude moved to Bergen", "relation:friend jude:home",
         known("Friend Kit lives in Oslo", "relation:friend kit:home", "Oslo")),
        ("Sister Fern is a vet", "relation:sister:occupation",
         known("Sister is called Bridget", "relation:sister", "Bridget")),
        ("我二哥搬到兰州了", None, known("大哥在银川")),
        ("另一个妹妹叫小雪", None, known("妹妹名叫小满", "relation:妹妹", "小满")),
        ("同学小梁搬到宝鸡了", None, known("同学小顾在西安")),
        ("弟弟结婚了", "relation:弟弟:partner", known("哥哥离婚了", "relation:哥哥:partner")),
    ],
)  # fmt: skip
def test_another_one_is_another_one(content: str, key: str | None, old: AtomicMemoryRecord) -> None:
    assert is_another(content, key, old)


@pytest.mark.parametrize(
    ("content", "key", "old"),
    [
        ("Sister moved to Galway", "relation:sister:home",
         known("Sister lives in Cork", "relation:sister:home", "Cork")),
        ("Sister is called Fern", "relation:sister",
         known("Sister is called Bridget", "relation:sister", "Bridget")),
        ("Actually my sister Fern is a vet, not Bridget", None,
         known("Sister Bridget is a vet", "relation:sister:occupation", "vet")),
        ("Husband Tom works nights", "relation:husband",
         known("Husband Thomas is a nurse", "relation:husband:occupation", "nurse")),
        ("第四个孙子出生了", None, known("有三个孙子")),
        ("Lives in Galway", "home", known("Lives in Cork", "home", "Cork")),
    ],
)  # fmt: skip
def test_the_same_one_is_no_other(content: str, key: str | None, old: AtomicMemoryRecord) -> None:
    assert not is_another(content, key, old)


def test_a_name_told_with_more_of_somebody_is_a_name_of_another() -> None:
    old = known("Sister is called Bridget", "relation:sister", "Bridget")
    assert is_another("Sister is called Fern", "relation:sister", old, "Fern")
    assert not is_another("Sister is called Bridget", "relation:sister", old, "Bridget")
