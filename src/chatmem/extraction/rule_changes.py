"""Sentences that say that something has changed, whatever it is.

By themselves they are not worth keeping. Where one makes a memory out of date it takes its place.

Source: decisions 4.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from typing import Final

from chatmem.extraction.change_words import REQUEST, STANDING
from chatmem.extraction.clauses import Clause, clauses
from chatmem.extraction.dates_said import dates_in, with_dates
from chatmem.extraction.own_words import OwnWords
from chatmem.extraction.replaced import may_replace
from chatmem.extraction.rule_frames import Fact
from chatmem.extraction.rule_wishes import MAY_WISH, wished
from chatmem.text.normalise import has_han

CHANGE_CONFIDENCE: Final = 0.5
"""Below what is kept by itself."""
MAX_CHARS: Final = 160
_LEAST_CHARS: Final = 4
_END: Final = " .。!！~～,，;；:："


def changes(own: OwnWords, today: date) -> Iterator[Fact]:
    """The message's sentences about a change, each with the one that goes on from it."""
    told = [_told(one) for one in _by_sentence(own)]
    for number, (said, plain) in enumerate(told):
        if not plain or not may_replace(plain) or (MAY_WISH.search(plain) and wished(plain)):
            continue
        text = _dated(said, plain, today)
        after = _dated(*told[number + 1], today) if number + 1 < len(told) else ""
        if after and len(text) + len(after) < MAX_CHARS:
            text = text.rstrip(_END) + ("。" if has_han(plain) else ". ") + after
        yield Fact(text[:MAX_CHARS], confidence=CHANGE_CONFIDENCE)


def _by_sentence(own: OwnWords) -> list[list[Clause]]:
    found: list[list[Clause]] = []
    for clause in clauses(own):
        if clause.first or not found:
            found.append([])
        found[-1].append(clause)
    return found


def _told(parts: list[Clause]) -> tuple[str, str]:
    """What a sentence states, without what it asks for: as said, and plain."""
    kept = [one for one in parts if not _asks(one) and not _is_request(one.plain)]
    if not kept or not any(one.stated or one.questioned for one in kept):
        return "", ""
    between = "，" if has_han(kept[0].plain) else ", "
    said = between.join(one.text.strip() for one in kept)
    plain = between.join(one.plain.strip() for one in kept)
    return (said, plain) if len(plain) >= _LEAST_CHARS else ("", "")


def _is_request(plain: str) -> bool:
    """True for what is wanted now; how answers are wanted from now on says something lasting."""
    return REQUEST.search(plain) is not None and STANDING.search(plain) is None


def _asks(clause: Clause) -> bool:
    """True for a question; `Had surgery` and `guess who got it` only look like one."""
    if STANDING.search(clause.plain) and not _WH.search(clause.plain):
        return False
    return clause.questioned and not _NO_QUESTION.search(clause.plain)


_WH: Final = re.compile(
    r"什么|怎么|为什么|哪|谁|几|多少|咋|\b(?:what|which|who|when|where|why|how)\b"
)


_NO_QUESTION: Final = re.compile(r"^\W*(?:had|guess who|have)\b[^?？]*$")


def _dated(said: str, plain: str, today: date) -> str:
    if len(said) != len(plain):
        return said
    dates = [
        replace(each, text=f"{said[each.start : each.end]} ({each.text})")
        if _WEEKDAY.search(plain, each.start, each.end)
        else each
        for each in dates_in(plain, today)
    ]
    return with_dates(said, dates)


_WEEKDAY: Final = re.compile(r"周|星期|礼拜|day")
"""It may be the day of a habit: what was said stays beside the date."""
