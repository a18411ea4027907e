"""Cantonese as it is written, looked through as the Mandarin of the same length."""

import re
from dataclasses import replace
from typing import Final

from chatmem.extraction.clauses import Clause

_SIGNS: Final = re.compile("[係喺嘅咗唔冇佢哋嚟嗰]|鍾意|钟意|而家|屋企|返工")
_CHARACTERS: Final = str.maketrans("係喺嘅咗唔冇佢哋嚟嗰", "是在的了不没他们来那")
_WORDS: Final = (
    ("鍾意", "喜欢"),
    ("钟意", "喜欢"),
    ("而家", "现在"),
    ("屋企", "家里"),
    ("返工", "上班"),
)


def spoken_plainly(clause: Clause) -> Clause:
    """The clause with its `plain` as Mandarin has it, of the same length; the text stays."""
    if clause.text.isascii() or not _SIGNS.search(clause.text):
        return clause
    plain = "".join(
        said.translate(_CHARACTERS) if said in "係喺嘅咗唔冇佢哋嚟嗰" else character
        for said, character in zip(clause.text, clause.plain, strict=True)
    )
    for cantonese, mandarin in _WORDS:
        plain = plain.replace(cantonese, mandarin)
    return replace(clause, plain=plain)
