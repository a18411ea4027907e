"""OpenAI Agents SDK (`openai-agents`): sessions that remember, memory as instructions, and tools.

    agent = Agent(name="...", instructions=remembering(memory, "You help.", session_id="s1"),
                  tools=memory_function_tools(memory, session_id="s1"))
    await Runner.run(agent, "Where do I live?", session=ChatmemSession(memory, "s1"))

Of a session messages are stored as such, searchable and learned from. Everything else (calls, their
output, reasoning) is stored as JSON, in its order. A message that is more than its text (the
provider's id, a picture) has the rest in a row after it: providers refuse reasoning whose message
has lost its id.

Source: S2.4.1, S4.3.1, S5.4.1, S5.5.1, S5.7.
"""

import asyncio
import json
import threading
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final
from weakref import WeakKeyDictionary

from chatmem.engine.service import MemoryService
from chatmem.engine.tools import MemoryTool, memory_tools
from chatmem.errors import SessionNotFoundError
from chatmem.interfaces.integrations.host import HostRecall, call_tool, quietly
from chatmem.storage.values import StoredMessage
from chatmem.text.clean import clean_text

if TYPE_CHECKING:
    from agents import RunHooks, Tool


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


_SPOKEN: Final = ("user", "assistant")
_REST: Final = "chatmem.rest_of_the_message_before_this_one"
"""Long on purpose: rows that begin alike are one row of the search index."""
_ITEM: Final = "chatmem.item_that_is_stored_as_it_was_given"
_CLEARED: Final = "chatmem.cleared"
_MOST_ROWS: Final = 1_000

_ADDING = threading.Lock()
"""An item may have two rows, one behind the other: nobody else's may come in between."""


class ChatmemSession:
    """A `Session` of the SDK in memory: `Runner.run(..., session=ChatmemSession(memory, "s1"))`.

    Items come back as they were given. Errors of memory are raised: without its history an agent
    would go wrong in silence.
    """

    def __init__(
        self,
        memory: MemoryService,
        session_id: str,
        session_settings: Any = None,  # noqa: ANN401 - of the SDK
    ) -> None:
        """`session_settings`, `SessionSettings` or a mapping, has the `limit` of `get_items`."""
        self._memory = memory
        self.session_id = session_id
        self.session_settings = _settings(session_settings)

    async def get_items(self, limit: int | None = None) -> list[Any]:
        """The items of the session, oldest first; the newest `limit` of them where there is one."""
        if limit is None:
            limit = getattr(_settings(self.session_settings), "limit", None)
        return await asyncio.to_thread(self._items, limit)

    async def add_items(self, items: list[Any]) -> None:
        """Keep the items; an answer of the assistant ends the turn."""
        await asyncio.to_thread(self._add, items)

    async def pop_item(self) -> Any:  # noqa: ANN401 - an item of the SDK
        """The newest item, which is gone afterwards; None where there is none."""
        return await asyncio.to_thread(self._pop)

    async def clear_session(self) -> None:
        """Begin the history anew; earlier messages stay searchable, what was learned remembered."""
        await asyncio.to_thread(self._clear)

    def _items(self, limit: int | None) -> list[Any]:
        if limit is not None and limit <= 0:
            return []
        # An item has two rows at most; one more shows whether the first is such a second row.
        rows = None if limit is None or 2 * limit >= _MOST_ROWS else 2 * limit + 1
        found = [item for item, _ in _read(self._rows(rows))]
        return found if limit is None else found[-limit:]

    def _rows(self, limit: int | None) -> Sequence[StoredMessage]:
        with suppress(SessionNotFoundError):
            return self._memory.sessions.messages(self.session_id, limit)
        return ()

    def _add(self, items: Sequence[Any]) -> None:
        rows = [_rows_of(item) for item in items]  # all before any is saved: one may be no JSON
        with _ADDING:
            for own in rows:
                for role, content in own:
                    self._raise_event("message", {"role": role, "content": content})
                if own[0][0] == "assistant":
                    self._raise_event("turn_end", {})

    def _raise_event(self, kind: str, data: Mapping[str, Any]) -> None:
        self._memory.handle_event({"type": kind, "session_id": self.session_id, "data": data})

    def _pop(self) -> Any:  # noqa: ANN401 - an item of the SDK
        read = _read(self._rows(3))
        if not read:
            return None
        item, rows = read[-1]
        for _ in range(rows):
            self._memory.sessions.take_back(self.session_id)
        return item

    def _clear(self) -> None:
        if self._rows(1):
            self._raise_event("message", {"role": "tool", "content": _json({"type": _CLEARED})})
            self._raise_event("context_cleared", {})


