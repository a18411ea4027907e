"""Memory's tools as MCP offers and calls them, made from their one definition.

Source: S5.7; interfaces.md (`/mcp`).
"""

import json
from collections.abc import Mapping
from typing import Any

from mcp import MCPError
from mcp_types import INVALID_PARAMS, CallToolResult, TextContent, Tool, ToolAnnotations

from chatmem.engine.service import MemoryService
from chatmem.engine.tools import MemoryTool, memory_tools

READING = ("read_memory", "search_memory", "search_memories")
"""They change nothing; the others may wait for a lock."""


def offered_tools(memory: MemoryService) -> list[Tool]:
    """The tools that the settings offer now."""
    return [_described(tool) for tool in memory_tools(memory)]


def call_tool(
    memory: MemoryService, name: str, arguments: Mapping[str, Any] | None
) -> CallToolResult:
    """The result as text and as structure; a call that fails has one that says why.

    Raises:
        MCPError: no tool that is offered has this name.
    """
    tools = {tool.name: tool for tool in memory_tools(memory)}
    if name not in tools:
        raise MCPError(INVALID_PARAMS, f"there is no tool {name!r}; there are: {', '.join(tools)}")
    result = tools[name].call(arguments)
    content: Any = result.content
    if result.failed and isinstance(content, Mapping):
        text = str(content.get("error", content))
    elif isinstance(content, str):
        text = content
    else:
        text = json.dumps(content, ensure_ascii=False)
    # Before 2026 the protocol takes no structure but an object.
    structured = content if isinstance(content, Mapping) else {"result": content}
    return CallToolResult(
        content=[TextContent(type="text", text=text)],
        structured_content=dict(structured),
        is_error=result.failed,
    )


def _described(tool: MemoryTool) -> Tool:
    reads = tool.name in READING
    return Tool(
        name=tool.name,
        description=tool.description,
        input_schema=dict(tool.parameters),
        annotations=ToolAnnotations(
            read_only_hint=reads,
            destructive_hint=None if reads else False,
            open_world_hint=False,
        ),
    )
