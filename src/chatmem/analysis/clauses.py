"""Clauses of a message, and how they are meant: questions and suppositions state nothing."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from chatmem.analysis.own_words import OwnWords
from chatmem.text.wordlist import listed

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
    r"^\W*(?:(?:and|so|but|or|also|ok|okay|well|hey|hi|then|wait|hmm|uh|um)\W+)*"
    r"(?:what|which|who|whom|whose|when|where|why|how|is|are|was|were|am|do|does|did|has|have i|"
    r"have you|have we|have they|had|should|shall|may|might|will i|will it|will they|would it"
    r"|isn't|"
    r"aren't|don't (?:you|i|we|they)|didn't|doesn't|won't|any idea|do you|did i|guess|remind me"
    r"|tell me)\b"
)
_WH_EN: Final = re.compile(
    r"\b(?:what|which|who|whom|whose|where|why|how (?:much|many|long|far|old|often|do|can|to"
    r"|should))\b"
)
_ASKS_ZH: Final = re.compile(
    r"为什么|为啥|(?<!没)(?<!没有)(?:什么|啥)(?!都|也|的$)|(?<!不)咋|.{2}[不没][?？]?$"
    r"|多少|哪|谁|(?<!不)(?<!没)怎么|怎样|如何|几[点号个天月年岁次位人时]|为何|何时|何地|多[久大长远高]"
    r"|是不是|有没有|是否|"
    r"会不会|能不能|要不要|该不该|可不可以|好不好|对不对|行不行|还是.*[?？]|[吗么][?？。!！~\s]*$"
    r"|呢[?？]$|记得吗"
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
    r"|i wish|"
    r"as if|as though|unless|assuming|in case|would have|could have|act as|for example"
    r"|for instance|e\.g)\b"
    r"|如果|假如|假设|要是|倘若|若是|假装|扮演|想象|万一|比如|例如|譬如|打个比方|梦见|梦到"
)
_REPORTED: Final = re.compile(
    r"\b(?:he|she|they|who|someone|somebody|people|wife|husband|mom|mum|mother|dad|father|sister"
    r"|brother|friend|"
    r"boss|colleague|teacher|doctor|neighbou?r|character|novel|story|book|article|[a-z]+'s)\s+"
    r"(?:\w+\s)?(?:says?|said|tells?|told|asks?|asked|thinks?|claims?|wrote|writes|replied"
    r"|texted)\b"
    r"|(?:他|她|他们|她们|老师|老板|朋友|同事|妈|爸|医生|邻居|客户|人|书里|文章|小说|主角|有人"
    r"|对方)[^，。我]{0,4}(?:说|问|告诉|写道|觉得|认为|回复)"
)
_NOT: Final = re.compile(
    r"\b(?:not|no|never|none|cannot|without|neither|nor|hardly|instead of|rather than"
    r"|no longer)\b|n't\b|n’t\b"
    r"|不(?!过|错|但|仅|久|同)|没|别(?!的|人|墅)|勿|未|无需|并非|非得不"
)


@dataclass(frozen=True, slots=True)
class Clause:
    """A part of a sentence between commas: as said, and as it is looked through.

    `stated` is True for what the writer says or orders in earnest, False in a question, a
    supposition or somebody else's words; `first` where it begins a sentence.
    """

    text: str
    plain: str
    stated: bool
    questioned: bool
    first: bool = True

    def denied_before(self, offset: int) -> bool:
        """True if a negation stands in the clause before `offset`."""
        return _NOT.search(self.plain, 0, offset) is not None


def clauses(own: OwnWords) -> Iterator[Clause]:
    """Every clause of what a person says, in order."""
    for sentence, plain in zip(own.sentences, own.plain, strict=True):
        if len(plain) > _LONGEST_SENTENCE:
            continue
        earnest = _SUPPOSED.search(plain) is None and _REPORTED.search(plain) is None
        polite = _asks_politely(plain)
        for start, end in _parts(plain):
            part = plain[start:end]
            questioned = _is_question(part, polite=polite)
            stated = earnest and not questioned and _TOLD_TO_IT.search(part) is None
            yield Clause(sentence[start:end], part, stated, questioned, start == 0)


def asks(plain: str) -> bool:
    """True if a whole sentence, lower-cased and Simplified, is a question and no request."""
    return _is_question(plain, polite=_asks_politely(plain))


def _parts(plain: str) -> Iterator[tuple[int, int]]:
    start = 0
    marks = list(_BREAK.finditer(plain))
    listed = _list_commas(plain, [mark.start() for mark in marks if mark[0] == ","])
    for mark in marks:
        if mark.start() > start and mark.start() not in listed:
            yield start, mark.start()
        if mark.start() not in listed:
            start = mark.end()
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


def _asks_politely(plain: str) -> bool:
    """True for `Could you book a table?`: asked in form, ordered in fact."""
    return _POLITE.search(plain) is not None
