"""The tools that a model may call: what the application gave, and the calls of a turn.

Source: S1.7 (command documentation); S4.3; S4.3.2; S5.7; decisions 5.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, TypeAlias

from chatmem.chat.answer import AbpCall
from chatmem.engine.tools import MemoryTool, harmless, tool_of
from chatmem.errors import InvalidInputError
from chatmem.model.memory import MemoryWrite, ToolExecutionResult
from chatmem.prompt.fence import fenced
from chatmem.prompt.imitations import mark_of
from chatmem.prompt.material import validated
from chatmem.prompt.sections import tool_lines
from chatmem.providers.openai_client import ToolCall
from chatmem.text.languages import LanguageCode, phrases

ToolSource: TypeAlias = MemoryTool | Callable[..., object] | Mapping[str, Any]
"""A tool, a typed function with a docstring, or `{"name", "description", "parameters", "run"}`.

Any object with these four attributes does too.
"""
RESULT_FENCE: Final = "tool_result"
_RESULTS: Final = phrases("chat.results")


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
        return tool_lines([*self._tools.values()], "arguments")


def _tool(source: object) -> MemoryTool:
    """The tool that this is; InvalidInputError, which says what is missing, where it is none."""
    if isinstance(source, MemoryTool):
        return source
    if callable(source):
        return tool_of(source)
    get = source.get if isinstance(source, Mapping) else partial(getattr, source)
    given = {name: get(name, None) for name in ("name", "description", "parameters", "run")}
    defaults = {"description": "", "parameters": {}}
    named = {name: value for name, value in given.items() if value is not None}
    if not named:
        kind = type(source).__name__
        raise InvalidInputError(
            f"tools: got {kind}, takes a function or {{name, description, parameters, run}}"
        )
    return validated(MemoryTool, defaults | named, "tools")


@dataclass(frozen=True, slots=True)
class ToolRun:
    """A tool call that was carried out, and what the tool gave back, as the model reads it."""

    name: str
    arguments: Any
    content: Any
    failed: bool = False


class ToolRounds:
    """The tools of one turn. An application's tool takes the place of memory's of its name.

    The same call in one round is run once; the same call of a memory's tool, once a turn: a model
    that repeats itself writes nothing twice. `runs` is what came of the calls.
    """

    def __init__(self, memory_tools: Iterable[MemoryTool], own: Toolbox) -> None:
        self.tools = own.behind(memory_tools)
        self.runs: list[ToolRun] = []
        self._own = frozenset(own.names)
        self._writes: list[MemoryWrite | Mapping[str, Any]] = []
        self._results: dict[tuple[str, str], str] = {}

    def take_writes(self) -> list[MemoryWrite | Mapping[str, Any]]:
        """What the calls since the last time want remembered."""
        taken, self._writes = self._writes, []
        return taken

    def run(
        self,
        text: str,
        native: Sequence[ToolCall],
        written: Sequence[AbpCall],
        language: LanguageCode,
    ) -> list[dict[str, Any]]:
        """The messages that the next request has behind the model's: its own, and the results."""
        answer: dict[str, Any] = {"role": "assistant", "content": text}
        if native:
            answer |= {"content": text or None, "tool_calls": [_as_sent(call) for call in native]}
        messages = [answer]
        for call in native:
            result = self._run(call.name, call.arguments)
            messages.append({"role": "tool", "tool_call_id": call.id, "content": result})
        if written:
            mark = mark_of("tools", text)
            results = [
                fenced(RESULT_FENCE, one.name, self._run_written(one), mark) for one in written
            ]
            messages.append({"role": "user", "content": "\n".join([_RESULTS[language], *results])})
        known = self._results.items()
        self._results = {key: result for key, result in known if key[0] not in self._own}
        return messages

    def _run_written(self, call: AbpCall) -> str:
        arguments = call.arguments
        if call.problem is not None:
            error = f"the call {call.name} {call.problem}".replace("  ", " ")
            failure = ToolExecutionResult({"error": error}, (), True)
            return self._noted(call.name, arguments, failure)
        takes_action = "action" in self.tools.parameters(call.name)
        if call.action and takes_action and isinstance(arguments, Mapping):
            arguments = {"action": call.action, **arguments}
        return self._run(call.name, arguments)

    def _run(self, name: str, arguments: object) -> str:
        """The result as the model reads it."""
        key = (name, _canonical(arguments))
        if key not in self._results:
            result = self.tools.call(name, arguments)
            self._results[key] = self._noted(name, arguments, result)
        return self._results[key]

    def _noted(self, name: str, arguments: object, result: ToolExecutionResult) -> str:
        content = harmless(result.content)
        self.runs.append(ToolRun(name, arguments, content, result.failed))
        if not result.failed:
            self._writes += result.memory_writes
        return content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)


def _as_sent(call: ToolCall) -> dict[str, Any]:
    """The model's own call; arguments that are no JSON would make servers refuse the request."""
    arguments = call.arguments or "{}"
    try:
        json.loads(arguments)
    except ValueError:
        arguments = "{}"
    function = {"name": call.name, "arguments": arguments}
    return {"id": call.id, "type": "function", "function": function}


def _canonical(arguments: object) -> str:
    """Equal for arguments that say the same, as text or as an object."""
    if isinstance(arguments, str):
        with suppress(ValueError):
            arguments = json.loads(arguments or "{}")
    return json.dumps(arguments or {}, sort_keys=True, ensure_ascii=False, default=str)
