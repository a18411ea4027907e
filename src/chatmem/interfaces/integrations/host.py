"""What all adapters do: recall for a host's prompt, call tools, and go on where memory fails.

Source: S4.3.1; decisions 5.
"""

import asyncio
import json
import logging
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

from chatmem.engine.context import ChatContextBuilder
from chatmem.engine.service import MemoryService
from chatmem.engine.tools import MemoryTool
from chatmem.prompt.material import Budget

P = ParamSpec("P")
T = TypeVar("T")
_READ_CHARS = 6_000
"""Of a long prompt: it is what is looked for, and the host sends it itself."""
_SHARES = (1.0, 0.7, 0.5, 0.35, 0.2)
_DEFAULT = Budget()
_SHRUNK = ("memory_tokens", "main_tokens", "household_tokens", "profile_tokens")
_log = logging.getLogger("chatmem.integrations")


def quietly(
    what: str, session_id: str | None, call: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs
) -> T | None:
    """What the call gives; None where it fails, which the log says: the host goes on."""
    try:
        return call(*args, **kwargs)
    except Exception as error:  # noqa: BLE001 - a hook that raises ends the host's session
        _log.warning("%s in session %s: %s", what, session_id, error)
        return None


async def call_tool(tool: MemoryTool, arguments: Any) -> tuple[str, bool]:  # noqa: ANN401
    """The tool's result as JSON, and whether it failed."""
    result = await asyncio.to_thread(tool.call, arguments)
    return json.dumps(result.content, ensure_ascii=False), result.failed


class HostRecall:
    """Recalls for one user's prompts, for hosts that put it in beside their own instructions."""

    def __init__(
        self, memory: MemoryService, options: dict[str, Any], max_chars: int | None = None
    ) -> None:
        """`options` are those of `ChatContextBuilder`; `max_chars` is all that the host takes."""
        self._builder = ChatContextBuilder(memory, **{"base_system_prompt": "", **options})
        self._budget = dict(options.get("budget") or {})
        self._max_chars = max_chars

    async def of(self, prompt: str, session_id: str | None) -> str | None:
        """The system message for this prompt; None where there is nothing to say, or no memory."""
        return await asyncio.to_thread(
            quietly, "recalling", session_id, self._fitting, prompt[:_READ_CHARS], session_id
        )

    def _fitting(self, prompt: str, session_id: str | None) -> str | None:
        """The longest that the host takes: its limit is in characters, the budget's in tokens."""
        limits = {name: getattr(_DEFAULT, name) for name in _SHRUNK} | self._budget
        for share in _SHARES:
            shrunk = limits | {name: int(limits[name] * share) for name in _SHRUNK}
            budget = self._budget if share == 1 else shrunk
            # The host sends the session's messages itself.
            built = self._builder.build_messages(
                prompt, session_id, session_messages=(), budget=budget
            )
            content = built[0]["content"]
            if built[0]["role"] != "system":
                return None
            if self._max_chars is None or len(content) <= self._max_chars:
                return content
        return None
