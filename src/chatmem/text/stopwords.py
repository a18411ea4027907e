"""Words that say nothing about what a text is about, in English and Simplified Chinese.

All are in the form that `normalise` gives, English ones unstemmed and without apostrophes. Question
scaffolding stands apart, so that what helps a search can be chosen without editing the lists.
"""

from itertools import chain
from typing import Final

from chatmem.text.wordlist import word_lists

_WORDS: Final = word_lists("chatmem.text", "stopwords")

ENGLISH_STOP_WORDS: Final = frozenset(chain.from_iterable(_WORDS["english"].values()))
ENGLISH_QUESTION_WORDS: Final = frozenset(_WORDS["questions"]["english"])
CHINESE_STOP_WORDS: Final = frozenset(chain.from_iterable(_WORDS["chinese"].values()))
CHINESE_QUESTION_WORDS: Final = frozenset(_WORDS["questions"]["chinese"])
# Particles, pronouns, prepositions, adverbs, measure words, light verbs (写 and 用 among them,
# S3.3.1). One that is also a word worth finding (茶, 猫, 吃, 学) stays out.
STOP_CHARACTERS: Final = frozenset(chain.from_iterable(_WORDS["characters"]["chinese"]))

STOP_WORDS: Final = (
    ENGLISH_STOP_WORDS | ENGLISH_QUESTION_WORDS | CHINESE_STOP_WORDS | CHINESE_QUESTION_WORDS
)
