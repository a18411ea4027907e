"""Lines of the log: what they say, and what they keep to themselves."""

import json
import logging
import sys
from typing import Any

from chatmem.errors import DocumentError, InvalidInputError
from chatmem.interfaces.rest.logs import JsonLines, request_id


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
    assert (found["level"], found["logger"], found["message"]) == (
        "warning",
        "chatmem.x",
        "it works well",
    )
    assert found["time"].endswith("Z")


def test_fields_stand_beside_the_message() -> None:
    assert line("request", fields={"status": 200})["status"] == 200


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
    assert found["at"][0].startswith("rest/test_logs.py:")
    assert "hunter2" not in json.dumps(found)


def test_a_file_that_cannot_be_used_is_named() -> None:
    assert line("%s", DocumentError("a/MEMORY.md is held"))["message"] == "a/MEMORY.md is held"


def test_a_message_that_does_not_fit_its_arguments_is_a_line_all_the_same() -> None:
    assert line("100 % of %d", "x")["message"] == "100 % of %d"
