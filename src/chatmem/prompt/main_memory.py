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
from chatmem.text.languages import DEFAULT
from chatmem.text.languages import LanguageCode as Language
from chatmem.text.outline import CLOSE, OPEN
from chatmem.text.tokens import count_tokens

_HEADING = re.compile(r"(#{1,6})(?:[ \t]|$)")
_BULLET = re.compile(r"(?<!\s)\s*+(?:[-*+]|[0-9]{1,9}[.)])\s+")
_BLANK_LINES = re.compile(r"\n(?:[ \t]*\n)+")
_A_LITTLE_OVER = 2
_MOST_CACHED_CHARS = 1_000
_CUT = {
    "en": "(Cut: {shown} of {all} memories are shown here. Search finds the rest.)",
    "zh": "（已截断：共 {all} 条记忆，此处显示 {shown} 条，其余可通过搜索找到。）",
}


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of the file as a reader sees it, with the ids and the number of its memories."""

    text: str
    ids: tuple[str, ...] = ()
    bullets: int = 0


@dataclass(frozen=True, slots=True)
class MainMemory:
    """The text for the prompt, its tokens, and which memories it holds and does not hold.

    `cut` is True when not everything of the file is in the text; the text then says so. `texts` are
    those of the memories in it, as `plain` gives them.
    """

    text: str = ""
    tokens: int = 0
    ids: frozenset[str] = frozenset()
    left_out: tuple[str, ...] = ()
    cut: bool = False
    pieces: tuple[Piece, ...] = ()
    language: Language = DEFAULT.code
    texts: frozenset[str] = frozenset()

    def within(self, max_tokens: int) -> "MainMemory":
        """The same, shortened to at most `max_tokens`; empty where nothing fits."""
        if self.tokens <= max_tokens:
            return self
        return _fitted(self.pieces, max_tokens, self.language)


def prepare_main(text: str, max_tokens: int, language: Language) -> MainMemory:
    """MEMORY.md without comments and empty headings, at most `max_tokens` long; "" if it is empty.

    Where it is too long it ends with a whole bullet, and a last line says how many there are.

    Source: S5.6.1; decisions 2.
    """
    return _fitted(tuple(_pieces(text)), max_tokens, language)


def _pieces(text: str) -> list[Piece]:
    """The file in order: bullets one by one, and what stands between them."""
    pieces: list[Piece] = []
    position = 0
    for bullet in parse(text).bullets:
        if (place := bullet.place) is not None:
            ids = (bullet.id,) if bullet.id else ()
            pieces.append(Piece(_shown(text[position : place.start])))
            pieces.append(Piece(_shown(text[place.start : place.end]), ids, 1))
            position = place.end
    pieces.append(Piece(_shown(text[position:])))
    return [piece for piece in pieces if piece.text]


def _visible(stretch: str) -> str:
    """What a reader of the rendered page sees: a person's own comments are for no model either."""
    return neutralise(_without_comments(visible_text(stretch)))


_cached = lru_cache(maxsize=4_096)(_visible)
"""A file changes by a bullet or two between two turns; all others are read only once."""


def _shown(stretch: str) -> str:
    return _cached(stretch) if len(stretch) <= _MOST_CACHED_CHARS else _visible(stretch)


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


def _fitted(pieces: tuple[Piece, ...], max_tokens: int, language: Language) -> MainMemory:
    every = tuple(memory_id for piece in pieces for memory_id in piece.ids)
    whole = _joined(pieces)
    tokens = count_tokens(whole) if whole else 0
    if tokens <= max_tokens:
        texts = _texts(pieces, frozenset(every), cut=False)
        return MainMemory(whole, tokens, frozenset(every), (), False, pieces, language, texts)
    most = _fitting(pieces, max_tokens - count_tokens(_note(pieces, 0, language)))
    for length in range(most, 0, -1):
        if not (text := _joined(pieces[:length])):
            continue
        shown = sum(piece.bullets for piece in pieces[:length])
        text = f"{text}\n\n{_note(pieces, shown, language)}"
        tokens = count_tokens(text)
        if tokens <= max_tokens:
            ids = frozenset(memory_id for piece in pieces[:length] for memory_id in piece.ids)
            left = tuple(memory_id for memory_id in every if memory_id not in ids)
            texts = _texts(pieces, ids, cut=True)
            return MainMemory(text, tokens, ids, left, True, pieces, language, texts)
    return MainMemory("", 0, frozenset(), every, True, pieces, language)


def plain(text: str) -> str:
    """The text without regard to case and blanks."""
    return " ".join(text.split()).casefold()


def _texts(pieces: Sequence[Piece], ids: frozenset[str], *, cut: bool) -> frozenset[str]:
    """The texts of the memories that are shown."""
    return frozenset(
        plain(_BULLET.sub("", piece.text, count=1))
        for piece in pieces
        if piece.bullets and ids.issuperset(piece.ids) and (piece.ids or not cut)
    )


def _fitting(pieces: Sequence[Piece], max_tokens: int) -> int:
    """About how many pieces fit, or one more: their sum is nearly the whole's."""
    total = 0
    for number, piece in enumerate(pieces):
        total += count_tokens(piece.text)
        if total > max_tokens + _A_LITTLE_OVER:
            return number
    return len(pieces)


def _joined(pieces: Sequence[Piece]) -> str:
    """The text of the pieces, without headings that nothing stands under."""
    lines = "".join(piece.text for piece in pieces).split("\n")
    levels = list(_levels(lines))
    kept: list[str] = []
    below = 1  # the level of what stands below: 0 is text, 1 at the end fits under no heading
    for line, level in zip(reversed(lines), reversed(levels), strict=True):
        if not level:
            kept.append(line)
            below = 0 if line.strip() else below
        elif below == 0 or below > level:
            kept.append(line)
            below = level
    return _BLANK_LINES.sub("\n\n", "\n".join(reversed(kept))).strip("\n")


def _levels(lines: Sequence[str]) -> Iterator[int]:
    """For each line the level of the heading it is, or 0; what is in a code block is none."""
    in_code = False
    for line in lines:
        if line.startswith(("```", "~~~")):
            in_code = not in_code
        heading = None if in_code else _HEADING.match(line)
        yield len(heading[1]) if heading else 0


def _note(pieces: Sequence[Piece], shown: int, language: Language) -> str:
    return _CUT[language].format(shown=shown, all=sum(piece.bullets for piece in pieces))
