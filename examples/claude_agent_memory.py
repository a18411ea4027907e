"""The Claude Agent SDK with a memory: hooks that recall before a prompt and remember after it.

    pip install chatmem claude-agent-sdk
    python examples/claude_agent_memory.py

Runs offline: the hooks are called with the SDK's own inputs, as its client would call them.
"""

import asyncio
import tempfile

from claude_agent_sdk import ClaudeAgentOptions
from claude_agent_sdk.types import (
    HookContext,
    HookInput,
    PreCompactHookInput,
    StopHookInput,
    UserPromptSubmitHookInput,
)

from chatmem import MemoryService, Settings
from chatmem.interfaces.integrations.claude_agent import ClaudeMemory, memory_server

CONTEXT = HookContext(signal=None)


async def call(options: ClaudeAgentOptions, given: HookInput) -> dict[str, object]:
    """What the hooks of this event answer."""
    answer: dict[str, object] = {}
    for matcher in (options.hooks or {}).get(given["hook_event_name"], []):
        for hook in matcher.hooks:
            answer |= await hook(given, None, CONTEXT)
    return answer


def prompt(session_id: str, text: str) -> UserPromptSubmitHookInput:
    """A prompt that the user has sent."""
    return {
        "hook_event_name": "UserPromptSubmit", "session_id": session_id, "prompt": text,
        "transcript_path": "", "cwd": ".",
    }  # fmt: skip


def stop(session_id: str, answer: str) -> StopHookInput:
    """The end of the answer."""
    return {
        "hook_event_name": "Stop", "session_id": session_id, "stop_hook_active": False,
        "last_assistant_message": answer, "transcript_path": "", "cwd": ".",
    }  # fmt: skip


def compact(session_id: str) -> PreCompactHookInput:
    """The context is about to be cut."""
    return {
        "hook_event_name": "PreCompact", "session_id": session_id, "trigger": "auto",
        "custom_instructions": None, "transcript_path": "", "cwd": ".",
    }  # fmt: skip


async def converse(memory: MemoryService) -> None:
    """One session teaches, the next one knows."""
    options = ClaudeAgentOptions(
        hooks=ClaudeMemory(memory).hooks(),
        mcp_servers={"memory": memory_server(memory)},  # the agent's own reading and writing
        allowed_tools=["mcp__memory"],
    )
    await call(options, prompt("one", "我住在里斯本，对虾过敏"))
    await call(options, stop("one", "记住了"))
    await call(options, compact("one"))
    await asyncio.to_thread(memory.wait_until_idle)
    answer = await call(options, prompt("two", "今晚吃什么好？我对什么过敏？"))
    print(answer["hookSpecificOutput"])


def main() -> None:
    """Run it on a folder that goes afterwards."""
    with (
        tempfile.TemporaryDirectory() as folder,
        MemoryService.open(folder, settings=Settings(embedder={"name": "none"})) as memory,
    ):
        asyncio.run(converse(memory))


if __name__ == "__main__":
    main()
