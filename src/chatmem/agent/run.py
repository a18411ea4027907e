"""One request on its way: its plan, what is over, and what the step that is due has so far.

Source: S1.7.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from chatmem.agent.answers import PlannedStep, StepAnswer
from chatmem.agent.plan import Plan, PlanStep, RunStatus, StepResult, StepStatus, ToolCall
from chatmem.agent.requests import Task


@dataclass(slots=True)
class Run:
    """`calls` and `requests` are those of the step that is due: they outlive an error in it."""

    task: Task
    plan: Plan
    status: RunStatus = "running"
    answer: str | None = None
    results: list[StepResult] = field(default_factory=list)
    calls: list[ToolCall] = field(default_factory=list)
    requests: int = 0
    is_saved: bool = False

    def settle(self, step: PlanStep, answer: StepAnswer | None) -> StepResult:
        """The step's result by the model's answer; failed where it came to none."""
        if answer is None:
            return self._close(step, "failed", "", None)
        left = [] if answer.finished else answer.steps
        return self._close(step, "failed" if answer.failed else "done", answer.result or "", left)

    def cancel_step(self, step: PlanStep) -> StepResult:
        """The step's result where the run was cancelled in it."""
        result = self._close(step, "cancelled", "", [])
        self.cancel()
        return result

    def cancel(self) -> None:
        """The run is over without an answer."""
        steps = (
            replace(one, status="cancelled") if one.status == "open" else one
            for one in self.plan.steps
        )
        self.plan = replace(self.plan, steps=tuple(steps))
        self.status, self.answer = "cancelled", None

    def _close(
        self, step: PlanStep, status: StepStatus, text: str, left: Sequence[PlannedStep] | None
    ) -> StepResult:
        """Notes what became of the step; `left` takes the place of the steps still open."""
        done = [
            replace(one, status=status) if one.number == step.number else one
            for one in self.plan.steps
            if one.number <= step.number
        ]
        rest = self.plan.steps[len(done) :] if left is None else numbered(left, len(done) + 1)
        self.plan = replace(self.plan, steps=(*done, *rest))
        is_last = not rest
        result = StepResult(
            number=step.number,
            description=step.description,
            status=status,
            result=text,
            calls=tuple(self.calls),
            requests=self.requests,
            is_last=is_last,
        )
        self.results.append(result)
        self.calls, self.requests = [], 0
        if is_last:
            self.status, self.answer = "finished", text or None
        return result


def numbered(steps: Sequence[PlannedStep], first: int) -> tuple[PlanStep, ...]:
    """The steps as they are planned, numbered from `first` on."""
    return tuple(
        PlanStep(number, one.description, one.tool) for number, one in enumerate(steps, first)
    )
