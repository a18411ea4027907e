"""OpenAI Agents SDK (`openai-agents`): sessions that remember, memory as instructions, and tools.

    session = ChatmemSession(memory, "s1")
    agent = Agent(name="...", instructions=remembering(memory, "You help.", session_id="s1"),
                  tools=memory_function_tools(memory, session_id="s1"))
    await Runner.run(agent, "Where do I live?", session=session)

Source: S2.4.1, S4.3.1, S5.4.1, S5.7.
"""

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from chatmem.engine.context import ChatContextBuilder
from chatmem.engine.tools import MemoryTool, memory_tools
from chatmem.errors import ChatmemError, SessionNotFoundError
from chatmem.interfaces.integrations.logged import logged

if TYPE_CHECKING:
    from chatmem.engine.service import MemoryService
    from chatmem.storage.ports import StoredMessage

_SPOKEN = ("user", "assistant")


class ChatmemSession:
    """A `Session` of the SDK whose history is a chatmem session.

    What is said is kept as messages, searchable and learned from; everything else (calls, their
    output, reasoning) is kept as it is and comes back in its place.
    """

    session_settings: Any = None

    def __init__(self, memory: "MemoryService", session_id: str) -> None:
        self._memory = memory
        self.session_id = session_id

    async def get_items(self, limit: int | None = None) -> list[Any]:
        """The items of the session, oldest first; the newest `limit` of them where it is given."""
        return await asyncio.to_thread(self._items, limit)

    async def add_items(self, items: list[Any]) -> None:
        """Keep the items; an answer of the assistant ends the turn."""
        await asyncio.to_thread(self._add, items)

    async def pop_item(self) -> Any:  # noqa: ANN401 - an item of the SDK
        """The newest item, which is gone afterwards; None where there is none."""
        return await asyncio.to_thread(self._pop)

    async def clear_session(self) -> None:
        """Delete the session with everything that came from it."""
        await asyncio.to_thread(self._clear)

    def _items(self, limit: int | None) -> list[Any]:
        try:
            return [_item(one) for one in self._memory.sessions.messages(self.session_id, limit)]
        except SessionNotFoundError:
            return []

    def _add(self, items: Sequence[Any]) -> None:
        for item in items:
            role, content = _told(item)
            if not content:
                continue
            data = {"role": role, "content": content}
            self._memory.handle_event(
                {"type": "message", "session_id": self.session_id, "data": data}
            )
            if role == "assistant":
                self._memory.handle_event({"type": "turn_end", "session_id": self.session_id})

    def _pop(self) -> Any:  # noqa: ANN401 - an item of the SDK
        try:
            gone = self._memory.sessions.take_back(self.session_id)
        except SessionNotFoundError:
            return None
        return _item(gone) if gone is not None else None

    def _clear(self) -> None:
        try:
            self._memory.sessions.delete(self.session_id)
        except SessionNotFoundError:
            return


def remembering(
    memory: "MemoryService",
    instructions: str = "",
    *,
    session_id: str | None = None,
    **wishes: Any,  # noqa: ANN401
) -> Callable[..., str]:
    """Instructions for an `Agent`: its own, and what is remembered for the message at hand.

    `wishes` go to `ChatContextBuilder`. Where memory fails the agent gets its own instructions.
    """
    builder = ChatContextBuilder(memory, base_system_prompt=instructions, **wishes)

    def instruct(context: Any, agent: object) -> str:  # noqa: ANN401 - of the SDK
        message = _message(getattr(context, "turn_input", None))
        if not message:
            return instructions
        try:
            built = builder.build_messages(message, session_id, session_messages=())
        except ChatmemError as error:
            logged("recalling", str(session_id), error)
            return instructions
        return built[0]["content"] if built[0]["role"] == "system" else instructions

    return instruct


def memory_function_tools(memory: "MemoryService", *, session_id: str | None = None) -> list[Any]:
    """Memory's tools as the SDK's function tools.

    Raises:
        ModuleNotFoundError: openai-agents is not installed.
    """
    from agents import FunctionTool  # noqa: PLC0415 - optional

    def made(tool: MemoryTool) -> Any:  # noqa: ANN401 - of the SDK
        async def invoke(context: object, arguments: str) -> str:
            result = await asyncio.to_thread(tool.call, arguments)
            return json.dumps(result.content, ensure_ascii=False)

        return FunctionTool(
            name=tool.name,
            description=tool.description,
            params_json_schema=dict(tool.parameters),
            on_invoke_tool=invoke,
            strict_json_schema=False,
        )

    return [made(tool) for tool in memory_tools(memory, session_id=session_id)]


def _told(item: Any) -> tuple[str, str]:  # noqa: ANN401 - an item of the SDK
    """Role and text of an item; one that nobody said is a tool's, as JSON."""
    plain = item if isinstance(item, Mapping) else item.model_dump(exclude_unset=True)
    role = plain.get("role")
    if role in _SPOKEN and plain.get("type", "message") == "message":
        return str(role), _text(plain.get("content"))
    return "tool", json.dumps(dict(plain), ensure_ascii=False)


def _item(message: "StoredMessage") -> dict[str, Any]:
    if message.role in _SPOKEN:
        return {"role": message.role, "content": message.content}
    try:
        found = json.loads(message.content)
    except ValueError:
        found = None
    if isinstance(found, dict) and ("type" in found or "role" in found):
        return found
    return {"role": "system", "content": message.content}


def _message(items: object) -> str:
    """The last thing that the user said among the input of a turn."""
    if isinstance(items, str):
        return items
    if isinstance(items, Sequence):
        for item in reversed(items):
            role, content = _told(item)
            if role == "user":
                return content
    return ""


def _text(content: object) -> str:
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, Sequence) else ()
    texts = [part.get("text") for part in parts if isinstance(part, Mapping)]
    return "\n".join(text for text in texts if isinstance(text, str))
