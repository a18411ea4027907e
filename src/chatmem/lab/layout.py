"""Tables and wrapped text, as wide as a terminal; a Chinese character is two columns."""

import re
from collections.abc import Iterator, Sequence

from rich import box
from rich.cells import cell_len
from rich.table import Table

_WIDE = r"\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff"
# Marks that may not begin a line stay with what they follow.
_CLOSING = r"，。！？；：、）》」』”’…"
_PIECE = re.compile(rf"[^\s{_WIDE}{_CLOSING}]+[{_CLOSING}]*|[{_WIDE}{_CLOSING}][{_CLOSING}]*|\s+")


def table(header: Sequence[str], *, numbers: Sequence[int] = ()) -> Table:
    """An empty table; columns whose index is in `numbers` are set flush right and never broken."""
    made = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, header_style="bold")
    for index, title in enumerate(header):
        numeric = index in numbers
        made.add_column(title, justify="right" if numeric else "left", no_wrap=numeric)
    return made


def wrapped(text: str, width: int) -> str:
    """The text in lines of at most `width` columns, broken at blanks and after Chinese characters.

    A longer word has a line of its own, whole, so that it can be copied. (rich breaks Chinese
    anywhere, also before a comma.)
    """
    return "\n".join(line for part in text.splitlines() for line in _lines(part, width))


def _lines(text: str, width: int) -> Iterator[str]:
    line = ""
    for piece in _PIECE.findall(text):
        if line.strip() and cell_len((line + piece).rstrip()) > width:
            yield line.rstrip()
            line = piece.lstrip()
        else:
            line += piece
    yield line.rstrip()
