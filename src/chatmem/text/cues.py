"""Cues: which kind of memory a message speaks of, and (from `flags`) what it offers or asks for.

Words are looked up in sets, phrases as pairs of neighbouring words or with `in`: a message of 100
characters costs a few microseconds.
"""

import re
from collections.abc import Mapping
from itertools import pairwise, product
from typing import Final

from chatmem.model import Category
from chatmem.text.flags import TextFlags, asks_for, has_any, text_flags
from chatmem.text.normalise import has_han, normalise
from chatmem.text.wordlist import listed, word_lists

__all__ = ["TextFlags", "asks_for", "detect_categories", "text_flags"]

_WORD: Final = re.compile(r"[a-z0-9]+(?:'[a-z]+)?")
_WORDS: Final = word_lists("chatmem.text", "cues")
_ADVERBS: Final = frozenset(_WORDS["any"]["adverbs"])
"""Left out before pairs are looked up: "I really like", "I also usually work"."""
_PEOPLE: Final = listed("i you we they he she who")

# "like" counts after the one who likes, not in "it looks like rain" or "I would like a table".
_PREFERENCE_PAIRS: Final = frozenset(
    [
        *product(
            [*_PEOPLE, *listed("do does did don't doesn't didn't dont not")], ["like", "liked"]
        ),
        *[("fan", "of"), ("keen", "on"), ("can't", "stand"), ("into", "it"), ("would", "rather")],
        *[("i'd", "rather"), ("interested", "in"), ("rather", "not")],
    ]
)
_FACT_PAIRS: Final = frozenset(
    [
        *product(_PEOPLE, listed("live lived work worked study studied own grew moved speak")),
        *product(["he", "she", "who"], listed("lives works studies owns speaks")),
        *product(["am", "i'm"], listed("a an from the based allergic called named")),
        *product(["i", "we", "i've"], ["have", "had", "got"]),
        *product(["my", "our"], _WORDS["fact"]["related"]),
        *[("years", "old"), ("how", "old"), ("call", "me"), ("am", "i")],
    ]
)
_PATTERN_PAIRS: Final = frozenset(
    [
        *product(["every", "each"], _WORDS["pattern"]["times"]),
        *[("tend", "to"), ("tends", "to"), ("used", "to"), ("most", "days"), ("how", "often")],
        *product(["once", "twice", "times"], ["a", "per"]),
    ]
)
_PAIRS: Final[Mapping[Category, frozenset[tuple[str, str]]]] = {
    "preference": _PREFERENCE_PAIRS,
    "fact": _FACT_PAIRS,
    "pattern": _PATTERN_PAIRS,
}
_CUES: Final = tuple(
    (category, frozenset(_WORDS[category]["words"]), pairs, _WORDS[category]["phrases_zh"])
    for category, pairs in _PAIRS.items()
)


def detect_categories(message: str) -> frozenset[Category]:
    """The categories whose cues `message` has; a question about a preference has its cue too.

    Source: S3.3.2.
    """
    text = normalise(message)
    found = _WORD.findall(text.replace("’", "'"))
    spoken = set(found)
    heads = [word for word in found if word not in _ADVERBS]
    pairs = set(pairwise(heads))
    chinese = has_han(text)
    return frozenset(
        category
        for category, cue_words, cue_pairs, phrases in _CUES
        if not cue_words.isdisjoint(spoken)
        or not cue_pairs.isdisjoint(pairs)
        or (chinese and has_any(text, phrases))
    )
