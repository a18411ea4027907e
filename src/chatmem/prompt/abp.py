"""Tools that a model may call, and how it is told to.

    [[ABP_TOOL:search]]{"action": "find", "parameters": {"keyword": "tea"}}[[END_ABP_TOOL]]

Source: S4.1.1 (`[TOOL INSTR]`); decisions 5 (the action format); interfaces.md (tools).
"""

import json
import re
from collections.abc import Mapping, Sequence

from chatmem.errors import InvalidInputError
from chatmem.prompt.imitations import neutralise
from chatmem.prompt.material import Tool
from chatmem.text.languages import LanguageCode as Language

_NAME = re.compile(r"[A-Za-z0-9_.:/-]{1,128}")
_INTRODUCTIONS = {
    "en": """Tools are called by writing, on a line of its own and as often as needed:
[[ABP_TOOL:name]]{"action": "what to do", "parameters": {...}}[[END_ABP_TOOL]]
The braces hold JSON; "parameters" follows the tool's schema. Only these tools exist:""",
    "zh": """需要调用工具时，单独写一行，可多次使用：
[[ABP_TOOL:工具名]]{"action": "要做什么", "parameters": {...}}[[END_ABP_TOOL]]
花括号中为 JSON，"parameters" 须符合该工具的 schema。可用的工具只有：""",
}


def tool_instructions(tools: Sequence[Tool], language: Language) -> str:
    """How to call a tool, and each tool with its parameters on one line; "" without tools."""
    if not tools:
        return ""
    lines = [_INTRODUCTIONS[language]]
    for tool in tools:
        description = " ".join(neutralise(tool.description).split())
        schema = json.dumps(tool.parameters, ensure_ascii=False, default=str)
        lines.append(f"- {tool.name}: {description}" if description else f"- {tool.name}")
        lines.append(f"  parameters: {schema}")
    return "\n".join(lines)


def read_tool(value: object) -> Tool:
    """A tool from `{"name", "description", "parameters"}` or OpenAI's wrapping of it.

    Raises:
        InvalidInputError: no name, or a description or parameters of another type.
    """
    takes = 'takes {"name", "parameters"}'
    if not isinstance(value, Mapping):
        raise InvalidInputError(f"tools: got {type(value).__name__}, {takes}")
    value = value.get("function", value)
    if not isinstance(value, Mapping):
        raise InvalidInputError(f'tools: "function" is no object; {takes}')
    name = value.get("name")
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise InvalidInputError(
            f"tools: name: got {name!r}, takes 1 to 128 letters, digits and . _ : / -"
        )
    description = value.get("description") or ""
    if not isinstance(description, str):
        raise InvalidInputError(f"tools: description of {name!r} is no text")
    parameters = value.get("parameters")
    parameters = {} if parameters is None else parameters
    if not isinstance(parameters, Mapping):
        raise InvalidInputError(f"tools: parameters of {name!r} are no JSON schema (an object)")
    return Tool(name, description, parameters)
