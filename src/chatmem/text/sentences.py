"""Sentences of a text, in every language."""

import re

from chatmem.text.languages import any_of

_END = re.compile(
    any_of(
        lambda language: language.sentence_end,
        # An ending with the quotes that close behind it, or a line break.
        r"[。！？!?…；;]+[”’」』）)\"']*|\n+",
    )
)
_ABBREVIATION = re.compile(rf"(?:^|[\s(])(?:{any_of(lambda language: language.abbreviation)})\.$")
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
