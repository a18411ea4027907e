"""The GitHub Copilot SDK with a memory: it hears the session, recalls, and is a set of tools.

    pip install chatmem github-copilot-sdk
    python examples/copilot_memory.py

Runs offline: the events below are read by the SDK's own parser, as they come from its server, and
hooks and tools are called as the SDK calls them. With a server all of it goes to one call:

    with CopilotMemory(memory, "one") as hear:
        session = await client.create_session(
            session_id="one", on_event=hear, hooks=copilot_hooks(memory),
            tools=copilot_tools(memory))
"""

import asyncio
import inspect
import tempfile
import uuid
from datetime import UTC, datetime, timedelta

from copilot.session import UserPromptSubmittedHookInput
from copilot.session_events import SessionEvent
from copilot.tools import ToolInvocation

from chatmem import MemoryService, Settings
from chatmem.interfaces.integrations.copilot import (
    CopilotMemory,
    copilot_hooks,
    copilot_tools,
)

STARTED = datetime(2026, 5, 4, 9, tzinfo=UTC)


def event(number: int, kind: str, **data: object) -> SessionEvent:
    """An event of the SDK."""
    return SessionEvent.from_dict(
        {
            "id": str(uuid.UUID(int=number)),
            "timestamp": (STARTED + timedelta(seconds=number)).isoformat(),
            "parentId": None,
            "type": kind,
            "data": data,
        }
    )


EVENTS = [
    event(1, "user.message", content="I live in Lisbon and I'm allergic to shrimp."),
    event(2, "assistant.message", content="Good to know!", messageId="a1"),
    event(3, "session.usage_info", currentTokens=97_000, tokenLimit=128_000, messagesLength=2),
    event(4, "session.idle"),
    event(4, "session.idle"),  # delivered twice: no effect
    event(5, "session.compaction_start"),
    event(6, "session.compaction_complete", success=True),
]


async def prompt(memory: MemoryService, text: str) -> None:
    """What goes along with a prompt, and what a tool of the agent finds."""
    given: UserPromptSubmittedHookInput = {
        "sessionId": "two", "timestamp": STARTED, "workingDirectory": ".", "prompt": text,
    }  # fmt: skip
    answer = copilot_hooks(memory)["on_user_prompt_submitted"](given, {"session_id": "two"})
    print(await answer if inspect.isawaitable(answer) else answer)
    search = next(tool for tool in copilot_tools(memory) if tool.name == "search_memory")
    assert search.handler is not None
    found = search.handler(ToolInvocation(tool_name="search_memory", arguments={"query": text}))
    print(await found if inspect.isawaitable(found) else found)


def main() -> None:
    """Hear a session's events, and recall what was learned in the next."""
    with (
        tempfile.TemporaryDirectory() as folder,
        MemoryService.open(folder, settings=Settings(embedder={"name": "none"})) as memory,
    ):
        with CopilotMemory(memory, "one") as hear:
            for one in EVENTS:
                hear(one)
        memory.wait_until_idle()
        for fact in memory.list_memories().items:
            print("-", fact.content)
        asyncio.run(prompt(memory, "What am I allergic to?"))


if __name__ == "__main__":
    main()
