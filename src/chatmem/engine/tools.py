"""A tool that a model may call: one definition, which every form is made from.

    tool = tool_of(weather)          # a plain function with types and a docstring
    tool.run(city="Berlin")          # the function itself
    tool.as_openai()                 # {"type": "function", "function": {...}}
    tool.call('{"city": "Berlin"}')  # what a model wrote: checked, and never raises

Source: S5.7; S4.3.2; decisions 5.
"""

import inspect
import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any, Final, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model
from pydantic_core import to_jsonable_python

from chatmem.engine.checks import checked_json
from chatmem.errors import ChatmemError, InvalidInputError
from chatmem.extraction.redact import masked_kinds
from chatmem.model import AtomicMemoryRecord, Category, SearchResults
from chatmem.model.memory import ToolExecutionResult
from chatmem.prompt.imitations import neutralise
from chatmem.prompt.material import Tool, prepare_main
from chatmem.text.languages import DEFAULT, expression
from chatmem.text.tokens import truncate_tokens

if TYPE_CHECKING:
    from chatmem.engine.service import MemoryService

_NAME = expression(r"[A-Za-z0-9_-]{1,64}")
_MAX_REASON_CHARS: Final = 300
MOST_FOUND: Final = 10
"""Source: S5.7.3."""
_RESULT_TOKENS: Final = 300
_FACT: Final = (
    "One fact, a short sentence that stands by itself; dates absolute. 一条独立完整的短句。"
)
_QUERY: Final = "Words to look for. 要查找的内容。"
_RANGE: Final = (
    'Begin and end as ISO dates, "" or null for open: ["2026-03-01", "2026-03-31"]. '
    "起止日期，可留空。"
)
_JSON_TYPES: Final[Mapping[str, tuple[type, ...]]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list,),
    "object": (Mapping,),
}


@dataclass(frozen=True, slots=True)
class MemoryTool(Tool):
    """A tool of the memory's own, or an application's; `[TOOL INSTR]` describes it as any `Tool`.

    `parameters` is the JSON schema of an object. `run` gets its properties by name and gives what
    JSON can carry, or a `ToolExecutionResult`. `shape` is the model that arguments are validated
    with; without one they are checked for what is required and for its type. `reads_only` is True
    for a tool that changes nothing.
    """

    name: str
    description: str
    parameters: Mapping[str, Any]
    run: Callable[..., object]
    shape: type[BaseModel] | None = field(default=None, repr=False)
    reads_only: bool = False

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
            writes = tuple(result.memory_writes)
            return replace(result, content=_plain(result.content), memory_writes=writes)
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

    def _checked(self, given: Mapping[str, Any]) -> Mapping[str, Any]:
        """The arguments that `run` gets; InvalidInputError where they do not fit."""
        if self.shape is None:
            problems = _problems(given, self.parameters)
        else:
            try:
                shaped = self.shape.model_validate(given)
                return {name: getattr(shaped, name) for name in self.shape.model_fields}
            except ValidationError as error:
                problems = [_problem(one) for one in error.errors(include_url=False)]
        if problems:
            takes = json.dumps(self.parameters.get("properties", {}), ensure_ascii=False)
            raise InvalidInputError(
                f"the arguments do not fit: {'; '.join(problems)}. It takes {takes}. "
                "Call it again with arguments that fit"
            )
        return given

    def _failed(self, reason: str) -> ToolExecutionResult:
        line = " ".join(reason.split())
        if not line.startswith("the arguments"):
            line = line[:_MAX_REASON_CHARS]
        return ToolExecutionResult({"error": f"{self.name}: {line}"}, failed=True)


def tool_of(function: Callable[..., object], *, reads_only: bool = False) -> MemoryTool:
    """The tool that a function is: its name, its docstring, and its parameters' types.

    Raises:
        InvalidInputError: a parameter without a type, or one that is not passed by name.
    """
    name = getattr(function, "__name__", "")
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
    shape = create_model(name or "tool", __config__=ConfigDict(extra="forbid"), **fields)
    schema = json.loads(json.dumps(shape.model_json_schema()), object_hook=_without_title)
    description = " ".join((inspect.getdoc(function) or "").split())
    return MemoryTool(name, description, schema, function, shape, reads_only)


def _object(arguments: object) -> Mapping[str, Any]:
    """The arguments as an object; none at all are an empty one."""
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
        described = properties.get(name)
        kind = described.get("type") if isinstance(described, Mapping) else None
        types = _JSON_TYPES.get(kind) if isinstance(kind, str) else None
        is_bool = isinstance(value, bool)
        if types and (not isinstance(value, types) or (is_bool and kind != "boolean")):
            found.append(f"{name}: got {value!r}, takes {kind}")
        if described is None and schema.get("additionalProperties") is False:
            found.append(f"{name}: there is no such argument")
    return found


def _problem(error: Mapping[str, Any]) -> str:
    place = ".".join(str(part) for part in error["loc"])
    if error["type"] == "missing":
        return f"{place}: is missing"
    if error["type"] == "extra_forbidden":
        return f"{place}: there is no such argument"
    return f"{place}: got {error['input']!r}, {error['msg']}"


