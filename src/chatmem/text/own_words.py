"""What a person says in a message, by sentence and clause, and what in it is not its writer's own.

That is told by where it came from, not by what it says: code; quoted lines, tables and tracebacks;
quotations; elements of markup with what they hold; what somebody else is made to say (`assistant:
...`), to the end; and a text given to be worked on.

Source: decisions 4 (what is not the user's own is never extracted).
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple, get_args

from chatmem.model import Role
from chatmem.text.clean import clean_text
from chatmem.text.languages import any_of, expression
from chatmem.text.normalise import fold
from chatmem.text.segment import sentences

_CODE: Final = expression(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.DOTALL)
_INLINE_CODE: Final = expression(r"`[^`\n]*`")
_QUOTED_LINE: Final = expression(
    r"^[ \t]*(?:>|\||at\s+\w+.*\(|Traceback\b|File \").*$", re.MULTILINE
)
_QUOTE: Final = expression(
    r"\"[^\"\n]{17,400}\"|“[^“”\n]{17,400}”|「[^「」\n]{17,400}」|『[^『』\n]{17,400}』"
    r"|《[^《》\n]{17,400}》|(?<!\w)'[^'\n]{17,400}'(?!\w)"
)
"""A short quotation is a name (`call me "Sam"`), a long one is somebody's sentence."""
_QUOTED_SENTENCE: Final = expression(
    r"\"[^\"\n]{4,16}[.!?。！？]\"|“[^“”\n]{4,16}[.!?。！？]”|「[^「」\n]{4,16}[.!?。！？]」"
)
"""So is a short one that is a whole sentence."""
_LONG_INLINE_CODE: Final = expression(r"`[^`\n]{17,400}`")
_TAG: Final = expression(r"<(/?)([A-Za-z][\w.:-]{0,40})(?:\s[^<>\n]{0,400})?>")
_OTHER_SPEAKER: Final = expression(
    rf"^[ \t]*(?:<\|[^|\n]{{1,40}}\|>|\W{{0,4}}(?:{'|'.join(get_args(Role))})\W{{0,3}}[:：])",
    re.MULTILINE | re.IGNORECASE,
)
_GIVEN_TEXT: Final = expression(r"[:：\n]")
_GIVEN_BEFORE: Final = expression(r"[:：][ \t]*\n")
_WORK_ON_TEXT: Final = expression(any_of(lambda one: one.clauses.work_on_text), re.IGNORECASE)
"""Who wants a text translated or mended says nothing about himself in that text."""
LOOKED_AT_CHARS: Final = 4_000
"""A message is looked at up to here; what is longer is a document that somebody pasted."""
_ADDRESS: Final = expression(r"https?://\S+|(?<!\S)\S[^\s@]*@\S+\.\w+")
_MARKUP: Final = expression(
    r"^[ \t]*(?:#{1,6}[ \t]+|[-*+][ \t]+|\d{1,2}[.)][ \t]+)|\*\*|__", re.MULTILINE
)
BREAK: Final = expression(
    any_of(lambda one: one.clauses.breaks, r"[，：；;]|[,:](?=\s)|\s[-–—]{1,3}\s|——")
)
"""Parts a sentence; a comma inside a number (1,000) parts nothing."""
_LONGEST_SENTENCE: Final = 500
"""Longer ones are no sentences: tables, logs, text that somebody pasted."""
_REQUESTS: Final = expression(any_of(lambda one: one.clauses.requests))
_ASKS: Final = expression(any_of(lambda one: one.asking))
_CLOSING: Final = "\"'”’)） "
_QUESTION_MARKS: Final = ("?", "？")
_TELLS_ASSISTANT: Final = expression(rf"^\W*(?:{any_of(lambda one: one.clauses.tells_assistant)})")
"""What a clause says of the assistant is nothing about the writer."""
_SUPPOSED: Final = expression(any_of(lambda one: one.clauses.supposed))
DENIED: Final = expression(any_of(lambda one: one.clauses.denied))
"""Stands in a clause before what is denied."""


def _without_given(text: str) -> str:
    """The text up to where one that is to be worked on begins."""
    work = _WORK_ON_TEXT.search(text)
    given = work and (_GIVEN_TEXT.search(text, work.end()) or _GIVEN_BEFORE.search(text))
    return text[: given.start()] if given else text


def own_words(message: str) -> str:
    """What is left of a message without what is quoted, pasted or given in it; linear in time."""
    text = _CODE.sub("\n", message)
    if "<" in text:
        text = "\n".join(_outside_elements(text))
    if (other := _OTHER_SPEAKER.search(text)) is not None:
        text = text[: other.start()]
    text = _QUOTED_LINE.sub("", _without_given(text))
    for quoted in (_LONG_INLINE_CODE, _QUOTE, _QUOTED_SENTENCE):
        text = quoted.sub(" ", text)
    return text.strip()


def _outside_elements(text: str) -> Iterator[str]:
    """The stretches around elements that are closed: `<page>...</page>`."""
    tags = list(_TAG.finditer(text))
    last_end = {tag[2].lower(): tag.end() for tag in tags if tag[1]}
    position = 0
    for tag in tags:
        end = last_end.get(tag[2].lower(), 0)
        if not tag[1] and position <= tag.start() < end:
            yield text[position : tag.start()]
            position = end
    yield text[position:]


class Clause(NamedTuple):
    """A part of a sentence between commas: as said, and plain, with equal offsets.

    Plain is lower case and Simplified. `stated` is False in a question, a supposition or somebody
    else's words.
    """

    text: str
    plain: str
    stated: bool


def spoken_text(message: str, *, quotations: bool = False) -> str:
    """`message` without code, quoted lines, addresses and Markdown signs.

    Without `quotations` longer quotations and texts given to be worked on go as well.
    """
    text = clean_text(message[:LOOKED_AT_CHARS])
    text = _INLINE_CODE.sub(" ", _CODE.sub("\n", text))
    if "\n" in text or text[:1] in ">|":
        text = _QUOTED_LINE.sub("", text)
    text = _ADDRESS.sub(" ", text)
    if not quotations:
        text = _QUOTE.sub(" ", _without_given(text))
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
