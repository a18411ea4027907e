"""What a change changed: a text word by word, everything else as it was and as it is."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final, Literal, TypeAlias

from nicegui.elements.mixins.text_element import TextElement

from chatmem.interfaces.web.saying import day_and_clock
from chatmem.interfaces.web.words import Words
from chatmem.model import AtomicMemoryRecord
from chatmem.text.normalise import HAN

Tag: TypeAlias = Literal["span", "del", "ins"]

_TOLD: Final = (
    "content", "category", "kind", "memory_type", "visibility", "source", "importance",
    "confidence", "key", "value", "tags", "valid_to", "document",
)  # fmt: skip
_NAMED: Final = ("category", "kind", "visibility", "source")
_PIECES: Final = re.compile(rf"[{HAN}]|[^\W{HAN}]+|\s+|.", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Difference:
    """A column that was changed, as it was and as it is."""

    name: str
    before: str
    after: str


def differences(
    words: Words, before: AtomicMemoryRecord, after: AtomicMemoryRecord
) -> list[Difference]:
    """The columns that differ and that a person knows, in words."""
    return [
        Difference(name, _said(words, name, before), _said(words, name, after))
        for name in _TOLD
        if getattr(before, name) != getattr(after, name)
    ]


def pieces(before: str, after: str) -> Iterator[tuple[Tag, str]]:
    """Both texts as one: what stayed, what went and what came, a word or a character at a time."""
    old, new = _PIECES.findall(before), _PIECES.findall(after)
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    for what, begin, end, new_begin, new_end in matcher.get_opcodes():
        if what == "equal":
            yield "span", "".join(old[begin:end])
            continue
        if end > begin:
            yield "del", "".join(old[begin:end])
        if new_end > new_begin:
            yield "ins", "".join(new[new_begin:new_end])


def marked(before: str, after: str) -> None:
    """Show both texts as one, with what went struck out and what came underlined."""
    for tag, text in pieces(before, after):
        TextElement(tag=tag, text=text)


def _said(words: Words, name: str, memory: AtomicMemoryRecord) -> str:
    """A column's value as the visitor reads it."""
    value = getattr(memory, name)
    if value is None or value == ():
        return words("card.nothing")
    if name in _NAMED:
        return words(f"card.{name}_{value}")
    if name == "memory_type":
        return words(f"card.type_{value}")
    if name == "confidence":
        return f"{value:.0%}"
    if name == "tags":
        return words("card.comma").join(value)
    if name == "valid_to":
        return day_and_clock(words, value)
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
