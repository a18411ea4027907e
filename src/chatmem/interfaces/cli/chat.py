"""`chatmem chat`: a conversation that is remembered, in the terminal.

And `chatmem agent`: a request, planned and carried out step by step.
"""

import contextlib
import os
import re
import sys
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from chatmem.errors import ChatError, ChatmemError, SessionNotFoundError
from chatmem.interfaces.cli import shell

if TYPE_CHECKING:
    from chatmem.agent.plan import Plan, StepResult
    from chatmem.chat.pipeline import ChatPipeline
    from chatmem.chat.turn import ChatReply
    from chatmem.engine.service import MemoryService
    from chatmem.providers.chat_model import ChatEndpoint

PROMPT = "> "
_MOST_CHARS = 160
COMMANDS = {
    "/new": "start a new session",
    "/context": "show what the last prompt held",
    "/forget ID": "forget a memory for good",
    "/help": "show this",
    "/quit": "leave",
}
_COMMAND = re.compile(r"/(?P<name>[a-z]+)(?:\s+(?P<rest>.*))?", re.DOTALL)


def chat(
    target: shell.Target,
    message: Annotated[
        str | None,
        typer.Argument(
            metavar="[MESSAGE]", help="One message; - reads standard input; none begins a chat."
        ),
    ] = None,
    session: Annotated[
        str | None, typer.Option(metavar="ID", help="Go on with this session.")
    ] = None,
    model: shell.ModelOption = None,
    base_url: shell.BaseUrlOption = None,
    api_key_env: Annotated[
        str | None, typer.Option(metavar="NAME", help="The variable that holds its key.")
    ] = None,
    persona: shell.PersonaOption = None,
    no_memory: Annotated[
        bool, typer.Option("--no-memory", help="Recall nothing and save nothing.")
    ] = False,
) -> None:
    """Chat with a model that remembers; a server on this machine is found by itself."""
    from chatmem.chat.pipeline import ChatPipeline

    with target.open(background=message is None) as memory:
        endpoint = _endpoint_of(memory, model, base_url, api_key_env)
        pipeline = ChatPipeline(memory, endpoint, use_memory=not no_memory)
        begun = session or _new_id()
        conversation = _Conversation(memory, pipeline, begun, persona, target.as_json)
        if no_memory:
            conversation.unsaved = []
        try:
            if message is not None:
                conversation.say(shell.text_of(message))
            else:
                is_person = sys.stdin.isatty() and not target.as_json
                if is_person:
                    shell.warn(f"{endpoint.name} at {endpoint.base_url}; /help lists commands")
                conversation.run(_lines(is_person))
        finally:
            endpoint.close()
            if not no_memory:
                conversation.end()
                shell.finish_work(memory)


@dataclass(slots=True)
class _Conversation:
    """A chat in one session after the other; `unsaved` are its messages where none is saved."""

    memory: "MemoryService"
    pipeline: "ChatPipeline"
    session: str
    persona: str | None
    as_json: bool
    unsaved: list[dict[str, str]] | None = None
    last: "ChatReply | None" = None

    def run(self, lines: Iterator[str]) -> None:
        """Answers line by line until their end, or until a person leaves."""
        for line in lines:
            try:
                match = _COMMAND.fullmatch(line)
                if match is None:
                    self.say(line)
                elif not self._obey(match["name"], match["rest"] or ""):
                    return
            except KeyboardInterrupt:
                print()  # the answer is cut and saved as far as it came; the chat goes on
            except ChatmemError as error:
                if self.as_json:
                    saved = error.saved if isinstance(error, ChatError) else False
                    print(shell.to_json({"error": str(error), "saved": saved}))
                else:
                    shell.warn(str(error))

    def say(self, message: str) -> None:
        """One turn: the answer is printed as it comes.

        Raises:
            ChatError: no answer, or not the whole of it.
        """
        request: dict[str, Any] = {"persona": self.persona}
        if self.unsaved is not None:
            request["session_messages"] = self.unsaved
        begun = False
        with self.pipeline.stream(message, self.session, **request) as stream:
            try:
                for piece in stream:
                    if not self.as_json:
                        print(shell.escaped(piece), end="", flush=True)
                        begun = True
            finally:
                if begun:
                    print()
        reply = self.last = stream.reply
        if self.unsaved is not None:
            self.unsaved += [
                {"role": "user", "content": reply.message},
                {"role": "assistant", "content": reply.text},
            ]
        if self.as_json:
            print(shell.to_json(_as_json(reply)))
        for problem in reply.problems:
            shell.warn(problem)

    def end(self) -> None:
        """Ends the session: its messages are read for what is worth remembering."""
        if self.last is not None and self.last.saved is not None:
            self.memory.sessions.end(self.session)
            self.last = None

    def _obey(self, name: str, rest: str) -> bool:
        """Runs a slash command; False when it leaves."""
        if name in ("quit", "exit"):
            return False
        if name == "new":
            self.end()
            self.unsaved = None if self.unsaved is None else []
            self.session = _new_id()
            print("new session")
        elif name == "context":
            known = self.last and shell.receipt_lines(self.last.receipt)
            shell.print_lines(known or ["nothing was said yet"])
        elif name == "forget" and rest:
            found = self.memory.get(rest.strip())
            self.memory.forget(found.id)
            shell.print_lines([f"forgotten: {found.content}"])
        else:
            shell.print_lines(f"  {command:12} {use}" for command, use in COMMANDS.items())
        return True


