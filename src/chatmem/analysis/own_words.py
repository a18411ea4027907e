"""What a person says in a message: not the code, quotations and texts that stand in it.

Source: decisions 4 (what is not the user's own is never extracted).
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from chatmem.text.clean import clean_text
from chatmem.text.normalise import simplify
from chatmem.text.sentences import sentences

LOOKED_AT_CHARS: Final = 4_000
"""A message is looked at up to here; what is longer is a document that somebody pasted."""

_CODE: Final = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.DOTALL)
_INLINE_CODE: Final = re.compile(r"`[^`\n]*`")
_QUOTED_LINE: Final = re.compile(
    r"^[ \t]*(?:>|\||at\s+\w+.*\(|Traceback\b|File \").*$", re.MULTILINE
)
_ADDRESS: Final = re.compile(r"https?://\S+|(?<!\S)\S[^\s@]*@\S+\.\w+")
_QUOTE: Final = re.compile(
    r"\"([^\"\n]{0,400})\"|“([^“”\n]{0,400})”|「([^「」\n]{0,400})」|『([^『』\n]{0,400})』|《"
    r"([^《》\n]{0,400})》"
    r"|(?<!\w)'([^'\n]{0,400})'(?!\w)"
)
_MARKUP: Final = re.compile(
    r"^[ \t]*(?:#{1,6}[ \t]+|[-*+][ \t]+|\d{1,2}[.)][ \t]+)|\*\*|__", re.MULTILINE
)
# A short quotation is a name (`call me "Sam"`), a long one is somebody's sentence.
_LONGEST_NAME_CHARS: Final = 16
_LONGEST_NAME_WORDS: Final = 2
_SENTENCE_ZH: Final = re.compile(r"[我俺你您他她，。！？]")
# Who wants a text translated or mended says nothing about himself in that text.
_WORK_ON_TEXT: Final = re.compile(
    r"\b(?:translat\w*|proofread\w*|rewrit\w*|rephras\w*|paraphras\w*|summari[sz]e\w*|polish"
    r"|correct|edit|improve|grammar|role-?play\w*|pretend)\b"
    r"|翻译|润色|改写|校对|改错|总结|概括|仿写|续写|扮演|语法|造句|例句",
    re.IGNORECASE,
)
_GIVEN_TEXT: Final = re.compile(r"[:：\n]")


@dataclass(frozen=True, slots=True)
class OwnWords:
    """A message as it concerns its writer.

    `text` is what is left of it; `sentences` the same, cut; `plain` each of them lower-cased and in
    Simplified characters, to be looked through: offsets agree with `sentences`.
    """

    text: str
    sentences: tuple[str, ...]
    plain: tuple[str, ...]


@lru_cache(maxsize=16)
def own_words(message: str) -> OwnWords:
    """What the writer says in `message`; everything empty where nothing is.

    The last few are kept: a message is read for its turn and for the profile.
    """
    text = spoken_text(message)
    said = tuple(sentences(text))
    return OwnWords(text, said, tuple(map(_plain, said)))


def spoken_text(message: str, *, quotations: bool = False) -> str:
    """`message` without code, quoted lines, addresses and Markdown signs.

    Longer quotations and texts given to be worked on go as well, unless `quotations` is set.
    """
    text = clean_text(message[:LOOKED_AT_CHARS])
    if "`" in text or "~~~" in text:
        text = _INLINE_CODE.sub(" ", _CODE.sub("\n", text))
    if "\n" in text or text[:1] in ">|":
        text = _QUOTED_LINE.sub("", text)
    if "://" in text or "@" in text:
        text = _ADDRESS.sub(" ", text)
    if not quotations:
        if _WORK_ON_TEXT.search(text) and (given := _GIVEN_TEXT.search(text)):
            text = text[: given.start()]
        text = _QUOTE.sub(_name_or_nothing, text)
    return _MARKUP.sub("", text).strip()


def _name_or_nothing(quote: re.Match[str]) -> str:
    said = next((part for part in quote.groups() if part is not None), "")
    short = len(said) <= _LONGEST_NAME_CHARS and len(said.split()) <= _LONGEST_NAME_WORDS
    return said if short and not _SENTENCE_ZH.search(said) else " "


def _plain(sentence: str) -> str:
    """Lower case and Simplified, of the same length, or only lower case where that cannot be."""
    lower = sentence.lower() if len(sentence.lower()) == len(sentence) else sentence
    if lower.isascii():
        return lower
    simple = simplify(lower)
    return simple if len(simple) == len(lower) else lower
