"""One turn, from the message to the memory: the only place that knows the order of what follows.

    pipeline = ChatPipeline(memory, tools=[weather])
    reply = pipeline.respond("我下个月搬到柏林，帮我列个清单", session_id)

    with pipeline.stream("And what should I pack?", session_id) as stream:
        for piece in stream:
            print(piece, end="", flush=True)
    stream.reply.receipt

And models for it, at an address or on this machine: what servers tell of themselves. On this
machine only loopback is asked, and only which models there are.

Source: S4.3, S1.2, S3.2.1, S5.4.1, S5.5, S5.7; decisions 4, 5, 7; interfaces.md, "Settings",
"Command line" (`chat`).
"""

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, closing
from typing import Any, Final, NamedTuple

from chatmem.chat.answer import AnswerReader
from chatmem.chat.tools import Toolbox, ToolRounds, ToolSource
from chatmem.chat.turn import ChatReply, ChatStream, ChatTurn
from chatmem.engine.context import ChatContextBuilder
from chatmem.engine.service import MemoryService
from chatmem.engine.tools import memory_tools
from chatmem.errors import ChatError, MalformedAnswerError, NoModelError
from chatmem.providers.chat_model import ChatEndpoint
from chatmem.providers.openai_client import INSTALL, ToolCall, joined_calls, plain_address
from chatmem.providers.optional import optional_module
from chatmem.text.languages import language_of
from chatmem.text.thoughts import without_thoughts

MAX_TOOL_ROUNDS: Final = 6
"""How often a model may ask for tools before it has to answer."""
HOW_TO_CONFIGURE: Final = (
    "set CHATMEM_LLM_BASE_URL (an OpenAI-compatible address, such as http://127.0.0.1:11434/v1 "
    "for Ollama), CHATMEM_LLM_MODEL and, where the server wants one, CHATMEM_LLM_API_KEY; or the "
    "same under [llm] in chatmem.toml"
)
LOCAL_SERVERS: Final[Mapping[str, int]] = {
    "Ollama": 11434,
    "llama.cpp": 8080,
    "LM Studio": 1234,
    "vLLM": 8000,
}
"""Where each of them listens unless it is told otherwise."""
TIMEOUT_SECONDS: Final = 1.0
_NO_CHAT: Final = ("embed", "bge-", "rerank", "whisper", "tts")
"""In the name of a model that does not chat."""


