"""Where in an answer something begins that is not for the reader.

    [[ABP_TOOL:search]]{"action": "find", "parameters": {...}}[[END_ABP_TOOL]]
    ```abp {"tools": [{"name": "search", "arguments": {...}}]} ```
    {"memory_update": {"should_store": true, ...}}          also fenced

Source: decisions 5 (the action format); S3.2.1 (`memory_update`).
"""

import re
from typing import Final, Literal, TypeAlias

Mark: TypeAlias = Literal["call", "abp", "update", "fenced_update", "code", "none", "unsure"]

CALL_BEGINS: Final = "[[ABP_TOOL:"
CALL_ENDS: Final = re.compile(r"\[\[\s*/?\s*END_ABP_TOOL\s*\]\]", re.IGNORECASE)
CANDIDATE: Final = re.compile(r"\[|`+|~+|\{")
FENCE: Final = re.compile(r"(?P<run>`{3,}|~{3,})[ \t]*(?P<name>[A-Za-z_]*)[ \t]*")
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


def _bracketed(held: str, more_comes: bool) -> Mark:
    head = held[: len(CALL_BEGINS)].upper()
    if head == CALL_BEGINS:
        return "call"
    return "unsure" if more_comes and CALL_BEGINS.startswith(head) else "none"


def _fenced(held: str, more_comes: bool) -> Mark:
    match = FENCE.match(held)
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
