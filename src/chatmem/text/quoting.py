"""What in a message is not its writer's own, told by where it came from, not by what it says.

Code; quoted lines, tables and tracebacks; quotations; elements of markup with what they hold; what
somebody else is made to say (`assistant: ...`), to the end; and a text given to be worked on.

Source: decisions 4 (what is not the user's own is never extracted).
"""

import re
from collections.abc import Iterator
from typing import Final, get_args

from chatmem.model import Role
from chatmem.text.languages import any_of

CODE: Final = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.DOTALL)
INLINE_CODE: Final = re.compile(r"`[^`\n]*`")
QUOTED_LINE: Final = re.compile(
    r"^[ \t]*(?:>|\||at\s+\w+.*\(|Traceback\b|File \").*$", re.MULTILINE
)
QUOTE: Final = re.compile(
    r"\"[^\"\n]{17,400}\"|“[^“”\n]{17,400}”|「[^「」\n]{17,400}」|『[^『』\n]{17,400}』"
    r"|《[^《》\n]{17,400}》|(?<!\w)'[^'\n]{17,400}'(?!\w)"
)
"""A short quotation is a name (`call me "Sam"`), a long one is somebody's sentence."""
_QUOTED_SENTENCE: Final = re.compile(
    r"\"[^\"\n]{4,16}[.!?。！？]\"|“[^“”\n]{4,16}[.!?。！？]”|「[^「」\n]{4,16}[.!?。！？]」"
)
"""So is a short one that is a whole sentence."""
_LONG_INLINE_CODE: Final = re.compile(r"`[^`\n]{17,400}`")
_TAG: Final = re.compile(r"<(/?)([A-Za-z][\w.:-]{0,40})(?:\s[^<>\n]{0,400})?>")
_OTHER_SPEAKER: Final = re.compile(
    rf"^[ \t]*(?:<\|[^|\n]{{1,40}}\|>|\W{{0,4}}(?:{'|'.join(get_args(Role))})\W{{0,3}}[:：])",
    re.MULTILINE | re.IGNORECASE,
)
_GIVEN_TEXT: Final = re.compile(r"[:：\n]")
_GIVEN_BEFORE: Final = re.compile(r"[:：][ \t]*\n")
_WORK_ON_TEXT: Final = re.compile(any_of(lambda one: one.clauses.work_on_text), re.IGNORECASE)
"""Who wants a text translated or mended says nothing about himself in that text."""


def without_given(text: str) -> str:
    """The text up to where one that is to be worked on begins."""
    work = _WORK_ON_TEXT.search(text)
    given = work and (_GIVEN_TEXT.search(text, work.end()) or _GIVEN_BEFORE.search(text))
    return text[: given.start()] if given else text


def own_words(message: str) -> str:
    """What is left of a message without what is quoted, pasted or given in it; linear in time."""
    text = CODE.sub("\n", message)
    if "<" in text:
        text = "\n".join(_outside_elements(text))
    if (other := _OTHER_SPEAKER.search(text)) is not None:
        text = text[: other.start()]
    text = QUOTED_LINE.sub("", without_given(text))
    for quoted in (_LONG_INLINE_CODE, QUOTE, _QUOTED_SENTENCE):
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
