"""What an agent is asked for, its plan, how far it is carried out, and what its model answers.

An answer is JSON, found in the model's text and validated.

Source: S1.7; decisions 4 (a typed, validated answer and a retry).
"""

import json
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Final, Literal, Self, TypeAlias, TypeVar

import pydantic
from pydantic import BaseModel, BeforeValidator, Field, ValidationInfo

from chatmem.chat.tools import ToolRun
from chatmem.errors import InvalidInputError
from chatmem.model import Missing
from chatmem.prompt.imitations import mark_of
from chatmem.prompt.material import problems
from chatmem.text.clean import clean_text
from chatmem.text.languages import LanguageCode
from chatmem.text.thoughts import without_thoughts

StepStatus: TypeAlias = Literal["open", "done", "failed", "cancelled"]
RunStatus: TypeAlias = Literal["idle", "running", "finished", "cancelled"]
MOST_DESCRIPTION_CHARS: Final = 600
_MOST_NAME_CHARS: Final = 80
_LOOKED_AT_CHARS: Final = 400_000
_MOST_TRIES: Final = 200
_OBJECT: Final = re.compile(r"\{(?=\s*[\"}])")
_INSIDE: Final = ("[", ",", '":')
"""What an object stands behind inside of other JSON; words before one end otherwise."""
_BEFORE_CHARS: Final = 40
_NO_TOOL: Final = frozenset({"", "none", "null", "无", "無"})


def _as_text(value: object) -> object:
    """Text as it may be kept; what a model wrote as an object or a number, as JSON."""
    if value is None or isinstance(value, str):
        return clean_text(value) if value else value
    return json.dumps(value, ensure_ascii=False)


def _tool_name(value: object) -> object:
    if not isinstance(value, str):
        return value
    name = clean_text(value)
    return None if name.lower() in _NO_TOOL else name[:_MOST_NAME_CHARS]


_Goal = Annotated[
    str, BeforeValidator(lambda goal: str(_as_text(goal) or "")[:MOST_DESCRIPTION_CHARS])
]
_Description = Annotated[
    str,
    pydantic.StringConstraints(min_length=1, max_length=MOST_DESCRIPTION_CHARS),
    BeforeValidator(_as_text),
]
_ToolName = Annotated[str | None, BeforeValidator(_tool_name)]
_Result = Annotated[
    str | None,
    BeforeValidator(_as_text),
    # It is what a person reads, and what is saved: a model's thoughts are no part of it.
    pydantic.AfterValidator(lambda text: text and without_thoughts(text)),
]


class PlannedStep(BaseModel):
    """A step as a model plans it; a text alone is its description."""

    description: _Description
    tool: _ToolName = None

    @pydantic.model_validator(mode="before")
    @classmethod
    def _of_text(cls, value: object) -> object:
        return {"description": value} if isinstance(value, str) else value

    @pydantic.field_validator("tool")
    @classmethod
    def _known(cls, tool: str | None, info: ValidationInfo) -> str | None:
        known = (info.context or {}).get("tools", ())
        if tool is not None and tool not in known:
            there = f"there are {', '.join(known)}" if known else "there are none"
            raise ValueError(f"there is no tool {tool!r}; {there}")
        return tool


def _bounded(steps: list[PlannedStep], info: ValidationInfo) -> list[PlannedStep]:
    most = (info.context or {}).get("steps", len(steps))
    if len(steps) > most:
        raise ValueError(f"got {len(steps)} steps, takes at most {most}")
    return steps


class PlanAnswer(BaseModel):
    """The plan, and at least one step."""

    goal: _Goal = ""
    steps: Annotated[list[PlannedStep], Field(min_length=1), pydantic.AfterValidator(_bounded)]


class StepAnswer(BaseModel):
    """A tool call, or the step's result; with a result, other steps for those still open."""

    tool: _ToolName = None
    arguments: Any = None
    result: _Result = None
    finished: bool = False
    failed: bool = False
    steps: Annotated[list[PlannedStep], pydantic.AfterValidator(_bounded)] | None = None

    @pydantic.model_validator(mode="after")
    def _one_of_both(self) -> Self:
        if self.tool is not None and self.result:
            raise ValueError('takes either "tool" or "result", not both')
        if self.tool is None and not self.result:
            raise ValueError('takes "tool" with "arguments", or a "result" that is not empty')
        return self


