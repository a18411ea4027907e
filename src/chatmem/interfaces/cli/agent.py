"""`chatmem agent`: a request, planned and carried out step by step."""

import contextlib
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from chatmem.errors import SessionNotFoundError
from chatmem.interfaces.cli import output
from chatmem.interfaces.cli.chat import endpoint_of
from chatmem.interfaces.cli.output import STANDARD, read_text, text_of
from chatmem.interfaces.cli.target import EXIT_FAILED, BaseUrlOption, ModelOption, Target

if TYPE_CHECKING:
    from chatmem.agent.controller import AgentController
    from chatmem.agent.plan import Plan, StepResult

_MOST_CHARS = 160


def agent(
    target: Target,
    request: Annotated[str, typer.Argument(metavar="REQUEST", help="What is to be done.")],
    content: Annotated[
        Path | None, typer.Option(metavar="FILE", help="What it is about; - reads standard input.")
    ] = None,
    intent: Annotated[
        str | None, typer.Option(metavar="TEXT", help="What kind of request it is.")
    ] = None,
    steps: Annotated[int, typer.Option(min=1, max=100, help="Steps at most.")] = 12,
    session: Annotated[
        str | None, typer.Option(metavar="ID", help="Go on in this session, not in a new one.")
    ] = None,
    model: ModelOption = None,
    base_url: BaseUrlOption = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask before the steps.")] = False,
) -> None:
    """Plan a request and carry it out with a model that remembers; asks before the steps."""
    from chatmem.agent.controller import AgentController
    from chatmem.engine.tools import memory_tools

    if not yes and (target.as_json or not sys.stdin.isatty()):
        raise typer.BadParameter("add --yes, since nobody can be asked before the steps")
    text = None
    if content is not None:
        text = text_of(STANDARD) if str(content) == STANDARD else read_text(content, "--content: ")
    with contextlib.ExitStack() as stack:
        memory = stack.enter_context(target.open())
        endpoint = stack.enter_context(contextlib.closing(endpoint_of(memory, model, base_url)))
        endpoint.attempts = 1  # a failure is shown at once
        session_id = session or uuid.uuid4().hex
        controller = AgentController(
            memory,
            lambda user_prompt, system_prompt: endpoint.complete(system_prompt, user_prompt),
            memory_tools(memory, session_id=session_id),
            session_id=session_id,
            steps=steps,
        )
        plan = controller.start_agent(request, text, intent)
        if not target.as_json:
            output.print_lines(_plan_lines(plan))
        if not yes:
            typer.confirm("Carry out these steps?", abort=True, err=True)
        while (result := controller.execute_next_step()) is not None:
            if not target.as_json:
                before, plan = plan, controller.plan or plan
                output.print_lines([*_step_lines(result), *_change_lines(before, plan)])
        _print_end(target, controller, session_id)
        with contextlib.suppress(SessionNotFoundError):  # nothing of it was worth saving
            memory.sessions.end(session_id)
        output.finish_work(memory)
    if controller.answer is None or controller.history[-1].status != "done":
        raise typer.Exit(EXIT_FAILED)


def _plan_lines(plan: "Plan") -> Iterator[str]:
    if plan.goal:
        yield plan.goal
    for step in plan.steps:
        tool = f"  ({step.tool})" if step.tool else ""
        yield f"  {step.number}. {step.description}{tool}"
    yield ""


def _change_lines(before: "Plan", after: "Plan") -> Iterator[str]:
    """The open steps, if the plan has changed."""
    planned = [(one.number, one.description) for one in after.steps]
    if planned != [(one.number, one.description) for one in before.steps]:
        yield "  the plan changed:" if after.open_count else "  the other steps are left out"
        for step in after.steps:
            if step.status == "open":
                yield f"  {step.number}. {step.description}"


def _step_lines(result: "StepResult") -> Iterator[str]:
    yield f"step {result.number}, {result.status}: {result.description}"
    for call in result.calls:
        sign = "failed: " if call.failed else ""
        yield f"  {call.name}: {sign}{_one_line(call.content)}"
    if not result.result:
        yield f"  no result after {output.counted(result.requests, 'request')}"
    elif not result.is_last:
        yield f"  {_one_line(result.result)}"


def _print_end(target: Target, controller: "AgentController", session_id: str) -> None:
    target.warn_missing(controller.missing)
    if controller.answer is None and not target.as_json:
        output.warn("the last step brought no answer; nothing was saved")
    target.print(
        {
            "session_id": session_id,
            "plan": controller.plan,
            "steps": controller.history,
            "answer": controller.answer,
            "missing": controller.missing,
        },
        [] if controller.answer is None else ["", controller.answer],
    )


def _one_line(text: str) -> str:
    line = " ".join(output.escaped(text).split())
    return line if len(line) <= _MOST_CHARS else f"{line[: _MOST_CHARS - 1]}…"
