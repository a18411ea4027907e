"""Data in a prompt: between a fence's two lines, saying where it is from, unable to leave it.

    <memory source="MEMORY.md">
    - Drinks oolong
    </memory>

Source: decisions 5; lessons.md, "stored text acts as instructions".
"""

import re
from collections.abc import Iterable
from functools import lru_cache

from chatmem.prompt.imitations import neutralise

MEMORY_FENCE = "memory"
DOCUMENT_FENCE = "document"
_MARGIN = "  "
_MAX_LABEL_CHARS = 80
_UNLABELLED = str.maketrans(
    {'"': "'", "<": "(", ">": ")", "[": "(", "]": ")", "＜": "(", "＞": ")"}
)
harmless = lru_cache(maxsize=64)(neutralise)
"""The same as `neutralise`, remembered: documents are the same from turn to turn."""
_BLANK_LINES = re.compile(r"\n\s*\n")


def fenced(name: str, origin: str, body: str) -> str:
    """`<name source="origin">`, the neutralised body, `</name>`, each on lines of its own."""
    return f"{opening(name, origin)}\n{harmless(body)}\n{closing(name)}"


def fenced_items(name: str, origin: str, items: Iterable[str]) -> str:
    """The same around lines that `item` made: each is harmless, and so they are together."""
    return "\n".join([opening(name, origin), *items, closing(name)])


def opening(name: str, origin: str) -> str:
    """The fence's first line."""
    said = label(origin)
    return f'<{name} source="{said}">' if said else f"<{name}>"


def closing(name: str) -> str:
    """The fence's last line."""
    return f"</{name}>"


def label(text: str) -> str:
    """A name or title on one line, at most 80 characters, without anything that ends a label."""
    line = " ".join(neutralise(text).translate(_UNLABELLED).split())
    return line if len(line) <= _MAX_LABEL_CHARS else line[: _MAX_LABEL_CHARS - 1] + "…"


def item(origin: str, text: str) -> str:
    """`- (origin) text`; further lines are indented, blank ones go.

    The text is neutralised by itself first: at the beginning of a line of its own it may be taken
    for something that it is not behind the origin.
    """
    told = neutralise(text).strip()
    if "\n" in told:
        told = _BLANK_LINES.sub("\n", told).replace("\n", f"\n{_MARGIN}")
    return f"- ({origin}) {told}" if origin else f"- {told}"
