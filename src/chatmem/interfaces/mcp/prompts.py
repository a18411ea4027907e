"""The prompt `recall`: what memory adds to a message, for a client that builds its own prompts.

Source: interfaces.md (`/mcp`); decisions 5.
"""

from collections.abc import Mapping

from mcp import MCPError
from mcp_types import (
    INVALID_PARAMS,
    GetPromptResult,
    Prompt,
    PromptArgument,
    PromptMessage,
    TextContent,
)

from chatmem.engine.context import ChatContextBuilder
from chatmem.engine.service import MemoryService

RECALL = "recall"
_MESSAGE = "message"
_DESCRIPTION = "What is remembered that helps to answer a message. 与这条消息有关的记忆。"


def offered_prompts() -> list[Prompt]:
    """`recall`, with the message as its only argument."""
    message = PromptArgument(
        name=_MESSAGE, description="The user's message. 用户的消息。", required=True
    )
    return [Prompt(name=RECALL, title="Recall", description=_DESCRIPTION, arguments=[message])]


def get_prompt(
    memory: MemoryService, name: str, arguments: Mapping[str, str] | None
) -> GetPromptResult:
    """The memories within their budget, then the message; without a persona's words.

    MCP knows no system message: what would stand there comes as the user's.

    Raises:
        MCPError: another prompt, or not the arguments that it takes.
        ChatmemError: the message is empty, or too large for any prompt.
    """
    if name != RECALL:
        raise MCPError(INVALID_PARAMS, f"there is no prompt {name!r}; there is: {RECALL}")
    given = dict(arguments or {})
    if given.keys() != {_MESSAGE}:
        got = ", ".join(sorted(given)) or "none"
        raise MCPError(INVALID_PARAMS, f"prompt {RECALL}: takes the argument {_MESSAGE}, got {got}")
    messages = ChatContextBuilder(memory).build_messages(given[_MESSAGE], base_system_prompt="")
    return GetPromptResult(
        description=_DESCRIPTION,
        messages=[
            PromptMessage(
                role="assistant" if one["role"] == "assistant" else "user",
                content=TextContent(type="text", text=one["content"]),
            )
            for one in messages
        ],
    )
