"""An answer as it comes, taken apart: text for the reader, calls for tools, updates for memory.

    [[ABP_TOOL:search]]{"action": "find", "parameters": {...}}[[END_ABP_TOOL]]
    ```abp {"tools": [{"name": "search", "arguments": {...}}]} ```
    {"memory_update": {"should_store": true, "category": "preference", "key": "taste:tea",
                       "value": "oolong", "content": "Likes oolong tea"}}

An update may be fenced too. What is shown of an answer does not depend on the pieces it comes in.

Source: decisions 4, 5 (both forms of the action format); S3.2.1 (`memory_update`).
"""

import json
import re
from collections.abc import Mapping
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from chatmem.model import CATEGORIES
from chatmem.model.memory import DEFAULT_CONFIDENCE
from chatmem.text.thoughts import MOST_HELD_CHARS, SpokenText

_Mark: TypeAlias = Literal["call", "abp", "update", "fenced_update", "code", "text", "unsure"]
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

_Block: TypeAlias = tuple[int, str]
"""How long a block is, and what stands in it."""


class AbpCall(NamedTuple):
    """A call; where `problem` is set it cannot be read, and the problem says why."""

    name: str
    arguments: Any = None
    action: str | None = None
    problem: str | None = None


class AnswerReader(SpokenText):
    """Reads one answer; `calls` and `updates` fill while it is fed.

    Calls are looked for where `reads_calls`; in code, and behind a backtick, they are quoted and
    no calls. `unreadable` counts updates that are no JSON. What a reasoning model thinks is left
    out; `took_back` is True after a piece by which all text before it turned out to be thoughts.
    """

    candidate = re.compile(r"\[|`+|~+|\{")

    def __init__(self, *, reads_calls: bool) -> None:
        super().__init__()
        self._reads_calls = reads_calls
        self._forget()

    def _forget(self) -> None:
        self.calls: list[AbpCall] = []
        self.updates: list[Mapping[str, Any]] = []
        self.unreadable = 0

    def _take_back(self, rest: str) -> str:
        self._forget()
        return super()._take_back(rest)

    def _marked(self, length: int, more_comes: bool) -> str | None:
        """What is shown of a text that begins with a candidate; "" where a block was taken out."""
        mark = _mark_at_start(
            self._held, at_line_start=not self._line.strip(), more_comes=more_comes
        )
        if mark == "unsure":
            return None
        if mark in ("call", "update") and self._line.endswith("`"):
            mark = "text"  # quoted
        if mark in ("call", "abp") and not self._reads_calls:
            mark = "text" if mark == "call" else "code"
        if mark == "text":
            return self._take(length)
        if mark == "code":
            return super()._marked(length, more_comes)
        return self._out(mark, more_comes)

    def _out(self, mark: _Mark, more_comes: bool) -> str | None:
        """Takes the block out, and what stands in it in."""
        if mark == "call":
            block = _call_block(self._held, more_comes)
        elif mark == "update":
            end = _object_end(self._held)
            block = None if end is None else (end, self._held[:end])
        else:
            block = _fenced_block(self._held, more_comes)
        if block is None and more_comes:
            return None if len(self._held) <= MOST_HELD_CHARS else self._take(1)
        self._has_begun = True
        if block is None:  # an update without its end
            self.unreadable += 1
            self._held = ""
            return ""
        length, inner = block
        if mark == "call":
            self.calls += _calls_of_mark(inner)
        elif mark == "abp":
            self.calls += _calls_of_block(inner)
        elif not self._note_update(inner):
            return self._take(length)
        self._held = self._held[length:]
        return ""

    def _note_update(self, inner: str) -> bool:
        """True where it is an update, one that cannot be read included."""
        try:
            found = json.loads(inner)
        except ValueError:
            self.unreadable += 1
            return True
        update = found.get("memory_update") if isinstance(found, dict) else None
        many = update if isinstance(update, list) else [update]
        updates = [one for one in many if isinstance(one, dict)]
        self.updates += updates
        return len(updates) == len(many)


