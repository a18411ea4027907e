"""One turn, from the message to the memory: the only place that knows the order of what follows.

    pipeline = ChatPipeline(memory, tools=[weather])
    reply = pipeline.respond("我下个月搬到柏林，帮我列个清单", session_id)

    with pipeline.stream("And what should I pack?", session_id) as stream:
        for piece in stream:
            print(piece, end="", flush=True)
    stream.reply.receipt

Source: S4.3, S1.2, S3.2.1, S5.4.1, S5.5, S5.7; decisions 4, 5.
"""

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import closing
from functools import partial
from typing import Any, Final, Self

from chatmem.chat.answer import AnswerReader
from chatmem.chat.configured import ConfiguredModel
from chatmem.chat.keeping import apply_writes, raise_events, remember_updates, save, save_cut
from chatmem.chat.reply import ChatReply, ChatStream
from chatmem.chat.tool_use import ClientTools, ToolUse
from chatmem.chat.toolbox import Toolbox, tools_of
from chatmem.chat.turn import Turn
from chatmem.engine.context import ChatContextBuilder
from chatmem.engine.service import MemoryService
from chatmem.engine.tools import MemoryTool, memory_tools
from chatmem.errors import ChatError, MalformedAnswerError
from chatmem.model import SavedTurn
from chatmem.providers.chat_deltas import GatheredCalls, Usage
from chatmem.providers.chat_model import ChatEndpoint
from chatmem.text.language import language_of
from chatmem.text.thoughts import without_thoughts

_DEFAULT_USE: Final = ToolUse()
_NO_CLIENT: Final = ClientTools()


