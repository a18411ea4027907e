"""JSON in a model's text, found and validated."""

import json
import time

import pytest

from chatmem.agent.answers import PlanAnswer, StepAnswer, read_answer
from chatmem.errors import InvalidInputError

PLAN = '{"goal": "短一点", "steps": [{"description": "写短", "tool": null}]}'


def plan(text: str, most_steps: int = 5) -> PlanAnswer:
    return read_answer(text, PlanAnswer, ("search", "count"), most_steps)


def step(text: str, most_steps: int = 5) -> StepAnswer:
    return read_answer(text, StepAnswer, ("search",), most_steps)


@pytest.mark.parametrize(
    "text",
    [
        PLAN,
        f"```json\n{PLAN}\n```",
        f"Sure! Here is the plan:\n\n{PLAN}\n\nShall I begin?",
        f'<think>Maybe {{"steps": ["something else"]}}?</think>{PLAN}',
        f"I think so.</think>{PLAN}",
        f'For example {{"a": 1}} would not do, so: {PLAN}',
        f"{{not json}} {PLAN}",
        PLAN.replace('"短一点"', '"短一点\n（两行）"'),
    ],
)
def test_the_object_is_found_whatever_stands_around_it(text: str) -> None:
    found = plan(text)

    assert found.goal.startswith("短一点")
    assert [(one.description, one.tool) for one in found.steps] == [("写短", None)]


def test_a_step_may_be_a_text_and_no_tool_may_be_said_in_words() -> None:
    found = plan('{"steps": ["look", {"description": "count", "tool": "None"}]}')

    assert [(one.description, one.tool) for one in found.steps] == [("look", None), ("count", None)]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("I cannot do that.", "holds no JSON object"),
        ("", "holds no JSON object"),
        ("[1, 2]", "holds no JSON object"),
        ('{"goal": "x"}', "steps: Field required"),
        ('{"steps": []}', "steps: List should have at least 1 item"),
        ('{"steps": [""]}', "steps.0.description: String should have at least 1 character"),
        ('{"steps": [{"tool": "search"}]}', "steps.0.description: Field required"),
        ('{"steps": [{"description": "x", "tool": "fly"}]}', "there is no tool 'fly'; there are"),
        (json.dumps({"steps": ["x" * 601]}), "at most 600 characters"),
        (json.dumps({"steps": ["x"] * 6}), "got 6 steps, takes at most 5"),
        ('{"steps": "look around"}', "steps: Input should be a valid list"),
        (PLAN[:-3], "the JSON cannot be read: Expecting ',' delimiter at character 60"),
    ],
)
def test_what_is_wrong_with_a_plan_is_said(text: str, problem: str) -> None:
    with pytest.raises(InvalidInputError) as raised:
        plan(text)

    assert problem in str(raised.value)


def test_a_step_is_a_call_or_a_result() -> None:
    called = step('{"tool": "search", "arguments": {"query": "茶"}, "result": null}')
    assert (called.tool, called.arguments, called.result) == ("search", {"query": "茶"}, None)

    done = step('{"tool": "", "result": "done so", "steps": ["more"]}')
    assert (done.tool, done.result, done.finished) == (None, "done so", False)
    assert [one.description for one in done.steps or ()] == ["more"]

    assert step('{"result": {"rows": [1, 2]}}').result == '{"rows": [1, 2]}'
    assert step('{"result": 42, "finished": true}').result == "42"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{}", 'takes "tool" with "arguments", or a "result" that is not empty'),
        ('{"result": "  "}', 'a "result" that is not empty'),
        ('{"tool": "search", "result": "x"}', 'either "tool" or "result", not both'),
        ('{"result": "x", "steps": ["1", "2", "3", "4", "5", "6"]}', "takes at most 5"),
        ('{"result": "x", "finished": "perhaps"}', "finished: Input should be a valid boolean"),
        ('{"tool": 7}', "tool: Input should be a valid string"),
    ],
)
def test_what_is_wrong_with_a_step_is_said(text: str, problem: str) -> None:
    with pytest.raises(InvalidInputError) as raised:
        step(text)

    assert problem in str(raised.value)


@pytest.mark.parametrize(
    "text", ["{" * 200_000, '{"a":' * 50_000, "[{" * 100_000, "<think>" * 9_999]
)
def test_hostile_text_is_refused_in_no_time(text: str) -> None:
    begun = time.perf_counter()
    with pytest.raises(InvalidInputError):
        step(text)

    assert time.perf_counter() - begun < 2.0


@pytest.mark.parametrize(
    "text",
    [
        '{"result": "x", "steps": [{"description": "y", "tool": "search"}',
        '{"result": "x" "steps": [{"description": "y", "tool": "search"}]}',
        '{"result": "x", "next": {"tool": "search"}, oh}',
    ],
)
def test_a_part_of_a_broken_answer_is_no_answer(text: str) -> None:
    with pytest.raises(InvalidInputError, match="cannot be read"):
        step(text)


def test_what_is_kept_of_an_answer_is_bounded_and_in_whole_characters() -> None:
    found = plan(json.dumps({"goal": "x" * 5_000 + "\ud83d", "steps": ["a\ud83db\x00c"]}))
    assert found.goal == "x" * 600
    assert found.steps[0].description == "a\ufffdbc"
    assert plan('{"goal": null, "steps": ["x"]}').goal == ""

    called = step(json.dumps({"tool": "\ud83d" + "y" * 5_000}))
    assert called.tool == "\ufffd" + "y" * 79


def test_numbers_that_json_does_not_have_are_refused() -> None:
    with pytest.raises(InvalidInputError):
        step('{"tool": "search", "arguments": {"x": NaN}}')