def _new_id() -> str:
    """A session is made with its first message: one that fails leaves none behind."""
    return uuid.uuid4().hex


def _lines(is_person: bool) -> Iterator[str]:
    """Lines typed or piped in, without empty ones; Ctrl-C and Ctrl-D end them."""
    if is_person:
        with contextlib.suppress(ImportError):
            import readline  # noqa: F401 - a line can be edited, and the one before be had back
    while True:
        try:
            line = input(PROMPT) if is_person else sys.stdin.readline()
        except (EOFError, KeyboardInterrupt):
            print()
            return
        if not is_person and not line:
            return
        if line.strip():
            yield line.strip()


def _endpoint_of(
    memory: "MemoryService", model: str | None, base_url: str | None, api_key_env: str | None = None
) -> "ChatEndpoint":
    """What the command line names, else what is configured, else what is found.

    A configured key goes only to the address that it was configured for.

    Raises:
        NoModelError: none is configured, and none runs on this machine; says what to do.
        ProviderError: what a model needs is not installed.
    """
    from chatmem.chat.pipeline import choose_endpoint

    llm = memory.settings.llm
    key = None
    if api_key_env is not None:
        key = os.environ.get(api_key_env, "").strip()
        if not key:
            raise typer.BadParameter(f"--api-key-env: the variable {api_key_env} is not set")
    elif base_url in (None, llm.base_url) and llm.api_key is not None:
        key = llm.api_key.get_secret_value()
    if base_url is None:
        base_url = llm.base_url
        model = model or (llm.model if base_url else None)
    return choose_endpoint(base_url, model, key)


def _as_json(reply: "ChatReply") -> dict[str, object]:
    return {
        "session_id": reply.session_id,
        "model": reply.model,
        "text": reply.text,
        "saved": reply.saved.ids if reply.saved else None,
        "finish_reason": reply.finish_reason,
        "tools": [{"name": one.name, "failed": one.failed} for one in reply.tool_runs],
        "memories": [one.id for one in reply.memories],
        "problems": reply.problems,
        "receipt": reply.receipt.as_json(),
    }


def agent(
    target: shell.Target,
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
    model: shell.ModelOption = None,
    base_url: shell.BaseUrlOption = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask before the steps.")] = False,
) -> None:
    """Plan a request and carry it out with a model that remembers; asks before the steps."""
    from chatmem.agent.controller import AgentController
    from chatmem.engine.tools import memory_tools

    if not yes and (target.as_json or not sys.stdin.isatty()):
        raise typer.BadParameter("add --yes, since nobody can be asked before the steps")
    text = None
    if content is not None:
        text = (
            shell.text_of(shell.STANDARD)
            if str(content) == shell.STANDARD
            else shell.read_text(content, "--content: ")
        )
    with contextlib.ExitStack() as stack:
        memory = stack.enter_context(target.open())
        endpoint = stack.enter_context(contextlib.closing(_endpoint_of(memory, model, base_url)))
        endpoint.attempts = 1  # a failure is shown at once
        session_id = session or _new_id()
        controller = AgentController(
            memory,
            lambda user_prompt, system_prompt: endpoint.complete(system_prompt, user_prompt),
            memory_tools(memory, session_id=session_id),
            session_id=session_id,
            steps=steps,
        )
        plan = controller.start_agent(request, text, intent)
        if not target.as_json:
            shell.print_lines(_plan_lines(plan))
        if not yes:
            typer.confirm("Carry out these steps?", abort=True, err=True)
        while (result := controller.execute_next_step()) is not None:
            if not target.as_json:
                before, plan = plan, controller.plan or plan
                shell.print_lines([*_step_lines(result), *_change_lines(before, plan)])
        answer = controller.answer
        target.warn_missing(controller.missing)
        if answer is None and not target.as_json:
            shell.warn("the last step brought no answer; nothing was saved")
        target.print(
            {
                "session_id": session_id,
                "plan": controller.plan,
                "steps": controller.history,
                "answer": answer,
                "missing": controller.missing,
            },
            [] if answer is None else ["", answer],
        )
        with contextlib.suppress(SessionNotFoundError):  # nothing of it was worth saving
            memory.sessions.end(session_id)
        shell.finish_work(memory)
    if answer is None or controller.history[-1].status != "done":
        raise typer.Exit(shell.EXIT_FAILED)


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
        yield f"  no result after {shell.counted(result.requests, 'request')}"
    elif not result.is_last:
        yield f"  {_one_line(result.result)}"


def _one_line(text: str) -> str:
    line = " ".join(shell.escaped(text).split())
    return line if len(line) <= _MOST_CHARS else f"{line[: _MOST_CHARS - 1]}…"