class ChatPipeline:
    """Answers messages with what is remembered, and remembers what was said.

    Thread-safe, and synchronous: a server hands a stream to its threads. Turns of one session are
    answered one after the other by who calls.
    """

    def __init__(
        self,
        memory: MemoryService,
        model: ChatEndpoint | None = None,
        *,
        tools: Iterable[MemoryTool | Callable[..., object]] = (),
        builder: ChatContextBuilder | None = None,
        use_memory: bool = True,
        tool_use: ToolUse = _DEFAULT_USE,
        prepare: Callable[[str], str] = str,
    ) -> None:
        """Prepares; nothing is sent yet.

        Args:
            memory: whose memory it is.
            model: answers; None takes the one that `[llm]` configures.
            tools: functions with types and a docstring, or `MemoryTool`s, beside memory's own.
            builder: composes the prompts, with its own defaults.
            use_memory: False recalls nothing, offers no memory tools, and saves nothing.
            tool_use: how tools are offered and run.
            prepare: makes of the user's message what the model gets, and what is saved.

        Raises:
            InvalidInputError: a tool that is none.
        """
        self._memory = memory
        self._model = model
        self._tools = tools_of(tools)
        self._builder = builder or ChatContextBuilder(memory)
        self._use_memory = use_memory
        self._tool_use = tool_use
        self._prepare = prepare
        self._configured = ConfiguredModel()

    def respond(
        self,
        message: str,
        session_id: str,
        *,
        app_type: str = "chat",
        options: Mapping[str, Any] | None = None,
        client: ClientTools = _NO_CLIENT,
        **wishes: Any,  # noqa: ANN401
    ) -> ChatReply:
        """The whole answer.

        `options` go to the model's server as they are (`temperature`, `max_tokens`); `client` has
        tools that the caller runs itself; `wishes` are those of
        `ChatContextBuilder.build_messages`.

        Raises:
            ChatError: no answer, or not the whole of it; says whether the turn was saved.
            InvalidInputError: a wish, or a message, that does not fit; nothing was sent or saved.
        """
        stream = self.stream(
            message, session_id, app_type=app_type, options=options, client=client, **wishes
        )
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
        client: ClientTools = _NO_CLIENT,
        **wishes: Any,  # noqa: ANN401
    ) -> ChatStream:
        """The answer, piece by piece; nothing is done before the first one is asked for.

        Takes and raises what `respond` does; an answer that breaks off is saved as far as it came,
        with `[…]` at its end, and the error says so.
        """
        turn = partial(self._composed, message, session_id, app_type, wishes)
        return ChatStream(self._turn(turn, options or {}, client))

    def close(self) -> None:
        """Close the connections to the configured model; one that was given is its owner's."""
        self._configured.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _turn(
        self, compose: Callable[[], Turn], options: Mapping[str, Any], client: ClientTools
    ) -> Generator[str, None, ChatReply]:
        """The order of a turn, from top to bottom."""
        model = self._model or self._configured.of(self._memory.settings)
        turn = compose()
        if turn.remembers and not client.following:
            self._memory.sessions.receive(turn.session_id, turn.message, now=turn.now)
        try:
            yield from self._answer(model, turn, options, client)
        except ChatError as error:
            error.text = turn.shown.text
            error.saved = save_cut(self._memory, turn)
            raise
        except (GeneratorExit, KeyboardInterrupt):
            save_cut(self._memory, turn)
            raise
        if turn.tool_calls:  # the caller comes back with their results: the turn goes on
            return _reply(model, turn, None)
        saved = save(self._memory, turn, turn.shown.text)
        remember_updates(self._memory, turn)
        raise_events(self._memory, turn, saved)
        return _reply(model, turn, saved)

    def _composed(
        self, message: str, session_id: str, app_type: str, wishes: dict[str, Any]
    ) -> Turn:
        """The prompt and the tools for a message."""
        remembers = bool(wishes.pop("use_memory", self._use_memory))
        offered = remembers and self._memory.settings.memory.enabled
        now = wishes.get("now")
        box = Toolbox(
            memory_tools(self._memory, session_id=session_id, now=now) if offered else (),
            self._tools,
        )
        if self._tool_use.form != "native":
            wishes["tools"] = [*wishes.get("tools", ()), *box.described()]
        prompt = self._builder.build_messages(
            self._prepare(message), session_id, use_memory=remembers, **wishes
        )
        sent = prompt[-1]["content"]
        limit = (wishes.get("budget") or {}).get("total_tokens")
        return Turn(
            message=sent,
            session_id=session_id,
            app_type=app_type,
            remembers=remembers,
            prompt=prompt,
            box=box,
            now=now,
            limit_tokens=limit or self._memory.settings.memory.prompt_max_tokens,
        )

    def _answer(
        self, model: ChatEndpoint, turn: Turn, options: Mapping[str, Any], client: ClientTools
    ) -> Iterator[str]:
        """What the reader sees, over as many requests as the tools need.

        Raises:
            ChatError: the model's server failed, or it said nothing.
        """
        messages: list[Mapping[str, Any]] = [*turn.prompt, *client.following]
        tools = [*(turn.box.described() if self._tool_use.form != "abp" else ()), *client.tools]
        for number in range(self._tool_use.max_rounds + 1):
            is_last = number == self._tool_use.max_rounds
            asked = {**options, "tool_choice": "none"} if is_last and tools else options
            reader = AnswerReader(reads_calls=bool(turn.box))
            gathered, said = GatheredCalls(), ""
            with closing(model.stream(messages, tools=tools, options=asked)) as deltas:
                for delta in deltas:
                    said += delta.text
                    gathered.add(delta.calls)
                    turn.note(delta)
                    if shown := turn.show(reader, reader.feed(delta.text)):
                        yield shown
            if shown := turn.show(reader, reader.finish()):
                yield shown
            turn.note_updates(reader)
            native = gathered.calls()
            turn.tool_calls = [call for call in native if call.name in client.names]
            if turn.tool_calls:
                return
            if not (native or reader.calls):
                break
            if is_last:
                turn.problems.append(f"the model asked for tools in more than {number} rounds")
                break
            language = language_of(turn.message)
            messages += turn.box.run_round(without_thoughts(said), native, reader.calls, language)
            apply_writes(self._memory, turn, turn.box.take_writes())
            turn.shown.begin_paragraph()
        if not turn.shown.text:
            reason = "; ".join([f"finish_reason {turn.finish_reason!r}", *turn.problems])
            raise MalformedAnswerError(f"the model {model.name!r} said nothing ({reason})")


def _reply(model: ChatEndpoint, turn: Turn, saved: SavedTurn | None) -> ChatReply:
    prompts = sum(one.prompt_tokens for one in turn.usages)
    answers = sum(one.completion_tokens for one in turn.usages)
    return ChatReply(
        text=turn.shown.text,
        message=turn.message,
        session_id=turn.session_id,
        model=model.name,
        saved=saved,
        receipt=turn.prompt.receipt,
        missing=turn.prompt.missing,
        finish_reason=turn.finish_reason,
        usage=Usage(prompts, answers) if turn.usages else None,
        tool_runs=tuple(turn.box.runs),
        memories=tuple(turn.memories),
        tool_calls=tuple(turn.tool_calls),
        problems=tuple(turn.problems),
    )
