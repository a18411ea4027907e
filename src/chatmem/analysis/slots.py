"""Slots of the running task, where a message states them: places, dates, amounts, names.

Precision before recall: a wrong slot misleads every later turn. Source: S3.1 (context_variables).
"""

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Final, TypeAlias

from chatmem.analysis.own_words import Clause, OwnWords, clauses
from chatmem.model.memory import JsonValue
from chatmem.text.languages import LANGUAGES, Language, any_of, languages_in

MAX_VALUE_CHARS: Final = 60
_READ_CLAUSES: Final = 24
_LONGEST_PLACE: Final = 8
_EDGES: Final = " ,.;:!?，。；：！？"
_NO_PLACES: Final = frozenset[str]().union(*(one.slots.no_places for one in LANGUAGES))
_NO_PRODUCTS: Final = frozenset[str]().union(*(one.slots.no_products for one in LANGUAGES))
_FIGURE_HINT: Final = re.compile(any_of(lambda one: one.slots.figure_hint, "[0-9]"))
_MOMENT_HINT: Final = re.compile(any_of(lambda one: one.slots.moment_hint, r"\d"))
_PLACE_HINT: Final = re.compile(any_of(lambda one: one.slots.place_hint))
_LANGUAGE_HINT: Final = re.compile(any_of(lambda one: one.slots.language_hint))
_PAST: Final = re.compile(any_of(lambda one: one.slots.past))
_BEEN: Final = re.compile(any_of(lambda one: one.slots.been))
_compiled = cache(re.compile)
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


@cache
def _patterns(slot: str) -> tuple[re.Pattern[str], ...]:
    """How a slot is stated; compiled with the first clause that may state it: all take 25 ms."""
    return tuple(_compiled(one) for each in LANGUAGES for one in each.slots.stated.get(slot, ()))


@cache
def _products() -> re.Pattern[str]:
    """A product and its version, over a clause as it was said: names have capitals."""
    return re.compile(
        rf"(?:{any_of(lambda one: one.slots.uses)})"
        r"(?P<p>[A-Z][A-Za-z+#.-]*[A-Za-z+#](?: (?!Version|V\d)[A-Z][A-Za-z+#]*)?"
        r"|iPhone|iPad|macOS|iOS|numpy|pandas)\s+(?:version |v)?"
        r"(?P<v>\d+(?:\.\d+)*(?: ?(?:Pro|Max|Plus|Ultra|Mini|LTS))*)\b(?![:%/-])"
    )


def _in_clause(clause: Clause) -> _Slots:
    plain = clause.plain
    if _FIGURE_HINT.search(plain):
        yield from _figures(clause)
    if _MOMENT_HINT.search(plain) and not _PAST.search(plain):
        deadline = list(_first("deadline", clause))
        yield from deadline or _first("date", clause, _date)
        yield from _first("time", clause)
    if _PLACE_HINT.search(plain) and not _BEEN.search(plain):
        yield from _first("destination", clause, _place, as_said=True)
        yield from _first("origin", clause, _place, as_said=True)
    for language in languages_in(plain):
        yield from _by_cues(language, clause)
    yield from _first("name", clause, as_said=True)
    if _LANGUAGE_HINT.search(plain):
        yield from _first("language", clause)


def _figures(clause: Clause) -> _Slots:
    budget = list(_first("budget", clause))
    yield from budget or _first("amount", clause)
    for name in ("people", "order_number", "version"):
        yield from _first(name, clause)
    product = _products().search(clause.text)
    if product is None or product["p"].lower() in _NO_PRODUCTS:
        return
    if not clause.denied_before(product.start()):
        yield "product", product["p"]
        yield "version", product["v"]


def _first(
    name: str, clause: Clause, tidy: Callable[[str], str] = str, *, as_said: bool = False
) -> _Slots:
    """The slot by the first pattern that gives a value which nothing before it denies."""
    for pattern in _patterns(name):
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


def _by_cues(language: Language, clause: Clause) -> _Slots:
    """Places that the language's dictionary knows, behind its cues; the name behind its own."""
    slots, plain = language.slots, clause.plain
    if slots.place_at_start is not None:
        for name, cue in slots.places_behind.items():
            for match in _compiled(cue).finditer(plain):
                if _PAST.search(plain) or clause.denied_before(match.start()):
                    break
                start = match.end()
                if length := slots.place_at_start(plain[start : start + _LONGEST_PLACE]):
                    yield name, clause.text[start : start + length]
                    break
    found = _compiled(slots.name).search(plain) if slots.name else None
    if found is None or _compiled(slots.no_name).search(found["v"]):
        return
    if not clause.denied_before(found.start()):
        yield "name", _value(clause, found)
