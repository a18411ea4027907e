"""Memory's tools as MCP offers and calls them, made from their one definition.

Source: S5.7; interfaces.md (`/mcp`).
"""

import json
from collections.abc import Mapping
from typing import Any, Final

import mcp_types as types
from mcp import MCPError

from chatmem.engine.service import MemoryService
from chatmem.engine.tools import MemoryTool, memory_tools

READING: Final = ("read_memory", "search_memory", "search_memories")
"""They change nothing; the others may wait for a lock."""


def refuse_cursor(params: types.PaginatedRequestParams | None) -> None:
    """Raise MCPError where a page is asked for of a list that has one."""
    if params is not None and params.cursor is not None:
        raise MCPError(types.INVALID_PARAMS, "cursor: this list has one page")


def list_tools(
    memory: MemoryService, params: types.PaginatedRequestParams | None
) -> types.ListToolsResult:
    """The tools that the settings offer now."""
    refuse_cursor(params)
    return types.ListToolsResult(tools=[_described(tool) for tool in memory_tools(memory)])


def call_tool(memory: MemoryService, params: types.CallToolRequestParams) -> types.CallToolResult:
    """The result as text and as structure; a call that fails has one that says why.

    Raises:
        MCPError: no tool that is offered has this name.
    """
    tools = {tool.name: tool for tool in memory_tools(memory)}
    if params.name not in tools:
        there_are = ", ".join(tools)
        raise MCPError(
            types.INVALID_PARAMS, f"there is no tool {params.name!r}; there are: {there_are}"
        )
    result = tools[params.name].call(params.arguments)
    content: Any = result.content
    if result.failed and isinstance(content, Mapping):
        text = str(content.get("error", content))
    elif isinstance(content, str):
        text = content
    else:
        text = json.dumps(content, ensure_ascii=False)
    # Before 2026 the protocol takes no structure but an object.
    structured = content if isinstance(content, Mapping) else {"result": content}
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=text)],
        structured_content=dict(structured),
        is_error=result.failed,
    )


def _described(tool: MemoryTool) -> types.Tool:
    reads = tool.name in READING
    return types.Tool(
        name=tool.name,
        description=tool.description,
        input_schema=dict(tool.parameters),
        annotations=types.ToolAnnotations(
            read_only_hint=reads,
            destructive_hint=None if reads else False,
            open_world_hint=False,
        ),
    )
