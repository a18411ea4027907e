"""An agent that plans a request and carries it out step by step, with the user's memory.

    agent = AgentController(memory, send_ai_request, memory_tools(memory))
    agent.start_agent("Make this shorter", current_content=text, intent="edit")
    while (result := agent.execute_next_step()) is not None:
        print(result.number, result.status, result.result)
    print(agent.answer)

Source: S1.7; S4.3.2 (memory writes of a tool); interfaces.md.
"""

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from threading import Event, Lock
from typing import Any, Final

from chatmem.agent.plan import Plan, PlanStep, Run, RunStatus, StepResult, StepStatus, numbered
from chatmem.agent.prompts import MAX_CHARS_PER_TOKEN, Questions, SendRequest
from chatmem.chat.tools import Toolbox, ToolRun, ToolSource
from chatmem.engine.checks import checked_number, checked_text
from chatmem.engine.service import MemoryService
from chatmem.errors import AgentError, ChatmemError, InvalidInputError, TurnNotSavedError
from chatmem.model import Missing
from chatmem.model.time import moment_or_now
from chatmem.prompt.imitations import neutralise
from chatmem.text.clean import without_surrogates
from chatmem.text.languages import language_of
from chatmem.text.tokens import truncate_tokens

STEPS: Final = 12
MOST_STEPS: Final = 1_000_000
REQUESTS_PER_STEP: Final = 6
"""Answers that could be used; a second request after an unusable one comes on top."""
OBSERVATION_TOKENS: Final = 1_000
"""Of what a tool gave back, o200k."""


def observe(
    memory: MemoryService,
    tools: Toolbox,
    name: str,
    arguments: Any,  # noqa: ANN401 - what a model wrote
    now: datetime,
) -> ToolRun:
    """What the tool gave back, harmless, cut to what an observation may have; it writes at once.

    A tool that is not there, arguments that do not fit, a tool that raises, and a write that
    memory refuses are in the content.
    """
    result = tools.call(name, arguments)
    given = result.content
    text = given if isinstance(given, str) else json.dumps(given, ensure_ascii=False)
    head = text[: OBSERVATION_TOKENS * MAX_CHARS_PER_TOKEN]
    content, is_cut = truncate_tokens(neutralise(head), OBSERVATION_TOKENS)
    if is_cut or len(head) < len(text):
        content = f"{content}… (cut, {len(text)} characters in all)"
    content, failed = content.strip() or "(nothing)", result.failed
    try:
        if result.memory_writes:
            memory.apply_writes(result.memory_writes, now=now, source="inferred")
    except ChatmemError as error:
        content, failed = f"{content}\nnot remembered: {neutralise(str(error))}", True
    return ToolRun(name, arguments if arguments is not None else {}, content, failed)


