"""What an agent asks its model: the prompts of a plan and of a step, with what is remembered.

Source: S1.7; S3.2.3.
"""

from collections.abc import Sequence
from datetime import datetime

from chatmem.agent.answers import MOST_DESCRIPTION_CHARS, PlanAnswer, StepAnswer, read_answer
from chatmem.agent.asking import SendRequest, ask
from chatmem.agent.instructions import planning_instructions, step_instructions
from chatmem.agent.limits import AgentLimits
from chatmem.agent.plan import PlanStep
from chatmem.agent.recollection import Recollection, recollect
from chatmem.agent.requests import Progress, Task, planning_prompt, step_prompt
from chatmem.agent.run import Run
from chatmem.agent.toolbox import Toolbox
from chatmem.engine.service import MemoryService
from chatmem.errors import PlanError, StepError
from chatmem.model import Missing


class Questions:
    """Asks for plans and steps; knows which memories it has shown in this run."""

    def __init__(
        self,
        memory: MemoryService,
        send: SendRequest,
        tools: Toolbox,
        limits: AgentLimits,
        session_id: str | None,
    ) -> None:
        self._memory = memory
        self._send = send
        self._tool_names = tools.names
        self._documentation = tools.documentation()
        self._limits = limits
        self._session_id = session_id
        self._counted: set[str] = set()
        self._missing: dict[Missing, None] = {}

    @property
    def missing(self) -> tuple[Missing, ...]:
        """What recall could not use since the run began."""
        return tuple(self._missing)

    def begin(self) -> None:
        """A new run: its accesses are counted anew."""
        self._counted.clear()
        self._missing.clear()

    def for_plan(self, task: Task, now: datetime) -> PlanAnswer:
        """The plan for a task.

        Raises:
            PlanError: the model gave none that can be used, asked twice.

        Source: S1.7.1.
        """
        query = " ".join(part for part in (task.request, task.intent) if part)
        known = self._recollect([query], task, now)
        most = self._limits.steps
        prompts = (
            planning_prompt(task, known, self._limits, now.astimezone().date()),
            planning_instructions(task.language, self._documentation, most, MOST_DESCRIPTION_CHARS),
        )

        def read(text: str) -> PlanAnswer:
            return read_answer(text, PlanAnswer, self._tool_names, most)

        answer = ask(self._send, prompts, read, task.language, PlanError)
        self._count(known, now)
        return answer

    def for_step(self, run: Run, step: PlanStep, may_call: bool, now: datetime) -> StepAnswer:
        """A tool call or the result of the step that is due.

        Raises:
            StepError: the model gave none that can be used, asked twice.

        Source: S1.7.2.
        """
        task = run.task
        known = self._recollect([step.description, task.request], task, now)
        progress = Progress(run.plan, step, run.results, run.calls, may_call)
        day = now.astimezone().date()
        prompts = (
            step_prompt(task, progress, known, self._limits, day),
            step_instructions(task.language, self._documentation),
        )
        room = self._limits.steps - step.number

        def read(text: str) -> StepAnswer:
            return read_answer(text, StepAnswer, self._tool_names, room)

        answer = ask(self._send, prompts, read, task.language, StepError)
        self._count(known, now)
        return answer

    def _recollect(self, queries: Sequence[str], task: Task, now: datetime) -> Recollection:
        known = recollect(self._memory, queries, self._session_id, self._limits, task.language, now)
        self._missing |= dict.fromkeys(known.missing)
        return known

    def _count(self, known: Recollection, now: datetime) -> None:
        """Counts an access of what stood in a request, once a run. Source: S3.2.3."""
        fresh = [one for one in known.memory_ids if one not in self._counted]
        if fresh:
            self._memory.count_access(fresh, now=now)
            self._counted.update(fresh)
