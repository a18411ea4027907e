"""What English words tell of a text: its category, what it offers and asks for, how one feels."""

import re
from itertools import chain, pairwise, product
from typing import Final, TypeAlias

from chatmem.model import CATEGORIES, Category
from chatmem.text.languages.language import OPPOSITE_FEELING, Cues, TextFlags
from chatmem.text.wordlist import word_lists

WORDS: Final = word_lists("chatmem.text.languages.en", "words")

_WORD: Final = re.compile(r"[a-z0-9]+(?:'[a-z]+)?")
_LETTERS: Final = re.compile(r"[a-z]+")
_ADVERBS: Final = frozenset(WORDS["adverbs"]["words"])
_Pairs: TypeAlias = frozenset[tuple[str, str]]


def _pairs(table: str) -> _Pairs:
    """Pairs of neighbouring words: of `i|you like|liked` four."""
    written = (pair.split() for pair in WORDS[table]["pairs"])
    return frozenset(chain(*(product(one.split("|"), two.split("|")) for one, two in written)))


_CATEGORIES: Final = {
    category: (frozenset(WORDS[category]["words"]), _pairs(category)) for category in CATEGORIES
}


def _categories(normal: str) -> set[Category]:
    found = _WORD.findall(normal.replace("’", "'"))
    pairs = set(pairwise(word for word in found if word not in _ADVERBS))
    return {
        category
        for category, (cue_words, cue_pairs) in _CATEGORIES.items()
        if not cue_words.isdisjoint(found) or not cue_pairs.isdisjoint(pairs)
    }


_TIME_WORDS: Final = frozenset(WORDS["time"]["words"])
_TIME_PAIRS: Final = _pairs("time")
_TIME_DIGITS: Final = re.compile(
    r"[0-9]{1,2}(?:\s?[ap]\.?m\b|(?:st|nd|rd|th)\b)|(?:march|may)\s[0-9]|[0-9]\s(?:march|may)\b"
)
_NUMBER_WORDS: Final = frozenset(WORDS["number"]["words"])


def _text_flags(normal: str) -> int:
    spoken = _LETTERS.findall(normal)
    found = 0
    if (
        not _TIME_WORDS.isdisjoint(spoken)
        or not _TIME_PAIRS.isdisjoint(pairwise(spoken))
        or _TIME_DIGITS.search(normal)
    ):
        found |= TextFlags.TIME.value
    if not _NUMBER_WORDS.isdisjoint(spoken):
        found |= TextFlags.NUMBER.value
    return found


_ASKS: Final = {
    TextFlags.TIME.value: re.compile(
        r"\bwhen(?:'s|\s+(?:did|do|does|is|was|are|were|will|would|should|can|could|has|have|had))"
        r"\b|^\W*when\b|\b(?:what|which)\s+(?:day|date|time|year|month|week|season)\b"
        r"|\bwhat's the date\b|\bhow (?:long|often|recently|soon)\b"
    ),
    TextFlags.NUMBER.value: re.compile(r"\bhow (?:many|much|old|long|tall|far|big|heavy)\b"),
}


def _asks_for(normal: str) -> int:
    return sum(flag for flag, pattern in _ASKS.items() if pattern.search(normal))


def _by_cue(table: str) -> dict[str, str]:
    return {cue: emotion for emotion, cues in WORDS[table].items() for cue in cues}


_FEELINGS: Final = _by_cue("feelings")
_EXCLAIMED: Final = _by_cue("exclaimed")
_PHRASES: Final = _by_cue("phrases")
_CLAUSE_WORD: Final = re.compile(r"[a-z]+(?:'[a-z]+)?")
_SELF: Final = frozenset(["i", "i'm", "im", "i've", "i'd", "me", "myself", "we", "we're"])
_ARTICLES: Final = frozenset({"a", "an", "the", "some", "any", "many"})
_BEFORE_A_FEELING: Final = frozenset(WORDS["denied"]["before_a_feeling"])
_NOT: Final = frozenset(WORDS["denied"]["words"])
_NOT_BEFORE: Final = 3


def _feelings(clause: str) -> list[str]:
    words = _CLAUSE_WORD.findall(clause)
    if not words:
        return []
    found = [emotion for phrase, emotion in _PHRASES.items() if phrase in clause]
    for place, word in enumerate(words):
        if (strong := _EXCLAIMED.get(word)) is not None:
            found.append(strong)
        elif (emotion := _FEELINGS.get(word)) is not None and _is_own(words[:place]):
            denied = not _NOT.isdisjoint(words[max(0, place - _NOT_BEFORE) : place])
            if (felt := OPPOSITE_FEELING.get(emotion) if denied else emotion) is not None:
                found.append(felt)
    return found


def _is_own(before: list[str]) -> bool:
    """True where the feeling is the writer's: `I am so worried`, or a mere `so worried`."""
    if before and before[-1] in _ARTICLES:
        return False  # an angry customer
    return not _SELF.isdisjoint(before) or _BEFORE_A_FEELING.issuperset(before)


CUES: Final = Cues(
    categories=_categories,
    text_flags=_text_flags,
    asks_for=_asks_for,
    feelings=_feelings,
    feeling_clauses=r"(?<![^\S\n])\s{1,64}but\s+",
    politeness=(
        r"(?i:(?:so |very )?(?:glad|happy|pleased|delighted) to (?:meet|see|hear|help|chat)|happy "
        r"(?:birthday|new year|holidays?|hour)|afraid (?:that|so|not|i )|mad max)"
    ),
    counted="people|dollars|euros",
)
