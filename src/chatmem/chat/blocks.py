"""Blocks of an answer that are not for the reader: calls for tools (ABP), and memory updates.

    [[ABP_TOOL:search]]{"action": "find", "parameters": {...}}[[END_ABP_TOOL]]
    ```abp {"tools": [{"name": "search", "arguments": {...}}]} ```
    {"memory_update": {"should_store": true, "category": "preference", "key": "taste:tea",
                       "value": "oolong", "content": "Likes oolong tea"}}

An update may be fenced too.

Source: decisions 4, 5 (both forms of the action format); S3.2.1 (`memory_update`).
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from chatmem.model import CATEGORIES
from chatmem.model.memory import DEFAULT_CONFIDENCE

Mark: TypeAlias = Literal["call", "abp", "update", "fenced_update", "code", "text", "unsure"]

CANDIDATE: Final = re.compile(r"\[|`+|~+|\{")
_CALL_BEGINS: Final = "[[ABP_TOOL:"
_CALL_ENDS: Final = re.compile(r"\[\[\s*/?\s*END_ABP_TOOL\s*\]\]", re.IGNORECASE)
_NEXT_CALL: Final = re.compile(re.escape(_CALL_BEGINS), re.IGNORECASE)
_FENCE: Final = re.compile(r"(?P<run>`{3,}|~{3,})[ \t]*(?P<name>[A-Za-z_]*)[ \t]*")
_UPDATE_BEGINS: Final = '{"memory_update"'
_SPACES: Final = re.compile(r"\s+")
_SEARCHED_CHARS: Final = 120
_JSON_FENCES: Final = ("", "json", "jsonc", "memory_update")
_JSON_TOKEN: Final = re.compile(r'"(?:[^"\\]|\\.)*+"?|[][{}]', re.DOTALL)
"""A text, closed or not; or a bracket."""
_NAME: Final = re.compile(
    r"(?<![^\[\]])\s*+(?P<name>[^\[\]\s](?:[^\[\]\n]{0,126}[^\[\]\s])?)\s*+\]\]"
)
_ARGUMENTS: Final = ("parameters", "arguments", "args", "input")


@dataclass(frozen=True, slots=True)
class Block:
    """How long a block is, and what stands in it."""

    length: int
    inner: str


@dataclass(frozen=True, slots=True)
class AbpCall:
    """A call; where `problem` is set it cannot be read, and the problem says why."""

    name: str
    arguments: Any = None
    action: str | None = None
    problem: str | None = None


def mark_at_start(held: str, *, at_line_start: bool, more_comes: bool) -> Mark:
    """What this text, which begins with a `CANDIDATE`, is the beginning of.

    `unsure` while what comes next decides; `code` may be text.
    """
    if held[0] == "[":
        head = held[: len(_CALL_BEGINS)].upper()
        if head == _CALL_BEGINS:
            return "call"
        return "unsure" if more_comes and _CALL_BEGINS.startswith(head) else "text"
    if held[0] == "{":
        return _update_mark(held, "update", "text", more_comes)
    return _fence_mark(held, more_comes) if at_line_start else "text"


def _fence_mark(held: str, more_comes: bool) -> Mark:
    match = _FENCE.match(held)
    if match is not None and match.end() == len(held) and more_comes:
        return "unsure"
    name = match["name"].lower() if match else None
    if match is None or name not in ("abp", *_JSON_FENCES):
        return "code"
    if name == "abp":
        return "abp"
    return _update_mark(held[match.end() :], "fenced_update", "code", more_comes)


def _update_mark(text: str, update: Mark, other: Mark, more_comes: bool) -> Mark:
    head = _SPACES.sub("", text[:_SEARCHED_CHARS])[: len(_UPDATE_BEGINS)]
    if head == _UPDATE_BEGINS:
        return update
    return "unsure" if more_comes and _UPDATE_BEGINS.startswith(head) else other


def block_at_start(mark: Mark, held: str, *, more_comes: bool) -> Block | None:
    """The block that begins with this mark; None where its end has not come."""
    if mark == "call":
        return _call_block(held, more_comes)
    if mark == "update":
        end = _object_end(held)
        return None if end is None else Block(end, held[:end])
    return _fenced_block(held, more_comes)


def _call_block(held: str, more_comes: bool) -> Block | None:
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
    last = _object_end(held, brace) if brace != -1 else None
    return Block(last or len(held), held[start:last])


def _fenced_block(held: str, more_comes: bool) -> Block | None:
    """A fence with everything in it; at the end of the answer one that is not closed too."""
    fence = _FENCE.match(held)
    if fence is None:
        return None
    start = fence.end()
    while start < len(held) and held[start].isspace():
        start += 1
    end = _object_end(held, start) if held[start : start + 1] in ("{", "[") else None
    closing = rf"{re.escape(fence['run'][0])}{{{len(fence['run'])},}}"
    found = re.compile(rf"\s*{closing}").match(held, end) if end is not None else None
    # Inside JSON a line end is written otherwise: a fence at the beginning of a line ends it.
    found = found or re.compile(rf"\n[ \t]*{closing}").search(held, end or start)
    if found is None:
        return None if more_comes else Block(len(held), held[start:])
    if found.end() == len(held) and more_comes:
        return None  # the fence may go on
    return Block(found.end(), held[start : found.start()])


def _object_end(text: str, start: int = 0) -> int | None:
    """Where the JSON object that begins at `start` ends; None where it does not."""
    depth = 0
    for token in _JSON_TOKEN.finditer(text, start):
        if token[0] in "{[":
            depth += 1
        elif token[0] in "}]":
            depth -= 1
            if depth <= 0:
                return token.end()
    return None


def calls_of_mark(inner: str) -> list[AbpCall]:
    """The call of `name]]{"action": ..., "parameters": {...}}`."""
    match = _NAME.match(inner)
    if match is None:
        return [AbpCall("", problem="has no name behind [[ABP_TOOL:")]
    name, text = match["name"], inner[match.end() :].strip()
    found, problem = _json(text) if text else ({}, None)
    if problem is None and not isinstance(found, Mapping):
        problem = "holds no JSON object"
    return [_call(name, found) if problem is None else AbpCall(name, problem=problem)]


def calls_of_block(inner: str) -> list[AbpCall]:
    """The calls of `{"tools": [{"name", "arguments"}]}`; a list, or one call alone, does too."""
    found, problem = _json(inner.strip())
    if problem is not None:
        return [AbpCall("", problem=problem)]
    tools = found.get("tools", found) if isinstance(found, Mapping) else found
    return [_listed_call(one) for one in (tools if isinstance(tools, list) else [tools])]


def _listed_call(value: object) -> AbpCall:
    if not isinstance(value, Mapping) or not isinstance(value.get("name"), str):
        return AbpCall("", problem='needs {"name", "arguments"} for each tool')
    return _call(value["name"], {key: one for key, one in value.items() if key != "name"})


def _call(name: str, found: Mapping[str, Any]) -> AbpCall:
    action = found.get("action")
    rest = {key: value for key, value in found.items() if key != "action"}
    arguments = next((found[key] for key in _ARGUMENTS if key in found), rest)
    return AbpCall(name, arguments, action if isinstance(action, str) else None)


def _json(text: str) -> tuple[Any, str | None]:
    """What the text says, and what is wrong with it; a fence or words around it do no harm."""
    try:
        return json.loads(text), None
    except ValueError as error:
        try:
            return json.JSONDecoder().raw_decode(text, text.index("{"))[0], None
        except ValueError:
            return None, f"is no JSON ({error})"


def write_of(update: Mapping[str, Any]) -> dict[str, Any] | None:
    """What `apply_writes` takes; None where nothing shall be stored, or nothing is said.

    Only these fields are read: who may see a memory, and whose it is, is not for a model to say.
    Its confidence is at least 0.9.
    """
    if update.get("should_store") not in (True, "true", "True", 1):
        return None
    key, value = _text(update.get("key")), update.get("value")
    content = _text(update.get("content"))
    if content is None:
        worded = _text(value) if isinstance(value, str) or value is None else str(value)
        content = ": ".join(part for part in (key, worded) if part) if worded else None
    if content is None:
        return None
    category = update.get("category")
    return {
        "content": content,
        "category": category if category in CATEGORIES else "fact",
        "key": key,
        "value": value,
        "confidence": _confidence(update.get("confidence")),
        "source": "user_stated",
    }


def _confidence(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return DEFAULT_CONFIDENCE
    return min(1.0, max(DEFAULT_CONFIDENCE, float(value)))


def _text(value: object) -> str | None:
    return value.strip() or None if isinstance(value, str) else None
