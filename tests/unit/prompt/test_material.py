"""What a caller hands in: messages, tools, personas, scenarios, limits."""

from pathlib import Path

import pytest

from chatmem.errors import InvalidInputError, MessageOrderError, TemplateNotFoundError
from chatmem.prompt.material import (
    Budget,
    Tool,
    WindowMessage,
    check_order,
    make_budget,
    read_tool,
    window,
)
from chatmem.prompt.sections import tool_instructions
from chatmem.prompt.templates import in_language, load_templates

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
        (("user", "assistant", "assistant"), r"\[2\]: assistant cannot stand behind assistant"),
        (("user", "tool"), r"\[1\]: tool cannot stand behind user"),
        (("user", "assistant", "user"), r"\[2\]: ends with user, takes assistant"),
        (("robot",), "0.role: got 'robot': String should match .*system.user.assistant.tool"),
    ],
)
def test_other_orders_are_refused_with_place_and_roles(roles: tuple[str, ...], says: str) -> None:
    with pytest.raises(MessageOrderError, match=says):
        check_order(_messages(*roles))


@pytest.mark.parametrize("value", ["text", {"role": "user"}, [1], [{"role": "user"}]])
def test_what_are_no_messages_is_refused(value: object) -> None:
    with pytest.raises(MessageOrderError, match="session_messages"):
        check_order(value)  # type: ignore[arg-type]


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
        ("find", "tools: got 'find': Input should be a dictionary"),
        ({}, "name: Field required"),
        ({"name": "a]]b"}, "name: got 'a]]b'"),
        ({"name": "a", "description": 1}, "description: got 1: Input should be a valid string"),
        ({"name": "a", "parameters": []}, "parameters: Input should be a valid dictionary"),
        ({"type": "function", "function": None}, "tools: got None: Input should be a dictionary"),
    ],
)
def test_non_tools_are_refused(value: object, says: str) -> None:
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


_X = 'name = "x"\nprompt.en = "x"\n'


def _write(folder: Path, kind: str, text: str) -> Path:
    path = folder / kind / "mine.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path


def test_ours_speak_both_languages_and_fit_the_budget() -> None:
    templates = load_templates()
    assert sorted(templates.personas) == ["coding", "general", "household"]
    assert sorted(templates.scenarios) == ["brief", "default", "recall", "task"]
    for persona in templates.personas.values():
        assert persona.prompt["en"] and persona.prompt["zh"]
    for scenario in templates.scenarios.values():
        make_budget(scenario.budget)
        en, zh = (in_language(scenario.instructions, one) for one in ("en", "zh"))
        assert bool(en) == bool(zh)


def test_a_users_own_are_added_and_win_by_name(tmp_path: Path) -> None:
    _write(tmp_path, "personas", 'name = "general"\nmemory = ["search"]\nprompt.zh = "你好"\n')
    _write(tmp_path, "scenarios", 'name = "quiet"\n[budget]\nmemory_tokens = 10\n')
    templates = load_templates(tmp_path)
    general = templates.persona("general")
    said = [in_language(general.prompt, one) for one in ("zh", "en")]
    assert (*said, general.memory) == ("你好", "你好", ("search",))
    assert not general.shows("main") and general.shows("search")
    assert templates.scenario("quiet").budget == {"memory_tokens": 10}
    assert load_templates(tmp_path / "nothing").persona("coding").name == "coding"


def test_an_unknown_name_is_answered_with_those_there_are() -> None:
    with pytest.raises(TemplateNotFoundError, match="'x'; there are coding, general, household"):
        load_templates().persona("x")
    with pytest.raises(TemplateNotFoundError, match="'x'; there are brief, default, recall, task"):
        load_templates().scenario("x")


@pytest.mark.parametrize(
    ("kind", "text", "says"),
    [
        ("personas", "name = ", "is no TOML"),
        ("personas", 'prompt.en = "x"', "name: Field required"),
        ("personas", 'name = "x"\nprompt.en = " "', "prompt: takes a text for en"),
        ("personas", 'name = "x"\nprompt.fr = "x"', "'fr': Input should be 'zh'"),
        ("personas", 'name = "x"\nprompt.en = "x"\ncolour = 1', "colour: there is none; there"),
        ("personas", 'name = "x"\nprompt.en = 1', "prompt.en: got 1"),
        ("personas", f'{_X}system = ["persona"]', "system: lacks 'scenario'"),
        ("personas", 'name = "x"\nprompt.en = "x"\nmemory = ["rag"]', "memory: got rag, takes"),
        ("personas", f'{_X}memory = ["search", "main"]', "'main' comes first"),
        ("scenarios", 'name = "x"\n[budget]\ntokens = 1', "tokens: there is none"),
        ("scenarios", 'name = "x"\n[budget]\nrag_tokens = -1', "rag_tokens: got -1: Input"),
        ("scenarios", 'name = "x"\nbudget = 1', "budget: got 1: Input should"),
        ("scenarios", 'name = "x"\ninstructions = "y"', "instructions: got 'y'"),
    ],
)  # fmt: skip
def test_a_fault_is_said_with_file_and_key(tmp_path: Path, kind: str, text: str, says: str) -> None:
    path = _write(tmp_path, kind, text)
    with pytest.raises(InvalidInputError, match=says) as error:
        load_templates(tmp_path)
    assert str(path) in str(error.value)


def test_a_file_that_is_no_text_is_said(tmp_path: Path) -> None:
    _write(tmp_path, "personas", "").write_bytes(b"\xff\xfe\xff")
    with pytest.raises(InvalidInputError, match="cannot be read as UTF-8"):
        load_templates(tmp_path)


def test_the_last_change_of_a_limit_counts() -> None:
    budget = make_budget({"memory_tokens": 1, "rag_tokens": 5}, {"memory_tokens": 2}, {})
    assert (budget.memory_tokens, budget.rag_tokens) == (2, 5)
    assert make_budget() == Budget()


@pytest.mark.parametrize("value", [-1, 1.5, "1", True, None, 10**9])
def test_limits_are_whole_numbers_in_their_range(value: object) -> None:
    with pytest.raises(InvalidInputError, match="budget: memory_tokens: got"):
        make_budget({"memory_tokens": value})
    with pytest.raises(InvalidInputError, match="budget: x: there is none"):
        make_budget({"x": 1})


def test_the_persona_of_the_documentation_is_one(tmp_path: Path) -> None:
    page = (Path(__file__).parents[3] / "docs" / "prompts.md").read_text("utf-8")
    (tmp_path / "personas").mkdir()
    written = tmp_path / "personas" / "support.toml"
    written.write_text(page.partition("```toml\n")[2].partition("```")[0], "utf-8")

    assert load_templates(tmp_path).persona("support").memory == ("semantic", "search")
