"""What becomes of something new beside what is known: one verdict, and its reason.

Newer wins. The older one stays readable for "as of", and the change can be undone. Only where the
person said the old one and the new one is inferred, or the old one matters more by two steps, both
stay and are marked: nothing but time would be the reason then, and time is never a reason.

Source: decisions 4; S4.3.2 (conflict resolution).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias

from chatmem.extraction.candidate import Candidate
from chatmem.model import AtomicMemoryRecord
from chatmem.model.memory import JsonValue
from chatmem.text.normalise import normalise

Action: TypeAlias = Literal["add", "supersede", "confirm", "flag", "past"]
CONFLICT_TAG = "conflict"
"""Marks a memory that stays beside another one that says otherwise."""
_MUCH_MORE_IMPORTANT = 2


@dataclass(frozen=True, slots=True)
class Verdict:
    """What to do with a candidate, and the known memories it is about.

    - `add`: it is new; there are no `olds`
    - `supersede`: it takes the place of the olds
    - `confirm`: the one old says the same; its confidence may rise
    - `flag`: it stays beside the olds, and it and they are marked
    - `past`: the olds are newer; it is kept as what was true before the first of them
    """

    action: Action
    olds: tuple[AtomicMemoryRecord, ...] = ()
    reason: str = ""


def settle(candidate: Candidate, known: Sequence[AtomicMemoryRecord], said_at: datetime) -> Verdict:
    """The verdict on a candidate, said at that time.

    `known` are the owner's valid memories that it meets: of the same key, or near in meaning.
    """
    for old in known:
        if same_statement(candidate, old):
            return Verdict("confirm", (old,), "said again")
    if not known:
        return Verdict("add")
    what = candidate.key or "near in meaning"
    olds = tuple(known)
    if all(_since(old) > said_at for old in olds):
        return Verdict("past", olds, f"said before what is known: {what}")
    stronger = [old for old in olds if _outweighs(old, candidate)]
    if stronger:
        return Verdict("flag", olds, f"conflict: {what}")
    return Verdict("supersede", olds, f"superseded: {what}")


def same_statement(candidate: Candidate, old: AtomicMemoryRecord) -> bool:
    """True when both say the same: the same value under one key, else the same words."""
    if candidate.key is not None and candidate.key == old.key:
        if candidate.value is not None and old.value is not None:
            return same_value(candidate.value, old.value)
        if candidate.value is not None or old.value is not None:
            return False
    return normalise(candidate.content) == normalise(old.content)


def same_value(one: JsonValue, other: JsonValue) -> bool:
    """True for equal values; of texts neither case, width nor script counts."""
    if isinstance(one, str) and isinstance(other, str):
        return normalise(one) == normalise(other)
    return one == other


_OWN_WORDS = ("taste", "habit", "plan")
"""Keys whose second part is in the writer's own words: 健身 and 去健身房 are one thing."""
_ENDED = frozenset({"戒了", "不", "stopped", "quit", "no longer", "gave up"})
_MOVED = re.compile(
    r"改到|改成|改期|推迟|提前|挪到|延|\b(?:moved|pushed|postponed|rescheduled|delayed|brought)\b"
)
_VERB = re.compile(r"^(?:去|做|喝|吃|看|抽|打|(?:go(?:ing)? to|do(?:ing)?|the|my)\s)+")
_SIBLINGS = {"occupation": "employer", "employer": "occupation"}
_NO_WORK = frozenset({"退休", "retired", "none", "无", "unemployed", "失业", "laid off"})


def ends_or_moves(candidate: Candidate, old: AtomicMemoryRecord) -> bool:
    """True where a candidate says that what the old one tells has ended, or has another day.

    It names the thing in its own words, which are part of the old one's or have them as a part.
    """
    if candidate.key is None or old.key is None:
        return False
    family, _, thing = candidate.key.partition(":")
    other, _, known = old.key.partition(":")
    if family != other or family not in _OWN_WORDS or not thing or not known:
        return False
    ended = candidate.value in _ENDED and old.value not in _ENDED
    moved = family == "plan" and _MOVED.search(normalise(candidate.content)) is not None
    if not (ended or moved):
        return False
    one, another = _VERB.sub("", normalise(thing)), _VERB.sub("", normalise(known))
    return bool(one) and bool(another) and (one in another or another in one)


def sibling_key(candidate: Candidate) -> str | None:
    """The key of the other thing that goes with this one: who retires has no employer."""
    if candidate.key is None:
        return None
    head, _, last = candidate.key.rpartition(":")
    other = _SIBLINGS.get(last)
    if other is None:
        return None
    return f"{head}:{other}" if head else other


def is_without_work(value: JsonValue) -> bool:
    """True for values of `occupation` and `employer` that say that there is none."""
    return isinstance(value, str) and normalise(value) in _NO_WORK


def frame(content: str, value: JsonValue) -> str | None:
    """What a statement says without its value ("Lives in …"), None where it does not name it.

    Two statements with one frame are about the same thing.
    """
    if value is None or isinstance(value, (bool, list, dict)):
        return None
    text, said = normalise(content), normalise(str(value))
    if not said or said not in text:
        return None
    rest = " ".join(text.replace(said, " … ").split())
    return rest if len(rest) > len("…") + 2 else None


def _since(old: AtomicMemoryRecord) -> datetime:
    return old.valid_from or old.timestamp


def _outweighs(old: AtomicMemoryRecord, new: Candidate) -> bool:
    stated = old.source == "user_stated" and new.source == "inferred"
    return stated or old.importance - new.importance >= _MUCH_MORE_IMPORTANT
