"""Statements of a few words that are all that somebody says: `I drive a Golf`, `老家湖南`.

Each is matched as a whole, so that nothing else can be meant; without a subject only where the
message says no more. They stand in `words/plain_states_{en,zh}.toml`.

Source: decisions 4.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from functools import cache, cached_property
from typing import Final

from chatmem.extraction.clauses import Clause
from chatmem.extraction.rule_chinese import freely_zh
from chatmem.extraction.rule_english import freely_en
from chatmem.extraction.rule_frames import Fact, thing
from chatmem.extraction.words import word_file
from chatmem.model import Category
from chatmem.text.normalise import has_han

PLAIN_CONFIDENCE: Final = 0.8
_MOST_CHARS: Final = 60
_ENDING: Final = " \t.。!！~～,，…了啦呢哦呀的"


@dataclass(frozen=True, slots=False)
class _State:
    """A pattern for a whole clause; `key` may hold `{g}`, the group of that name as a thing."""

    says: str
    key: str = ""
    category: Category = "fact"

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        return re.compile(self.says)


@cache
def _states(language: str) -> tuple[_State, ...]:
    return tuple(_State(**one) for one in word_file(f"plain_states_{language}")["state"])


def plain_states(clause: Clause, *, alone: bool, today: date) -> Iterator[Fact]:
    """What a clause states that is nothing but such a statement.

    Args:
        clause: it is stated, and no rule has found anything in it.
        alone: the message says no more than this clause.
        today: the day of the message.
    """
    chinese = has_han(clause.plain)
    plain = clause.plain.strip(_ENDING if chinese else " \t.!~,")
    if len(plain) > _MOST_CHARS or (chinese and not alone and not plain.startswith("我")):
        return
    for state in _states("zh" if chinese else "en"):
        match = state.compiled.fullmatch(plain)
        if match is None:
            continue
        said = clause.text.strip(" \t.。!！~～,，")
        free = (freely_zh if chinese else freely_en)(
            said, clause.plain.strip(" \t.。!！~～,，"), today
        )
        fact = free or Fact(said)
        if (
            "t" in state.compiled.groupindex
            and not clause.text[slice(*match.span("t"))][:1].isupper()
        ):
            continue
        groups = {name: thing(value or "") for name, value in match.groupdict().items()}
        key = state.key.format_map(groups).strip(":") if state.key else None
        start = clause.plain.find(plain)
        value = clause.text[start + match.start("v") : start + match.end("v")] or None
        yield replace(
            fact, key=key, value=value, category=state.category, confidence=PLAIN_CONFIDENCE
        )
        return
