"""What a client may offer while a person types: the days that have a log.

Source: interfaces.md (`/mcp`).
"""

from mcp import MCPError
from mcp_types import (
    INVALID_PARAMS,
    CompleteRequestParams,
    Completion,
    PromptReference,
)

from chatmem.engine.service import MemoryService
from chatmem.interfaces.mcp.prompts import RECALL
from chatmem.interfaces.mcp.resources import DAILY_TEMPLATE

MOST_VALUES = 100
"""More than that the protocol does not take."""
_MOST_DAYS = 1_000


def complete(memory: MemoryService, params: CompleteRequestParams) -> Completion:
    """Days that begin as what was typed, the latest first; nothing for the prompt's message.

    Raises:
        MCPError: neither the prompt nor the template that there is.
    """
    if isinstance(params.ref, PromptReference):
        if params.ref.name != RECALL:
            raise MCPError(
                INVALID_PARAMS, f"there is no prompt {params.ref.name!r}; there is: {RECALL}"
            )
        return Completion(values=[], total=0, has_more=False)
    if params.ref.uri != DAILY_TEMPLATE:
        raise MCPError(
            INVALID_PARAMS, f"there is no template {params.ref.uri!r}; there is: {DAILY_TEMPLATE}"
        )
    days = memory.daily_logs.days(limit=_MOST_DAYS).items
    found = [day.isoformat() for day in days if day.isoformat().startswith(params.argument.value)]
    return Completion(
        values=found[:MOST_VALUES], total=len(found), has_more=len(found) > MOST_VALUES
    )
