"""What becomes of something new beside what is known: one verdict, and its reason.

Newer wins, and the older one stays readable for "as of". Both stay and are marked where the person
said the old one and the new one is inferred, or the old one matters more by two steps. A memory
retires another one of the same key, or of the same attribute and person where the reader is sure;
nearness or time alone is no reason.

Source: decisions 4; S4.3.2 (conflict resolution); `next/reader.md`.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal, TypeAlias

from chatmem.extraction.extractor import Candidate
from chatmem.extraction.reader.relation import Relation
from chatmem.model import AtomicMemoryRecord
from chatmem.model.memory import JsonValue
from chatmem.text.normalise import normalise

Action: TypeAlias = Literal["add", "supersede", "confirm", "flag", "past", "maybe"]
CONFLICT_TAG: Final = "conflict"
"""Marks a memory that stays beside another one that says otherwise."""
MAYBE_TAG: Final = "maybe-same"
"""Marks a memory that may be about what an older one is about: shown, and not acted upon."""
SURE_TO_RETIRE: Final = 0.88
"""From this likelihood on that it replaces or ends an older one, it does: `training/learn.py`."""
SURE_TO_BE_SAME: Final = 0.3
LIKELY: Final = 0.5
UNLIKELY: Final = 0.2
REPLACES: Final = "superseded: "
"""With this begins the reason for which a memory takes another one's place."""
_MUCH_MORE_IMPORTANT: Final = 2
_FIGURE: Final = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Met:
    """A valid memory that a candidate meets, and how the candidate bears on it.

    `relation` is None where a key decides: of an explicit write, or of a model.
    """

    old: AtomicMemoryRecord
    relation: Relation | None = None

    @property
    def retires(self) -> bool:
        """Whether the candidate takes the old one's place, or says that it is over."""
        if self.relation is None:
            return True
        likely = self.relation.replaces + self.relation.ends
        return self.relation.may_retire and likely >= SURE_TO_RETIRE

    @property
    def says_the_same(self) -> bool:
        """Whether both say the same."""
        one = self.relation
        return one is not None and one.same >= SURE_TO_BE_SAME and one.independent < UNLIKELY

    @property
    def may_be_about_it(self) -> bool:
        """Whether a person had better look at both."""
        one = self.relation
        return one is not None and one.may_retire and one.independent < LIKELY


@dataclass(frozen=True, slots=True)
class Verdict:
    """What to do with a candidate, and the known memories it is about.

    - `add`: it is new; there are no `olds`
    - `supersede`: it takes the place of the olds
    - `confirm`: the one old says the same; its confidence may rise
    - `flag`: it stays beside the olds, and it and they are marked
    - `past`: the olds are newer; it is kept as what was true before the first of them
    - `maybe`: it is added, and marked as perhaps about what the olds are about
    """

    action: Action
    olds: tuple[AtomicMemoryRecord, ...] = ()
    reason: str = ""


def settle(candidate: Candidate, met: Sequence[Met], said_at: datetime) -> Verdict:
    """The verdict on a candidate, said at that time, beside the owner's memories that it meets."""
    for one in met:
        if _is_same_statement(candidate, one.old) or _says_it_again(candidate, one):
            return Verdict("confirm", (one.old,), "said again")
    olds = tuple(one.old for one in met if one.retires)
    if not olds:
        doubtful = tuple(one.old for one in met if one.may_be_about_it)
        if doubtful:
            return Verdict("maybe", doubtful, f"maybe about {doubtful[0].id}")
        return Verdict("add")
    what = candidate.key or (candidate.statement.attribute if candidate.statement else "key")
    if all((old.valid_from or old.timestamp) > said_at for old in olds):
        return Verdict("past", olds, f"said before what is known: {what}")
    if any(_outweighs(old, candidate) for old in olds):
        return Verdict("flag", olds, f"conflict: {what}")
    return Verdict("supersede", olds, f"{REPLACES}{what}")


def same_value(one: JsonValue, other: JsonValue) -> bool:
    """True for equal values; of texts neither case, width nor script counts."""
    if isinstance(one, str) and isinstance(other, str):
        return normalise(one) == normalise(other)
    return one == other


def _is_same_statement(candidate: Candidate, old: AtomicMemoryRecord) -> bool:
    """Whether both have the same words, or without a reader the same value under one key."""
    if normalise(candidate.content) == normalise(old.content):
        return True
    if candidate.statement is not None or candidate.key is None or candidate.key != old.key:
        return False
    return candidate.value is not None and same_value(candidate.value, old.value)


def _says_it_again(candidate: Candidate, met: Met) -> bool:
    """Whether the reader sees the same with the same figures, or it is, to the word, a part."""
    if met.relation is None or met.retires:
        return False
    new, old = normalise(candidate.content), normalise(met.old.content)
    if met.says_the_same and sorted(_FIGURE.findall(new)) == sorted(_FIGURE.findall(old)):
        return True
    return re.search(rf"(?<!\w){re.escape(new)}(?!\w)", old) is not None


def _outweighs(old: AtomicMemoryRecord, new: Candidate) -> bool:
    stated = old.source == "user_stated" and new.source == "inferred"
    return stated or old.importance - new.importance >= _MUCH_MORE_IMPORTANT
