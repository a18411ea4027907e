"""The second reader of a message: drops what the rules took up idly, adds what they passed over.

It goes by what `worth` has learned. What it adds has no key: nothing takes its place but what is
near to it in meaning.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Final

from chatmem.extraction.clauses import Clause, clauses
from chatmem.extraction.own_words import OwnWords
from chatmem.extraction.rule_frames import Fact
from chatmem.extraction.worth import SORTS, Embeds, weights_for, worths
from chatmem.extraction.worth_features import language_of
from chatmem.extraction.worth_statements import SURE_SORT, Statement, statements, told
from chatmem.text.normalise import has_han, simplify

_FEW_CLAUSES: Final = 2
IDLE: Final = {"zh": 0.7, "en": 0.1}
"""A rule's finding in a clause that is less likely worth keeping is dropped."""
MEANT_IDLE: Final = {"zh": 0.06, "en": 0.0}
"""The same where a message says one thing and nothing else, or puts a slip right."""
SURE: Final = {"zh": 0.8, "zh_vectors": 0.7, "en": 0.8}
"""A statement is added from this likelihood on of being worth keeping, as the sort it is."""
IN_TOW: Final = 0.1
"""So much surer has to be what only goes on with a clause that has been told."""
_LOOSE: Final = re.compile(r"(?:relation:[^:]+:)?(?:plan|habit|taste)\b")
_EXACT: Final = re.compile(r"(?:relation:[^:]+:)?(?:name|nickname|surname|age|birthday)\b")
"""Such a fact is told by itself, whatever stands beside it."""
ORDERED: Final = 0.95
_OTHERS: Final = re.compile(
    r"(?:我们?的?|我家|咱们?)?(?:一?个)?(?:隔壁|邻居|楼[上下]|老板|老细|领导|上司|经理|总监|同事|同学|朋友|网友|群里|客户|班主任|博主|房东)"
    r"(?!.*(?:叫|喊|称呼|管|给|欠|压)(?:了?我|俺|咱))"
)
"""What is told of these is not told of the writer, however much it sounds like it."""
_PASSES: Final = re.compile(
    r"^我?(?:以后)?(?:也|还)?会(?:多|尽|继续|努力|试|注意)|(?:的时候|时|以后|之后)$|^我?们?去的是"
    r"|[去看吃玩逛爬](?:了|过)(?:[一两][次趟场圈顿]|[次趟场圈顿])"
)
"""Resolutions, half sentences, and what was done once."""
_PUT_RIGHT: Final = re.compile(
    r"[说写打讲记]错|不对|更正|应该是|\b(?:i meant|correction|actually|i mistyped|typo)\b"
)
_WORDS: Final = re.compile(r"[a-z0-9']+|[^\W\d_a-z]+")


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
    language = language_of(text)
    places = [said_in(fact.content, parts) for fact in facts]
    reading = _Reading(parts, list(statements(parts, seen, language)), places, today)
    idle, sure = IDLE[language], SURE[weights_for(language, embedder)]
    # Who says one thing and nothing else, or puts a slip right, means it. What has a key in a short
    # message may be what makes an older memory out of date: it is dropped where it is very idle.
    meant = len(parts) == 1 or _PUT_RIGHT.search(simplify(text).lower()) is not None
    short = len(parts) <= _FEW_CLAUSES
    for number, (fact, place) in enumerate(zip(facts, places, strict=True)):
        if place is None or fact.confidence >= ORDERED or fact.wish == "forget":
            reading.keep(fact, number if place is None else place)
        elif seen[place].keep >= (
            MEANT_IDLE[language] if meant else idle / 4 if short and fact.key else idle
        ):
            reading.fit(fact, place)
    if all(fact.wish != "forget" for fact in facts):
        reading.add(sure)
    return reading.in_order()


class _Reading:
    """What is kept of one message, and which of its clauses have been told."""

    def __init__(
        self,
        parts: Sequence[Clause],
        found: Sequence[Statement],
        places: Sequence[int | None],
        today: date,
    ) -> None:
        self._parts, self._places, self._today = parts, places, today
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
        """Take a fact of the rules; a Chinese one in its whole statement, if that has no other."""
        statement = self._statement_of.get(place)
        loose = _LOOSE.match(fact.key or "plan") is not None
        if statement is None or not self._chinese or not (loose or self._fits(fact, statement)):
            self.keep(fact, place)
            return
        if statement in self._whole:
            return
        whole = self._fact(statement)
        sort = SORTS[statement.sort]
        if whole and loose and sort != fact.category and statement.share >= SURE_SORT:
            self._take(statement, whole)
        elif whole and len(statement.places) > 1 and self._told.isdisjoint(statement.places):
            self._take(statement, replace(fact, content=whole.content))
        else:
            self.keep(fact, place)

    def _fits(self, fact: Fact, statement: Statement) -> bool:
        alone = sum(place in statement.places for place in self._places) == 1
        return alone and _EXACT.match(fact.key or "") is None

    def add(self, sure: float) -> None:
        """Add the statements that nothing has been told of."""
        for statement in self._statements:
            first = statement.places[0]
            in_tow = first - 1 in self._told and not self._parts[first].first
            least = sure + (IN_TOW if in_tow else 0)
            if statement.sure < least or not self._told.isdisjoint(statement.places):
                continue
            last = self._parts[statement.places[-1]].plain
            if _OTHERS.match(self._parts[first].plain) or _PASSES.search(last):
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
        return told(statement, [self._parts[each] for each in statement.places], self._today)


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
