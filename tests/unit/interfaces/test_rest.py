"""REST below its routes: how often one may ask, what an error says, and what a log keeps."""

import json
import logging
import sys
from typing import Any

import pytest

from chatmem import errors
from chatmem.errors import (
    ChatmemError,
    DocumentError,
    InvalidInputError,
    NotOwnerError,
    SettingError,
    StaleEtagError,
)
from chatmem.interfaces.problems import problem_of
from chatmem.interfaces.rest.limits import Buckets
from chatmem.interfaces.rest.watch import JsonLines, request_id


@pytest.mark.parametrize(
    ("per_minute", "waits"),
    [
        (60, [*[(0.0, 0.0)] * 60, (0.5, 0.5), (1.0, 0.0), (1.0, 1.0)]),
        (2, [(0.0, 0.0), *((9_000.0, wait) for wait in (0.0, 0.0, 30.0))]),
        (1, [(0.0, 0.0), *((float(second), 60.0 - second) for second in range(50)), (60.0, 0.0)]),
        (1, [(100.0, 0.0), (0.0, 60.0)]),
    ],
    ids=["evenly", "no more than a minute", "refused ones are free", "a clock that goes back"],
)
def test_a_bucket_fills(per_minute: int, waits: list[tuple[float, float]]) -> None:
    buckets = Buckets(per_minute)
    found = [buckets.take("k", at_s) for at_s, _ in waits]
    assert found == pytest.approx([wait_s for _, wait_s in waits], abs=1e-9)


def _leaves(kind: type[ChatmemError]) -> list[type[ChatmemError]]:
    own = [one for one in kind.__subclasses__() if one.__module__ == errors.__name__]
    return [kind, *(leaf for one in own for leaf in _leaves(one))]


def _made(kind: type[ChatmemError]) -> ChatmemError:
    if kind is StaleEtagError:
        return StaleEtagError("MEMORY.md", "old", "new", "# Now")
    if kind is SettingError:
        return SettingError("memory.x", 1, "text")
    return kind("why")


@pytest.mark.parametrize("kind", _leaves(ChatmemError)[1:], ids=lambda kind: kind.__name__)
def test_every_error_of_ours_has_a_status(kind: type[ChatmemError]) -> None:
    assert problem_of(_made(kind)).status in {404, 409, 412, 422, 502, 503, 504}


def test_an_owner_is_not_hinted_at() -> None:
    found = problem_of(NotOwnerError("it belongs to tom"))
    assert found.status == 404
    assert "tom" not in found.detail


def test_files_are_named_to_who_runs_the_server() -> None:
    error = DocumentError("/srv/data/MEMORY.md cannot be read")
    assert "/srv" not in problem_of(error).detail
    assert "/srv" in problem_of(error, for_operator=True).detail
    chat = {"path": "/v1/chat/completions"}
    assert b"/srv" not in problem_of(error).response(chat).body
    told = json.loads(bytes(problem_of(error, for_operator=True).response(chat).body))
    assert "/srv" in told["error"]["message"]


def line(message: str, *arguments: object, **members: Any) -> dict[str, Any]:  # noqa: ANN401
    info = members.pop("exc_info", None)
    record = logging.LogRecord(
        "chatmem.x", logging.WARNING, "x.py", 1, message, tuple(arguments), info
    )
    record.__dict__.update(members)
    text = JsonLines().format(record)
    assert "\n" not in text
    found: dict[str, Any] = json.loads(text)
    return found


def test_a_line_has_time_level_logger_and_message() -> None:
    found = line("it %s", "works\nwell")
    assert (found["level"], found["logger"]) == ("warning", "chatmem.x")
    assert found["message"] == "it works well"
    assert found["time"].endswith("Z")


def test_the_request_at_hand_is_named() -> None:
    token = request_id.set("r-1")
    assert line("x")["request_id"] == "r-1"
    request_id.reset(token)
    assert "request_id" not in line("x")


def test_an_exception_is_its_kind_and_its_place() -> None:
    try:
        raise InvalidInputError("got 'hunter2'")
    except InvalidInputError as error:
        found = line("failed: %s", error, exc_info=sys.exc_info())
    assert found["message"] == "failed: InvalidInputError"
    assert found["error"] == "InvalidInputError"
    assert found["at"][0].startswith("interfaces/test_rest.py:")
    assert "hunter2" not in json.dumps(found)


def test_a_file_is_named_and_a_message_that_does_not_fit_its_arguments_is_a_line() -> None:
    assert line("%s", DocumentError("a/MEMORY.md is held"))["message"] == "a/MEMORY.md is held"
    assert line("100 % of %d", "x")["message"] == "100 % of %d"
