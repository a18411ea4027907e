"""What a person says in a message, by sentence and clause, without code, quotations, pasted texts.

Source: decisions 4 (what is not the user's own is never extracted).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from chatmem.text.clean import clean_text
from chatmem.text.normalise import simplify
from chatmem.text.sentences import sentences
from chatmem.text.wordlist import listed

LOOKED_AT_CHARS: Final = 4_000
"""A message is looked at up to here; what is longer is a document that somebody pasted."""

_CODE: Final = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.DOTALL)
_INLINE_CODE: Final = re.compile(r"`[^`\n]*`")
_QUOTED_LINE: Final = re.compile(
    r"^[ \t]*(?:>|\||at\s+\w+.*\(|Traceback\b|File \").*$", re.MULTILINE
)
_ADDRESS: Final = re.compile(r"https?://\S+|(?<!\S)\S[^\s@]*@\S+\.\w+")
_QUOTE: Final = re.compile(
    r"\"([^\"\n]{0,400})\"|“([^“”\n]{0,400})”|「([^「」\n]{0,400})」|『([^『』\n]{0,400})』"
    r"|《([^《》\n]{0,400})》|(?<!\w)'([^'\n]{0,400})'(?!\w)"
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

# A comma inside a number (1,000) parts nothing.
_BREAK: Final = re.compile(
    r"[，：；]|[,:](?=\s|[\u4e00-\u9fff])|\s[-–—]{1,3}\s|——|\s(?=but\s)"
    r"|(?<=[\u4e00-\u9fff]) +(?=[\u4e00-\u9fff])"
    r"|(?<=[\u4e00-\u9fff]{4})(?=所以|因为我|但我|可我|但是我|而且我)"
)
_NO_ITEM: Final = frozenset(
    listed(
        """
        i i'm i've i'd we you he she it they but so because please can could is are was my
        then which who especially though also since maybe btw what how when if not
        """
    )
)
_ITEM_WORDS: Final = 4
_LONGEST_SENTENCE: Final = 500
"""Longer ones are no sentences: tables, logs, text that somebody pasted."""
_ASKS_EN: Final = re.compile(
    r"^\W*(?:(?:and|so|but|or|also|ok|okay|well|hey|hi|then|wait|hmm|uh|um)\W+)*(?:what|which|who"
    r"|whom|whose|when|where|why|how|is|are|was|were|am|do|does|did|has|have i|have you|have we"
    r"|have they|had|should|shall|may|might|will i|will it|will they|would it|isn't|aren't"
    r"|don't (?:you|i|we|they)|didn't|doesn't|won't|any idea|do you|did i|guess|remind me"
    r"|tell me)\b"
)
_WH_EN: Final = re.compile(
    r"\b(?:what|which|who|whom|whose|where|why|how (?:much|many|long|far|old|often|do|can|to"
    r"|should))\b"
)
_ASKS_ZH: Final = re.compile(
    r"为什么|为啥|(?<!没)(?<!没有)(?:什么|啥)(?!都|也|的$)|(?<!不)咋|.{2}[不没][?？]?$|多少|哪|谁"
    r"|(?<!不)(?<!没)怎么|怎样|如何|几[点号个天月年岁次位人时]|为何|何时|何地|多[久大长远高]|是不是"
    r"|有没有|是否|会不会|能不能|要不要|该不该|可不可以|好不好|对不对|行不行|还是.*[?？]"
    r"|[吗么][?？。!！~\s]*$|呢[?？]$|记得吗"
)
_REQUEST_ZH: Final = re.compile(
    r"^\W*+(?:你|您)?(?:能不能|能否|可不可以|可以|能|请|麻烦|帮|是否可以|可否|劳驾).*?(?:帮|给|替"
    r"|为|回答|回复|叫我|称呼我|跟我|说话|讲解|解释)"
)
_POLITE: Final = re.compile(
    r"^\W*(?:(?:and|so|but|hi|hey|hello|ok|okay|also|please)\W+)*"
    r"(?:can|could|would|will) (?:you|we|u|i (?:get|have|ask))\b"
)
_CLOSING: Final = "\"'”’)） "
_QUESTION_MARKS: Final = ("?", "？")
_TOLD_TO_IT: Final = re.compile(
    r"^\W*(?:you(?:'re| are| will| must| should)\b|[你您](?:是|现在是|需要|应该|要|的任务))"
)
"""What a clause says of the assistant is nothing about the writer."""
_SUPPOSED: Final = re.compile(
    r"\b(?:if|suppose|supposing|imagine|pretend|hypothetically|what if|let's say|lets say|say i"
    r"|i wish|as if|as though|unless|assuming|in case|would have|could have|act as|for example"
    r"|for instance|e\.g)\b|如果|假如|假设|要是|倘若|若是|假装|扮演|想象|万一|比如|例如|譬如"
    r"|打个比方|梦见|梦到"
)
_REPORTED: Final = re.compile(
    r"\b(?:he|she|they|who|someone|somebody|people|wife|husband|mom|mum|mother|dad|father|sister"
    r"|brother|friend|boss|colleague|teacher|doctor|neighbou?r|character|novel|story|book|article"
    r"|[a-z]+'s)\s+(?:\w+\s)?(?:says?|said|tells?|told|asks?|asked|thinks?|claims?|wrote|writes"
    r"|replied|texted)\b|(?:他|她|他们|她们|老师|老板|朋友|同事|妈|爸|医生|邻居|客户|人|书里|文章"
    r"|小说|主角|有人|对方)[^，。我]{0,4}(?:说|问|告诉|写道|觉得|认为|回复)"
)
_NOT: Final = re.compile(
    r"\b(?:not|no|never|none|cannot|without|neither|nor|hardly|instead of|rather than|no longer)\b"
    r"|n't\b|n’t\b|不(?!过|错|但|仅|久|同)|没|别(?!的|人|墅)|勿|未|无需|并非|非得不"
)


@dataclass(frozen=True, slots=True)
class OwnWords:
    """What is left of a message, its sentences, and each of them `plain`, with equal offsets.

    Plain is lower case and Simplified.
    """

    text: str
    sentences: tuple[str, ...]
    plain: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Clause:
    """A part of a sentence between commas: as said, and plain.

    `stated` is False in a question, a supposition or somebody else's words.
    """

    text: str
    plain: str
    stated: bool

    def denied_before(self, offset: int) -> bool:
        """True if a negation stands in the clause before `offset`."""
        return _NOT.search(self.plain, 0, offset) is not None


@lru_cache(maxsize=16)
def own_words(message: str) -> OwnWords:
    """What the writer says in `message`; everything empty where nothing is."""
    text = spoken_text(message)
    said = tuple(sentences(text))
    return OwnWords(text, said, tuple(map(_plain, said)))


def spoken_text(message: str, *, quotations: bool = False) -> str:
    """`message` without code, quoted lines, addresses and Markdown signs.

    Without `quotations` longer quotations and texts given to be worked on go as well.
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


