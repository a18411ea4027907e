"""What an agent is asked for, its plan and how far it is carried out.

Source: S1.7.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from chatmem.agent.answers import PlannedStep
from chatmem.chat.tools import ToolRun
from chatmem.model import Missing
from chatmem.prompt.imitations import mark_of
from chatmem.text.languages import LanguageCode

StepStatus: TypeAlias = Literal["open", "done", "failed", "cancelled"]
RunStatus: TypeAlias = Literal["idle", "running", "finished", "cancelled"]


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
