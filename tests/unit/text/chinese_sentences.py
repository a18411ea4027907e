"""Sentences of our own, each with a Chinese word that a search must find in it.

Simplified and Traditional side by side; words of one, two, and three or more characters. "Chinese
keyword search: 100 % found" is measured on all of them, each script asked in both scripts.
"""

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple


class Example(NamedTuple):
    """A sentence and a word of it, in both scripts."""

    simplified: str
    traditional: str
    word_simplified: str
    word_traditional: str

    def pairs(self) -> Iterator[tuple[str, str]]:
        """Each sentence with each spelling of the word: four pairs, or fewer where they agree."""
        yield from dict.fromkeys(
            (sentence, word)
            for sentence in (self.simplified, self.traditional)
            for word in (self.word_simplified, self.word_traditional)
        )


TABLE = Path(__file__).parents[2] / "data" / "chinese_sentences.csv"
with TABLE.open(encoding="utf-8", newline="") as lines:
    EXAMPLES = tuple(Example(**row) for row in csv.DictReader(lines))
TWO_CHARACTERS = tuple(one for one in EXAMPLES if len(one.word_simplified) == 2)
THREE_AND_MORE = tuple(one for one in EXAMPLES if len(one.word_simplified) > 2)
