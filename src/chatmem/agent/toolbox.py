"""The tools that an agent's steps may call; whatever goes wrong in one is something to read.

Source: S1.7 (command documentation); S4.3.2 (memory writes of a tool).
"""

import json
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Any, Final, Protocol, TypeAlias

from chatmem.agent.plan import ToolCall
from chatmem.engine.service import MemoryService
from chatmem.engine.tools import MemoryTool, tool_of
from chatmem.errors import ChatmemError, InvalidInputError
from chatmem.model.memory import JsonValue
from chatmem.model.tool import ToolExecutionResult
from chatmem.prompt.imitations import neutralise
from chatmem.text.tokens import truncate_tokens


class ToolLike(Protocol):
    """Any object with what a tool has."""

    @property
    def name(self) -> str:
        """1 to 64 letters, digits, _ and -."""
        ...

    @property
    def description(self) -> str:
        """What the model is told of it."""
        ...

    @property
    def parameters(self) -> Mapping[str, Any]:
        """The JSON schema of its arguments, an object."""
        ...

    @property
    def run(self) -> Callable[..., object]:
        """Gets the arguments by name."""
        ...


AgentTool: TypeAlias = Callable[..., object] | Mapping[str, Any] | ToolLike
"""A typed function with a docstring, `{"name", "description", "parameters", "run"}`, or a tool."""

_FIELDS: Final = ("name", "description", "parameters", "run")
_CHARS_A_TOKEN: Final = 16
"""More than nearly every token has: what is longer is cut before it is counted."""
_NOTHING: Final = "(nothing)"


class Toolbox:
    """Tools by name; calling one never raises but for what ends the program."""

    def __init__(self, memory: MemoryService, tools: Iterable[AgentTool], most_tokens: int) -> None:
        """Raises InvalidInputError for what is no tool, and for two tools of one name."""
        self._memory = memory
        self._most_tokens = most_tokens
        if isinstance(tools, (str, Mapping)):
            raise InvalidInputError("tools: takes a list of tools")
        self._tools: dict[str, MemoryTool] = {}
        for given in tools:
            tool = _read(given)
            if tool.name in self._tools:
                raise InvalidInputError(f"tools: two are called {tool.name!r}; rename one")
            self._tools[tool.name] = tool

    @property
    def names(self) -> tuple[str, ...]:
        """The tools' names, in the order in which they were given."""
        return tuple(self._tools)

    def documentation(self) -> str:
        """Each tool with its parameters on a line below; the same text for the same tools."""
        lines: list[str] = []
        for tool in self._tools.values():
            description = " ".join(neutralise(tool.description).split())
            lines.append(f"- {tool.name}: {description}" if description else f"- {tool.name}")
            schema = json.dumps(tool.parameters, ensure_ascii=False, default=str)
            lines.append(f"  arguments: {schema}")
        return "\n".join(lines)

    def call(self, name: str, arguments: Any, now: datetime) -> ToolCall:  # noqa: ANN401
        """What the tool gave back, cut to what an observation may have; its writes are made.

        A tool that is not there, arguments that do not fit, a tool that raises, and a write that
        memory refuses are told in the content.
        """
        tool = self._tools.get(name)
        if tool is None:
            there = f"there are {', '.join(self._tools)}" if self._tools else "there are none"
            return ToolCall(name, _plain(arguments), f"there is no tool {name!r}; {there}", True)
        result = tool.call(arguments)
        content = self._observation(result.content)
        refused = self._remember(result, now)
        if refused:
            content = f"{content}\nnot remembered: {neutralise(refused)}"
        return ToolCall(name, _plain(arguments), content, result.failed or bool(refused))

    def _remember(self, result: ToolExecutionResult, now: datetime) -> str:
        """Writes what the tool wants remembered; says why where that is refused."""
        if not result.memory_writes:
            return ""
        try:
            self._memory.apply_writes(result.memory_writes, now=now)
        except ChatmemError as error:
            return str(error)
        return ""

    def _observation(self, content: JsonValue) -> str:
        """The content as text, harmless, with a note of how much of it was cut."""
        text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
        head = text[: self._most_tokens * _CHARS_A_TOKEN]
        kept, cut = truncate_tokens(neutralise(head), self._most_tokens)
        if cut or len(head) < len(text):
            kept = f"{kept}… (cut, {len(text)} characters in all)"
        return kept.strip() or _NOTHING


def _read(given: object) -> MemoryTool:
    """The tool that this is.

    Raises:
        InvalidInputError: it is none; says what is missing.
    """
    if isinstance(given, MemoryTool):
        return given
    if isinstance(given, Mapping):
        found = {field: given.get(field) for field in _FIELDS}
    elif all(hasattr(given, field) for field in _FIELDS):
        found = {field: getattr(given, field) for field in _FIELDS}
    elif callable(given):
        return tool_of(given)
    else:
        kind = type(given).__name__
        raise InvalidInputError(f"tools: got {kind}, takes a function or {{{', '.join(_FIELDS)}}}")
    name, run = found["name"], found["run"]
    if not isinstance(name, str):
        raise InvalidInputError(f"tools: name: got {name!r}, takes text")
    if not callable(run):
        raise InvalidInputError(f"tools: run of {name!r}: got {run!r}, takes a function")
    parameters = found["parameters"] or {}
    if not isinstance(parameters, Mapping):
        raise InvalidInputError(f"tools: parameters of {name!r} are no JSON schema (an object)")
    return MemoryTool(name, str(found["description"] or ""), parameters, run)


def _plain(arguments: Any) -> JsonValue:  # noqa: ANN401 - came out of JSON
    plain: JsonValue = arguments if arguments is not None else {}
    return plain
