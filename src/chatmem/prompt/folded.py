"""A text as it is compared where it may be disguised, with the way back to its characters.

Source: decisions 5 ("memory text is data").
"""

import re
import unicodedata
from dataclasses import dataclass

_ODD = "\x00"
"""Stands for a character that becomes none or several; texts come without control characters."""
# What shows nothing and is no format character by its category.
_BLANKS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
_SELECTORS = re.compile("[\u180b-\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]")
_CONTROLS = {
    **dict.fromkeys([*range(9), *range(0x0E, 0x20), *range(0x7F, 0x85), *range(0x86, 0xA0)], None),
    **dict.fromkeys(map(ord, "\r\x0b\x0c\x85\u2028\u2029"), "\n"),
    # Overrides and embeddings turn what is read into something else than what is written.
    **dict.fromkeys([*range(0x202A, 0x202F), *range(0x2066, 0x206A)], None),
}
_DIRTY = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\U000e0000-\U000e007f\ud800-\udfff]"
)
# Unseen letters, but for a flag, where up to six of them and an end follow its black one.
_UNSEEN_LETTERS = re.compile(
    "(\U0001f3f4[\U000e0030-\U000e007a]{1,6}\U000e007f)|[\U000e0000-\U000e007f]"
)


@dataclass(frozen=True, slots=True)
class Folded:
    """`view` is the text in NFKC and folded case without what cannot be seen.

    `origins` has, for each character of the view, where in the text it stands; None: in the same.
    """

    view: str
    origins: list[int] | None = None

    def origin(self, position: int) -> int:
        """Where in the text the character at this position of the view comes from."""
        return position if self.origins is None else self.origins[position]


def printable(text: str) -> str:
    """The text without control characters, direction overrides and unseen letters; idempotent."""
    if _DIRTY.search(text) is None:
        return text
    whole = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    shown = whole.replace("\r\n", "\n").translate(_CONTROLS)
    return _UNSEEN_LETTERS.sub(lambda match: match[1] or "", shown)


def fold(text: str) -> Folded:
    """How a printable text compares."""
    if text.isascii():
        return Folded(text.lower())
    view = text.translate(_FOLDS)
    return Folded(view) if _ODD not in view else _unfolded(text, view)


def _unfolded(text: str, view: str) -> Folded:
    pieces: list[str] = []
    origins: list[int] = []
    start = 0
    while (odd := view.find(_ODD, start)) != -1:
        shown = _shown(text[odd])
        pieces += (view[start:odd], shown)
        origins.extend(range(start, odd))
        origins.extend([odd] * len(shown))
        start = odd + 1
    pieces.append(view[start:])
    origins.extend(range(start, len(view)))
    return Folded("".join(pieces), origins)


def _shown(character: str) -> str:
    if character in "\n\t":
        return character
    unseen = unicodedata.category(character) in ("Cf", "Cc") or character in _BLANKS
    if unseen or _SELECTORS.match(character):
        return ""
    folded = unicodedata.normalize("NFKC", character).casefold()
    return unicodedata.normalize("NFKC", folded)


class _Folds(dict[int, str]):
    """Each character's one folded character, or the odd mark; found when it is first met."""

    def __missing__(self, code: int) -> str:
        shown = _shown(chr(code))
        made = shown if len(shown) == 1 else _ODD
        self[code] = made
        return made


_FOLDS = _Folds()
