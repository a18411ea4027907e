"""Claude Agent SDK (`claude-agent-sdk`): hooks that recall before a prompt and remember after it.

    options = ClaudeAgentOptions(
        hooks=ClaudeMemory(memory).hooks(),
        mcp_servers={"memory": memory_server(memory)},
        allowed_tools=["mcp__memory"])

Source: S4.3.1, S4.3.2, S5.4.1, S5.5.2, S5.7.
"""

import asyncio
import hashlib
import json
import re
from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from chatmem.engine.tools import MemoryTool, memory_tools
from chatmem.interfaces.integrations.claude_transcript import last_answer
from chatmem.interfaces.integrations.logged import logged
from chatmem.interfaces.integrations.recollection import Recollection

if TYPE_CHECKING:
    from claude_agent_sdk import SdkMcpTool
    from claude_agent_sdk.types import HookEvent, HookMatcher, McpSdkServerConfig

    from chatmem.engine.service import MemoryService

MAX_CONTEXT_CHARS: Final = 10_000
"""What is longer the host keeps in a file, and shows the model its beginning only."""
_NOT_TYPED = re.compile(
    r"(?<!\s)\s*+<(task-notification|cross-session-message|system-reminder|local-command-|command-)"
)
"""Prompts that nobody has typed: results of background tasks, messages of other sessions."""
_PERSON = ("user", "sdk")


class ClaudeMemory:
    """Hooks for one user's sessions; the SDK's session ids are chatmem's.

    Each hook answers `{}` where it has nothing to say, and never ends the session by an error.
    """

    def __init__(
        self,
        memory: "MemoryService",
        *,
        writing_tools: Collection[str] = (),
        **wishes: Any,  # noqa: ANN401
    ) -> None:
        """`wishes` go to `ChatContextBuilder`: `budget`, `language`, `scenario`.

        `writing_tools` are the names of tools whose results may say `memory_writes`; no other's
        may, because a result can hold what a stranger wrote.
        """
        self._memory = memory
        self._recollection = Recollection(memory, wishes, MAX_CONTEXT_CHARS)
        self._writing_tools = frozenset(writing_tools)

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
        }
        if self._writing_tools:
            calls["PostToolUse"] = self.post_tool_use
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
        """The last chance to remember what is about to be cut.

        No hook tells the end: the next compaction after a new message begins a new cycle.
        """
        await asyncio.to_thread(self._tell, given, "compaction_start", {})
        return {}

    async def post_tool_use(
        self, given: Mapping[str, Any], tool_use_id: str | None = None, context: object = None
    ) -> dict[str, Any]:
        """What one of `writing_tools` wants to be remembered: `memory_writes` in its response."""
        if given.get("tool_name") in self._writing_tools:
            writes = [one for found in _writes(given.get("tool_response")) for one in found]
            if writes:
                event_id = given.get("tool_use_id") or tool_use_id
                data = {"memory_writes": writes}
                await asyncio.to_thread(self._tell, given, "tool_result", data, event_id)
        return {}

    def _before(self, given: Mapping[str, Any]) -> dict[str, Any]:
        prompt = str(given.get("prompt") or "").strip()
        if not prompt or _NOT_TYPED.match(prompt) or given.get("source", "user") not in _PERSON:
            return {}
        told = self._recollection.of(prompt, str(given["session_id"]))
        said = {"role": "user", "content": prompt}
        self._tell(given, "message", said, _delivery(given, prompt))
        if told is None:
            return {}
        return {
            "hookSpecificOutput": {"hookEventName": "UserPromptSubmit", "additionalContext": told}
        }

    def _after(self, given: Mapping[str, Any]) -> None:
        said = given.get("last_assistant_message")
        if said is None:
            said = last_answer(str(given.get("transcript_path") or ""))
        said = str(said or "").strip()
        if said:
            content = {"role": "assistant", "content": said}
            self._tell(given, "message", content, _delivery(given, said))
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
        except Exception as error:  # noqa: BLE001 - a hook that raises fails the host's action
            logged(kind, str(given["session_id"]), error)


def memory_server(
    memory: "MemoryService", *, session_id: str | None = None
) -> "McpSdkServerConfig":
    """Memory's tools as a server within the process, for `ClaudeAgentOptions.mcp_servers`.

    Raises:
        ModuleNotFoundError: claude-agent-sdk is not installed.
    """
    from claude_agent_sdk import SdkMcpTool, create_sdk_mcp_server  # noqa: PLC0415 - optional

    def made(tool: MemoryTool) -> "SdkMcpTool[Any]":
        async def handle(arguments: Mapping[str, Any]) -> dict[str, Any]:
            result = await asyncio.to_thread(tool.call, arguments)
            text = json.dumps(result.content, ensure_ascii=False)
            return {"content": [{"type": "text", "text": text}], "is_error": result.failed}

        return SdkMcpTool(tool.name, tool.description, dict(tool.parameters), handle)

    tools = [made(tool) for tool in memory_tools(memory, session_id=session_id)]
    return create_sdk_mcp_server("memory", tools=tools)


def _delivery(given: Mapping[str, Any], text: str) -> str | None:
    """An id that the same text has again when the same prompt's hook is called again."""
    prompt_id = given.get("prompt_id")
    if not prompt_id:
        return None
    name = str(given.get("hook_event_name") or "")
    return f"{prompt_id} {name} {hashlib.sha256(text.encode('utf-8', 'replace')).hexdigest()}"


def _writes(response: Any) -> Iterator[list[Any]]:  # noqa: ANN401 - a tool's
    """The writes in a response: an object, its JSON, or blocks of text that hold it."""
    if isinstance(response, str):
        try:
            response = json.loads(response)
        except ValueError:
            return
        if isinstance(response, str):
            return
    if isinstance(response, list):
        for block in response:
            yield from _writes(block.get("text") if isinstance(block, Mapping) else None)
    elif isinstance(response, Mapping):
        writes = response.get("memory_writes") or response.get("memoryWrites")
        if isinstance(writes, list):
            yield writes
        else:
            yield from _writes(response.get("structuredContent") or response.get("content"))
