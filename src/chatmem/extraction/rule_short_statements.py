"""What a message says that is one short statement and nothing else: `I'm on a waiting list for …`.

The shapes are wide, so they are looked at last, and only where the message is not idle: of the
moment, of the conversation, of a task. The words stand in `words/short_statements.toml`.

Source: decisions 4.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from functools import cache
from typing import Final

from chatmem.extraction.clauses import Clause
from chatmem.extraction.rule_chinese import freely_zh
from chatmem.extraction.rule_english import freely_en
from chatmem.extraction.rule_frames import Fact, thing
from chatmem.extraction.spoken_of import role_of
from chatmem.extraction.words import word_file
from chatmem.extraction.worth import SORTS, worths
from chatmem.text.normalise import has_han

SHORT_CONFIDENCE: Final = 0.75
LEAST_WORTH: Final = {"en": 0.12, "zh": 0.1}
"""What is learned decides little of so few words, but what is less likely than this is idle."""
_MOST_CHARS: Final = {"en": 80, "zh": 22}
_AROUND: Final = " \t.。!！~～,，;；…"


def short_statements(clause: Clause, today: date) -> Iterator[Fact]:
    """What the clause says, which is stated and all that the message has."""
    chinese = has_han(clause.plain)
    language = "zh" if chinese else "en"
    plain, said = clause.plain.strip(_AROUND), clause.text.strip(_AROUND)
    if len(plain) > _MOST_CHARS[language] or len(plain) != len(said):
        return
    if _pattern(language, "idle").search(plain):
        return
    if not (_is_statement_zh(plain) if chinese else _is_statement_en(plain)):
        return
    (worth,) = worths(said, [clause])
    if worth.keep < LEAST_WORTH[language]:
        return
    fact = (freely_zh if chinese else freely_en)(said, plain, today)
    if fact is None:
        return
    sort = SORTS[max(range(len(SORTS)), key=worth.sorts.__getitem__)]
    key, value = (None, None) if chinese else _keyed_en(said, plain)
    yield replace(fact, key=key, value=value, category=sort, confidence=SHORT_CONFIDENCE)


def _is_statement_en(plain: str) -> bool:
    match = _pattern("en", "shapes").fullmatch(plain)
    if match is None:
        return False
    head, told = match["h"], match["t"]
    if head is not None:
        return not (
            _names_somebody(head, told)
            or _pattern("en", "idle_heads").fullmatch(head)
            or _pattern("en", "idle_told").match(told)
        )
    over = match["o"] or match["n"]
    return over is None or _pattern("en", "idle_objects").match(over) is None


def _names_somebody(head: str, told: str) -> bool:
    """`My sister is called Ann`: other rules know what that is about."""
    return role_of(head.rpartition(" ")[2]) is not None and told.startswith(("called ", "named "))


def _is_statement_zh(plain: str) -> bool:
    if "了" in plain and _pattern("zh", "finished").search(plain) is None:
        return False
    return _pattern("zh", "shapes").fullmatch(plain) is not None


def _keyed_en(said: str, plain: str) -> tuple[str | None, str | None]:
    """What somebody's own has as a name, a day or a number is one value at a time."""
    match = _pattern("en", "keyed").fullmatch(plain)
    if match is None:
        return None, None
    value = said[slice(*match.span("v"))]
    named = any(word[:1].isupper() or word[:1].isdigit() for word in value.split())
    return (thing(match["g"]), value) if named else (None, None)


@cache
def _pattern(language: str, name: str) -> re.Pattern[str]:
    return re.compile(word_file("short_statements")[language][name])
