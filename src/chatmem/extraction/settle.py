"""What becomes of something new beside what is known: one verdict, and its reason.

Newer wins, and the older one stays readable for "as of". Both stay and are marked where the person
said the old one and the new one is inferred, where the old one matters more by two steps, or where
somebody wrote it down without a key: it is theirs to take back. A memory retires another one of the
same key, or of the same attribute and person where the reader is sure; nearness or time alone is no
reason. Whoever writes is settled so: extraction, tools, applications, imports.

Source: decisions 4; S4.3.2 (conflict resolution); `next/reader.md`.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Final, Literal, NamedTuple, TypeAlias

from chatmem.extraction.extractor import Candidate
from chatmem.extraction.reader.relation import Relation
from chatmem.model import AtomicMemoryRecord
from chatmem.text.languages import expression
from chatmem.text.normalise import normalise
from chatmem.text.own_words import DENIED
from chatmem.text.segment import query_tokens

Action: TypeAlias = Literal["add", "supersede", "confirm", "flag", "past", "maybe"]
EXTRACTED: Final = "extraction"
"""The `app_type` of memories that were extracted."""
CONFLICT_TAG: Final = "conflict"
"""Marks a memory that stays beside another one that says otherwise."""
MAYBE_TAG: Final = "maybe-same"
"""Marks a memory that may be about what an older one is about: shown, and not acted upon."""
SURE_TO_RETIRE: Final = 0.88
"""From this likelihood on that it replaces or ends an older one, it does: `training/learn.py`."""
SURE_TO_CONTRADICT: Final = 0.77
"""The same where both stay and are marked: less is at stake."""
SURE_TO_BE_SAME: Final = 0.3
LIKELY: Final = 0.5
UNLIKELY: Final = 0.2
REPLACES: Final = "superseded: "
"""With this begins the reason for which a memory takes another one's place."""
_MUCH_MORE_IMPORTANT: Final = 2
_FIGURE: Final = expression(r"\d+")
_WORD: Final = expression(r"\w+")


@dataclass(frozen=True, slots=True)
class Met:
    """A valid memory that a candidate meets, and how the candidate bears on it.

    `relation` is None where a key decides: of an explicit write, or of a model.
    """

    old: AtomicMemoryRecord
    relation: Relation | None = None

    @property
    def theirs(self) -> bool:
        """Whether somebody wrote it down by themselves, without a key: nothing takes its place."""
        return self.old.app_type != EXTRACTED and self.old.key is None

    @property
    def retires(self) -> bool:
        """Whether the candidate says otherwise: it would take the old one's place, or ends it."""
        if self.relation is None:
            return True
        likely = self.relation.replaces + self.relation.ends
        least = SURE_TO_CONTRADICT if self.theirs else SURE_TO_RETIRE
        return self.relation.may_retire and likely >= least

    @property
    def says_the_same(self) -> bool:
        """Whether both say the same."""
        one = self.relation
        return one is not None and one.same >= SURE_TO_BE_SAME and one.independent < UNLIKELY

    @property
    def may_be_about_it(self) -> bool:
        """Whether a person had better look at both."""
        one = self.relation
        return one is not None and not self.theirs and one.may_retire and one.independent < LIKELY


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
    retired = [one for one in met if one.retires or _denies(candidate, one)]
    theirs = all(one.theirs for one in retired)
    olds = tuple(one.old for one in retired if theirs or not one.theirs)
    if not olds and not candidate.is_written:
        doubtful = tuple(one.old for one in met if one.may_be_about_it)
        if doubtful:
            return Verdict("maybe", doubtful, f"maybe about {doubtful[0].id}")
    if not olds:
        return Verdict("add")
    what = candidate.key or (candidate.statement.attribute if candidate.statement else "key")
    by_meaning = candidate.is_written and candidate.key is None  # which retires nothing
    if not by_meaning and all((old.valid_from or old.timestamp) > said_at for old in olds):
        return Verdict("past", olds, f"said before what is known: {what}")
    if by_meaning or theirs or any(_outweighs(old, candidate) for old in olds):
        return Verdict("flag", olds, f"conflict: {what}")
    return Verdict("supersede", olds, f"{REPLACES}{what}")


def _is_same_statement(candidate: Candidate, old: AtomicMemoryRecord) -> bool:
    """Whether both have the same words, or without a reader the same value under one key.

    Of what was written down the words count with the key and the value that were given: the same
    value in other words is newer, unless the older one outweighs it.
    """
    words = _words_of(candidate.content).plain == _words_of(old.content).plain
    mine, known = (
        normalise(one) if isinstance(one, str) else one for one in (candidate.value, old.value)
    )
    value = mine is not None and mine == known
    if candidate.is_written:
        if None not in (candidate.key, old.key) and candidate.key != old.key:
            return False
        differs = None not in (mine, known) and not value
        return (words and not differs) or (value and _outweighs(old, candidate))
    of_key = candidate.statement is None and candidate.key is not None
    return words or (of_key and candidate.key == old.key and value)


def _says_it_again(candidate: Candidate, met: Met) -> bool:
    """Whether the reader sees the same with the same figures, or it is, to the word, a part.

    What was written down is not given up for what only means the same.
    """
    if met.relation is None or _denies(candidate, met):
        return False
    words = map(_words_of, (candidate.content, met.old.content))
    some, more = sorted(words, key=lambda one: len(one.letters))
    # One is a part of the other, which says no more, and denies no more.
    is_same = some.letters in more.letters and some[2:] == more[2:]
    if is_same or candidate.is_written or met.retires:
        return is_same
    new, old = _words_of(candidate.content).plain, _words_of(met.old.content).plain
    if met.says_the_same and sorted(_FIGURE.findall(new)) == sorted(_FIGURE.findall(old)):
        return True
    return new in old and re.search(rf"(?<!\w){re.escape(new)}(?!\w)", old) is not None


class _Words(NamedTuple):
    """A text as it is compared, its words without what is between them, terms and denials."""

    plain: str
    letters: str
    terms: tuple[str, ...]
    denials: int


@lru_cache(4_096)
def _words_of(text: str) -> _Words:
    plain = normalise(text)
    letters = "".join(_WORD.findall(plain))
    return _Words(plain, letters, query_tokens(text).terms, len(DENIED.findall(plain)))


def _denies(candidate: Candidate, met: Met) -> bool:
    """Whether one says just what the other denies."""
    if met.relation is None or not (met.theirs or met.relation.may_retire):
        return False
    new, old = _words_of(candidate.content), _words_of(met.old.content)
    return new.denials != old.denials and new.terms == old.terms


def _outweighs(old: AtomicMemoryRecord, new: Candidate) -> bool:
    stated = old.source == "user_stated" and new.source == "inferred"
    return stated or old.importance - new.importance >= _MUCH_MORE_IMPORTANT
