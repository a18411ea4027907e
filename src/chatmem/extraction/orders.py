"""Orders to memory: to remember and to forget, and what they name.

The reader tells most of them. What stands here is for those that it does not see: an order is a
command, which has to work each time, whatever it names ("remember that box 7 holds apples").
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

from chatmem.extraction.reader.labels import Wish
from chatmem.extraction.reader.tokens import fold
from chatmem.text.languages import any_of, language_by_script
from chatmem.text.sentences import sentences

_compiled = cache(re.compile)
_MAY_ORDER: Final = re.compile(any_of(lambda language: language.orders.hint))
_LONGEST_ORDER_CHARS: Final = 300
"""A longer sentence is no order; the patterns are not made for more."""
_EDGES: Final = " \t\n.。!！~～,，;；:："


class MemoryOrder(NamedTuple):
    """An order in a message: the sentence that gives it, and what it names in it."""

    wish: Wish
    sentence: str
    named: str


def orders_in(message: str) -> Iterator[MemoryOrder]:
    """The orders to memory that a message gives, in order; mostly none."""
    if not _MAY_ORDER.search(fold(message).lower()):
        return
    before = ""
    for sentence in sentences(message):
        plain = fold(sentence[:_LONGEST_ORDER_CHARS]).lower()
        found = _order(plain) if len(plain) == len(sentence) else None
        if found is not None:
            wish, start, end = found
            if named := sentence[start:end].strip(_EDGES) or before:
                yield MemoryOrder(wish, sentence, named)
        before = sentence.strip(_EDGES)


def _order(plain: str) -> tuple[Wish, int, int] | None:
    """The order that a sentence gives, in lower case and Simplified, and where what it names is.

    That may be empty (`remember that`): then it is what was said before.
    """
    orders = language_by_script(plain).orders
    # What has been said before the order: `..., remember that` is only an order to keep it.
    if match := _compiled(orders.remembered).search(plain):
        return "remember", 0, match.start()
    if match := _compiled(orders.remember).match(plain):
        noted = orders.noted and _compiled(orders.noted).search(match[0])
        if noted and not _compiled(orders.mine).search(plain[match.end() :]):
            return None
        return "remember", match.end(), len(plain)
    match = _compiled(orders.forget).match(plain)
    if match is None or not _compiled(orders.own).search(match[0]):
        return None
    group = next(name for name, found in match.groupdict().items() if found)
    if _compiled(orders.not_forgotten).match(match[group]):
        return None
    return "forget", *match.span(group)
