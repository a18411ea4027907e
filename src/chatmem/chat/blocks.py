"""Where the blocks end that are taken out of an answer.

Source: decisions 5; S3.2.1.
"""

import re
from dataclasses import dataclass
from typing import Final

from chatmem.chat.marks import CALL_BEGINS, CALL_ENDS, FENCE, object_end

_NEXT_CALL: Final = re.compile(re.escape(CALL_BEGINS), re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Block:
    """How long a block is, and what stands in it."""

    length: int
    inner: str


def call_block(held: str, *, more_comes: bool) -> Block | None:
    """`[[ABP_TOOL:` up to its end; without one, up to the next call, or the end of the answer."""
    start = len(CALL_BEGINS)
    end = CALL_ENDS.search(held, start)
    following = _NEXT_CALL.search(held, start)
    if following is not None and (end is None or following.start() < end.start()):
        return Block(following.start(), held[start : following.start()])
    if end is not None:
        return Block(end.end(), held[start : end.start()])
    if more_comes:
        return None
    # A model that forgets the end: what stands behind the braces is text.
    brace = held.find("{")
    last = object_end(held, brace) if brace != -1 else None
    return Block(last or len(held), held[start:last])


def object_block(held: str) -> Block | None:
    """A JSON object that stands by itself."""
    end = object_end(held)
    return None if end is None else Block(end, held[:end])


def fenced_block(held: str, *, more_comes: bool) -> Block | None:
    """A fence with everything in it; at the end of the answer one that is not closed too."""
    fence = FENCE.match(held)
    if fence is None:
        return None
    start = fence.end()
    while start < len(held) and held[start].isspace():
        start += 1
    end = object_end(held, start) if held[start : start + 1] in ("{", "[") else None
    closing = rf"{re.escape(fence['run'][0])}{{{len(fence['run'])},}}"
    found = re.compile(rf"\s*{closing}").match(held, end) if end is not None else None
    # Inside JSON a line end is written otherwise: a fence at the beginning of a line ends it.
    found = found or re.compile(rf"\n[ \t]*{closing}").search(held, end or start)
    if found is None:
        return None if more_comes else Block(len(held), held[start:])
    if found.end() == len(held) and more_comes:
        return None  # the fence may go on
    return Block(found.end(), held[start : found.start()])
