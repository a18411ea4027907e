"""Log messages to an MCP client: that a request failed here, from the level on that it asked for.

The protocol lets go of them (SEP-2577); older clients may still ask. Over HTTP every request
stands by itself, so a level is taken and has nothing to last for; on stdio it lasts. What is told
is what the answer says too: never the text of an exception.

Source: interfaces.md (`/mcp`); MCP 2025-11-25, Logging.
"""

from typing import Any, Final, TypeAlias, get_args

from mcp.server import ServerRequestContext
from mcp_types import (
    EmptyResult,
    LoggingLevel,
    LoggingMessageNotification,
    LoggingMessageNotificationParams,
    SetLevelRequestParams,
)

Context: TypeAlias = ServerRequestContext[Any, Any]
METHOD: Final = "logging/setLevel"
_LEVELS: Final[tuple[str, ...]] = get_args(LoggingLevel)
"""The least serious first."""
_FAILURE: Final[LoggingLevel] = "error"


class Messages:
    """What the client of one process wants to hear; everything until it says so."""

    def __init__(self) -> None:
        self._least: str = _LEVELS[0]

    async def set_level(self, context: Context, params: SetLevelRequestParams) -> EmptyResult:
        """Take the level."""
        if _is_lasting(context):
            self._least = params.level
        return EmptyResult()

    async def tell_failure(self, context: Context, told: str) -> None:
        """Say that a request failed, to a client that wants to hear of it."""
        if not _is_lasting(context) or _LEVELS.index(_FAILURE) < _LEVELS.index(self._least):
            return
        params = LoggingMessageNotificationParams(level=_FAILURE, logger="chatmem", data=told)
        await context.session.send_notification(LoggingMessageNotification(params=params))


def _is_lasting(context: Context) -> bool:
    """True on stdio, where one client talks to one process."""
    return context.request is None
