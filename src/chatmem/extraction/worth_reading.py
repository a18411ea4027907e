"""The second reader of a message: drops what the rules took up idly, adds what they passed over.

It goes by what `worth` has learned. What it adds has no key: nothing takes its place but what is
near to it in meaning.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Final

from chatmem.extraction.clauses import Clause, clauses
from chatmem.extraction.dates_said import dates_in, with_dates
from chatmem.extraction.own_words import OwnWords
from chatmem.extraction.rule_clauses_en import (
    saying,
    theirs,
    third_person,
    told_of,
    without_lead,
)
from chatmem.extraction.rule_clauses_zh import without_lead_zh
from chatmem.extraction.rule_frames import Fact
from chatmem.extraction.worth import SORTS, Embeds, Worth, weights_for, worths
from chatmem.extraction.worth_features import language_of
from chatmem.text.normalise import has_han, simplify

_FEW_CLAUSES: Final = 2
IDLE: Final = {"zh": 0.4, "en": 0.1}
"""A rule's finding in a clause that is less likely worth keeping is dropped."""
SURE: Final = {"zh": 0.8, "zh_vectors": 0.8, "en": 0.8}
"""A statement is added from this likelihood on of being worth keeping, as the sort it is."""
IN_TOW: Final = 0.1
"""So much surer has to be what only goes on with a clause that has been told."""
OTHER_SORT: Final = 0.8
"""From here on a statement is of the sort learned, whatever a loose rule says."""
_LOOSE: Final = re.compile(r"(?:relation:[^:]+:)?(?:plan|habit|taste)\b")
PART_OF_IT: Final = 0.35
"""A clause as likely as this goes with the statement beside it."""
MOST_PARTS: Final = 3
MOST_CHARS: Final = {"zh": 60, "en": 200}
ORDERED: Final = 0.95
LEAST_ADDED: Final = 0.7
MOST_ADDED: Final = 0.85

_PUT_RIGHT: Final = re.compile(
    r"[说写打讲记]错|不对|更正|应该是|\b(?:i meant|correction|actually|i mistyped|typo)\b"
)
_WORDS: Final = re.compile(r"[a-z0-9']+|[^\W\d_a-z]+")


@dataclass(frozen=True, slots=True)
class Statement:
    """Neighbouring clauses of a sentence that say one thing: their places, sort and likelihood."""

    places: tuple[int, ...]
    sort: int
    share: float
    sure: float


def reviewed(
    facts: Sequence[Fact],
    own: OwnWords,
    text: str,
    today: date,
    embedder: Embeds | None = None,
) -> list[Fact]:
    """What is worth keeping of a message, in the order in which it is said.

    Args:
        facts: what the rules found.
        own: what the writer says.
        text: the whole message, without code.
        today: the day of the message.
        embedder: makes vectors of clauses, if they are to be gone by too.

    Raises:
        ProviderError: the embedder failed.
    """
    parts = list(clauses(own))
    seen = worths(text, parts, embedder)
    reading = _Reading(parts, list(statements(parts, seen, language_of(text))), today)
    language = language_of(text)
    idle, sure = IDLE[language], SURE[weights_for(language, embedder)]
    # Who says one thing and nothing else, or puts a slip right, means it. What has a key in a short
    # message may be what makes an older memory out of date: it is dropped where it is very idle.
    meant = len(parts) == 1 or _PUT_RIGHT.search(simplify(text).lower()) is not None
    short = len(parts) <= _FEW_CLAUSES
    for number, fact in enumerate(facts):
        place = said_in(fact.content, parts)
        if place is None or fact.confidence >= ORDERED or fact.wish == "forget":
            reading.keep(fact, number if place is None else place)
        elif meant or seen[place].keep >= (idle / 4 if short and fact.key else idle):
            reading.fit(fact, place)
    if all(fact.wish != "forget" for fact in facts):
        reading.add(sure)
    return reading.in_order()


class _Reading:
    """What is kept of one message, and which of its clauses have been told."""

    def __init__(self, parts: Sequence[Clause], found: Sequence[Statement], today: date) -> None:
        self._parts, self._today = parts, today
        self._statement_of = {place: each for each in found for place in each.places}
        self._statements = found
        self._chinese = any(has_han(part.plain) for part in parts)
        self._told: set[int] = set()
        self._whole: set[Statement] = set()
        self._kept: list[tuple[int, Fact]] = []

    def keep(self, fact: Fact, place: int) -> None:
        """Take a fact of the rules as it is."""
        self._told.add(place)
        self._kept.append((place, fact))

    def fit(self, fact: Fact, place: int) -> None:
        """Take a fact of the rules; one of the looser Chinese ones in its whole statement."""
        statement = self._statement_of.get(place)
        if statement is None or not self._chinese or not _LOOSE.match(fact.key or "plan"):
            self.keep(fact, place)
            return
        if statement in self._whole:
            return
        whole = self._fact(statement)
        sort = SORTS[statement.sort]
        if whole and sort != fact.category and statement.share >= OTHER_SORT:
            self._take(statement, whole)
        elif whole and len(statement.places) > 1 and self._told.isdisjoint(statement.places):
            self._take(statement, replace(fact, content=whole.content))
        else:
            self.keep(fact, place)

    def add(self, sure: float) -> None:
        """Add the statements that nothing has been told of."""
        for statement in self._statements:
            first = statement.places[0]
            in_tow = first - 1 in self._told and not self._parts[first].first
            least = sure + (IN_TOW if in_tow else 0)
            if statement.sure < least or not self._told.isdisjoint(statement.places):
                continue
            if fact := self._fact(statement):
                self._take(statement, fact)

    def in_order(self) -> list[Fact]:
        """All that is kept, as it is said."""
        return [fact for _, fact in sorted(self._kept, key=lambda each: each[0])]

    def _take(self, statement: Statement, fact: Fact) -> None:
        self._whole.add(statement)
        self._told.update(statement.places)
        self._kept.append((statement.places[0], fact))

    def _fact(self, statement: Statement) -> Fact | None:
        return _told(statement, [self._parts[each] for each in statement.places], self._today)


def statements(
    parts: Sequence[Clause], seen: Sequence[Worth], language: str
) -> Iterator[Statement]:
    """The runs of clauses that may be worth keeping."""
    run: list[int] = []
    for place, worth in enumerate(seen):
        if worth.keep < PART_OF_IT:
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
        and _sort(seen[place]) == _sort(seen[place - 1])
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


def said_in(content: str, parts: Sequence[Clause]) -> int | None:
    """The clause that has most of these words; None where none has any."""
    words = _pieces(content)
    best, found = 0.0, None
    for place, part in enumerate(parts):
        own = _pieces(part.text)
        share = len(words & own) / (len(own) + 3)
        if share > best:
            best, found = share, place
    return found


def _pieces(text: str) -> set[str]:
    """Beginnings of words, and pairs of Chinese characters."""
    found: set[str] = set()
    for word in _WORDS.findall(text.casefold()):
        if word.isascii():
            found.add(word[:5])
        else:
            found.update(word[start : start + 2] for start in range(max(1, len(word) - 1)))
    return found


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
_REPEATED: Final = re.compile(r"[每逢隔]|天天|\bevery\b|\beach\b|s\b(?= (?:and|at|from|off)\b)")


def _told(statement: Statement, parts: Sequence[Clause], today: date) -> Fact | None:
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