class ChatPipeline(AbstractContextManager["ChatPipeline"]):
    """Answers messages with what is remembered, and saves them with their answers.

    Thread-safe, and synchronous: a server hands a stream to its threads. Turns of one session are
    answered one after the other by who calls.
    """

    def __init__(
        self,
        memory: MemoryService,
        model: ChatEndpoint | None = None,
        *,
        tools: Iterable[ToolSource] = (),
        use_memory: bool = True,
        prepare: Callable[[str], str] = str,
    ) -> None:
        """Prepares; nothing is sent yet.

        Args:
            memory: whose memory it is.
            model: answers; None takes the one that `[llm]` configures.
            tools: functions with types and a docstring, or other tools, beside memory's own.
            use_memory: False recalls nothing, offers no memory tools, and saves nothing.
            prepare: makes of the user's message what the model gets, and what is saved.

        Raises:
            InvalidInputError: a tool that is none.
        """
        self._memory = memory
        self._model = model
        self._tools = Toolbox(tools)
        self._builder = ChatContextBuilder(memory)
        self._use_memory = use_memory
        self._prepare = prepare
        self._configured: ChatEndpoint | None = None

    def respond(
        self,
        message: str,
        session_id: str,
        *,
        app_type: str = "chat",
        options: Mapping[str, Any] | None = None,
        **context: Any,  # noqa: ANN401
    ) -> ChatReply:
        """The whole answer.

        `options` go to the model's server as they are (`temperature`, `max_tokens`); `context` are
        the options of `ChatContextBuilder.build_messages`.

        Raises:
            ChatError: no answer, or not the whole of it; says whether the turn was saved.
            InvalidInputError: an option or a message that does not fit; nothing was sent or saved.
        """
        stream = self.stream(message, session_id, app_type=app_type, options=options, **context)
        for _ in stream:
            pass
        return stream.reply

    def stream(
        self,
        message: str,
        session_id: str,
        *,
        app_type: str = "chat",
        options: Mapping[str, Any] | None = None,
        **context: Any,  # noqa: ANN401
    ) -> ChatStream:
        """The answer, piece by piece; nothing is done before the first one is asked for.

        Takes and raises what `respond` does; an answer that breaks off is saved as far as it came,
        with `[…]` at its end, and the error says so.
        """
        return ChatStream(self._turn(message, session_id, app_type, options or {}, context))

    def close(self) -> None:
        """Close the connections to the configured model; one that was given is its owner's."""
        if self._configured is not None:
            self._configured.close()

    def __exit__(self, *_: object) -> None:
        self.close()

    def _turn(
        self,
        message: str,
        session_id: str,
        app_type: str,
        options: Mapping[str, Any],
        context: dict[str, Any],
    ) -> Generator[str, None, ChatReply]:
        """The order of a turn: compose, receive, answer, save."""
        model, memory = self._endpoint(), self._memory
        remembers = bool(context.pop("use_memory", self._use_memory))
        offered = remembers and memory.settings.memory.enabled
        now = context.get("now")
        own = memory_tools(memory, session_id=session_id, now=now) if offered else ()
        rounds = ToolRounds(own, self._tools)
        context["tools"] = [*context.get("tools", ()), *rounds.tools.described()]
        prompt = self._builder.build_messages(
            self._prepare(message), session_id, use_memory=remembers, **context
        )
        limit = (context.get("budget") or {}).get("total_tokens")
        turn = ChatTurn(
            memory=memory,
            message=prompt[-1]["content"],
            session_id=session_id,
            app_type=app_type,
            remembers=remembers,
            prompt=prompt,
            rounds=rounds,
            limit_tokens=limit or memory.settings.memory.prompt_max_tokens,
            now=now,
        )
        if remembers:
            memory.sessions.receive(session_id, turn.message, now=now)
        try:
            yield from self._answer(model, turn, options)
        except ChatError as error:
            error.text = turn.shown.text
            error.saved = turn.save_cut()
            raise
        except (GeneratorExit, KeyboardInterrupt):
            turn.save_cut()
            raise
        return turn.reply(model.name, turn.save())

    def _endpoint(self) -> ChatEndpoint:
        """The model that was given, else the one of `[llm]`, made when it is first needed."""
        known = self._model or self._configured
        if known is None:
            llm = self._memory.settings.llm
            if llm.model is None or llm.base_url is None:
                raise NoModelError(f"no model is configured: {HOW_TO_CONFIGURE}")
            key = llm.api_key.get_secret_value() if llm.api_key else None
            known = self._configured = ChatEndpoint(llm.model, llm.base_url, key)
        return known

    def _answer(
        self, model: ChatEndpoint, turn: ChatTurn, options: Mapping[str, Any]
    ) -> Iterator[str]:
        """What the reader sees, over as many requests as the tools need."""
        messages: list[Mapping[str, Any]] = [*turn.prompt]
        tools = turn.rounds.tools.described()
        for number in range(MAX_TOOL_ROUNDS + 1):
            is_last = number == MAX_TOOL_ROUNDS
            sent = {**options, "tool_choice": "none"} if is_last and tools else options
            reader = AnswerReader(reads_calls=bool(tools))
            parts: list[ToolCall] = []
            text = ""
            with closing(model.stream(messages, tools=tools, options=sent)) as deltas:
                for delta in deltas:
                    text += delta.text
                    parts += delta.calls
                    turn.note(delta)
                    if shown := turn.show(reader, reader.feed(delta.text)):
                        yield shown
            if shown := turn.show(reader, reader.finish()):
                yield shown
            turn.note_updates(reader)
            calls = joined_calls(parts)
            if not (calls or reader.calls):
                break
            if is_last:
                turn.problems.append(f"the model asked for tools in more than {number} rounds")
                break
            language = language_of(turn.message).code
            messages += turn.rounds.run(without_thoughts(text), calls, reader.calls, language)
            turn.write(turn.rounds.take_writes())
            turn.shown.begin_paragraph()
        if not turn.shown.text:
            reason = "; ".join([f"finish_reason {turn.finish_reason!r}", *turn.problems])
            raise MalformedAnswerError(f"the model {model.name!r} said nothing ({reason})")