class AgentController:
    """Plans and carries out one request at a time; use one controller for each conversation.

    An error or Ctrl-C in a step leaves it open with what its tools gave back so far: the next call
    of `execute_next_step` goes on from there. `cancel` may be called from any thread.
    """

    def __init__(
        self,
        memory: MemoryService,
        send_ai_request: SendRequest,
        tools: Iterable[ToolSource] = (),
        *,
        session_id: str | None = None,
        steps: int = STEPS,
    ) -> None:
        """Prepares; nothing is asked yet.

        Args:
            memory: what is recalled from, and where a finished run is saved.
            send_ai_request: `(user_prompt, system_prompt) -> text`, however the model is reached.
            tools: typed functions with docstrings, mappings of `name, description, parameters,
                run`, or `MemoryTool`s; `engine.tools.memory_tools(memory)` are the memory's own.
            session_id: where finished runs are saved as turns, and whose messages requests hold;
                None for neither.
            steps: how many are carried out at most, those of a changed plan included.

        Raises:
            InvalidInputError: something that is no tool, two tools of one name, an empty session,
                no whole number of steps, at least one.
        """
        if not callable(send_ai_request):
            raise InvalidInputError(
                f"send_ai_request: got {type(send_ai_request).__name__}, takes a function "
                "(user_prompt, system_prompt) -> text"
            )
        self._memory = memory
        checked_number(steps, "steps", 1, MOST_STEPS, whole=True)
        self._tools = Toolbox(tools)
        self._session_id = None if session_id is None else checked_text(session_id, "session_id")
        self._questions = Questions(memory, send_ai_request, self._tools, steps, self._session_id)
        self._run: Run | None = None
        self._busy = Lock()
        self._cancelled = Event()

    @property
    def plan(self) -> Plan | None:
        """The plan as it stands, None before there is one."""
        return self._run.plan if self._run else None

    @property
    def history(self) -> tuple[StepResult, ...]:
        """What became of the steps that are over, oldest first."""
        return tuple(self._run.results) if self._run else ()

    @property
    def status(self) -> RunStatus:
        """`idle` before a plan, then `running`, at the end `finished` or `cancelled`."""
        return self._run.status if self._run else "idle"

    @property
    def is_finished(self) -> bool:
        """True when no step is left to carry out."""
        return self.status in ("finished", "cancelled")

    @property
    def answer(self) -> str | None:
        """The last step's result, None before it, and where that step brought none."""
        return self._run.answer if self._run else None

    @property
    def missing(self) -> tuple[Missing, ...]:
        """What recall could not use in this run."""
        return tuple(self._run.missing) if self._run else ()

    def start_agent(
        self,
        user_request: str,
        current_content: str | None = None,
        intent: str | None = None,
        *,
        now: datetime | None = None,
    ) -> Plan:
        """The plan for a request; one that was under way is given up.

        The fixed instructions go as the system prompt, everything of this request as the user's.

        Raises:
            InvalidInputError: no request.
            PlanError: the model gave no plan that can be used, asked twice.
            AgentError: a step is being carried out.

        Whatever `send_ai_request` raises passes through. Source: S1.7.1.
        """
        request = checked_text(user_request, "user_request")
        content = _optional(current_content, "current_content")
        run = Run(request, content, _optional(intent, "intent").strip(), language_of(request).code)
        with self._alone():
            self._cancelled.clear()
            self._run = None
            answer = self._questions.plan(run, moment_or_now(now))
            run.plan = Plan(answer.goal, numbered(answer.steps, 1))
            if self._cancelled.is_set():
                run.cancel()
            self._run = run
            return run.plan

    def execute_next_step(
        self, *, current_content: str | None = None, now: datetime | None = None
    ) -> StepResult | None:
        """What became of the step that is due; None when none is left.

        `current_content` takes the place of what the run began with, where a step has changed it.

        Raises:
            AgentError: nothing is planned, or another step is being carried out.
            StepError: the model gave no answer that can be used, asked twice; the step stays open.
            TurnNotSavedError: the run is over and could not be saved; the next call tries again.

        Whatever `send_ai_request` raises passes through, and the step stays open. Source: S1.7.2.
        """
        with self._alone():
            run = self._run
            if run is None:
                raise AgentError("nothing is planned: call start_agent(request) first")
            moment = moment_or_now(now)
            if current_content is not None:
                run.content = _optional(current_content, "current_content")
            step = run.plan.next_step
            if run.status != "running" or step is None:
                self._save(run, moment)
                return None
            result = self._carry_out(run, step, moment)
            self._save(run, moment)
            return result

    def cancel(self) -> None:
        """Stops the run before its next request or tool call; nothing of it is saved as a turn."""
        self._cancelled.set()
        with suppress(AgentError), self._alone():
            if self._run is not None and self._run.status == "running":
                self._run.cancel()

    def _carry_out(self, run: Run, step: PlanStep, now: datetime) -> StepResult:
        """Asks for what is to be done and calls tools, until there is a result, or no more room."""
        while run.requests < REQUESTS_PER_STEP:
            if self._cancelled.is_set():
                result = run.close_step(step, "cancelled", left=[])
                run.cancel()
                return result
            may_call = run.requests + 1 < REQUESTS_PER_STEP
            answer = self._questions.step(run, step, may_call, now)
            run.requests += 1
            if answer.tool is None:
                status: StepStatus = "failed" if answer.failed else "done"
                left = [] if answer.finished else answer.steps
                return run.close_step(step, status, answer.result or "", left)
            if may_call and not self._cancelled.is_set():
                tool, arguments = answer.tool, answer.arguments
                run.calls.append(observe(self._memory, self._tools, tool, arguments, now))
        return run.close_step(step, "failed")

    def _save(self, run: Run, now: datetime) -> None:
        """Saves a finished run with an answer as a turn of its session, once."""
        if run.is_saved or run.answer is None or self._session_id is None:
            return
        try:
            self._memory.save_conversation_turn(
                run.request, run.answer, self._session_id, "agent", now=now
            )
        except ChatmemError as error:
            raise TurnNotSavedError(
                f"the agent has finished ({error}): execute_next_step() tries to save it again",
                text=run.answer,
            ) from error
        run.is_saved = True

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """One call at a time: a step may take minutes, and a second one would not know of it."""
        if not self._busy.acquire(blocking=False):
            raise AgentError("the agent is at work: wait for its step, or cancel() it")
        try:
            yield
        finally:
            self._busy.release()


def _optional(value: str | None, name: str) -> str:
    """The text in whole characters, "" for None."""
    if value is not None and not isinstance(value, str):
        raise InvalidInputError(f"{name}: got {type(value).__name__}, takes text")
    return without_surrogates(value or "")
