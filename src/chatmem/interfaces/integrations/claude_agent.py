"""Claude Agent SDK (`claude-agent-sdk`): hooks that recall before a prompt and remember after it.

    options = ClaudeAgentOptions(hooks=ClaudeMemory(memory).hooks())

Source: S4.3.1, S5.4.1, S5.5.2.
"""

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from chatmem.engine.context import ChatContextBuilder
from chatmem.errors import ChatmemError
from chatmem.interfaces.integrations.logged import logged

if TYPE_CHECKING:
    from claude_agent_sdk.types import HookEvent, HookMatcher

    from chatmem.engine.service import MemoryService


class ClaudeMemory:
    """Hooks for one user's sessions; the SDK's session ids are chatmem's.

    Each hook answers `{}` where it has nothing to say, and never ends the session by an error.
    """

    def __init__(self, memory: "MemoryService", **wishes: Any) -> None:  # noqa: ANN401
        """`wishes` go to `ChatContextBuilder`: `budget`, `language`, `scenario`."""
        self._memory = memory
        self._builder = ChatContextBuilder(memory, base_system_prompt="", **wishes)

    def hooks(self) -> "dict[HookEvent, list[HookMatcher]]":
        """What `ClaudeAgentOptions.hooks` takes: a matcher for each event.

        Raises:
            ModuleNotFoundError: claude-agent-sdk is not installed.
        """
        from claude_agent_sdk import HookMatcher  # noqa: PLC0415 - optional

        # The SDK's inputs are typed dictionaries, ours any mapping with the same fields.
        calls: dict[HookEvent, Any] = {
            "UserPromptSubmit": self.user_prompt_submit,
            "Stop": self.stop,
            "PreCompact": self.pre_compact,
            "PostToolUse": self.post_tool_use,
        }
        return {name: [HookMatcher(hooks=[call])] for name, call in calls.items()}

    async def user_prompt_submit(
        self, given: Mapping[str, Any], tool_use_id: str | None = None, context: object = None
    ) -> dict[str, Any]:
        """What is remembered for this prompt, as additional context; the prompt is kept."""
        return await asyncio.to_thread(self._before, given)

    async def stop(
        self, given: Mapping[str, Any], tool_use_id: str | None = None, context: object = None
    ) -> dict[str, Any]:
        """The answer is kept, and the turn has ended: what it teaches is extracted later."""
        await asyncio.to_thread(self._after, given)
        return {}

    async def pre_compact(
        self, given: Mapping[str, Any], tool_use_id: str | None = None, context: object = None
    ) -> dict[str, Any]:
        """The last chance to remember what is about to be cut."""
        await asyncio.to_thread(self._tell, given, "compaction_start", {})
        return {}

    async def post_tool_use(
        self, given: Mapping[str, Any], tool_use_id: str | None = None, context: object = None
    ) -> dict[str, Any]:
        """What a tool wants to be remembered: `memory_writes` in its response."""
        response = given.get("tool_response")
        if isinstance(response, Mapping):
            writes = response.get("memory_writes") or response.get("memoryWrites")
            if writes:
                event_id = given.get("tool_use_id") or tool_use_id
                data = {"memory_writes": writes}
                await asyncio.to_thread(self._tell, given, "tool_result", data, event_id)
        return {}

    def _before(self, given: Mapping[str, Any]) -> dict[str, Any]:
        prompt, session_id = str(given.get("prompt") or ""), str(given["session_id"])
        answer: dict[str, Any] = {}
        try:
            # The SDK sends the session's messages itself.
            built = self._builder.build_messages(prompt, session_id, session_messages=())
            if built[0]["role"] == "system":
                answer["hookSpecificOutput"] = {
                    "hookEventName": "UserPromptSubmit",
                    "additionalContext": built[0]["content"],
                }
        except ChatmemError as error:
            logged("recalling", session_id, error)
        self._tell(given, "message", {"role": "user", "content": prompt}, given.get("prompt_id"))
        return answer

    def _after(self, given: Mapping[str, Any]) -> None:
        said = str(given.get("last_assistant_message") or "").strip()
        if said:
            self._tell(given, "message", {"role": "assistant", "content": said})
        self._tell(given, "turn_end", {})

    def _tell(
        self,
        given: Mapping[str, Any],
        kind: str,
        data: Mapping[str, Any],
        event_id: object = None,
    ) -> None:
        event = {"type": kind, "session_id": given["session_id"], "id": event_id, "data": data}
        try:
            self._memory.handle_event(event)
        except ChatmemError as error:
            logged(kind, str(given["session_id"]), error)
