"""`chatmem chat`: a conversation that is remembered, in the terminal."""

import json
import os
import re
import sys
import uuid
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from chatmem.errors import ChatError, ChatmemError
from chatmem.interfaces.cli import output
from chatmem.interfaces.cli.finishing import finish_work
from chatmem.interfaces.cli.options import BaseUrlOption, ModelOption, PersonaOption
from chatmem.interfaces.cli.target import Target

if TYPE_CHECKING:
    from chatmem.chat.pipeline import ChatPipeline
    from chatmem.chat.reply import ChatReply
    from chatmem.engine.service import MemoryService
    from chatmem.providers.chat_model import ChatEndpoint

STDIN = "-"
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
        str | None, typer.Option("--session", metavar="ID", help="Go on with this session.")
    ] = None,
    model: ModelOption = None,
    base_url: BaseUrlOption = None,
    api_key_env: Annotated[
        str | None,
        typer.Option("--api-key-env", metavar="NAME", help="The variable that holds its key."),
    ] = None,
    persona: PersonaOption = None,
    no_memory: Annotated[
        bool, typer.Option("--no-memory", help="Recall nothing and save nothing.")
    ] = False,
) -> None:
    """Chat with a model that remembers; a server on this machine is found by itself."""
    from chatmem.chat.pipeline import ChatPipeline

    is_chat = message is None
    with target.open(background=is_chat) as memory:
        endpoint = _endpoint(memory, model, base_url, api_key_env)
        pipeline = ChatPipeline(memory, endpoint, use_memory=not no_memory)
        talk = _Talk(target, memory, pipeline, session, persona, no_memory)
        try:
            if message is not None:
                talk.say(sys.stdin.read() if message == STDIN else message)
            else:
                _converse(talk, endpoint)
        finally:
            endpoint.close()
            if not no_memory:
                talk.end()
                finish_work(memory)


class _Talk:
    """A conversation: its session, and what the last prompt held."""

    def __init__(
        self,
        target: Target,
        memory: "MemoryService",
        pipeline: "ChatPipeline",
        session: str | None,
        persona: str | None,
        no_memory: bool,
    ) -> None:
        self.as_json = target.as_json
        self.memory = memory
        self.pipeline = pipeline
        self.session = session or _new_id()
        self.wishes: dict[str, Any] = {"persona": persona}
        self.kept: list[dict[str, str]] | None = [] if no_memory else None
        self.last: ChatReply | None = None

    def say(self, message: str) -> None:
        """One turn: the answer is printed as it comes.

        Raises:
            ChatError: no answer, or not the whole of it.
        """
        wishes = dict(self.wishes)
        if self.kept is not None:
            wishes["session_messages"] = self.kept
        with self.pipeline.stream(message, self.session, **wishes) as stream:
            self._print(stream)
        reply = self.last = stream.reply
        if self.kept is not None:
            self.kept += [
                {"role": "user", "content": reply.message},
                {"role": "assistant", "content": reply.text},
            ]
        if self.as_json:
            print(json.dumps(_as_json(reply), ensure_ascii=False))
        for problem in reply.problems:
            output.warn(problem)

    def command(self, name: str, rest: str) -> bool:
        """Does what a line that begins with a slash says; False when it says to leave."""
        if name in ("quit", "exit"):
            return False
        if name == "new":
            self.end()
            self.kept = None if self.kept is None else []
            self.session = _new_id()
            print("new session")
        elif name == "context":
            self._show_context()
        elif name == "forget" and rest:
            self.memory.forget(rest.strip())
            print(f"forgotten: {output.shown(rest.strip())}")
        else:
            for command, meaning in COMMANDS.items():
                print(f"  {command:12} {meaning}")
        return True

    def end(self) -> None:
        """Nobody goes on here: what was said and not read yet is read for what is worth keeping."""
        if self.last is not None and self.last.saved is not None:
            self.memory.sessions.end(self.session)
            self.last = None

    def _print(self, stream: Iterator[str]) -> None:
        begun = False
        try:
            for piece in stream:
                if not self.as_json:
                    print(output.shown(piece), end="", flush=True)
                    begun = True
        finally:
            if begun:
                print()

    def _show_context(self) -> None:
        if self.last is None:
            print("nothing was said yet")
            return
        for section in self.last.receipt.sections:
            print(f"  {section.name:20} {section.tokens:6} tokens  {len(section.items)} memories")
        print(f"  {'total':20} {self.last.receipt.total_tokens:6} tokens")


def _new_id() -> str:
    """A session is made with its first message: one that fails leaves none behind."""
    return uuid.uuid4().hex


def _converse(talk: _Talk, endpoint: "ChatEndpoint") -> None:
    """Line by line until the end of the input, or until a person leaves."""
    is_person = sys.stdin.isatty() and not talk.as_json
    if is_person:
        output.warn(f"{endpoint.name} at {endpoint.base_url}; /help lists commands")
    for line in _lines(is_person):
        try:
            match = _COMMAND.fullmatch(line)
            if match is None:
                talk.say(line)
            elif not talk.command(match["name"], match["rest"] or ""):
                return
        except KeyboardInterrupt:
            print()  # the answer is cut and saved as far as it came; the chat goes on
        except ChatError as error:
            _tell(error, talk.as_json)
        except ChatmemError as error:
            _tell(error, talk.as_json)


def _lines(is_person: bool) -> Iterator[str]:
    """What is typed or piped in, without empty lines; Ctrl-C and Ctrl-D end it."""
    if is_person:
        import contextlib

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


def _tell(error: ChatmemError, as_json: bool) -> None:
    if not as_json:
        output.warn(str(error))
        return
    saved = error.saved if isinstance(error, ChatError) else False
    print(json.dumps({"error": str(error), "saved": saved}, ensure_ascii=False))


def _endpoint(
    memory: "MemoryService", model: str | None, base_url: str | None, api_key_env: str | None
) -> "ChatEndpoint":
    """What the command line names, else what is configured, else what is found.

    A configured key goes only to the address that it was configured for.
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


def _as_json(reply: "ChatReply") -> dict[str, Any]:
    return {
        "session_id": reply.session_id,
        "model": reply.model,
        "text": reply.text,
        "saved": list(reply.saved.ids) if reply.saved else None,
        "finish_reason": reply.finish_reason,
        "tools": [{"name": one.name, "failed": one.failed} for one in reply.tool_runs],
        "memories": [one.id for one in reply.memories],
        "problems": list(reply.problems),
        "receipt": reply.receipt.as_json(),
    }
