"""Sentences of a text, in Chinese and English."""

import re

_END = re.compile(
    r"[。！？!?…；;]+[”’」』）)\"']*"  # an ending, with the quotes that close behind it
    r"|(?<![A-Z])(?<!(?<![A-Z])\.)\.+[”’)\"']*(?=\s|$)"  # a full stop, not that of an initial
    r"|(?<=[\u3400-\u9fff])\.+(?=[\u3400-\u9fff])"  # a Chinese one, typed with half the width
    r"|(?<=[A-Z]{2})\.(?=\s|$)"  # a full stop behind an acronym is one
    r"|\n+"
)
_ABBREVIATION = re.compile(
    r"(?:^|[\s(])(?:Mr|Mrs|Ms|Dr|Prof|St|Jr|Sr|vs|etc|approx|No|Inc|Ltd|Co|Fig|e\.g|i\.e"
    r"|[ap]\.m)\.$"
)
_LIST_NUMBER = re.compile(r"(?:^|[\s:：])\(?\d{1,2}\.$")
_CONTINUES = re.compile(r"(?<!\s)\s++[a-z0-9]")


def sentences(text: str) -> list[str]:
    """The sentences of `text` in order, each with its ending mark and without outer whitespace.

    A line break ends one as well. Decimals (3.5), versions, initials and common abbreviations do
    not; `e.g.`, `p.m.` and the like do where a capital follows.
    """
    found: list[str] = []
    start = 0
    for end in _END.finditer(text):
        if end[0][0] == "." and _goes_on(text, start, end):
            continue
        if sentence := text[start : end.end()].strip():
            found.append(sentence)
        start = end.end()
    if rest := text[start:].strip():
        found.append(rest)
    return found


def _goes_on(text: str, start: int, stop: re.Match[str]) -> bool:
    """True where this full stop belongs to an abbreviation inside a sentence."""
    said = text[max(start, stop.start() - 8) : stop.start() + 1]
    if _LIST_NUMBER.search(said) and stop.end() < len(text):
        return True
    abbreviation = _ABBREVIATION.search(said)
    if abbreviation is None:
        return False
    word = abbreviation[0].strip(" (")
    return word[0].isupper() or _CONTINUES.match(text, stop.end()) is not None
