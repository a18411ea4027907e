"""OpenAI Agents SDK (`openai-agents`): sessions that remember, memory as instructions, and tools.

    agent = Agent(name="...", instructions=remembering(memory, "You help.", session_id="s1"),
                  tools=memory_function_tools(memory, session_id="s1"))
    await Runner.run(agent, "Where do I live?", session=ChatmemSession(memory, "s1"))

Source: S2.4.1, S4.3.1, S5.4.1, S5.5.1, S5.7.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from chatmem.engine.service import MemoryService
from chatmem.engine.tools import MemoryTool, memory_tools
from chatmem.interfaces.integrations.host import HostRecall, call_tool, quietly
from chatmem.interfaces.integrations.openai_session import ChatmemSession, spoken_text

if TYPE_CHECKING:
    from agents import RunHooks, Tool


__all__ = ["ChatmemSession", "memory_function_tools", "memory_hooks", "remembering"]


def remembering(
    memory: MemoryService,
    instructions: str = "",
    *,
    session_id: str | None = None,
    **options: Any,  # noqa: ANN401
) -> Callable[[Any, Any], Awaitable[str]]:
    """Instructions for an `Agent`: its own, and what is remembered for the message at hand.

    They stay the same for a run, however often it asks the model. `options` go to
    `ChatContextBuilder`. Where memory fails the agent gets its own instructions.
    """
    recall = HostRecall(memory, {**options, "base_system_prompt": instructions})
    known: WeakKeyDictionary[Any, tuple[str, str]] = WeakKeyDictionary()

    async def instruct(context: Any, agent: Any) -> str:  # noqa: ANN401 - of the SDK
        message = _message(context)
        if not message:
            return instructions
        if context not in known or known[context][0] != message:
            found = await recall.of(message, session_id)
            known[context] = (message, found or instructions)
        return known[context][1]

    return instruct


def memory_hooks(
    memory: MemoryService,
    session_id: str,
    *,
    token_limit: int | None = None,
    keeps_turns: bool = False,
) -> "RunHooks[Any]":
    """Hooks for `Runner.run` that report usage: memory is flushed before the window is full.

    `token_limit` is the model's context window; without it nothing is reported. `keeps_turns` saves
    the user's message and the final answer, for runs without a `ChatmemSession`.
    """
    from agents import RunHooks  # noqa: PLC0415 - optional

    class MemoryHooks(RunHooks[Any]):
        async def on_llm_end(self, context: object, agent: object, response: Any) -> None:  # noqa: ANN401
            usage = response.usage
            if token_limit and usage.total_tokens:
                data = {"currentTokens": usage.total_tokens, "tokenLimit": token_limit}
                event = {"type": "usage", "session_id": session_id, "data": data}
                await self._tell("usage", memory.handle_event, event)

        async def on_agent_end(self, context: object, agent: object, output: object) -> None:
            message, answer = _message(context), str(output).strip()
            if keeps_turns and message and answer:
                await self._tell(
                    "a turn", memory.save_conversation_turn, message, answer, session_id
                )

        async def _tell(self, what: str, call: Callable[..., object], *given: object) -> None:
            await asyncio.to_thread(quietly, what, session_id, call, *given)

    return MemoryHooks()


def memory_function_tools(memory: MemoryService, *, session_id: str | None = None) -> "list[Tool]":
    """Memory's tools as the SDK's function tools."""
    from agents import FunctionTool  # noqa: PLC0415 - optional

    def made(tool: MemoryTool) -> "Tool":
        async def invoke(context: object, arguments: str) -> str:
            text, _ = await call_tool(tool, arguments)
            return text

        return FunctionTool(
            name=tool.name,
            description=tool.description,
            params_json_schema=dict(tool.parameters),
            on_invoke_tool=invoke,
            strict_json_schema=False,
        )

    return [made(tool) for tool in memory_tools(memory, session_id=session_id)]


def _message(context: Any) -> str:  # noqa: ANN401 - of the SDK
    """The last message of the user among the input of a run."""
    items = getattr(context, "turn_input", None)
    if isinstance(items, str):
        return items
    for item in reversed(items if isinstance(items, Sequence) else ()):
        if isinstance(item, Mapping) and item.get("role") == "user":
            return spoken_text(item)
    return ""
