"""Memory's tools as MCP offers and calls them, made from their one definition.

Source: S5.7; interfaces.md (`/mcp`).
"""

import json
from collections.abc import Mapping
from typing import Any

import mcp_types as types
from mcp import MCPError

from chatmem.engine.service import MemoryService
from chatmem.engine.tools import MemoryTool, memory_tools


def list_tools(memory: MemoryService) -> types.ListToolsResult:
    """The tools that the settings offer now."""
    return types.ListToolsResult(tools=[_described(tool) for tool in memory_tools(memory)])


def find_tool(memory: MemoryService, name: str) -> MemoryTool:
    """The tool of this name.

    Raises:
        MCPError: no tool that is offered has it.
    """
    tools = {tool.name: tool for tool in memory_tools(memory)}
    if name not in tools:
        there_are = ", ".join(tools)
        raise MCPError(types.INVALID_PARAMS, f"there is no tool {name!r}; there are: {there_are}")
    return tools[name]


def call_tool(tool: MemoryTool, arguments: Mapping[str, Any] | None) -> types.CallToolResult:
    """The result as text and as structure; a call that fails has one that says why."""
    result = tool.call(arguments)
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
    return types.Tool(
        name=tool.name,
        description=tool.description,
        input_schema=dict(tool.parameters),
        annotations=types.ToolAnnotations(
            read_only_hint=tool.reads_only,
            destructive_hint=None if tool.reads_only else False,
            open_world_hint=False,
        ),
    )
