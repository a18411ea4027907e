"""What a person says in a message, by sentence and clause, without code, quotations, pasted texts.

Source: decisions 4 (what is not the user's own is never extracted).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from chatmem.text.clean import clean_text
from chatmem.text.languages import any_of
from chatmem.text.normalise import fold
from chatmem.text.quoting import CODE, INLINE_CODE, QUOTE, QUOTED_LINE, without_given
from chatmem.text.segment import sentences

LOOKED_AT_CHARS: Final = 4_000
"""A message is looked at up to here; what is longer is a document that somebody pasted."""

_ADDRESS: Final = re.compile(r"https?://\S+|(?<!\S)\S[^\s@]*@\S+\.\w+")
_MARKUP: Final = re.compile(
    r"^[ \t]*(?:#{1,6}[ \t]+|[-*+][ \t]+|\d{1,2}[.)][ \t]+)|\*\*|__", re.MULTILINE
)

BREAK: Final = re.compile(
    any_of(lambda one: one.clauses.breaks, r"[，：；;]|[,:](?=\s)|\s[-–—]{1,3}\s|——")
)
"""Parts a sentence; a comma inside a number (1,000) parts nothing."""
_LONGEST_SENTENCE: Final = 500
"""Longer ones are no sentences: tables, logs, text that somebody pasted."""
_REQUESTS: Final = re.compile(any_of(lambda one: one.clauses.requests))
_ASKS: Final = re.compile(any_of(lambda one: one.asking))
_CLOSING: Final = "\"'”’)） "
_QUESTION_MARKS: Final = ("?", "？")
_TELLS_ASSISTANT: Final = re.compile(rf"^\W*(?:{any_of(lambda one: one.clauses.tells_assistant)})")
"""What a clause says of the assistant is nothing about the writer."""
_SUPPOSED: Final = re.compile(any_of(lambda one: one.clauses.supposed))
_DENIED: Final = re.compile(any_of(lambda one: one.clauses.denied))


@dataclass(frozen=True, slots=True)
class Clause:
    """A part of a sentence between commas: as said, and plain, with equal offsets.

    Plain is lower case and Simplified. `stated` is False in a question, a supposition or somebody
    else's words.
    """

    text: str
    plain: str
    stated: bool

    def denied_before(self, offset: int) -> bool:
        """True if a negation stands in the clause before `offset`."""
        return _DENIED.search(self.plain, 0, offset) is not None


def spoken_text(message: str, *, quotations: bool = False) -> str:
    """`message` without code, quoted lines, addresses and Markdown signs.

    Without `quotations` longer quotations and texts given to be worked on go as well.
    """
    text = clean_text(message[:LOOKED_AT_CHARS])
    text = INLINE_CODE.sub(" ", CODE.sub("\n", text))
    if "\n" in text or text[:1] in ">|":
        text = QUOTED_LINE.sub("", text)
    text = _ADDRESS.sub(" ", text)
    if not quotations:
        text = QUOTE.sub(" ", without_given(text))
    return _MARKUP.sub("", text).strip()


def clauses(spoken: str) -> Iterator[Clause]:
    """Every clause of what a person says, in order."""
    for sentence in sentences(spoken):
        if len(sentence) > _LONGEST_SENTENCE:
            continue
        plain = fold(sentence)
        plain = plain.lower() if len(plain.lower()) == len(plain) else plain
        earnest = _SUPPOSED.search(plain) is None
        ordered = _REQUESTS.search(plain) is not None
        for start, end in _parts(plain):
            part = plain[start:end]
            asked = not ordered and _is_question(part)
            stated = earnest and not asked and not _TELLS_ASSISTANT.search(part)
            yield Clause(sentence[start:end], part, stated)


def _parts(plain: str) -> Iterator[tuple[int, int]]:
    start = 0
    for mark in BREAK.finditer(plain):
        if mark.start() > start:
            yield start, mark.start()
        start = mark.end()
    if start < len(plain):
        yield start, len(plain)


def _is_question(plain: str) -> bool:
    return plain.rstrip(_CLOSING).endswith(_QUESTION_MARKS) or _ASKS.search(plain) is not None