@dataclass(frozen=True, slots=True)
class PlanStep:
    """One step; `number` counts from 1, `tool` is the one that it was planned with."""

    number: int
    description: str
    tool: str | None = None
    status: StepStatus = "open"


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be reached, and the steps to it, those that are done included."""

    goal: str
    steps: tuple[PlanStep, ...]

    @property
    def next_step(self) -> PlanStep | None:
        """The step that is due, None where none is open."""
        return next((step for step in self.steps if step.status == "open"), None)

    @property
    def open_count(self) -> int:
        """How many steps are still to be carried out."""
        return sum(step.status == "open" for step in self.steps)


@dataclass(frozen=True, slots=True, kw_only=True)
class StepResult:
    """What became of one step.

    `result` is the model's text, "" where there is none. `is_last` is True for the step with which
    the run ended: its result is the answer.
    """

    number: int
    description: str
    status: StepStatus
    result: str = ""
    calls: tuple[ToolRun, ...] = ()
    requests: int = 0
    is_last: bool = False


@dataclass(slots=True)
class Run:
    """A request on its way; `calls` and `requests` of the step that is due outlive an error in it.

    `request`, `content` and `intent` are the caller's words, checked; `counted` are the memories
    whose access is counted, `missing` what recall could not use.
    """

    request: str
    content: str
    intent: str
    language: LanguageCode
    plan: Plan = Plan("", ())
    status: RunStatus = "running"
    answer: str | None = None
    results: list[StepResult] = field(default_factory=list)
    calls: list[ToolRun] = field(default_factory=list)
    requests: int = 0
    is_saved: bool = False
    counted: set[str] = field(default_factory=set)
    missing: dict[Missing, None] = field(default_factory=dict)

    @property
    def mark(self) -> str:
        """That of the fences in its prompts."""
        return mark_of(self.request)

    def cancel(self) -> None:
        """The run is over without an answer."""
        steps = (
            replace(one, status="cancelled") if one.status == "open" else one
            for one in self.plan.steps
        )
        self.plan = replace(self.plan, steps=tuple(steps))
        self.status, self.answer = "cancelled", None

    def close_step(
        self,
        step: PlanStep,
        status: StepStatus,
        text: str = "",
        left: Sequence[PlannedStep] | None = None,
    ) -> StepResult:
        """What became of the step; `left` takes the place of the steps still open."""
        steps = self.plan.steps
        done = (*steps[: step.number - 1], replace(step, status=status))
        rest = steps[len(done) :] if left is None else numbered(left, len(done) + 1)
        self.plan = replace(self.plan, steps=(*done, *rest))
        result = StepResult(
            number=step.number,
            description=step.description,
            status=status,
            result=text,
            calls=tuple(self.calls),
            requests=self.requests,
            is_last=not rest,
        )
        self.results.append(result)
        self.calls, self.requests = [], 0
        if result.is_last:
            self.status, self.answer = "finished", text or None
        return result


def numbered(steps: Sequence[PlannedStep], first: int) -> tuple[PlanStep, ...]:
    """The steps as they are planned, numbered from `first` on."""
    return tuple(
        PlanStep(number, one.description, one.tool) for number, one in enumerate(steps, first)
    )


Answer = TypeVar("Answer", PlanAnswer, StepAnswer)


def read_answer(text: str, shape: type[Answer], tools: Collection[str], most_steps: int) -> Answer:
    """The first JSON object in the model's text that has this shape.

    Fences, thoughts and words around it are passed over.

    Raises:
        InvalidInputError: there is none; says what is wrong with the largest object.
    """
    context = {"tools": tuple(tools), "steps": most_steps}
    problem, size = "the answer holds no JSON object", 0
    for found, length in _objects(text):
        if isinstance(found, str):
            problem = problem if size else found
            continue
        try:
            return shape.model_validate(found, context=context)
        except pydantic.ValidationError as error:
            if length > size:
                problem, size = problems(error), length
    raise InvalidInputError(problem)


def _objects(text: str) -> Iterator[tuple[dict[str, Any] | str, int]]:
    """The JSON objects of a text, each with its length; for broken ones, why, and 0.

    What stands inside a broken object is passed over: a step of a plan is no plan.
    """
    looked_at = without_thoughts(text)[:_LOOKED_AT_CHARS]
    # Literal line breaks inside strings are what small models write most.
    decoder = json.JSONDecoder(strict=False, parse_constant=_refuse)
    place = -1
    for _ in range(_MOST_TRIES):
        match = _OBJECT.search(looked_at, place + 1)
        if match is None:
            return
        place = match.start()
        if looked_at[max(0, place - _BEFORE_CHARS) : place].rstrip().endswith(_INSIDE):
            continue
        try:
            found, end = decoder.raw_decode(looked_at, place)
        except json.JSONDecodeError as error:
            yield f"the JSON cannot be read: {error.msg} at character {error.pos}", 0
        except (ValueError, RecursionError) as error:
            yield f"the JSON cannot be read: {error}", 0
        else:
            yield found, end - place
            place = end - 1


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")