class LocalServer(NamedTuple):
    """A server that answered; `models` are those that can chat."""

    name: str
    base_url: str
    models: tuple[str, ...]


def find_local_servers() -> list[LocalServer]:
    """Those of `LOCAL_SERVERS` that answer with at least one model; all are asked at once.

    Raises:
        ProviderError: `httpx` is not installed.
    """
    addresses = {name: f"http://127.0.0.1:{port}/v1" for name, port in LOCAL_SERVERS.items()}
    with ThreadPoolExecutor(max_workers=max(1, len(addresses))) as threads:
        found = threads.map(_models, addresses.values())
        return [
            LocalServer(name, address, models)
            for (name, address), models in zip(addresses.items(), found, strict=True)
            if models
        ]


def choose_endpoint(
    base_url: str | None, model: str | None, api_key: str | None = None
) -> ChatEndpoint:
    """The endpoint for what is known of it: a server is looked for, or asked for its models.

    Raises:
        NoModelError: no server, or none with this model; says what to do.
        ProviderError: the client is not installed, or the address or the key cannot be used.
    """
    if base_url is not None:
        if model is None:
            models = _models(base_url, api_key, TIMEOUT_SECONDS * 5)
            if not models:
                raise NoModelError(
                    f"{plain_address(base_url)} tells of no models: name one (--model, "
                    "CHATMEM_LLM_MODEL)"
                )
            model = models[0]
        return ChatEndpoint(model, base_url, api_key)
    found = find_local_servers()
    for server in found:
        if model is None or model in server.models:
            return ChatEndpoint(model or server.models[0], server.base_url)
    if found:
        there = "; ".join(f"{one.name} has {', '.join(one.models)}" for one in found)
        raise NoModelError(f"no server on this machine has the model {model!r}: {there}")
    looked = ", ".join(f"{name} on {port}" for name, port in LOCAL_SERVERS.items())
    raise NoModelError(
        f"no model is configured, and none runs on this machine (looked for {looked}). Start one, "
        "for example with `ollama run qwen3:4b`; or name one with --base-url and --model, or with "
        "CHATMEM_LLM_BASE_URL and CHATMEM_LLM_MODEL"
    )


def _models(
    base_url: str, api_key: str | None = None, timeout_seconds: float = TIMEOUT_SECONDS
) -> tuple[str, ...]:
    """The models that a server tells of; () where none answers as OpenAI's API does."""
    httpx: Any = optional_module("httpx", needed_for="a chat", install=INSTALL)
    headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}
    is_local = base_url.startswith(("http://127.0.0.1", "http://localhost"))
    try:
        with httpx.Client(timeout=timeout_seconds, trust_env=not is_local) as client:
            answer = client.get(f"{base_url.rstrip('/')}/models", headers=headers)
            names = [str(one["id"]) for one in answer.json()["data"]] if answer.is_success else []
    except (httpx.HTTPError, httpx.InvalidURL, ValueError, KeyError, TypeError):
        return ()
    return tuple(name for name in names if not any(part in name.lower() for part in _NO_CHAT))
