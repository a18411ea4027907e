"""Slots of the running task, where a message states them: places, dates, amounts, names.

Precision before recall: a wrong slot misleads every later turn. Source: S3.1 (context_variables).
"""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Final, TypeAlias

from chatmem.analysis import slot_patterns as patterns
from chatmem.analysis.own_words import Clause, OwnWords, clauses
from chatmem.model.memory import JsonValue
from chatmem.text.chinese import place_at_start
from chatmem.text.dates.english import MONTHS, WEEKDAYS
from chatmem.text.normalise import has_han
from chatmem.text.wordlist import listed

MAX_VALUE_CHARS: Final = 60
_READ_CLAUSES: Final = 24
_LONGEST_PLACE_ZH: Final = 8
_EDGES: Final = " ,.;:!?，。；：！？"
_NO_PLACES: Final = frozenset((*WEEKDAYS, *MONTHS)).union(
    listed(
        "i i'm english chinese french german spanish japanese korean christmas easter mum mom dad "
        "uni google amazon the my"
    )
)
_NO_PRODUCTS: Final = frozenset((*WEEKDAYS, *MONTHS)).union(
    listed(
        "page chapter room gate platform line question option scenario covid step section part "
        "version level phase day week group example figure table task item type class grade number "
        "no unit season episode volume"
    )
)
_FIGURE_HINT: Final = re.compile(
    r"[0-9一二两三四五六七八九十]|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven"
    r"|twelve|fifteen|twenty|dozen)\b"
)
_PLACE_HINT: Final = re.compile(r"\b(?:to|in|from|visit\w*|destination)\b")
_LANGUAGE_HINT: Final = re.compile(r"in(?:to)? [a-z]|文|语|体|话|to [a-z]+")
_MOMENT_HINT: Final = re.compile(
    r"day|next|this|tonight|morrow|in |\d|by |before|deadline|due|until|month|noon"
    r"|[月周天晚早年号日点时底节假]|星期|礼拜|截止|国庆|元旦|五一"
)
_Slots: TypeAlias = Iterator[tuple[str, str]]


def slots_in(own: OwnWords) -> dict[str, JsonValue]:
    """Slots by name, with their values as said; a later statement of the same slot wins.

    Names are destination, origin, date, time, deadline, budget, amount, people, name, language,
    product, version and order_number.
    """
    found: dict[str, JsonValue] = {}
    for _, clause in zip(range(_READ_CLAUSES), clauses(own), strict=False):
        if clause.stated:
            found.update(_in_clause(clause))
    return found


def _in_clause(clause: Clause) -> _Slots:
    plain = clause.plain
    if _FIGURE_HINT.search(plain):
        yield from _figures(clause)
    if _MOMENT_HINT.search(plain) and not patterns.PAST.search(plain):
        yield from _moments(clause)
    if _PLACE_HINT.search(plain) and not patterns.BEEN.search(plain):
        yield from _first("destination", patterns.DESTINATIONS, clause, _place, as_said=True)
        yield from _first("origin", patterns.ORIGINS, clause, _place, as_said=True)
    if not plain.isascii() and has_han(plain):
        yield from _chinese_place("origin", patterns.FROM_ZH, clause)
        yield from _chinese_place("destination", patterns.GOING_ZH, clause)
        yield from _chinese_name(clause)
    if "name" in plain or "call" in plain:
        yield from _first("name", patterns.NAMES, clause, as_said=True)
    if _LANGUAGE_HINT.search(plain):
        yield from _first("language", patterns.LANGUAGES, clause)


def _figures(clause: Clause) -> _Slots:
    budget = list(_first("budget", patterns.BUDGETS, clause))
    yield from budget or _first("amount", patterns.AMOUNTS, clause)
    yield from _first("people", patterns.PEOPLE, clause)
    yield from _first("order_number", patterns.ORDER_NUMBERS, clause)
    yield from _first("version", patterns.VERSIONS, clause)
    product = patterns.PRODUCTS.search(clause.text)
    if product is None or product["p"].lower() in _NO_PRODUCTS:
        return
    if not clause.denied_before(product.start()):
        yield "product", product["p"]
        yield "version", product["v"]


def _moments(clause: Clause) -> _Slots:
    deadline = list(_first("deadline", patterns.DEADLINES, clause))
    yield from deadline or _first("date", patterns.DATES, clause, _date)
    yield from _first("time", patterns.TIMES, clause)


def _first(
    name: str,
    of: Iterable[re.Pattern[str]],
    clause: Clause,
    tidy: Callable[[str], str] = str,
    *,
    as_said: bool = False,
) -> _Slots:
    """The slot by the first pattern that gives a value which nothing before it denies."""
    for pattern in of:
        match = pattern.search(clause.text if as_said else clause.plain)
        if match is None or clause.denied_before(match.start()):
            continue
        if value := tidy(_value(clause, match)):
            yield name, value[:MAX_VALUE_CHARS]
            return


def _value(clause: Clause, match: re.Match[str]) -> str:
    return clause.text[match.start("v") : match.end("v")].strip(_EDGES)


def _date(value: str) -> str:
    """`on Friday` is Friday; `in May` and `in two weeks` need their word."""
    return value[3:] if value[:3].lower() == "on " else value


def _place(value: str) -> str:
    """The place, or nothing where the word is a day, a language or a firm."""
    words = value.split()
    while words and words[-1].lower() in _NO_PLACES:
        words.pop()
    return "" if not words or words[0].lower() in _NO_PLACES else " ".join(words)


def _chinese_place(name: str, cue: re.Pattern[str], clause: Clause) -> _Slots:
    for match in cue.finditer(clause.plain):
        if patterns.PAST.search(clause.plain) or clause.denied_before(match.start()):
            return
        start = match.end()
        if length := place_at_start(clause.plain[start : start + _LONGEST_PLACE_ZH]):
            yield name, clause.text[start : start + length]
            return


def _chinese_name(clause: Clause) -> _Slots:
    name = patterns.NAMES_ZH.search(clause.plain)
    if name is None or patterns.NO_NAMES_ZH.search(name["v"]):
        return
    if not clause.denied_before(name.start()):
        yield "name", _value(clause, name)
