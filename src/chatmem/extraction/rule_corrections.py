"""Corrections of what was just said: `no, I meant Lyon`, `不对，是里昂`."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Final

from chatmem.extraction.candidate import Candidate
from chatmem.extraction.clauses import Clause
from chatmem.extraction.rule_frames import Fact

_MEANT_EN: Final = re.compile(
    r"^\W*(?:(?:no|sorry|oops|wait|actually|correction|my bad|typo)\W+)*"
    r"(?:i meant(?: to say)?|make that|(?:it's|it is|that's|that should be"
    r"|it should be) actually|it's|it is|it should be)"
    r" (?P<v>[\w' .-]{1,40}?)(?:,? (?:not|instead of) (?P<w>[\w' .-]{1,40}?))?\W*$"
)
_MEANT_ZH: Final = re.compile(
    r"^\W*(?:(?:不对|不是|错了|说错了|打错了|我说错了|更正一?下?|抱歉|不好意思|其实|哦|啊)\W*)*"
    r"(?:应该是|应该叫|其实是|我是说|我的意思是|是|改成"
    r"|改为)(?P<v>[^，。是的]{1,20}?)(?:，?(?:不是"
    r"|而不是)(?P<w>[^，。]{1,20}?))?(?:才对|哦|啊|了|吧)*\W*$"
)
_SLIP: Final = re.compile(
    r"^\W*(?:no|sorry|oops|wait|correction|my bad|typo|actually|i mean)\b|不对"
    r"|说错|错了|更正|打错|口误"
)
_SLIP_ONLY: Final = re.compile(
    r"^\W*(?:(?:no|sorry|oops|wait|correction|my bad|typo|actually|i mean|不对"
    r"|不是|说错了|我说错了|错了|更正一?下?|打错了|口误|抱歉|不好意思)\W*)+$"
)


class Corrections:
    """What has just been said, to be put right by what follows."""

    def __init__(self, before: Sequence[Candidate]) -> None:
        """Args: what earlier messages said, of which the last may be meant."""
        last = before[-1] if before else None
        self._last: Fact | None = None
        if last is not None and last.wish == "remember":
            self._last = Fact(last.content, last.key, last.value, last.category, last.kind)
        self._slipped = False

    def add(self, fact: Fact) -> None:
        """Take note of what has been said last."""
        self._last = fact
        self._slipped = False

    def corrected(self, clause: Clause, today: date) -> Fact | None:
        """The last statement with its value put right, where the clause does that."""
        plain = clause.plain
        if _SLIP_ONLY.match(plain):
            self._slipped = True
            return None
        last = self._last
        if last is None or not isinstance(last.value, str) or last.value not in last.content:
            return None
        match = _MEANT_EN.match(plain) or _MEANT_ZH.match(plain)
        if match is None:
            return None
        said = clause.text[slice(*match.span("v"))].strip()
        wrong = clause.text[slice(*match.span("w"))].strip() if match["w"] else ""
        sure = self._slipped or _SLIP.search(plain) is not None or "meant" in plain
        if wrong:
            sure = wrong.lower() == last.value.lower()
        if not sure or not said or said[:1].isupper() != last.value[:1].isupper():
            return None
        if said[:1].isdigit() != last.value[:1].isdigit():
            return None
        fixed = replace(last, content=last.content.replace(last.value, said), value=said)
        self.add(fixed)
        return fixed
