"""What may be stored: text without control characters, broken surrogates and outer whitespace."""

import re

_BOM = "\ufeff"
_LINE_BREAKS = "\r\x0b\x0c\x85\u2028\u2029"
_CONTROLS = [*range(0x09), *range(0x0E, 0x20), *range(0x7F, 0x85), *range(0x86, 0xA0)]
_TRANSLATION: dict[int, str | None] = {
    **dict.fromkeys(_CONTROLS, None),
    **dict.fromkeys(map(ord, _LINE_BREAKS), "\n"),
}
# One class, so that a text with nothing to clean costs one search.
_DIRTY = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff]")
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_LEADING = re.compile(rf"\A[\s{_BOM}]+")


def clean_text(text: str) -> str:
    r"""`text` as it may be stored; cleaning twice changes nothing more.

    Control characters go (NUL among them: it ends a text in some embedders and indexes), except tab
    and newline; every kind of line break becomes `\n`; a lone surrogate becomes U+FFFD, two halves
    of one character are joined; a byte order mark at the start and outer whitespace go. Joiners,
    variation selectors and direction marks stay: emoji and right-to-left text need them.

    Source: lessons.md, SQLite and embedder traps; issue "Bad input".
    """
    if _DIRTY.search(text) is None:
        return text.strip()
    return _LEADING.sub("", printable(text)).rstrip()


def printable(text: str) -> str:
    """`text` without control characters and surrogates, its line breaks LF."""
    return without_surrogates(text).replace("\r\n", "\n").translate(_TRANSLATION)


def without_surrogates(text: str) -> str:
    """`text` that UTF-8 can carry: halves of a character joined, lone surrogates U+FFFD."""
    if _SURROGATE.search(text) is None:
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
