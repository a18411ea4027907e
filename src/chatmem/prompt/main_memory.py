"""MEMORY.md as a prompt takes it: whole, inside its cap.

It depends on the file, the cap and the language only, so it is the same from turn to turn.

Source: S5.6.1; decisions 2, 5.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from chatmem.prompt.imitations import neutralise, quoted
from chatmem.text.bullets import parse
from chatmem.text.languages import DEFAULT, LanguageCode, expression, phrases
from chatmem.text.outline import BOM, CLOSE, COMMENT, LIST_MARKER
from chatmem.text.tokens import count_tokens

_BULLET = expression(rf"(?<!\s)\s*+{LIST_MARKER}\s+")
# Code as it is; or a heading, where one of no lower level or the end comes next.
_NOTHING_BELOW = expression(
    r"^(?P<code>(?:```|~~~)(?s:.*?)(?:^(?:```|~~~)|\Z))"
    r"|^(?P<level>#{1,6})(?:[ \t].*)?(?:\n\s*|\Z)(?=\Z|(?!(?P=level)#)#{1,6}(?:[ \t\n]|\Z))",
    re.MULTILINE,
)
_BLANK_LINES = expression(r"\n(?:[ \t]*\n)+")
_MARGIN_TOKENS = 2
_CUT = phrases("prompt.memories_cut")


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of the file as a reader sees it; `id` is the memory's where it is a bullet."""

    text: str
    id: str | None = None
    is_bullet: bool = False


@dataclass(frozen=True, slots=True)
class MainMemory:
    """The text for the prompt, its tokens once quoted, and the memories that it holds, or does not.

    `texts` are those of the memories in it, as `plain` gives them; `pieces` the whole file.
    """

    text: str = ""
    tokens: int = 0
    ids: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    texts: frozenset[str] = frozenset()
    pieces: tuple[Piece, ...] = ()
    language: LanguageCode = DEFAULT.code

    def within(self, max_tokens: int) -> "MainMemory":
        """The same, shortened to at most `max_tokens`; empty where nothing fits."""
        if self.tokens <= max_tokens:
            return self
        return _fitted(self.pieces, max_tokens, self.language)


def prepare_main(text: str, max_tokens: int, language: LanguageCode) -> MainMemory:
    """MEMORY.md without comments and empty headings, at most `max_tokens` long; "" if it is empty.

    Where it is too long it ends with a whole bullet, and a last line says how many there are.

    Source: S5.6.1; decisions 2.
    """
    pieces = tuple(piece for piece in _pieces(text.removeprefix(BOM)) if piece.text)
    return _fitted(pieces, max_tokens, language)


def plain(text: str) -> str:
    """The text without regard to case and blanks."""
    return " ".join(text.split()).casefold()


def _pieces(text: str) -> Iterator[Piece]:
    """The file in order: bullets one by one, and what stands between them."""
    position = 0
    for bullet in parse(text).bullets:
        if (place := bullet.place) is not None:
            if position < place.start:
                yield Piece(visible(text[position : place.start]))
            yield Piece(visible(text[place.start : place.end]), bullet.id, is_bullet=True)
            position = place.end
    yield Piece(visible(text[position:]))


def visible(stretch: str) -> str:
    """What a reader of the rendered page sees: a person's own comments are for no model either."""
    end = stretch.rfind(CLOSE) + len(CLOSE) if CLOSE in stretch else 0  # behind it nothing closes
    *before, last = COMMENT.split(stretch[:end])
    return neutralise("".join([*(one.rstrip(" \t") for one in before), last, stretch[end:]]))


def _fitted(pieces: tuple[Piece, ...], max_tokens: int, language: LanguageCode) -> MainMemory:
    whole = _joined(pieces)
    if _size(whole) <= max_tokens:
        return _main_memory(whole, pieces, len(pieces), language)
    bullets = sum(piece.is_bullet for piece in pieces)
    least = _CUT[language].format(shown=0, all=bullets)
    for length in range(_fitting(pieces, max_tokens - count_tokens(least)), 0, -1):
        if text := _joined(pieces[:length]):
            shown = sum(piece.is_bullet for piece in pieces[:length])
            text = f"{text}\n\n{_CUT[language].format(shown=shown, all=bullets)}"
            if _size(text) <= max_tokens:
                return _main_memory(text, pieces, length, language)
    return _main_memory("", pieces, 0, language)


def _main_memory(
    text: str, pieces: tuple[Piece, ...], length: int, language: LanguageCode
) -> MainMemory:
    """The text with what the first `length` pieces hold."""
    ids = dict.fromkeys(piece.id for piece in pieces[:length] if piece.id)
    whole = length == len(pieces)
    texts = (
        plain(_BULLET.sub("", piece.text, count=1))
        for piece in pieces
        if piece.is_bullet and (piece.id in ids if piece.id else whole)
    )
    return MainMemory(
        text=text,
        tokens=_size(text),
        ids=tuple(ids),
        left_out=tuple(piece.id for piece in pieces if piece.id and piece.id not in ids),
        texts=frozenset(texts),
        pieces=pieces,
        language=language,
    )


def _fitting(pieces: Sequence[Piece], max_tokens: int) -> int:
    """About how many pieces fit, or one more: their sum is nearly the whole's."""
    totals = list(accumulate(count_tokens(piece.text) for piece in pieces))
    return bisect_right(totals, max_tokens + _MARGIN_TOKENS)


def _joined(pieces: Sequence[Piece]) -> str:
    """The text of the pieces, without headings that nothing stands under."""
    text, before = "".join(piece.text for piece in pieces), ""
    while text != before:
        text, before = _NOTHING_BELOW.sub(lambda match: match["code"] or "", text), text
    return _BLANK_LINES.sub("\n\n", text).strip("\n")


def _size(text: str) -> int:
    """The tokens that it takes in a prompt, where it is quoted."""
    return count_tokens(quoted(text)) if text else 0