def clauses(own: OwnWords) -> Iterator[Clause]:
    """Every clause of what a person says, in order."""
    for sentence, plain in zip(own.sentences, own.plain, strict=True):
        if len(plain) > _LONGEST_SENTENCE:
            continue
        earnest = _SUPPOSED.search(plain) is None and _REPORTED.search(plain) is None
        polite = _POLITE.search(plain) is not None  # a question in form, an order in fact
        for start, end in _parts(plain):
            part = plain[start:end]
            asked = not earnest or _is_question(part, polite=polite)
            yield Clause(sentence[start:end], part, not asked and not _TOLD_TO_IT.search(part))


def _parts(plain: str) -> Iterator[tuple[int, int]]:
    start = 0
    marks = list(_BREAK.finditer(plain))
    in_lists = _list_commas(plain, [mark.start() for mark in marks if mark[0] == ","])
    for first, end in (mark.span() for mark in marks if mark.start() not in in_lists):
        if first > start:
            yield start, first
        start = end
    if start < len(plain):
        yield start, len(plain)


def _list_commas(plain: str, commas: list[int]) -> frozenset[int]:
    """Where the commas of a list are (`hiking, chess, and film`), which part no clauses.

    A list ends its sentence, with `and` or `or` before or in its last item; items are short and
    have neither figures nor words that begin a clause.
    """
    found: list[int] = []
    end = len(plain)
    for place in reversed(commas):
        words = plain[place + 1 : end].rstrip(".!\"'” ").split()
        if not found:
            if "and" not in words and "or" not in words:
                break
            words = [word for word in words if word not in ("and", "or")]
            most = 2 * _ITEM_WORDS
        else:
            most = _ITEM_WORDS
        if not 0 < len(words) <= most or not _NO_ITEM.isdisjoint(words):
            break
        if any(character.isdigit() for character in plain[place:end]):
            break
        found.append(place)
        end = place
    return frozenset(found)


def _is_question(plain: str, *, polite: bool) -> bool:
    if _ASKS_EN.search(plain):
        return True
    if _REQUEST_ZH.search(plain):
        return False
    if _ASKS_ZH.search(plain):
        return True
    if plain.rstrip(_CLOSING)[-1:] not in _QUESTION_MARKS:
        return False
    return not polite or _WH_EN.search(plain) is not None
