"""A tool that a model may call: one definition, which every form is made from.

    tool = tool_of(weather)          # a plain function with types and a docstring
    tool.run(city="Berlin")          # the function itself
    tool.as_openai()                 # {"type": "function", "function": {...}}
    tool.as_prompt_tool()            # for `[TOOL INSTR]` (ABP)
    tool.call('{"city": "Berlin"}')  # what a model wrote: checked, and never raises

Source: S5.7; S4.3.2; decisions 5.
"""

import inspect
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, get_type_hints

from pydantic import BaseModel, ConfigDict, ValidationError, create_model
from pydantic_core import to_jsonable_python

from chatmem.engine.checked import checked_json
from chatmem.errors import ChatmemError, InvalidInputError
from chatmem.model.tool import ToolExecutionResult
from chatmem.prompt.material import Tool

_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
_MAX_REASON_CHARS: Final = 300
_JSON_TYPES: Final[Mapping[str, tuple[type, ...]]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list,),
    "object": (Mapping,),
}


@dataclass(frozen=True, slots=True)
class MemoryTool:
    """A tool of the memory's own, or an application's.

    `parameters` is the JSON schema of an object. `run` gets its properties by name and gives what
    JSON can carry, or a `ToolExecutionResult`. `shape` is the model that arguments are validated
    with; without one they are checked for what is required and for its type.
    """

    name: str
    description: str
    parameters: Mapping[str, Any]
    run: Callable[..., object]
    shape: type[BaseModel] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        """Raises InvalidInputError for a name that no provider takes."""
        if not _NAME.fullmatch(self.name):
            takes = "1 to 64 letters, digits, _ and -"
            raise InvalidInputError(f"tool name: got {self.name!r}, takes {takes}")

    def call(self, arguments: object = None) -> ToolExecutionResult:
        """The result for what a model wrote, JSON text or an object; a failure is a result too."""
        try:
            result = self.run(**self._checked(_object(arguments)))
            if not isinstance(result, ToolExecutionResult):
                result = ToolExecutionResult(_plain(result))
            return ToolExecutionResult(
                _plain(result.content), tuple(result.memory_writes), result.failed
            )
        except ChatmemError as error:
            return self._failed(str(error))
        except Exception as error:  # noqa: BLE001 - an application's tool must not end the chat
            return self._failed(f"{type(error).__name__}: {error}")

    def as_openai(self) -> dict[str, Any]:
        """The tool as OpenAI's API takes it."""
        function = {
            "name": self.name,
            "description": self.description,
            "parameters": dict(self.parameters),
        }
        return {"type": "function", "function": function}

    def as_prompt_tool(self) -> Tool:
        """The tool as `[TOOL INSTR]` describes it."""
        return Tool(self.name, self.description, self.parameters)

    def _checked(self, given: Mapping[str, Any]) -> Mapping[str, Any]:
        """The arguments that `run` gets.

        Raises:
            InvalidInputError: they do not fit; says which, and what the tool takes.
        """
        if self.shape is None:
            problems = list(_problems(given, self.parameters))
            checked = given
        else:
            try:
                shaped = self.shape.model_validate(given)
            except ValidationError as error:
                problems = [_problem(one) for one in error.errors(include_url=False)]
                checked = {}
            else:
                return {name: getattr(shaped, name) for name in self.shape.model_fields}
        if problems:
            takes = json.dumps(self.parameters.get("properties", {}), ensure_ascii=False)
            raise InvalidInputError(
                f"the arguments do not fit: {'; '.join(problems)}. It takes {takes}. "
                "Call it again with arguments that fit"
            )
        return checked

    def _failed(self, reason: str) -> ToolExecutionResult:
        line = " ".join(reason.split())
        if not line.startswith("the arguments"):
            line = line[:_MAX_REASON_CHARS]
        return ToolExecutionResult({"error": f"{self.name}: {line}"}, failed=True)


def tool_of(function: Callable[..., object]) -> MemoryTool:
    """The tool that a function is: its name, its docstring, and its parameters' types.

    Raises:
        InvalidInputError: a parameter without a type, or one that is not passed by name.
    """
    name = getattr(function, "__name__", "")
    shape = _shape_of(function, name)
    schema = _without_titles(shape.model_json_schema())
    schema.pop("description", None)
    description = " ".join((inspect.getdoc(function) or "").split())
    return MemoryTool(name, description, schema, function, shape)


def _shape_of(function: Callable[..., object], name: str) -> type[BaseModel]:
    hints = get_type_hints(function, include_extras=True)
    fields: dict[str, Any] = {}
    for parameter in inspect.signature(function).parameters.values():
        by_name = parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY)
        if parameter.name not in hints or not by_name:
            raise InvalidInputError(
                f"tool {name}: parameter {parameter.name!r} needs a type, and to be passed by name"
            )
        needed = parameter.default is inspect.Parameter.empty
        fields[parameter.name] = (hints[parameter.name], ... if needed else parameter.default)
    return create_model(name or "tool", __config__=ConfigDict(extra="forbid"), **fields)


def _object(arguments: object) -> Mapping[str, Any]:
    """The arguments as an object; none at all are an empty one.

    Raises:
        InvalidInputError: no JSON, or JSON of something else.
    """
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments) if arguments.strip() else {}
        except ValueError as error:
            raise InvalidInputError(f"the arguments are no JSON ({error})") from error
    if arguments is None:
        return {}
    if not isinstance(arguments, Mapping):
        raise InvalidInputError(f"the arguments are no JSON object, but {type(arguments).__name__}")
    return {str(name): value for name, value in arguments.items()}


def _problems(given: Mapping[str, Any], schema: Mapping[str, Any]) -> list[str]:
    """What is missing, or of another type than the schema says."""
    properties = schema.get("properties") or {}
    found = [f"{name}: is missing" for name in schema.get("required") or () if name not in given]
    for name, value in given.items():
        wanted = properties.get(name)
        kind = wanted.get("type") if isinstance(wanted, Mapping) else None
        types = _JSON_TYPES.get(kind) if isinstance(kind, str) else None
        if types and (not isinstance(value, types) or _is_stray_bool(value, kind)):
            found.append(f"{name}: got {value!r}, takes {kind}")
        if wanted is None and schema.get("additionalProperties") is False:
            found.append(f"{name}: there is no such argument")
    return found


def _is_stray_bool(value: object, kind: object) -> bool:
    return isinstance(value, bool) and kind != "boolean"


def _problem(error: Mapping[str, Any]) -> str:
    place = ".".join(str(part) for part in error["loc"])
    if error["type"] == "missing":
        return f"{place}: is missing"
    if error["type"] == "extra_forbidden":
        return f"{place}: there is no such argument"
    return f"{place}: got {error['input']!r}, {error['msg']}"


def _plain(value: object) -> Any:  # noqa: ANN401 - JSON
    return checked_json(to_jsonable_python(value, fallback=str), "result")


def _without_titles(schema: Any) -> Any:  # noqa: ANN401 - JSON
    """The schema without the titles that only repeat the names."""
    if isinstance(schema, list):
        return [_without_titles(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        name: _without_titles(value)
        for name, value in schema.items()
        if not (name == "title" and isinstance(value, str))
    }
