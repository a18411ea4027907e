"""What becomes of something new beside what is known: one verdict, and its reason.

Newer wins, and the older one stays readable for "as of". Both stay and are marked where the person
said the old one and the new one is inferred, where the old one matters more by two steps, or where
somebody wrote it down without a key: it is theirs to take back. A memory retires another one of the
same key, or of the same attribute and person where the reader is sure; nearness or time alone is no
reason. Whoever writes is settled so: extraction, tools, applications, imports.

How a statement bears on an older one is told by a small network over attribute, subject, value and
meaning of both, learned from pairs of statements (`training/pairs`). Nearness in meaning is one
feature among others; that only a statement of the same attribute and person may retire another is a
rule, not learned.

Source: decisions 4; S4.3.2 (conflict resolution); `next/reader.md`.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache, lru_cache
from typing import Final, Literal, NamedTuple, TypeAlias

import numpy as np

from chatmem.extraction.extractor import Candidate
from chatmem.extraction.reader.labels import (
    ATTRIBUTES,
    ATTRIBUTES_BY_KEY,
    BEARINGS,
    NO_ATTRIBUTE,
    SELF,
    STANDINGS,
    SUBJECTS,
)
from chatmem.extraction.reader.network import Floats, read_weights, softmax, weights_of
from chatmem.extraction.reader.reading import Statement
from chatmem.extraction.reader.tokens import fold, one_thread, tokens_of
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
LEAST_COMMON: Final = {"attribute": 0.1, "subject": 0.4}
"""Common likelihood, in [0, 1], below which one statement retires no other, whatever is learned."""
_SINGLE: Final = np.array([ATTRIBUTES_BY_KEY[one].single for one in ATTRIBUTES], np.float32)
_ONLY_ONES: Final = [
    SUBJECTS.index(one)
    for one in (SELF, "wife", "husband", "partner", "mother", "father", "parents", "family")
]
_CHANGES: Final = [STANDINGS.index(one) for one in ("began", "ended", "corrected", "denied")]
_COMMON: Final = [0, 2]
"""Where these stand in the features."""
LEAST_REASON: Final = 0.2
LEAST_REASON_OF_ANOTHER: Final = 0.5
_MOST_TEXTS: Final = 4_096


@dataclass(frozen=True, slots=True)
class Relation:
    """How likely each bearing is, in [0, 1], together 1; whether it may retire the older one."""

    replaces: float
    ends: float
    same: float
    independent: float
    may_retire: bool


def relations(new: Statement, olds: Sequence[Statement]) -> list[Relation]:
    """How the newer statement bears on each of the older ones.

    Raises:
        ReaderWeightsError: the weights are missing or damaged.
    """
    if not olds:
        return []
    hidden, bias, out, out_bias = _learned()
    rows = features(new, olds)
    with one_thread():
        seen = np.maximum(rows @ hidden + bias, 0).reshape(len(olds), len(out), -1)
        scores = np.einsum("okh,khb->okb", seen, out) + out_bias
    shares = softmax(scores, axis=2).mean(axis=1).tolist()
    common = np.all(rows[:, _COMMON] >= [*LEAST_COMMON.values()], axis=1)
    return [
        Relation(
            **dict(zip(BEARINGS, likely, strict=True)), may_retire=alike and _may_retire(new, old)
        )
        for likely, alike, old in zip(shares, common.tolist(), olds, strict=True)
    ]


@cache
def _learned() -> tuple[Floats, Floats, Floats, Floats]:
    """The weights of all networks, side by side: of the features, and of what is made of them."""
    weights = read_weights()
    count = int(weights["relation/count"][()])
    of = [weights_of(f"relation/{number}/", weights) for number in range(count)]
    hidden = np.concatenate([one["hidden"] / one["spread"][:, None] for one in of], axis=1)
    means = [one["mean"] / one["spread"] @ one["hidden"] for one in of]
    bias = np.concatenate([one["hidden_bias"] - mean for one, mean in zip(of, means, strict=True)])
    out, out_bias = (np.stack([one[name] for one in of]) for name in ("out", "out_bias"))
    return hidden, bias, out, out_bias


def _may_retire(new: Statement, old: Statement) -> bool:
    """Of two that have enough likelihood of attribute and subject in common."""
    if NO_ATTRIBUTE in (new.attribute, old.attribute):
        return False
    # Of most attributes a person has several values: another one stands beside the first, unless
    # it is said that something has changed, or the same thing is spoken of.
    has_one_value = float((_SINGLE * np.minimum(new.attributes, old.attributes)).sum())
    has_changed = float(new.standings[_CHANGES].sum())
    same_thing = _share(_parts(old.value or "") & _parts(new.text), _parts(old.value or ""))
    # Of sons, friends or cats there may be several: another one is no change.
    is_the_only_one = float(np.minimum(new.subjects, old.subjects)[_ONLY_ONES].sum())
    if is_the_only_one < LEAST_COMMON["subject"]:
        return max(has_changed, same_thing) >= LEAST_REASON_OF_ANOTHER
    return max(has_one_value, has_changed, same_thing) >= LEAST_REASON


def features(new: Statement, olds: Sequence[Statement]) -> Floats:
    """The features of a pair, one a row: scalars, then likelihoods and vectors of both."""
    named = ("attributes", "subjects", "standings", "vector", "value_vector")
    attributes, subjects, standings, vectors, values = (
        np.array([getattr(old, name) for old in olds]) for name in named
    )
    in_common = np.minimum(new.attributes, attributes)
    *words, length, length_before = np.array([_shared_words(new, old) for old in olds]).T
    numbers = [
        in_common.sum(axis=1),
        attributes @ new.attributes,
        np.minimum(new.subjects, subjects).sum(axis=1),
        subjects[:, 0] * new.subjects[0],
        vectors @ new.vector,
        values @ new.value_vector,
        values @ new.vector,
        vectors @ new.value_vector,
        *words,
        np.full(len(olds), _SINGLE @ new.attributes),
        attributes @ _SINGLE,
        in_common @ _SINGLE,
        np.log1p(length) / 4,
        np.log1p(length_before) / 4,
    ]
    parts = [
        np.stack(numbers, axis=1),
        np.tile(new.standings, (len(olds), 1)),
        standings,
        np.tile(new.attributes, (len(olds), 1)),
        new.attributes * attributes,
        new.vector * vectors * 8,
        (new.vector - vectors) * 2,
    ]
    return np.concatenate(parts, axis=1, dtype=np.float32)


def _shared_words(new: Statement, old: Statement) -> tuple[float, ...]:
    """What two statements have in common by their words, values and categories."""
    words, known = _parts(new.text), _parts(old.text)
    value, had = _parts(new.value or ""), _parts(old.value or "")
    return (
        None not in (new.value, old.value) and _plain(new.value or "") == _plain(old.value or ""),
        new.value is None,
        old.value is None,
        _share(words & known, words | known),
        _share(words & known, known),
        _share(words & known, words),
        _share(value & had, value | had),
        _share(had & words, had),
        _share(value & known, value),
        new.category == old.category,
        len(words),
        len(known),
    )


@lru_cache(_MOST_TEXTS)
def _parts(text: str) -> frozenset[str]:
    """Characters of Chinese, and beginnings of words, so that forms of one word are one."""
    folded = fold(text).lower()
    places = tokens_of(folded).places.tolist()
    words = (folded[start:end] for start, end in places)
    return frozenset(word[:5] for word in words if word[0].isalnum())


def _share(some: frozenset[str], of: frozenset[str]) -> float:
    return len(some) / len(of) if of else 0.0


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
        _plain(one) if isinstance(one, str) else one for one in (candidate.value, old.value)
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


_plain = lru_cache(_MOST_TEXTS)(normalise)


class _Words(NamedTuple):
    """A text as it is compared, its words without what is between them, terms and denials."""

    plain: str
    letters: str
    terms: tuple[str, ...]
    denials: int


@lru_cache(_MOST_TEXTS)
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
