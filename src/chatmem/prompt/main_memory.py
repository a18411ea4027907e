"""MEMORY.md as a prompt takes it: whole, inside its cap.

It depends on the file, the cap and the language only, so it is the same from turn to turn.

Source: S5.6.1; decisions 2, 5.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from chatmem.prompt.imitations import neutralise
from chatmem.text.bullets import parse, visible_text
from chatmem.text.languages import DEFAULT, LanguageCode, phrases
from chatmem.text.outline import CLOSE, LIST_MARKER, OPEN
from chatmem.text.tokens import count_tokens

_HEADING = re.compile(r"(#{1,6})(?:[ \t]|$)")
_BULLET = re.compile(rf"(?<!\s)\s*+{LIST_MARKER}\s+")
_BLANK_LINES = re.compile(r"\n(?:[ \t]*\n)+")
_MARGIN_TOKENS = 2
_MAX_CACHED_CHARS = 1_000
_CUT = phrases("prompt.memories_cut")


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of the file as a reader sees it; `id` is the memory's where it is a bullet."""

    text: str
    id: str | None = None
    is_bullet: bool = False


@dataclass(frozen=True, slots=True)
class MainMemory:
    """The text for the prompt, its tokens, and the ids of memories that it holds, or does not.

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
    pieces = tuple(piece for piece in _pieces(text) if piece.text)
    return _fitted(pieces, max_tokens, language)


def plain(text: str) -> str:
    """The text without regard to case and blanks."""
    return " ".join(text.split()).casefold()


def _pieces(text: str) -> Iterator[Piece]:
    """The file in order: bullets one by one, and what stands between them."""
    position = 0
    for bullet in parse(text).bullets:
        if (place := bullet.place) is not None:
            yield Piece(_visible(text[position : place.start]))
            yield Piece(_visible(text[place.start : place.end]), bullet.id, is_bullet=True)
            position = place.end
    yield Piece(_visible(text[position:]))


def _visible(stretch: str) -> str:
    """What a reader of the rendered page sees: a person's own comments are for no model either."""
    return (_cached if len(stretch) <= _MAX_CACHED_CHARS else _read)(stretch)


def _read(stretch: str) -> str:
    return neutralise(_without_comments(visible_text(stretch)))


_cached = lru_cache(maxsize=4_096)(_read)
"""A file changes by a bullet or two between two turns; all others are read only once."""


def _without_comments(text: str) -> str:
    pieces: list[str] = []
    position = 0
    while (start := text.find(OPEN, position)) != -1:
        end = text.find(CLOSE, start + len(OPEN))
        if end == -1:
            break
        pieces.append(text[position:start].rstrip(" \t"))
        position = end + len(CLOSE)
    return "".join([*pieces, text[position:]])


def _fitted(pieces: tuple[Piece, ...], max_tokens: int, language: LanguageCode) -> MainMemory:
    whole = _joined(pieces)
    if not whole or count_tokens(whole) <= max_tokens:
        return _main_memory(whole, pieces, len(pieces), language)
    bullets = sum(piece.is_bullet for piece in pieces)
    least = _CUT[language].format(shown=0, all=bullets)
    for length in range(_fitting(pieces, max_tokens - count_tokens(least)), 0, -1):
        if text := _joined(pieces[:length]):
            shown = sum(piece.is_bullet for piece in pieces[:length])
            text = f"{text}\n\n{_CUT[language].format(shown=shown, all=bullets)}"
            if count_tokens(text) <= max_tokens:
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
        tokens=count_tokens(text) if text else 0,
        ids=tuple(ids),
        left_out=tuple(piece.id for piece in pieces if piece.id and piece.id not in ids),
        texts=frozenset(texts),
        pieces=pieces,
        language=language,
    )


def _fitting(pieces: Sequence[Piece], max_tokens: int) -> int:
    """About how many pieces fit, or one more: their sum is nearly the whole's."""
    total = 0
    for number, piece in enumerate(pieces):
        total += count_tokens(piece.text)
        if total > max_tokens + _MARGIN_TOKENS:
            return number
    return len(pieces)


def _joined(pieces: Sequence[Piece]) -> str:
    """The text of the pieces, without headings that nothing stands under."""
    lines = "".join(piece.text for piece in pieces).split("\n")
    found: list[str] = []
    below = 1  # the level of what stands below: 0 is text, 1 at the end fits under no heading
    for line, level in zip(reversed(lines), reversed(list(_levels(lines))), strict=True):
        if level == 0:
            found.append(line)
            below = 0 if line.strip() else below
        elif below == 0 or below > level:
            found.append(line)
            below = level
    return _BLANK_LINES.sub("\n\n", "\n".join(reversed(found))).strip("\n")


def _levels(lines: Sequence[str]) -> Iterator[int]:
    """For each line the level of the heading it is, or 0; what is in a code block is none."""
    in_code = False
    for line in lines:
        if line.startswith(("```", "~~~")):
            in_code = not in_code
        heading = None if in_code else _HEADING.match(line)
        yield len(heading[1]) if heading else 0
