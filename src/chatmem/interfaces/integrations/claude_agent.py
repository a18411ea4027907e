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
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from chatmem.engine.service import MemoryService
from chatmem.engine.tools import MemoryTool, memory_tools
from chatmem.interfaces.integrations.host import HostRecall, call_tool, quietly

if TYPE_CHECKING:
    from claude_agent_sdk import SdkMcpTool
    from claude_agent_sdk.types import HookEvent, HookMatcher, McpSdkServerConfig

MAX_CONTEXT_CHARS: Final = 10_000
"""What is longer the host keeps in a file, and shows the model its beginning only."""
_NOT_TYPED = re.compile(
    r"(?<!\s)\s*+<(task-notification|cross-session-message|system-reminder|local-command-|command-)"
)
"""Prompts that nobody has typed: results of background tasks, messages of other sessions."""
_PERSON = ("user", "sdk")
HookInput: TypeAlias = Mapping[str, Any]
HookOutput: TypeAlias = dict[str, Any]


class ClaudeMemory:
    """Hooks for one user's sessions; the SDK's session ids are chatmem's.

    Each hook answers `{}` where it has nothing to say, and never ends the session by an error.
    """

    def __init__(
        self,
        memory: MemoryService,
        *,
        writing_tools: Collection[str] = (),
        **options: Any,  # noqa: ANN401
    ) -> None:
        """`options` go to `ChatContextBuilder`: `budget`, `language`, `scenario`.

        `writing_tools` are the names of tools whose results may say `memory_writes`; no other's
        may, because a result can hold what a stranger wrote.
        """
        self._memory = memory
        self._recall = HostRecall(memory, options, MAX_CONTEXT_CHARS)
        self._writing_tools = frozenset(writing_tools)

    def hooks(self) -> "dict[HookEvent, list[HookMatcher]]":
        """What `ClaudeAgentOptions.hooks` takes: a matcher for each event."""
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

    async def user_prompt_submit(self, given: HookInput, *_: object) -> HookOutput:
        """What is remembered for this prompt, as additional context; the prompt is saved."""
        prompt = str(given.get("prompt") or "").strip()
        if not prompt or _NOT_TYPED.match(prompt) or given.get("source", "user") not in _PERSON:
            return {}
        found = await self._recall.of(prompt, str(given["session_id"]))
        await self._save(given, "user", prompt)
        if found is None:
            return {}
        return {
            "hookSpecificOutput": {"hookEventName": "UserPromptSubmit", "additionalContext": found}
        }

    async def stop(self, given: HookInput, *_: object) -> HookOutput:
        """The answer is saved, and the turn has ended: what it teaches is extracted later."""
        answer = str(given.get("last_assistant_message") or "").strip()
        if answer:
            await self._save(given, "assistant", answer)
        await self._raise_event(given, "turn_end", {})
        return {}

    async def pre_compact(self, given: HookInput, *_: object) -> HookOutput:
        """The last chance to remember what is about to be cut.

        No hook tells the end: the next compaction after a new message begins a new cycle.
        """
        await self._raise_event(given, "compaction_start", {})
        return {}

    async def post_tool_use(
        self, given: HookInput, tool_use_id: str | None = None, *_: object
    ) -> HookOutput:
        """What one of `writing_tools` wants to be remembered: `memory_writes` in its response."""
        if given.get("tool_name") in self._writing_tools:
            writes = list(_writes(given.get("tool_response")))
            if writes:
                event_id = given.get("tool_use_id") or tool_use_id
                await self._raise_event(given, "tool_result", {"memory_writes": writes}, event_id)
        return {}

    async def _save(self, given: HookInput, role: str, text: str) -> None:
        message, event_id = {"role": role, "content": text}, None
        if prompt_id := given.get("prompt_id"):
            # The same text has it again when the same prompt's hook is called again.
            digest = hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
            event_id = f"{prompt_id} {given.get('hook_event_name') or ''} {digest}"
        await self._raise_event(given, "message", message, event_id)

    async def _raise_event(
        self, given: HookInput, kind: str, data: Mapping[str, Any], event_id: object = None
    ) -> None:
        session_id = given["session_id"]
        event = {"type": kind, "session_id": session_id, "id": event_id, "data": data}
        await asyncio.to_thread(quietly, kind, session_id, self._memory.handle_event, event)


def memory_server(memory: MemoryService, *, session_id: str | None = None) -> "McpSdkServerConfig":
    """Memory's tools as a server within the process, for `ClaudeAgentOptions.mcp_servers`."""
    from claude_agent_sdk import SdkMcpTool, create_sdk_mcp_server  # noqa: PLC0415 - optional

    def made(tool: MemoryTool) -> "SdkMcpTool[Any]":
        async def handle(arguments: Mapping[str, Any]) -> dict[str, Any]:
            text, failed = await call_tool(tool, arguments)
            return {"content": [{"type": "text", "text": text}], "is_error": failed}

        return SdkMcpTool(tool.name, tool.description, dict(tool.parameters), handle)

    tools = [made(tool) for tool in memory_tools(memory, session_id=session_id)]
    return create_sdk_mcp_server("memory", tools=tools)


def _writes(response: Any) -> Iterator[Any]:  # noqa: ANN401 - a tool's
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
            yield from writes
        else:
            yield from _writes(response.get("structuredContent") or response.get("content"))