class ShownText:
    """Collects what is shown; whitespace waits until something stands behind it.

    So that the text as it was streamed and the text as it is saved are the same.
    """

    def __init__(self) -> None:
        self.text = ""
        self._waiting = ""
        self._before = ""

    def show(self, piece: str) -> str:
        """What of it, and of what waited, is shown now."""
        whole = self._waiting + piece
        if not self.text:
            whole = whole.lstrip()
        shown = whole.rstrip()
        self._waiting = whole[len(shown) :]
        self.text += shown
        return shown

    def begin_paragraph(self) -> None:
        """What comes next stands by itself."""
        self._waiting = "\n\n" if self.text else ""
        self._before = self.text

    def take_back(self) -> None:
        """What was shown of this paragraph was none: a model's thoughts."""
        self.text = self._before
        self._waiting = "\n\n" if self.text else ""


def _mark_at_start(held: str, *, at_line_start: bool, more_comes: bool) -> _Mark:
    """What this text, which begins with a candidate, is the beginning of.

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


def _fence_mark(held: str, more_comes: bool) -> _Mark:
    match = _FENCE.match(held)
    if match is not None and match.end() == len(held) and more_comes:
        return "unsure"
    name = match["name"].lower() if match else None
    if match is None or name not in ("abp", *_JSON_FENCES):
        return "code"
    if name == "abp":
        return "abp"
    return _update_mark(held[match.end() :], "fenced_update", "code", more_comes)


def _update_mark(text: str, update: _Mark, other: _Mark, more_comes: bool) -> _Mark:
    head = _SPACES.sub("", text[:_SEARCHED_CHARS])[: len(_UPDATE_BEGINS)]
    if head == _UPDATE_BEGINS:
        return update
    return "unsure" if more_comes and _UPDATE_BEGINS.startswith(head) else other


def _call_block(held: str, more_comes: bool) -> _Block | None:
    """`[[ABP_TOOL:` up to its end; without one, up to the next call, or the end of the answer."""
    start = len(_CALL_BEGINS)
    end = _CALL_ENDS.search(held, start)
    following = _NEXT_CALL.search(held, start)
    if following is not None and (end is None or following.start() < end.start()):
        return following.start(), held[start : following.start()]
    if end is not None:
        return end.end(), held[start : end.start()]
    if more_comes:
        return None
    # A model that forgets the end: what stands behind the braces is text.
    brace = held.find("{")
    last = _object_end(held, brace) if brace != -1 else None
    return last or len(held), held[start:last]


def _fenced_block(held: str, more_comes: bool) -> _Block | None:
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
        return None if more_comes else (len(held), held[start:])
    if found.end() == len(held) and more_comes:
        return None  # the fence may go on
    return found.end(), held[start : found.start()]


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


def _calls_of_mark(inner: str) -> list[AbpCall]:
    """The call of `name]]{"action": ..., "parameters": {...}}`."""
    match = _NAME.match(inner)
    if match is None:
        return [AbpCall("", problem="has no name behind [[ABP_TOOL:")]
    name, text = match["name"], inner[match.end() :].strip()
    found, problem = _json(text) if text else ({}, None)
    if problem is None and not isinstance(found, Mapping):
        problem = "holds no JSON object"
    return [_call(name, found) if problem is None else AbpCall(name, problem=problem)]


def _calls_of_block(inner: str) -> list[AbpCall]:
    """The calls of `{"tools": [{"name", "arguments"}]}`; a list, or one call alone, does too."""
    found, problem = _json(inner.strip())
    if problem is not None:
        return [AbpCall("", problem=problem)]
    tools = found.get("tools", found) if isinstance(found, Mapping) else found
    return [
        _call(one["name"], {key: value for key, value in one.items() if key != "name"})
        if isinstance(one, Mapping) and isinstance(one.get("name"), str)
        else AbpCall("", problem='needs {"name", "arguments"} for each tool')
        for one in (tools if isinstance(tools, list) else [tools])
    ]


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
    category, sure = update.get("category"), update.get("confidence")
    if isinstance(sure, bool) or not isinstance(sure, (int, float)):
        sure = DEFAULT_CONFIDENCE
    return {
        "content": content,
        "category": category if category in CATEGORIES else "fact",
        "key": key,
        "value": value,
        "confidence": min(1.0, max(DEFAULT_CONFIDENCE, float(sure))),
        "source": "user_stated",
    }


def _text(value: object) -> str | None:
    return value.strip() or None if isinstance(value, str) else None
