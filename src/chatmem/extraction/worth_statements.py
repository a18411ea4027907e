"""Statements: neighbouring clauses that say one thing, and how it is told by itself."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from chatmem.extraction.clauses import Clause
from chatmem.extraction.dates_said import dates_in, with_dates
from chatmem.extraction.rule_clauses_en import saying, theirs, third_person, told_of, without_lead
from chatmem.extraction.rule_clauses_zh import without_lead_zh
from chatmem.extraction.rule_frames import Fact
from chatmem.extraction.worth import SORTS, Worth
from chatmem.text.normalise import has_han

PART_OF_IT: Final = {"zh": 0.25, "en": 0.35}
"""A clause as likely as this goes with the statement beside it."""
MOST_PARTS: Final = 3
MOST_CHARS: Final = {"zh": 60, "en": 200}
FRAGMENT_CHARS: Final = {"zh": 5, "en": 0}
"""A clause as short as this stands by itself for no sort of its own."""
SURE_SORT: Final = 0.8
"""From here on a statement is of the sort learned, whatever else speaks against it."""
LEAST_ADDED: Final = 0.7
MOST_ADDED: Final = 0.85


@dataclass(frozen=True, slots=True)
class Statement:
    """Neighbouring clauses of a sentence that say one thing: their places, sort and likelihood."""

    places: tuple[int, ...]
    sort: int
    share: float
    sure: float


def statements(
    parts: Sequence[Clause], seen: Sequence[Worth], language: str
) -> Iterator[Statement]:
    """The runs of clauses that may be worth keeping."""
    run: list[int] = []
    for place, worth in enumerate(seen):
        if worth.keep < PART_OF_IT[language]:
            yield from _whole(run, seen)
            run = []
            continue
        if run and not _goes_on(run, place, parts, seen, language):
            yield from _whole(run, seen)
            run = []
        run.append(place)
    yield from _whole(run, seen)


def _goes_on(
    run: Sequence[int],
    place: int,
    parts: Sequence[Clause],
    seen: Sequence[Worth],
    language: str,
) -> bool:
    length = sum(len(parts[each].text) for each in run)
    return (
        not parts[place].first
        and len(run) < MOST_PARTS
        and length < MOST_CHARS[language]
        and (
            _sort(seen[place]) == _sort(seen[place - 1])
            or min(len(each.text) for each in parts[place - 1 : place + 1])
            <= FRAGMENT_CHARS[language]
        )
    )


def _sort(worth: Worth) -> int:
    return max(range(len(SORTS)), key=worth.sorts.__getitem__)


def _whole(run: Sequence[int], seen: Sequence[Worth]) -> Iterator[Statement]:
    if not run:
        return
    total = sum(seen[each].keep for each in run)
    shares = [
        sum(seen[each].keep * seen[each].sorts[sort] for each in run) / total
        for sort in range(len(SORTS))
    ]
    sort = max(range(len(SORTS)), key=shares.__getitem__)
    sure = max(seen[each].keep for each in run) * shares[sort]
    yield Statement(tuple(run), sort, shares[sort], sure)


_AROUND: Final = " \t\n.。!！~～…,，;；:："
_ASKED_ZH: Final = re.compile(
    r"^请.*$|(?<=.{4})(?:，?(?:我?(?:想|就想)问|请问|问一?下|求推荐|求问|帮我|给我推荐|有没有|该?怎么|咋|要不要"
    r"|能不能|可不可以|是不是).*)$"
)
_ASKED_EN: Final = re.compile(
    r"(?<=.{12})(?:,| so| and| but)+ (?:(?:can|could|would|will) (?:you|u)\b|please\b|any (?:ideas"
    r"|tips|recs)|(?:what|how|which|where)\b|give me|help me).*$",
    re.IGNORECASE,
)
_MY_OWN: Final = re.compile(
    r"^(?:我们?|我們)(?:家?的(?=.{2}))?(?![俩两家們们])|我的|(?<=，)我(?![们們家])"
)
_MINE: Final = re.compile(r"^(?:my|our) ", re.IGNORECASE)
_PAST: Final = re.compile(
    r"^(?!.*(?:\b(?:will|is|are|am|due|next|tomorrow|have to)\b|'(?:m|s|re|ll)\b|[要会将]|打算"
    r"|准备)).*(?:了|刚|过(?!敏)|\b\w+ed\b|\b(?:was|were|had|did|went|left|got|bought|broke|lost"
    r"|came|found)\b)"
)
_REPEATED: Final = re.compile(
    r"[每逢隔]|天天|次次|一到|一入|雷打不动|固定|照例|农历|一三五|二四六"
    r"|\bevery\b|\beach\b|s\b(?= (?:and|at|from|off)\b)"
)

_WEEKDAY: Final = re.compile(r"(?:周|星期|礼拜)[一二三四五六日天末](?:[早晚]上)?")
"""In a habit it is every one of them."""


def told(statement: Statement, parts: Sequence[Clause], today: date) -> Fact | None:
    """The statement in words that stand by themselves."""
    chinese = any(has_han(part.plain) for part in parts)
    asked, comma = (_ASKED_ZH, "，") if chinese else (_ASKED_EN, ", ")
    sort = SORTS[statement.sort]
    said, plain = [], []
    for part in parts:
        own = asked.sub("", part.text.strip(_AROUND)).strip(_AROUND)
        start = part.text.find(own)
        looked = part.plain[start : start + len(own)]
        if _REPEATED.search(looked) is None:
            days = dates_in(looked, today, past=_PAST.search(looked) is not None)
            if sort == "pattern" and statement.share >= SURE_SORT:
                days = [day for day in days if not _WEEKDAY.fullmatch(looked[day.start : day.end])]
            if sort == "pattern" and any(each.is_day for each in days):
                sort = "fact"
            own, looked = with_dates(own, days), with_dates(looked, days)
        if own:
            said.append(own)
            plain.append(looked)
    tell = _freely_zh if chinese else _freely_en
    told = tell(comma.join(said), comma.join(plain)).strip(_AROUND)
    if len(told) < (2 if chinese else 4):
        return None
    confidence = LEAST_ADDED + (MOST_ADDED - LEAST_ADDED) * min(1.0, statement.sure)
    return Fact(told, category=sort, confidence=round(confidence, 2))


def _freely_zh(words: str, plain: str) -> str:
    told = _MY_OWN.sub("", without_lead_zh(words, plain)[0]).replace("我自己", "自己")
    return told.replace("我们", "自己家").replace("我們", "自己家").replace("我", "自己")


def _freely_en(words: str, plain: str) -> str:
    words, plain = without_lead(words, plain)
    subject = saying(words, plain)
    if subject is None:
        told = theirs(_MINE.sub("", words))
    elif subject.who:
        told = told_of(subject.who, subject.name, subject.own, subject.often)
    else:
        told = third_person(subject.own, subject.often)
    return told[:1].upper() + told[1:]
