"""What English words tell of a text: its category, what it offers and asks for, how one feels."""

from itertools import chain, pairwise, product
from typing import Final, TypeAlias

from chatmem.model import CATEGORIES, Category
from chatmem.text.languages.language import Cues, TextFlags, emotions, expression, word_lists

WORDS: Final = word_lists("chatmem.text.languages.en", "words")

_WORD: Final = expression(r"[a-z0-9]+(?:'[a-z]+)?")
_LETTERS: Final = expression(r"[a-z]+")
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
_TIME_DIGITS: Final = expression(
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
    TextFlags.TIME.value: expression(
        r"\bwhen(?:'s|\s+(?:did|do|does|is|was|are|were|will|would|should|can|could|has|have|had))"
        r"\b|^\W*when\b|\b(?:what|which)\s+(?:day|date|time|year|month|week|season)\b"
        r"|\bwhat's the date\b|\bhow (?:long|often|recently|soon)\b"
    ),
    TextFlags.NUMBER.value: expression(r"\bhow (?:many|much|old|long|tall|far|big|heavy)\b"),
}


def _asks_for(normal: str) -> int:
    return sum(flag for flag, pattern in _ASKS.items() if pattern.search(normal))


_BEFORE_A_FEELING: Final = "|".join(WORDS["denied"]["before_a_feeling"])
_NOT: Final = "|".join(WORDS["denied"]["words"])
CUES: Final = Cues(
    categories=_categories,
    text_flags=_text_flags,
    asks_for=_asks_for,
    feelings=emotions(WORDS["feelings"]),
    exclaimed=emotions(WORDS["exclaimed"]),
    not_own=(
        # Neither `I am so worried` nor a mere `so worried`; or an angry customer.
        r"^(?!.*\b(?:i|i'm|im|i've|i'd|me|myself|we|we're)\b)"
        rf"(?!\W*(?:(?:{_BEFORE_A_FEELING})\b\W*)*$)|\b(?:a|an|the|some|any|many) $"
    ),
    not_felt=rf"\b(?:{_NOT})\s(?:\S+\s){{0,2}}$",
    politeness=(
        r"(?:so |very )?(?:glad|happy|pleased|delighted) to (?:meet|see|hear|help|chat)|happy "
        r"(?:birthday|new year|holidays?|hour)|afraid (?:that|so|not|i )|mad max"
    ),
    counted="people|dollars|euros",
)
