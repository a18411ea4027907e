"""Keys that are about one person or pet, in whichever language they were written.

`relation:妹妹` and `relation:sister` may be one sister; `relation:姐姐` is another one.

Source: decisions 4 (keys).
"""

import re
from functools import lru_cache
from typing import Final

from chatmem.extraction.spoken_of import ROLE_WORDS, role_of
from chatmem.model.memory import JsonValue
from chatmem.text.normalise import has_han, normalise

_FAMILIES: Final = ("relation", "pet")
_SEVERAL: Final = frozenset(
    {"sister", "brother", "cousin", "grandfather", "grandmother", "uncle", "aunt", "nephew"}
    | {"child", "son", "daughter", "friend", "inlaw", "grandchild", "colleague", "twin"}
    | {"cat", "dog", "bird", "small pet", "slow pet", "fish", "hens", "roommate", "neighbour"}
)
"""Of these one may have more than one: another name is another of them."""
_EN: Final = "|".join(
    re.escape(word)
    for words in ROLE_WORDS.values()
    for word in sorted(words, key=len, reverse=True)
    if word.isascii()
)
_NAME_EN: Final = re.compile(
    rf"\b(?i:{_EN})(?:'s name is| is (?:called|named)|,? (?:called|named))?,? "
    r"(?P<name>[A-Z][\w'-]+)"
)
_NAME_ZH: Final = re.compile(
    r"(?:名?叫|名字是)(?P<called>[\u4e00-\u9fff]{1,4}|[A-Za-z]+)"
    r"|(?P<name>[小阿老][\u4e00-\u9fff])(?=[在是叫有搬去今住做])"
)
_PUT_RIGHT: Final = re.compile(
    r"改名|改叫|其实|不叫|不是|[说打写记叫]错|更正"
    r"|\b(?:renamed|goes by|now called|from now on|actually|correction|typo|meant|not|sorry)\b"
)


@lru_cache(512)
def keys_alike(key: str) -> tuple[str, ...]:
    """The key itself, and those by which the same may be known in the other language."""
    family, _, rest = key.partition(":")
    word, colon, fact = rest.partition(":")
    role = role_of(word) if family in _FAMILIES else None
    if role is None:
        return (key,)
    others = (one for one in ROLE_WORDS[role] if one != word and _may_be_one(one, word, role))
    return (key, *(f"{family}:{one}{colon}{fact}" for one in others))


def is_another(
    content: str, key: str | None, value: JsonValue, old: tuple[str, str | None, JsonValue]
) -> bool:
    """True where the new statement names another one of those whom the old one is about.

    Nothing is known of them but their names: who is put right, or renamed, is no other.
    """
    known, known_key, known_value = old
    family, _, rest = (key or "").partition(":")
    role = role_of(rest.partition(":")[0]) if family in _FAMILIES else None
    before, _, other = (known_key or "").partition(":")
    if role is None or before != family or role_of(other.partition(":")[0]) != role:
        return False
    if role not in _SEVERAL or _PUT_RIGHT.search(normalise(content)):
        return False
    name, named = _name(content, key, value), _name(known, known_key, known_value)
    return bool(name and named) and name != named and has_han(name) == has_han(named)


def _may_be_one(one: str, word: str, role: str) -> bool:
    """Chinese tells the elder from the younger, and the father's side from the mother's."""
    if role not in _SEVERAL or one.isascii() or word.isascii():
        return True
    return not set(one).isdisjoint(word)


def _name(content: str, key: str | None, value: JsonValue) -> str:
    if key is not None and key.count(":") == 1 and isinstance(value, str):
        said = normalise(value)
        if f" {value}" in content or f"叫{value}" in content:
            return said if value[:1].isupper() or has_han(value) else ""
    found = (_NAME_ZH if has_han(content) else _NAME_EN).search(content)
    if found is None:
        return ""
    return normalise(next(one for one in found.groups() if one))
