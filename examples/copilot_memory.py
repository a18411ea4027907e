"""The GitHub Copilot SDK with a memory: `session.on(CopilotMemory(...))` is all that it takes.

    pip install chatmem github-copilot-sdk
    python examples/copilot_memory.py

Runs offline: the events below are read by the SDK's own parser, as they come from its server.
"""

import tempfile
import uuid
from datetime import UTC, datetime, timedelta

from copilot.session_events import SessionEvent

from chatmem import MemoryService, Settings
from chatmem.interfaces.integrations.copilot import CopilotMemory

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


def main() -> None:
    """Hear a session's events, and tell what was learned."""
    with (
        tempfile.TemporaryDirectory() as folder,
        MemoryService.open(folder, settings=Settings(embedder={"name": "none"})) as memory,
    ):
        hear = CopilotMemory(memory, "session-1")  # copilot_session.on(hear)
        for one in EVENTS:
            handled = hear(one)
            if handled is not None:
                print(handled.type, "again" if handled.is_duplicate else handled.asked_for)
        memory.wait_until_idle()
        for fact in memory.list_memories().items:
            print("-", fact.content)


if __name__ == "__main__":
    main()
