"""The prompt `recall`: what memory adds to a message, for a client that builds its own prompts.

Source: interfaces.md (`/mcp`); decisions 5.
"""

from typing import Final

import mcp_types as types
from mcp import MCPError

from chatmem.engine.context import ChatContextBuilder
from chatmem.engine.service import MemoryService

RECALL: Final = "recall"
_MESSAGE: Final = "message"
_DESCRIPTION: Final = "What is remembered that helps to answer a message. 与这条消息有关的记忆。"
_ARGUMENT: Final = types.PromptArgument(
    name=_MESSAGE, description="The user's message. 用户的消息。", required=True
)
_PROMPT: Final = types.Prompt(
    name=RECALL, title="Recall", description=_DESCRIPTION, arguments=[_ARGUMENT]
)
PROMPTS: Final = types.ListPromptsResult(prompts=[_PROMPT])


def get_prompt(
    memory: MemoryService, params: types.GetPromptRequestParams
) -> types.GetPromptResult:
    """The memories within their budget, then the message; without a persona's words.

    MCP knows no system message: what would stand there comes as the user's.

    Raises:
        MCPError: another prompt, or not the arguments that it takes.
        ChatmemError: the message is empty, or too large for any prompt.
    """
    if params.name != RECALL:
        unknown = f"there is no prompt {params.name!r}; there is: {RECALL}"
        raise MCPError(types.INVALID_PARAMS, unknown)
    given = dict(params.arguments or {})
    if given.keys() != {_MESSAGE}:
        got = ", ".join(sorted(given)) or "none"
        raise MCPError(
            types.INVALID_PARAMS, f"prompt {RECALL}: takes the argument {_MESSAGE}, got {got}"
        )
    messages = ChatContextBuilder(memory).build_messages(given[_MESSAGE], base_system_prompt="")
    return types.GetPromptResult(
        description=_DESCRIPTION,
        messages=[
            types.PromptMessage(
                role="assistant" if one["role"] == "assistant" else "user",
                content=types.TextContent(type="text", text=one["content"]),
            )
            for one in messages
        ],
    )
