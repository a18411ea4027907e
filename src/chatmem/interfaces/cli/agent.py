"""`chatmem agent`: a request, planned and carried out step by step."""

import contextlib
import sys
import uuid
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from chatmem.errors import SessionNotFoundError
from chatmem.interfaces.cli import failures, output
from chatmem.interfaces.cli.finishing import finish_work
from chatmem.interfaces.cli.options import BaseUrlOption, ModelOption
from chatmem.interfaces.cli.target import Target

if TYPE_CHECKING:
    from chatmem.agent.controller import AgentController
    from chatmem.agent.plan import Plan, StepResult
    from chatmem.agent.questions import SendRequest
    from chatmem.engine.service import MemoryService

STDIN = "-"
_SHOWN_CHARS = 160


def agent(
    target: Target,
    request: Annotated[str, typer.Argument(metavar="REQUEST", help="What is to be done.")],
    content: Annotated[
        Path | None,
        typer.Option("--content", metavar="FILE", help="What it is about; - reads standard input."),
    ] = None,
    intent: Annotated[
        str | None, typer.Option("--intent", metavar="TEXT", help="What kind of request it is.")
    ] = None,
    steps: Annotated[int, typer.Option("--steps", min=1, max=100, help="Steps at most.")] = 12,
    session: Annotated[
        str | None,
        typer.Option("--session", metavar="ID", help="Go on in this session, not in a new one."),
    ] = None,
    model: ModelOption = None,
    base_url: BaseUrlOption = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask before the steps.")] = False,
) -> None:
    """Plan a request and carry it out with a model that remembers; asks before the steps."""
    from chatmem.agent.controller import AgentController
    from chatmem.agent.plan import AgentLimits
    from chatmem.engine.tools import memory_tools

    if not yes and (target.as_json or not sys.stdin.isatty()):
        raise typer.BadParameter("add --yes, since nobody can be asked before the steps")
    text = _read(content) if content else None
    with target.open() as memory:
        send = _model(memory, model, base_url)
        session_id = session or uuid.uuid4().hex
        made = AgentController(
            memory,
            send,
            memory_tools(memory, session_id=session_id),
            session_id=session_id,
            limits=AgentLimits(steps=steps),
        )
        plan = made.start_agent(request, text, intent)
        if not target.as_json:
            _print_plan(plan)
        if not yes:
            typer.confirm("Carry out these steps?", abort=True, err=True)
        while (result := made.execute_next_step()) is not None:
            if not target.as_json:
                _print_step(result)
                plan = _print_change(plan, made.plan or plan)
        _print_end(made, session_id, target)
        with contextlib.suppress(SessionNotFoundError):  # nothing of it was worth saving
            memory.sessions.end(session_id)
        finish_work(memory)
    if made.answer is None or made.history[-1].status != "done":
        raise typer.Exit(failures.EXIT_FAILED)


def _model(memory: "MemoryService", name: str | None, base_url: str | None) -> "SendRequest":
    """How the model is asked: what the command line names, else what is configured or found.

    A configured key goes only to the address that it was configured for.

    Raises:
        NoModelError: none is configured, and none runs on this machine; says what to do.
        ProviderError: what a model needs is not installed.
    """
    from chatmem.chat.discover import choose_endpoint
    from chatmem.engine.factory import make_chat_model

    llm = memory.settings.llm
    key = llm.api_key if base_url in (None, llm.base_url) else None
    address = base_url or llm.base_url
    wanted = name or (llm.model if base_url is None else None)
    found = choose_endpoint(address, wanted, key.get_secret_value() if key else None)
    found.close()
    chosen = {"llm.base_url": found.base_url, "llm.model": found.name, "llm.api_key": key}
    model = make_chat_model(memory.settings.with_overrides(chosen))
    assert model is not None  # its name was just given
    return lambda user_prompt, system_prompt: model.complete(system_prompt, user_prompt)


def _print_plan(plan: "Plan") -> None:
    if plan.goal:
        print(output.shown(plan.goal))
    for step in plan.steps:
        tool = f"  ({step.tool})" if step.tool else ""
        print(f"  {step.number}. {output.shown(step.description)}{tool}")
    print()


def _print_change(before: "Plan", after: "Plan") -> "Plan":
    """The plan as it is now; prints its open steps where they are others than before."""
    planned = [(one.number, one.description) for one in after.steps]
    if planned != [(one.number, one.description) for one in before.steps]:
        print("  the plan changed:" if after.open_count else "  the other steps are left out")
        for step in after.steps:
            if step.status == "open":
                print(f"  {step.number}. {output.shown(step.description)}")
    return after


def _print_step(result: "StepResult") -> None:
    print(f"step {result.number}, {result.status}: {output.shown(result.description)}")
    for call in result.calls:
        sign = "failed: " if call.failed else ""
        print(f"  {call.name}: {sign}{_line(call.content)}")
    if not result.result:
        print(f"  no result after {output.counted(result.requests, 'request')}")
    elif not result.is_last:
        print(f"  {_line(result.result)}")


def _print_end(made: "AgentController", session_id: str, target: Target) -> None:
    if target.as_json:
        output.print_json(
            {
                "session_id": session_id,
                "plan": asdict(made.plan) if made.plan else None,
                "steps": [asdict(one) for one in made.history],
                "answer": made.answer,
                "missing": [asdict(one) for one in made.missing],
            }
        )
        return
    for missing in made.missing:
        output.warn(f"without {missing}")
    if made.answer is None:
        output.warn("the last step brought no answer; nothing was saved")
        return
    print()
    print(output.shown(made.answer))


def _line(text: str) -> str:
    """The text on one line, cut."""
    line = " ".join(output.shown(text).split())
    return line if len(line) <= _SHOWN_CHARS else f"{line[: _SHOWN_CHARS - 1]}…"


def _read(path: Path) -> str:
    if str(path) == STDIN:
        return sys.stdin.read()
    try:
        return path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise typer.BadParameter(f"--content: {path}: cannot be read ({reason})") from error
