"""Whether a new statement makes an older one out of date, where no key says so.

Both have to be about the same person, and about the same thing: they name it, or they tell an
attribute of which one has a single value. And the new one has to say that something has changed:
time alone is never a reason.

Source: decisions 4 ("near in meaning").
"""

import re
from functools import lru_cache
from typing import Final

from chatmem.extraction.attribute_words import attribute_of_key, attributes, events_of
from chatmem.extraction.change_words import (
    ADDED,
    CHANGE,
    DISLIKED,
    LIKED,
    MOVED,
    NOW,
    RENAMED_OR_LOST,
)
from chatmem.extraction.role_keys import is_another
from chatmem.extraction.spoken_of import (
    CHILDREN,
    PARTNERS,
    PET_KINDS,
    is_same_person,
    shared_name,
    things_of,
    who_of,
)
from chatmem.model import AtomicMemoryRecord
from chatmem.text.normalise import has_han, normalise

_PAST: Final = ("used to", "以前", "曾", "小时候", "出生", "born", "本科", "undergrad")
_DAY: Final = re.compile(
    r"\d{4}-\d\d-\d\d|\d{1,2}(?:点|:\d\d| ?[ap]m\b)|(?:周|星期|礼拜)[一二三四五六日天]"
    r"|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day"
)
_HOUSEHOLD: Final = PARTNERS | PET_KINDS | CHILDREN | {"he", "she", "roommate"}
_UNSURE: Final = re.compile(
    r"考虑|要不要|想[换搬辞买去]|纠结|犹豫|可能|也许|目标|希望"
    r"|\b(?:considering|consider|whether|thinking (?:about|of)|might|maybe|perhaps|goal|hope|"
    r"hoping|wish|want to"
    r"|would like to|planning to|struggling)\b"
)
_OF_REPLIES: Final = frozenset(
    {"reply length", "reply tone", "reply language", "reply format", "spelling", "portions"}
)
_LEFT: Final = re.compile(
    r"离职|辞职|换|退休|走|高升|调|升|\b(?:retired|left|quit|gone|replaced|moved|promoted|fired)\b"
)


def may_replace(content: str) -> bool:
    """False for a statement that replaces nothing, whatever there is."""
    plain = normalise(content)
    return (
        CHANGE.search(plain) is not None
        or NOW.search(plain) is not None
        or _attitude(plain) != 0
        or bool(changed_attributes(content))
    )


def replaces(content: str, key: str | None, old: AtomicMemoryRecord) -> tuple[float, float]:
    """How clearly a statement takes the place of the old one: by its attribute, and by its name.

    Both are 0.0 where it does not.
    """
    if is_another(content, key, old):
        return 0.0, 0.0
    who, whose = who_of(content, key), who_of(old.content, old.key)
    same = is_same_person(who, whose)
    return _by_attribute(content, old, who, whose, same=same), _by_name(
        content, old, who, whose, same=same
    )


def _by_attribute(
    content: str,
    old: AtomicMemoryRecord,
    who: frozenset[str],
    whose: frozenset[str],
    *,
    same: bool,
) -> float:
    plain = normalise(content)
    if ADDED.search(plain) or _UNSURE.search(plain):
        return 0.0
    told = _told(old.content, old.key)
    best = 0.0
    for name, own in changed_attributes(content):
        whoever = name in _OF_REPLIES or (own and who <= _HOUSEHOLD and whose <= _HOUSEHOLD)
        if name in told and (same or whoever):
            best = max(best, 1.0 + 0.1 * told[name])
    if same and _has_another_figure(plain, old):
        best = max(best, 1.0)
    before = set(_DAY.findall(normalise(old.content)))
    after = set(_DAY.findall(plain))
    nobody_else = same or who <= {"he", "she"} or whose <= {"he", "she"}
    moved = MOVED.search(plain) or CHANGE.search(plain)
    if nobody_else and before and after and before != after and moved:
        alike = events_of(plain) & events_of(normalise(old.content))
        best = max(best, 1.0 if alike else 0.0)
    return best


def _has_another_figure(plain: str, old: AtomicMemoryRecord) -> bool:
    """True where it names what the old one gives a number of, and another number."""
    if old.key is None or not isinstance(old.value, str) or old.key.startswith(("plan", "age")):
        return False
    before, after = (set(_FIGURE.findall(each)) for each in (normalise(old.value), plain))
    if not before or not after or before & after:
        return False
    attribute = attribute_of_key(old.key)
    if attribute is not None and attribute.is_told(plain):
        return True
    named = old.key.rpartition(":")[2]
    words = [named] if has_han(named) else sorted(things_of(named))
    return bool(words) and all(word in plain for word in words)


_FIGURE: Final = re.compile(
    r"\d[\d,.]*|[一二两三四五六七八九十百千万]+(?=[个块元万千]|小时|分钟|公斤|斤)"
    r"|\b(?:an hour|half an hour|one|two|three|four|five|six|seven|eight|nine|ten)\b"
)


