"""Slots of the running task, where a message states them: places, dates, amounts, names.

Precision before recall: a wrong slot misleads every later turn. Source: S3.1 (context_variables).
"""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from chatmem.analysis.clauses import Clause, clauses
from chatmem.analysis.own_words import OwnWords
from chatmem.analysis.slot_patterns import (
    AMOUNTS,
    BEEN,
    BUDGETS,
    DATES,
    DEADLINES,
    DESTINATIONS,
    FROM_ZH,
    GOING_ZH,
    LANGUAGES,
    NAMES,
    NAMES_ZH,
    NO_NAMES_ZH,
    ORDER_NUMBERS,
    ORIGINS,
    PAST,
    PEOPLE,
    PRODUCTS,
    TIMES,
    VERSIONS,
)
from chatmem.model.memory import JsonValue
from chatmem.text.chinese import place_at_start
from chatmem.text.dates.english import MONTHS, WEEKDAYS
from chatmem.text.normalise import has_han
from chatmem.text.wordlist import listed

MAX_VALUE_CHARS: Final = 60
_READ_CLAUSES: Final = 24

Found = Iterator[tuple[str, str]]
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
_TIDY: Final = " ,.;:!?，。；：！？"


def slots_in(own: OwnWords) -> dict[str, JsonValue]:
    """Slots by name, with their values as said; a later statement of the same slot wins.

    Names are destination, origin, date, time, deadline, budget, amount, people, name, language,
    product, version and order_number.
    """
    found: dict[str, JsonValue] = {}
    for number, clause in enumerate(clauses(own)):
        if number >= _READ_CLAUSES:
            break
        if clause.stated:
            found.update(_in_clause(clause))
    return found


def _in_clause(clause: Clause) -> Found:
    chinese = not clause.plain.isascii() and has_han(clause.plain)
    if _HAS_FIGURE.search(clause.plain):
        yield from _figures(clause)
    yield from _moments(clause)
    if _PLACE_HINT.search(clause.plain) and not BEEN.search(clause.plain):
        yield from _first("destination", DESTINATIONS, clause, _place, said=True)
        yield from _first("origin", ORIGINS, clause, _place, said=True)
    if chinese:
        yield from _chinese_place("origin", FROM_ZH, clause)
        yield from _chinese_place("destination", GOING_ZH, clause)
        yield from _chinese_name(clause)
    if "name" in clause.plain or "call" in clause.plain:
        yield from _first("name", NAMES, clause, _tidy, said=True)
    if _LANGUAGE_HINT.search(clause.plain):
        yield from _first("language", LANGUAGES, clause, _tidy)


_HAS_FIGURE: Final = re.compile(
    r"[0-9一二两三四五六七八九十]|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven"
    r"|twelve|fifteen|twenty|dozen)\b"
)
_PLACE_HINT: Final = re.compile(r"\b(?:to|in|from|visit\w*|destination)\b")
_LANGUAGE_HINT: Final = re.compile(r"in(?:to)? [a-z]|文|语|体|话|to [a-z]+")
_MOMENT_HINT: Final = re.compile(
    r"day|next|this|tonight|morrow|in |\d|by |before|deadline|due|until|month|noon"
    r"|[月周天晚早年号日点时底节假]|星期|礼拜|截止|国庆|元旦|五一"
)


def _figures(clause: Clause) -> Found:
    budget = dict(_first("budget", BUDGETS, clause, _tidy))
    yield from budget.items()
    if not budget:
        yield from _first("amount", AMOUNTS, clause, _tidy)
    yield from _first("people", PEOPLE, clause, _tidy)
    yield from _first("order_number", ORDER_NUMBERS, clause, _tidy)
    yield from _first("version", VERSIONS, clause, _tidy)
    product = PRODUCTS.search(clause.text)
    if product is None or product["p"].lower() in _NO_PRODUCTS:
        return
    if not clause.denied_before(product.start()):
        yield "product", product["p"]
        yield "version", product["v"]


def _moments(clause: Clause) -> Found:
    if not _MOMENT_HINT.search(clause.plain) or PAST.search(clause.plain):
        return
    deadline = dict(_first("deadline", DEADLINES, clause, _tidy))
    yield from deadline.items()
    if not deadline:
        yield from _first("date", DATES, clause, _date)
    yield from _first("time", TIMES, clause, _tidy)


def _chinese_name(clause: Clause) -> Found:
    name = NAMES_ZH.search(clause.plain)
    if name is None or NO_NAMES_ZH.search(name["v"]) or clause.denied_before(name.start()):
        return
    yield "name", _as_said(clause, name)


def _first(
    name: str,
    patterns: Iterable[re.Pattern[str]],
    clause: Clause,
    tidy: Callable[[str], str],
    *,
    said: bool = False,
) -> Found:
    """The slot by the first pattern that gives a value which nothing before it denies."""
    for pattern in patterns:
        match = pattern.search(clause.text if said else clause.plain)
        if match is None or clause.denied_before(match.start()):
            continue
        if value := tidy(_as_said(clause, match)):
            yield name, value[:MAX_VALUE_CHARS]
            return


def _as_said(clause: Clause, match: re.Match[str]) -> str:
    return clause.text[match.start("v") : match.end("v")].strip(_TIDY)


def _tidy(value: str) -> str:
    return value


def _date(value: str) -> str:
    """`on Friday` is Friday; `in May` and `in two weeks` need their word."""
    return value[3:] if value[:3].lower() == "on " else value


def _place(value: str) -> str:
    """The place, or nothing where the word is a day, a language or a firm."""
    words = value.split()
    while words and words[-1].lower() in _NO_PLACES:
        words.pop()
    return "" if not words or words[0].lower() in _NO_PLACES else " ".join(words)


def _chinese_place(name: str, cue: re.Pattern[str], clause: Clause) -> Found:
    for match in cue.finditer(clause.plain):
        if PAST.search(clause.plain) or clause.denied_before(match.start()):
            return
        length = place_at_start(clause.plain[match.end() : match.end() + 8])
        if length:
            yield name, clause.text[match.end() : match.end() + length]
            return
