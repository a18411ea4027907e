"""What a caller hands in: messages, and the newest rounds of them; tools."""

import pytest

from chatmem.errors import InvalidInputError, MessageOrderError
from chatmem.prompt.material import Tool, WindowMessage, check_order, read_tool, window
from chatmem.prompt.sections import tool_instructions

SCHEMA = {"type": "object", "properties": {"词": {"type": "string"}}}


def _messages(*roles: str) -> list[dict[str, str]]:
    return [{"role": role, "content": f"{role} {place}"} for place, role in enumerate(roles)]


def test_system_texts_come_apart_and_the_rest_in_order() -> None:
    system, said = check_order(
        _messages("system", "system", "user", "assistant", "tool", "tool", "assistant")
    )
    assert system == ["system 0", "system 1"]
    assert [one.role for one in said] == ["user", "assistant", "tool", "tool", "assistant"]
    assert check_order([]) == ([], ())


@pytest.mark.parametrize(
    ("roles", "says"),
    [
        (("assistant",), r"\[0\]: assistant cannot stand at the beginning; takes system or user"),
        (("user", "user"), r"\[1\]: user cannot stand behind user; takes assistant"),
        (("user", "system"), r"\[1\]: system cannot stand behind user"),
        (("user", "assistant", "assistant"), r"\[2\]: assistant cannot stand behind assistant"),
        (("user", "tool"), r"\[1\]: tool cannot stand behind user"),
        (("user", "assistant", "user"), r"\[2\]: ends with user, takes assistant"),
        (("robot",), r"\[0\]: role 'robot', takes system, user, assistant, tool"),
    ],
)
def test_other_orders_are_refused_with_place_and_roles(roles: tuple[str, ...], says: str) -> None:
    with pytest.raises(MessageOrderError, match=says):
        check_order(_messages(*roles))


@pytest.mark.parametrize("value", ["text", {"role": "user"}, [1], [{"role": "user"}]])
def test_what_are_no_messages_is_refused(value: object) -> None:
    with pytest.raises(MessageOrderError, match="session_messages"):
        check_order(value)  # type: ignore[arg-type]


def test_the_oldest_round_goes_first() -> None:
    said = [WindowMessage(role, f"{n}") for n in range(4) for role in ("user", "assistant")]
    assert window(said, 8) == tuple(said)
    assert window(said, 7) == tuple(said[2:])
    assert window(said, 2) == tuple(said[6:])
    assert window(said, 1) == ()


def test_system_rows_and_empty_ones_are_no_part_of_a_window() -> None:
    said = [
        WindowMessage("assistant", "Welcome."),
        WindowMessage("system", "rules"),
        WindowMessage("user", "hi"),
        WindowMessage("assistant", " "),
    ]
    assert [one.content for one in window(said, 20)] == ["Welcome.", "hi"]


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
