"""Where in an answer something begins that is not for the reader, and where it ends.

`actions` has the forms; a `memory_update` may be fenced too.

Source: decisions 5 (the action format); S3.2.1 (`memory_update`).
"""

import re
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

Mark: TypeAlias = Literal["call", "abp", "update", "fenced_update", "code", "none", "unsure"]

_CALL_BEGINS: Final = "[[ABP_TOOL:"
_CALL_ENDS: Final = re.compile(r"\[\[\s*/?\s*END_ABP_TOOL\s*\]\]", re.IGNORECASE)
CANDIDATE: Final = re.compile(r"\[|`+|~+|\{")
_NEXT_CALL: Final = re.compile(re.escape(_CALL_BEGINS), re.IGNORECASE)
_FENCE: Final = re.compile(r"(?P<run>`{3,}|~{3,})[ \t]*(?P<name>[A-Za-z_]*)[ \t]*")
_UPDATE_BEGINS: Final = '{"memory_update"'
_SPACES: Final = re.compile(r"\s+")
_LOOKED_AT_CHARS: Final = 120
_HOLDS_JSON: Final = ("", "json", "jsonc", "memory_update")


def mark_at_start(held: str, *, at_line_start: bool, more_comes: bool) -> Mark:
    """What this text, which begins with a `CANDIDATE`, is the beginning of.

    `unsure` while what comes next decides.
    """
    if held[0] == "[":
        return _bracketed(held, more_comes)
    if held[0] == "{":
        return _update(held, "update", "none", more_comes)
    return _fenced(held, more_comes) if at_line_start else "none"


def object_end(text: str, start: int = 0) -> int | None:
    """Where the JSON object that begins at `start` ends; None where it does not."""
    depth = 0
    in_string = False
    position = start
    while position < len(text):
        sign = text[position]
        if in_string:
            if sign == "\\":
                position += 1
            in_string = sign != '"'
        elif sign == '"':
            in_string = True
        elif sign in "{[":
            depth += 1
        elif sign in "}]":
            depth -= 1
            if depth <= 0:
                return position + 1
        position += 1
    return None


@dataclass(frozen=True, slots=True)
class Block:
    """How long a block is, and what stands in it."""

    length: int
    inner: str


def call_block(held: str, *, more_comes: bool) -> Block | None:
    """`[[ABP_TOOL:` up to its end; without one, up to the next call, or the end of the answer."""
    start = len(_CALL_BEGINS)
    end = _CALL_ENDS.search(held, start)
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
    fence = _FENCE.match(held)
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


def _bracketed(held: str, more_comes: bool) -> Mark:
    head = held[: len(_CALL_BEGINS)].upper()
    if head == _CALL_BEGINS:
        return "call"
    return "unsure" if more_comes and _CALL_BEGINS.startswith(head) else "none"


def _fenced(held: str, more_comes: bool) -> Mark:
    match = _FENCE.match(held)
    if match is None:  # fewer than three, so far
        return "unsure" if more_comes and not held.strip(held[0]) else "none"
    if match.end() == len(held) and more_comes:
        return "unsure"
    name = match["name"].lower()
    if name == "abp":
        return "abp"
    if name not in _HOLDS_JSON:
        return _code(held, match.end(), more_comes)
    mark = _update(held[match.end() :], "fenced_update", "code", more_comes)
    return _code(held, match.end(), more_comes) if mark == "code" else mark


def _code(held: str, start: int, more_comes: bool) -> Mark:
    """A fence's first line is whole, and has no fence in it."""
    line, newline, _ = held[start:].partition("\n")
    if held[0] in line:
        return "none"
    return "code" if newline or not more_comes else "unsure"


def _update(text: str, update: Mark, other: Mark, more_comes: bool) -> Mark:
    head = _SPACES.sub("", text[:_LOOKED_AT_CHARS])[: len(_UPDATE_BEGINS)]
    if head == _UPDATE_BEGINS:
        return update
    return "unsure" if more_comes and _UPDATE_BEGINS.startswith(head) else other