def _by_name(
    content: str,
    old: AtomicMemoryRecord,
    who: frozenset[str],
    whose: frozenset[str],
    *,
    same: bool,
) -> float:
    """It names what the old one is about, and says in the same breath that this has changed."""
    parts = _parts(content)
    named = [_names(part, old) for part in parts]
    best = max(named, default=0.0)
    if not best:
        return 0.0
    if not same and who - {"he", "she"} and best < _BY_ITS_NAME:
        return 0.0
    told = normalise(old.content)
    if not any(
        name and (_is_changed(parts, number) or _turns(part, told) or _is_denied(part, old))
        for number, (part, name) in enumerate(zip(parts, named, strict=True))
    ):
        return 0.0
    family, _, role = (old.key or "").partition(":")
    if family == "pet" or (family == "relation" and ":" not in role):
        plain = normalise(content)
        leaves = family == "relation" and not whose <= _FAMILY and _LEFT.search(plain)
        if not RENAMED_OR_LOST.search(plain) and not leaves:
            return 0.0
    return 2.0 + 0.1 * best


def _is_denied(part: str, old: AtomicMemoryRecord) -> bool:
    """True where its very value is denied: `老家不在襄阳`, `it isn't Perth`."""
    value = normalise(old.value) if isinstance(old.value, str) else ""
    if len(value) < 2 or value in _NO_NAME:
        return False
    before, found, _ = part.partition(value)
    return bool(found) and _NOT.search(before) is not None


_NOT: Final = re.compile(
    r"(?:不在|不是|不叫|并非|没有|不住)[^，。]{0,3}$|(?:\bnot|isn't|aren't|wasn't"
    r"|never|no longer|nobody)(?: \w+){0,2} $"
)


def _is_changed(parts: tuple[str, ...], number: int) -> bool:
    """True where this part says it, or the one beside it does without naming anything else."""
    if CHANGE.search(parts[number]):
        return True
    beside = parts[max(0, number - 1) : number] + parts[number + 1 : number + 2]
    return any(CHANGE.search(part) and len(part) <= _SHORT for part in beside)


_SHORT: Final = 30
_BY_ITS_NAME: Final = 2.0
_PART: Final = re.compile(
    r"[，。！？；,;!?]|\.(?=\s|$)|\s(?=(?:but|so|because|and i|and we|and it)\s)"
)


@lru_cache(256)
def _parts(content: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in _PART.split(normalise(content)) if part.strip())


_FAMILY: Final = frozenset(
    {"mother", "father", "sister", "brother", "grandfather", "grandmother", "uncle", "aunt"}
    | {"cousin", "nephew", "twin", *CHILDREN}
)


@lru_cache(256)
def changed_attributes(content: str) -> tuple[tuple[str, bool], ...]:
    """The attributes that a statement gives another value, and if each is the writer's own."""
    plain = normalise(content)
    return tuple((one.name, one.own) for one in attributes() if one.is_changed(plain))


@lru_cache(2048)
def _told(content: str, key: str | None) -> dict[str, int]:
    """The attributes that a statement tells, and how surely: by its key, or by its words."""
    plain = normalise(content)
    by_key = attribute_of_key(key)
    surely = {by_key.name: 2} if by_key is not None else {}
    if any(word in plain for word in _PAST):
        return surely or ({"hometown": 1} if "born" in plain or "出生" in plain else {})
    return {one.name: 1 for one in attributes() if one.is_told(plain)} | surely


def _names(part: str, old: AtomicMemoryRecord) -> float:
    """How much of what the old one is about a clause names: 2.0 and more by its very name."""
    family, _, thing = (old.key or "").rpartition(":")
    of_a_thing = family in _OF_A_THING and _has_thing(thing)
    known = thing if of_a_thing else old.content
    things = things_of(known)
    shared = len(things_of(part) & things)
    if shared and shared / min(len(things), _MANY) < _LEAST_PART:
        shared = 0
    if of_a_thing and has_han(known) and normalise(known) in part:
        shared = max(shared, 1)
    named = _proper_names(old.content if family == "possession" else known)
    if any(_stands_in(name, part) for name in named):
        return _BY_ITS_NAME + shared
    is_name = isinstance(old.value, str) and family not in (*_OF_A_THING, "habit", "plan")
    value = old.value if is_name else None
    if (
        isinstance(value, str)
        and len(value) > 1
        and value not in _NO_NAME
        and _stands_in(normalise(value), part)
    ):
        return _BY_ITS_NAME + shared
    if not shared and has_han(part):
        name = shared_name(part, known)
        shared = int(len(name) >= _NAME_CHARS and len(name) / max(len(known), 1) >= _LEAST_SHARE)
    return float(shared)


@lru_cache(1024)
def _proper_names(content: str) -> tuple[str, ...]:
    """What is written with a capital and is no everyday word."""
    found = re.findall(r"\b[A-Z][A-Za-z0-9-]{2,}", content)
    return tuple(word.lower() for word in found if things_of(word))


def _stands_in(value: str, part: str) -> bool:
    if has_han(value):
        return value in part
    return re.search(rf"(?<!\w){re.escape(value)}(?!\w)", part) is not None


_NO_NAME: Final = frozenset(
    {"like", "dislike", "yes", "no", "now", "最近", "现在", "每天", "today"}
)
_NAME_CHARS: Final = 2
_LEAST_SHARE: Final = 0.1
_MANY: Final = 4
_LEAST_PART: Final = 0.3
_OF_A_THING: Final = ("taste", "possession", "allergy")
"""Keys that name what they are about: other words of the statement count for nothing."""


def _has_thing(thing: str) -> bool:
    return bool(thing) and (has_han(thing) or bool(things_of(thing)))


def _turns(new: str, old: str) -> bool:
    """True where one likes what the other dislikes."""
    return _attitude(new) * _attitude(old) < 0


def _attitude(plain: str) -> int:
    if DISLIKED.search(plain):
        return -1
    return 1 if LIKED.search(plain) else 0
