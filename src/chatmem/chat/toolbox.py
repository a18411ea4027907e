"""The tools that a model may call: what the application gave, how they are told, and a call.

Source: S5.7; S4.3.2; S1.7 (command documentation); decisions 5.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, TypeAlias

from chatmem.engine.tools import MemoryTool, tool_of
from chatmem.errors import InvalidInputError
from chatmem.model.tool import ToolExecutionResult
from chatmem.prompt.imitations import neutralise

ToolSource: TypeAlias = MemoryTool | Callable[..., object] | Mapping[str, Any]
"""A tool, a typed function with a docstring, or `{"name", "description", "parameters", "run"}`.

Any object with these four attributes does too.
"""
_FIELDS: Final = ("name", "description", "parameters", "run")


class Toolbox:
    """Tools by name; `call` never raises but for what ends the program."""

    def __init__(self, tools: Iterable[ToolSource]) -> None:
        """Raises InvalidInputError for what is no tool, and for two tools of one name."""
        if isinstance(tools, (str, Mapping)):
            raise InvalidInputError("tools: takes a list of tools")
        self._tools: dict[str, MemoryTool] = {}
        for source in tools:
            tool = _tool(source)
            if tool.name in self._tools:
                raise InvalidInputError(f"tools: two are called {tool.name!r}; rename one")
            self._tools[tool.name] = tool

    def __len__(self) -> int:
        return len(self._tools)

    @property
    def names(self) -> tuple[str, ...]:
        """The tools' names, in the order in which they were given."""
        return tuple(self._tools)

    def behind(self, tools: Iterable[MemoryTool]) -> "Toolbox":
        """These tools, and then one's own, which take the place of those of their names."""
        return Toolbox({tool.name: tool for tool in (*tools, *self._tools.values())}.values())

    def parameters(self, name: str) -> Mapping[str, Any]:
        """The properties that a tool takes, by name; none where there is no such tool."""
        tool = self._tools.get(name)
        return (tool.parameters.get("properties") or {}) if tool else {}

    def call(self, name: str, arguments: object) -> ToolExecutionResult:
        """What the tool gives for what a model wrote; a failure is a result too."""
        tool = self._tools.get(name)
        if tool is None:
            there = f"there are: {', '.join(self._tools)}" if self._tools else "there are none"
            return ToolExecutionResult(f"there is no tool {name!r}; {there}", (), True)
        return tool.call(arguments)

    def described(self) -> list[dict[str, Any]]:
        """Every tool as OpenAI's API takes it."""
        return [tool.as_openai() for tool in self._tools.values()]

    def documentation(self) -> str:
        """Each tool with its parameters on a line below; the same text for the same tools."""
        lines: list[str] = []
        for tool in self._tools.values():
            description = " ".join(neutralise(tool.description).split())
            lines.append(f"- {tool.name}: {description}" if description else f"- {tool.name}")
            schema = json.dumps(tool.parameters, ensure_ascii=False, default=str)
            lines.append(f"  arguments: {schema}")
        return "\n".join(lines)


def _tool(source: object) -> MemoryTool:
    """The tool that this is.

    Raises:
        InvalidInputError: it is none; says what is missing.
    """
    if isinstance(source, MemoryTool):
        return source
    if isinstance(source, Mapping):
        found = {field: source.get(field) for field in _FIELDS}
    elif all(hasattr(source, field) for field in _FIELDS):
        found = {field: getattr(source, field) for field in _FIELDS}
    elif callable(source):
        return tool_of(source)
    else:
        kind = type(source).__name__
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
