"""What an agent's plan, its steps and their results are: frozen values.

Source: S1.7.
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from chatmem.model.memory import JsonValue

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


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool that was called, and what it gave back, as the model reads it."""

    name: str
    arguments: JsonValue
    content: str
    failed: bool = False


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
    calls: tuple[ToolCall, ...] = ()
    requests: int = 0
    is_last: bool = False
