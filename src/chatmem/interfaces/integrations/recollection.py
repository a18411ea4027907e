"""What is remembered for a prompt, for hosts that put it in beside their own instructions.

Source: S4.3.1; decisions 5.
"""

from typing import TYPE_CHECKING, Any

from chatmem.engine.context import ChatContextBuilder
from chatmem.errors import ChatmemError
from chatmem.interfaces.integrations.logged import logged
from chatmem.prompt.budget import Budget

if TYPE_CHECKING:
    from chatmem.engine.service import MemoryService

_READ_CHARS = 6_000
"""Of a long prompt: it is what is looked for, and the host sends it itself."""
_SHRINKING = (1.0, 0.7, 0.5, 0.35, 0.2)
_DEFAULT = Budget()
_SHRUNK = ("memory_tokens", "main_tokens", "household_tokens", "profile_tokens")


class Recollection:
    """Recalls for one user; a host's session goes on without memory where recalling fails."""

    def __init__(
        self, memory: "MemoryService", wishes: dict[str, Any], max_chars: int | None = None
    ) -> None:
        """`wishes` are those of `ChatContextBuilder`; `max_chars` is all that the host takes."""
        self._builder = ChatContextBuilder(memory, **{"base_system_prompt": "", **wishes})
        self._budget = dict(wishes.get("budget") or {})
        self._max_chars = max_chars

    def of(self, prompt: str, session_id: str | None) -> str | None:
        """The system message for this prompt, None where there is nothing to say."""
        try:
            return self._fitting(prompt[:_READ_CHARS], session_id)
        except ChatmemError as error:
            logged("recalling", str(session_id), error)
            return None

    def _fitting(self, prompt: str, session_id: str | None) -> str | None:
        for share in _SHRINKING:
            # The host sends the session's messages itself.
            built = self._builder.build_messages(
                prompt, session_id, session_messages=(), budget=self._shrunk(share)
            )
            if built[0]["role"] != "system":
                return None
            content = built[0]["content"]
            if self._max_chars is None or len(content) <= self._max_chars:
                return content
        return None

    def _shrunk(self, share: float) -> dict[str, int]:
        """The budget; its limits are tokens, the host's characters, so it is tried out."""
        if share == 1.0:
            return self._budget
        limits = {name: getattr(_DEFAULT, name) for name in _SHRUNK} | self._budget
        return limits | {name: int(limits[name] * share) for name in _SHRUNK}