def _plain(value: object) -> Any:  # noqa: ANN401 - JSON
    return checked_json(to_jsonable_python(value, fallback=str), "result")


def _without_title(part: dict[str, Any]) -> dict[str, Any]:
    """A part of a schema without its title, which only repeats the name."""
    titled = isinstance(part.get("title"), str)
    return {name: value for name, value in part.items() if not (titled and name == "title")}


def memory_tools(
    service: "MemoryService", *, session_id: str | None = None, now: datetime | None = None
) -> tuple[MemoryTool, ...]:
    """`read_memory`, `append_memory`, `search_memory`, `append_daily_log`, and `search_memories`
    where `memory.enable_agentic_search` is on.

    What they write belongs to the session, where one is given.

    Source: S5.7, S2.7.1.
    """  # noqa: D205

    def read_memory() -> Any:  # noqa: ANN401 - JSON
        """Read everything that is remembered of the user, MEMORY.md.

        读取全部长期记忆。
        """
        text = prepare_main(service.read_main(), sys.maxsize, DEFAULT.code).text
        return text or "(empty)"

    def append_memory(
        fact: Annotated[str, Field(description=_FACT)],
        category: Annotated[Category, Field(description="What kind of fact. 类别。")] = "fact",
    ) -> Any:  # noqa: ANN401 - JSON
        """Remember a fact about the user for good.

        把关于用户的一条事实写入长期记忆。
        """
        record = service.append_memory(fact, category, now=now, session_id=session_id)
        return {**_saved(record), "category": record.category}

    def search_memory(query: Annotated[str, Field(description=_QUERY)]) -> Any:  # noqa: ANN401
        """Search memories and past conversations; at most 10 results.

        搜索记忆和过往对话。
        """
        return _found(service.search_memories(query, limit=MOST_FOUND), service.user_id)

    def append_daily_log(
        entry: Annotated[str, Field(description="What happened, in a sentence. 今天发生的事。")],
    ) -> Any:  # noqa: ANN401 - JSON
        """Write a note into today's log.

        写入今天的日志。
        """
        record = service.append_daily_log(entry, now=now)
        return {**_saved(record), "date": _day(record.timestamp)}

    def search_memories(
        keyword: Annotated[str, Field(description=_QUERY)],
        time_range: Annotated[
            list[str | None] | None, Field(description=_RANGE, min_length=2, max_length=2)
        ] = None,
    ) -> Any:  # noqa: ANN401 - JSON
        """Search memories, within a time if one is given.

        按关键词搜索记忆，可限定时间范围。
        """
        begin, end = time_range or (None, None)
        found = service.search_memories(keyword, (begin or None, end or None), MOST_FOUND)
        return _found(found, service.user_id)

    tools = [
        tool_of(read_memory, reads_only=True),
        tool_of(append_memory),
        tool_of(search_memory, reads_only=True),
        tool_of(append_daily_log),
    ]
    if service.settings.memory.enable_agentic_search:
        tools.append(tool_of(search_memories, reads_only=True))
    return tuple(tools)


def harmless(value: Any) -> Any:  # noqa: ANN401 - JSON
    """JSON with every text in it made harmless: a tool may repeat what a stranger wrote."""
    if isinstance(value, str):
        return neutralise(value)
    if isinstance(value, list):
        return [harmless(one) for one in value]
    if isinstance(value, dict):
        return {neutralise(name): harmless(one) for name, one in value.items()}
    return value


def _saved(record: AtomicMemoryRecord) -> dict[str, Any]:
    """What was written, and which secrets in it were not."""
    masked = list(masked_kinds(record.content))
    return {"saved": neutralise(record.content)} | ({"masked": masked} if masked else {})


def _found(found: SearchResults, viewer: str) -> dict[str, Any]:
    answer: dict[str, Any] = {"results": [_result(hit.memory, viewer) for hit in found]}
    if not found:
        answer["note"] = "nothing speaks of this" if found.nearest else "nothing found"
        if found.nearest:
            answer["nearest"] = [_result(hit.memory, viewer) for hit in found.nearest[:3]]
    if missing := [str(one) for one in found.missing if one.code != "off"]:
        answer["missing"] = missing
    return answer


def _result(memory: AtomicMemoryRecord, viewer: str) -> dict[str, Any]:
    text, cut = truncate_tokens(memory.content, _RESULT_TOKENS)
    result: dict[str, Any] = {
        "content": neutralise(f"{text}…" if cut else text),
        "from": memory.role or ("daily log" if memory.kind == "episodic" else "memory"),
        "date": _day(memory.timestamp),
    }
    if memory.valid_to is not None:
        result["true_until"] = _day(memory.valid_to)
    if memory.user_id != viewer:
        result["shared_by"] = neutralise(memory.user_id)
    return result


def _day(moment: datetime) -> str:
    return moment.astimezone().date().isoformat()
