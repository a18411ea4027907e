"""Keys that are about one person or pet, in whichever language they were written.

`relation:妹妹` and `relation:sister` may be one sister; `relation:姐姐` is another one.

Source: decisions 4 (keys).
"""

import re
from functools import lru_cache
from typing import Final

from chatmem.extraction.spoken_of import ROLE_WORDS, role_of, who_of
from chatmem.model import AtomicMemoryRecord
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
_ZH: Final = "|".join(
    re.escape(word) for words in ROLE_WORDS.values() for word in words if not word.isascii()
)
_APPOSED_EN: Final = re.compile(rf"\b(?i:{_EN}),? (?P<name>[A-Z][\w'-]+)")
_APPOSED_ZH: Final = re.compile(r"(?P<name>[小阿老][\u4e00-\u9fff])(?=[在是有搬去今住做])")
_CALLED: Final = re.compile(
    r"(?:(?:is )?(?:called|named)|name is) (?P<name>[A-Z][\w'-]+)"
    r"|(?:名?叫|名字是)(?P<zh>[\u4e00-\u9fff]{1,4}|[A-Za-z]+)"
)
_WHICH: Final = re.compile(
    rf"\b(?P<en>other|another|second|third|old(?:er|est)|eld(?:er|est)|young(?:er|est)|big|little"
    rf"|half|step)[ -](?:\w+ )?(?:{_EN})\b"
    rf"|(?P<zh>另(?=外?一?[个只条])|[大小二三四五](?!个))(?:外?一?[个只条])?(?:{_ZH}|[舅姑叔姨伯])"
)
_SIBLING: Final = re.compile("[姐妹哥弟]")
_ONE_MORE: Final = frozenset({"other", "anoth", "secon", "third", "另", "二", "三", "四", "五"})
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
    content: str, key: str | None, old: AtomicMemoryRecord, name: str | None = None
) -> bool:
    """True where the new statement is about another one of those whom the old one is about.

    The new one says so (`my other sister`, `我二姐`), or tells something of somebody of another
    name (`my sister Fern is a vet`). Who is only told to be called otherwise may be the same one.

    Args:
        content: the new statement.
        key: its key.
        old: what is known.
        name: the name of whom it is about, where the message tells more of them.
    """
    known = old.content
    roles = _roles(content, key) & _roles(known, old.key) & _SEVERAL
    if not roles or _PUT_RIGHT.search(normalise(content)):
        return False
    sibling, known_sibling = _SIBLING.search(content), _SIBLING.search(known)
    if sibling and known_sibling and sibling[0] != known_sibling[0]:
        return True
    which, known_which = _which(content), _which(known)
    if which != known_which and (which in _ONE_MORE or (which and known_which)):
        return True
    name, named = normalise(name or "") or _apposed(content), _name(old)
    return bool(name and named) and name != named and has_han(name) == has_han(named)


def _roles(content: str, key: str | None) -> frozenset[str]:
    family, _, rest = (key or "").partition(":")
    if family in _FAMILIES:
        word = rest.partition(":")[0]
        role = role_of(word) or role_of(word.partition(" ")[0]) or role_of(word.rpartition(" ")[2])
        if role is not None:
            return frozenset({role})
    return who_of(content)


def _which(content: str) -> str:
    """Which of them: `other`, `eldest`, 二; empty where it is not said."""
    found = _WHICH.search(normalise(content))
    return "" if found is None else (found["en"] or found["zh"])[:5]


def _may_be_one(one: str, word: str, role: str) -> bool:
    """Chinese tells the elder from the younger, and the father's side from the mother's."""
    if role not in _SEVERAL or one.isascii() or word.isascii():
        return True
    return not set(one).isdisjoint(word)


def _apposed(content: str) -> str:
    """The name that stands by a role, in a statement about more than the name."""
    found = (_APPOSED_ZH if has_han(content) else _APPOSED_EN).search(content)
    return normalise(found["name"]) if found else ""


def _name(old: AtomicMemoryRecord) -> str:
    value = old.value
    if old.key is not None and old.key.count(":") == 1 and isinstance(value, str):
        has_name = value[:1].isupper() or f"叫{value}" in old.content
        return normalise(value) if has_name else ""
    called = _CALLED.search(old.content)
    return normalise(called["name"] or called["zh"]) if called else _apposed(old.content)
