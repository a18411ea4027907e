"""GitHub Copilot SDK (`github-copilot-sdk`): a session's events as chatmem takes them.

    unsubscribe = copilot_session.on(CopilotMemory(memory, session_id))

Source: S5.4.1, S5.5 (the events have the SDK's own names there).
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from chatmem.engine.events import HandledEvent
from chatmem.interfaces.integrations.logged import logged

if TYPE_CHECKING:
    from chatmem.engine.service import MemoryService

PASSED_ON: Final = frozenset(
    {
        "session.idle",
        "session.usage_info",
        "session.compaction_start",
        "session.compaction_complete",
        "session.context_cleared",
    }
)
"""Events that chatmem knows by these names; the others but the messages say nothing to it."""
_ROLES: Final[Mapping[str, str]] = {"user.message": "user", "assistant.message": "assistant"}


class CopilotMemory:
    """A handler for `CopilotSession.on`: what is said goes into memory, and is learned from.

    Called with an event object of the SDK or with its dictionary. Messages of sub-agents, and those
    that the SDK itself puts in (a skill's text, say), are not the person's and stay out.
    """

    def __init__(self, memory: "MemoryService", session_id: str) -> None:
        self._memory = memory
        self._session_id = session_id

    def __call__(self, event: object) -> HandledEvent | None:
        """What followed from the event; None for one that chatmem has no use for.

        A handler must not end the session that it listens to: what goes wrong is logged.
        """
        try:
            read = event_of(event, self._session_id)
            return self._memory.handle_event(read) if read is not None else None
        except Exception as error:  # noqa: BLE001 - see above
            logged("an event", self._session_id, error)
            return None


def event_of(event: object, session_id: str) -> dict[str, Any] | None:
    """The event as `handle_event` takes it; None for one that chatmem has no use for."""
    raw = event if isinstance(event, Mapping) else event.to_dict()  # type: ignore[attr-defined]
    kind, data = raw.get("type"), raw.get("data") or {}
    read = {"type": kind, "session_id": session_id, "id": raw.get("id"), "data": data}
    if kind in PASSED_ON:
        return read
    role = _ROLES.get(str(kind))
    if role is None or raw.get("agentId") or data.get("parentToolCallId"):
        return None
    content = str(data.get("content") or "").strip()
    if not content or (role == "user" and data.get("source") not in (None, "user")):
        return None
    return {**read, "type": "message", "data": {"role": role, "content": content}}
