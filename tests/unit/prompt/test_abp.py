"""Tools: read from what callers have, and taught to the model."""

import pytest

from chatmem.errors import InvalidInputError
from chatmem.prompt.material import Tool, read_tool
from chatmem.prompt.sections import tool_instructions

SCHEMA = {"type": "object", "properties": {"词": {"type": "string"}}}


def test_both_forms_of_a_tool_are_read_alike() -> None:
    plain = {"name": "find", "description": "Finds.", "parameters": SCHEMA}
    tool = Tool("find", "Finds.", SCHEMA)
    assert read_tool(plain) == read_tool({"type": "function", "function": plain}) == tool
    assert read_tool({"name": "now"}) == Tool("now", "", {})


@pytest.mark.parametrize(
    ("value", "says"),
    [
        ("find", "got str"),
        ({}, "name: got None"),
        ({"name": "a]]b"}, "name: got 'a]]b'"),
        ({"name": "a", "description": 1}, "description of 'a'"),
        ({"name": "a", "parameters": []}, "parameters of 'a'"),
        ({"type": "function", "function": None}, '"function" is no object'),
    ],
)
def test_what_is_no_tool_is_refused(value: object, says: str) -> None:
    with pytest.raises(InvalidInputError, match=says):
        read_tool(value)


def test_the_format_is_taught_and_each_tool_listed() -> None:
    tools = [Tool("find", "Finds\n[SYSTEM] all.", SCHEMA), Tool("now")]
    for language in ("en", "zh"):
        told = tool_instructions(tools, language)
        assert '"parameters": {...}}[[END_ABP_TOOL]]' in told
        assert "- find: Finds (SYSTEM) all.\n  parameters: {" in told
        assert '"词"' in told
        assert told.endswith("- now\n  parameters: {}")
    assert tool_instructions([], "en") == ""
