"""What a model writes into its answer to be done: calls for tools (ABP), and memory updates.

    [[ABP_TOOL:search]]{"action": "find", "parameters": {...}}[[END_ABP_TOOL]]
    ```abp {"tools": [{"name": "search", "arguments": {...}}]} ```
    {"memory_update": {"should_store": true, "category": "preference", "key": "taste:tea",
                       "value": "oolong", "content": "Likes oolong tea"}}

Source: decisions 4, 5 (both forms); S3.2.1.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from chatmem.model import CATEGORIES
from chatmem.model.memory import DEFAULT_CONFIDENCE

_NAME: Final = re.compile(
    r"(?<![^\[\]])\s*+(?P<name>[^\[\]\s](?:[^\[\]\n]{0,126}[^\[\]\s])?)\s*+\]\]"
)
_ARGUMENTS: Final = ("parameters", "arguments", "args", "input")


@dataclass(frozen=True, slots=True)
class AbpCall:
    """A call; where `problem` is set it cannot be read, and the problem says why."""

    name: str
    arguments: Any = None
    action: str | None = None
    problem: str | None = None


def calls_of_mark(inner: str) -> list[AbpCall]:
    """The call of `name]]{"action": ..., "parameters": {...}}`."""
    match = _NAME.match(inner)
    if match is None:
        return [AbpCall("", problem="has no name behind [[ABP_TOOL:")]
    name, text = match["name"], inner[match.end() :].strip()
    if not text:
        return [AbpCall(name, {})]
    found, problem = _json(text)
    if problem is not None:
        return [AbpCall(name, problem=problem)]
    if not isinstance(found, Mapping):
        return [AbpCall(name, problem="holds no JSON object")]
    return [_call(name, found)]


def calls_of_block(inner: str) -> list[AbpCall]:
    """The calls of `{"tools": [{"name", "arguments"}]}`; a list, or one call alone, does too."""
    found, problem = _json(inner.strip())
    if problem is not None:
        return [AbpCall("", problem=problem)]
    tools = found.get("tools", found) if isinstance(found, Mapping) else found
    many = tools if isinstance(tools, list) else [tools]
    return [_listed(one) for one in many]


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
        told = _text(value) if isinstance(value, str) else None if value is None else str(value)
        content = ": ".join(part for part in (key, told) if part) if told else None
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


def _listed(value: object) -> AbpCall:
    if not isinstance(value, Mapping) or not isinstance(value.get("name"), str):
        return AbpCall("", problem='needs {"name", "arguments"} for each tool')
    name: str = value["name"]
    return _call(name, {key: one for key, one in value.items() if key != "name"})


def _call(name: str, found: Mapping[str, Any]) -> AbpCall:
    action = found.get("action")
    for key in _ARGUMENTS:
        if key in found:
            return AbpCall(name, found[key], action if isinstance(action, str) else None)
    arguments = {key: value for key, value in found.items() if key != "action"}
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


def _confidence(said: object) -> float:
    if isinstance(said, bool) or not isinstance(said, (int, float)):
        return DEFAULT_CONFIDENCE
    return min(1.0, max(DEFAULT_CONFIDENCE, float(said)))


def _text(value: object) -> str | None:
    return value.strip() or None if isinstance(value, str) else None
