"""Values that the tests of this room compose prompts from."""

from datetime import UTC, datetime
from typing import Any

from chatmem.model import AtomicMemoryRecord, Hit, Parts, SessionSummary

NOW = datetime(2026, 11, 2, tzinfo=UTC)


def hit(memory_id: str, content: str, score: float = 0.5, **columns: Any) -> Hit:  # noqa: ANN401
    """A long-term memory that matched."""
    given: dict[str, Any] = {"memory_type": "long_term", "user_id": "default", **columns}
    memory = AtomicMemoryRecord(
        id=memory_id, timestamp=NOW, create_time=NOW, content=content, **given
    )
    return Hit(memory, score, Parts())


def turn(memory_id: str, content: str, role: str = "user", **columns: Any) -> Hit:  # noqa: ANN401
    """A message of another session that matched."""
    return hit(memory_id, content, role=role, memory_type="short_term", session_id="s9", **columns)


def summary(session_id: str, title: str, snippet: str) -> SessionSummary:
    """A summary of an earlier session."""
    return SessionSummary(
        session_id=session_id, title=title, snippet=snippet, created_at=NOW, updated_at=NOW
    )