def spoken_text(item: Mapping[str, Any]) -> str:
    """What the user or the assistant says in an item of the SDK, "" where nobody speaks."""
    if item.get("role") not in _SPOKEN or item.get("type", "message") != "message":
        return ""
    content = item.get("content")
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, Sequence) else ()
    texts = [part.get("text") for part in parts if isinstance(part, Mapping)]
    return "\n".join(text for text in texts if isinstance(text, str))


def _settings(given: Any) -> Any:  # noqa: ANN401
    """The settings as the SDK has them, where it is installed."""
    try:
        from agents.memory.session_settings import (  # noqa: PLC0415 - optional
            SessionSettings,
            coerce_session_settings,
        )
    except ImportError:
        return given
    return SessionSettings() if given is None else coerce_session_settings(given)


def _is_told(item: object) -> bool:
    """True for an item that says what it is: those of a wrapper, and rows of ours, do not."""
    if not isinstance(item, Mapping) or str(item.get("type")).startswith("chatmem."):
        return False
    return "type" in item or "role" in item


def _rows_of(item: Any) -> list[tuple[str, str]]:  # noqa: ANN401 - an item of the SDK
    """Role and content of the item's rows, the one with its words first; TypeError for no JSON."""
    if hasattr(item, "model_dump"):
        item = item.model_dump(mode="json", exclude_unset=True)
    text = clean_text(spoken_text(item)) if isinstance(item, Mapping) else ""
    if not text:
        return [("tool", _json(item if _is_told(item) else {"type": _ITEM, "item": item}))]
    said = (item["role"], text)
    if item == {"role": item["role"], "content": text}:
        return [said]
    return [said, ("tool", _json({"type": _REST, "item": _swapped(item, text, None)}))]


def _read(rows: Iterable[StoredMessage]) -> list[tuple[Any, int]]:
    """Items since the history was last cleared, each with the number of its rows."""
    read: list[tuple[Any, int]] = []
    for row in rows:
        if row.role in _SPOKEN:
            read.append(({"role": row.role, "content": row.content}, 1))
            continue
        found: Any = None
        with suppress(ValueError):
            found = json.loads(row.content)
        kind = found.get("type") if isinstance(found, dict) else None
        if kind == _CLEARED:
            read.clear()
        elif kind == _ITEM:
            read.append((found["item"], 1))
        elif kind == _REST:
            before = read[-1] if read else ({}, 0)  # it may be outside of what is read
            if before[1] == 1 and before[0].get("role") == found["item"]["role"]:
                read[-1] = (_swapped(found["item"], None, before[0]["content"]), 2)
        elif _is_told(found):
            read.append((found, 1))
        else:  # from another host
            read.append(({"role": "system", "content": row.content}, 1))
    return read


def _swapped(item: Mapping[str, Any], old: str | None, new: str | None) -> dict[str, Any]:
    """The item with another text, which is its content or one part's; else as it is.

    The text stands in its message's row alone: without it, None is in its place.
    """
    content = item.get("content")
    if content == old:
        return {**item, "content": new}
    if not isinstance(content, list):
        return dict(item)
    parts = [
        {**part, "text": new} if isinstance(part, Mapping) and part.get("text", "") == old else part
        for part in content
    ]
    return {**item, "content": parts}


def _json(value: object) -> str:
    """JSON that is stored as it is: readable where that survives the cleaning of texts."""
    text = json.dumps(value, ensure_ascii=False)
    return text if clean_text(text) == text else json.dumps(value)
