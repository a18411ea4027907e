"""GitHub Copilot SDK (`github-copilot-sdk`): a session's events, its prompts, and tools.

    with CopilotMemory(memory, session_id) as hear:
        session = await client.create_session(
            session_id=session_id, on_event=hear, hooks=copilot_hooks(memory),
            tools=copilot_tools(memory), ...)

Source: S4.3.1, S5.4.1, S5.5 (the events have the SDK's own names there), S5.7.
"""

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, Final

from chatmem.engine.service import MemoryService
from chatmem.engine.sessions.events import ALIASES, HandledEvent
from chatmem.engine.tools import MemoryTool, memory_tools
from chatmem.interfaces.integrations.host import HostRecall, call_tool, quietly

if TYPE_CHECKING:
    from copilot.session import (
        SessionHooks,
        UserPromptSubmittedHookInput,
        UserPromptSubmittedHookOutput,
    )
    from copilot.tools import Tool, ToolInvocation, ToolResult

PASSED_ON: Final = frozenset(name for name in ALIASES if name.startswith("session."))
"""Events that chatmem knows by these names; the others but the messages say nothing to it."""
_ROLES: Final[Mapping[str, str]] = {"user.message": "user", "assistant.message": "assistant"}
_HEARD: Final = PASSED_ON | _ROLES.keys()
"""Looked up before an event is read: a streamed answer has one for each of its pieces."""


class CopilotMemory(AbstractContextManager["CopilotMemory"]):
    """A handler for `on_event` or `CopilotSession.on`: messages are saved, and learned from.

    Takes event objects of the SDK and their dictionaries. The SDK calls handlers on its event loop,
    so they are only handed over there; one thread handles them in their order. `close` waits for
    the last of them: unsubscribe before, and close the memory after it.
    """

    def __init__(self, memory: MemoryService, session_id: str) -> None:
        self._memory = memory
        self._session_id = session_id
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="chatmem-copilot")

    def __call__(self, event: object) -> None:
        """Hand the event over; one that chatmem has no use for goes no further."""
        if _type_of(event) in _HEARD:
            self._thread.submit(self.handle, event)

    def handle(self, event: object) -> HandledEvent | None:
        """What followed from the event; None for one of no use to chatmem, or one that failed."""
        of = "an event", self._session_id
        read = quietly(*of, event_of, event, self._session_id)
        return quietly(*of, self._memory.handle_event, read) if read is not None else None

    def close(self) -> None:
        """Everything that was heard is handled."""
        self._thread.shutdown()

    def __exit__(self, *_: object) -> None:
        self.close()


def event_of(event: object, session_id: str) -> dict[str, Any] | None:
    """The event as `handle_event` takes it; None for one that chatmem has no use for.

    Nothing of sub-agents is the session's, nor are messages that the SDK itself puts in (a skill's
    text, an autopilot going on) the person's.
    """
    if _type_of(event) not in _HEARD:
        return None
    raw = event if isinstance(event, Mapping) else event.to_dict()  # type: ignore[attr-defined]
    kind, data = str(_type_of(raw)), raw.get("data") or {}
    if raw.get("agentId") or data.get("parentToolCallId") or data.get("parentAgentTaskId"):
        return None
    read = {"type": kind, "session_id": session_id, "id": raw.get("id"), "data": data}
    if kind in PASSED_ON:
        return read
    role = _ROLES[kind]
    if role == "user" and (
        data.get("source") not in (None, "user") or data.get("isAutopilotContinuation")
    ):
        return None
    # Not `transformedContent`: that has what hooks and the SDK have added.
    content = str(data.get("content") or "").strip()
    if not content:
        return None
    return {**read, "type": "message", "data": {"role": role, "content": content}}


def copilot_hooks(memory: MemoryService, **options: Any) -> "SessionHooks":  # noqa: ANN401
    """Hooks for `create_session`: what is remembered goes along with each prompt of the person.

    `options` (`budget`, `language`, `scenario`) go to `ChatContextBuilder`.
    """
    recall = HostRecall(memory, options)

    async def on_user_prompt_submitted(
        given: "UserPromptSubmittedHookInput", invocation: dict[str, str]
    ) -> "UserPromptSubmittedHookOutput | None":
        prompt = str(given.get("prompt") or "").strip()
        if not prompt or given.get("agentId"):
            return None
        found = await recall.of(prompt, given["sessionId"])
        return {"additionalContext": found} if found else None

    return {"on_user_prompt_submitted": on_user_prompt_submitted}


def copilot_tools(memory: MemoryService, *, session_id: str | None = None) -> "list[Tool]":
    """Memory's tools as the SDK's."""
    from copilot.tools import Tool, ToolResult  # noqa: PLC0415 - optional

    def made(tool: MemoryTool) -> Tool:
        async def handle(invocation: "ToolInvocation") -> "ToolResult":
            text, failed = await call_tool(tool, invocation.arguments)
            return ToolResult(text, "failure" if failed else "success")

        return Tool(tool.name, tool.description, handle, dict(tool.parameters))

    return [made(tool) for tool in memory_tools(memory, session_id=session_id)]


def _type_of(event: object) -> str | None:
    """The type's name, of an object (an enum's value there) or of a dictionary."""
    kind = event.get("type") if isinstance(event, Mapping) else getattr(event, "type", None)
    named = getattr(kind, "value", kind)
    return named if isinstance(named, str) else None
