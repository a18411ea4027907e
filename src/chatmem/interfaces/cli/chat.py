"""`chatmem chat`: a conversation that is remembered, in the terminal."""

import contextlib
import os
import re
import sys
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from chatmem.errors import ChatError, ChatmemError
from chatmem.interfaces.cli import output
from chatmem.interfaces.cli.output import text_of
from chatmem.interfaces.cli.target import BaseUrlOption, ModelOption, PersonaOption, Target

if TYPE_CHECKING:
    from chatmem.chat.pipeline import ChatPipeline
    from chatmem.chat.turn import ChatReply
    from chatmem.engine.service import MemoryService
    from chatmem.providers.chat_model import ChatEndpoint

PROMPT = "> "
COMMANDS = {
    "/new": "start a new session",
    "/context": "show what the last prompt held",
    "/forget ID": "forget a memory for good",
    "/help": "show this",
    "/quit": "leave",
}
_COMMAND = re.compile(r"/(?P<name>[a-z]+)(?:\s+(?P<rest>.*))?", re.DOTALL)


def chat(
    target: Target,
    message: Annotated[
        str | None,
        typer.Argument(
            metavar="[MESSAGE]", help="One message; - reads standard input; none begins a chat."
        ),
    ] = None,
    session: Annotated[
        str | None, typer.Option(metavar="ID", help="Go on with this session.")
    ] = None,
    model: ModelOption = None,
    base_url: BaseUrlOption = None,
    api_key_env: Annotated[
        str | None, typer.Option(metavar="NAME", help="The variable that holds its key.")
    ] = None,
    persona: PersonaOption = None,
    no_memory: Annotated[
        bool, typer.Option("--no-memory", help="Recall nothing and save nothing.")
    ] = False,
) -> None:
    """Chat with a model that remembers; a server on this machine is found by itself."""
    from chatmem.chat.pipeline import ChatPipeline

    with target.open(background=message is None) as memory:
        endpoint = endpoint_of(memory, model, base_url, api_key_env)
        pipeline = ChatPipeline(memory, endpoint, use_memory=not no_memory)
        conversation = _Conversation(
            memory=memory,
            pipeline=pipeline,
            session=session or _new_id(),
            persona=persona,
            as_json=target.as_json,
            unsaved=[] if no_memory else None,
        )
        try:
            if message is not None:
                conversation.say(text_of(message))
            else:
                is_person = sys.stdin.isatty() and not target.as_json
                if is_person:
                    output.warn(f"{endpoint.name} at {endpoint.base_url}; /help lists commands")
                conversation.run(_lines(is_person))
        finally:
            endpoint.close()
            if not no_memory:
                conversation.end()
                output.finish_work(memory)


@dataclass(slots=True)
class _Conversation:
    """A chat in one session after the other; `unsaved` are its messages where none is saved."""

    memory: "MemoryService"
    pipeline: "ChatPipeline"
    session: str
    persona: str | None
    as_json: bool
    unsaved: list[dict[str, str]] | None
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
                    print(output.to_json({"error": str(error), "saved": saved}))
                else:
                    output.warn(str(error))

    def say(self, message: str) -> None:
        """One turn: the answer is printed as it comes.

        Raises:
            ChatError: no answer, or not the whole of it.
        """
        request: dict[str, Any] = {"persona": self.persona}
        if self.unsaved is not None:
            request["session_messages"] = self.unsaved
        with self.pipeline.stream(message, self.session, **request) as stream:
            self._print(stream)
        reply = self.last = stream.reply
        if self.unsaved is not None:
            self.unsaved += [
                {"role": "user", "content": reply.message},
                {"role": "assistant", "content": reply.text},
            ]
        if self.as_json:
            print(output.to_json(_as_json(reply)))
        for problem in reply.problems:
            output.warn(problem)

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
            known = self.last and output.receipt_lines(self.last.receipt)
            output.print_lines(known or ["nothing was said yet"])
        elif name == "forget" and rest:
            found = self.memory.get(rest.strip())
            self.memory.forget(found.id)
            output.print_lines([f"forgotten: {found.content}"])
        else:
            output.print_lines(f"  {command:12} {use}" for command, use in COMMANDS.items())
        return True

    def _print(self, stream: Iterator[str]) -> None:
        begun = False
        try:
            for piece in stream:
                if not self.as_json:
                    print(output.escaped(piece), end="", flush=True)
                    begun = True
        finally:
            if begun:
                print()


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


def endpoint_of(
    memory: "MemoryService", model: str | None, base_url: str | None, api_key_env: str | None = None
) -> "ChatEndpoint":
    """What the command line names, else what is configured, else what is found.

    A configured key goes only to the address that it was configured for.

    Raises:
        NoModelError: none is configured, and none runs on this machine; says what to do.
        ProviderError: what a model needs is not installed.
    """
    from chatmem.chat.discover import choose_endpoint

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
