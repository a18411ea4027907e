"""Logs as lines of JSON, without keys, prompts or memories.

Of an address the query is left out; of an exception, whose text may quote what it could not use,
all but its kind and place. Source: interfaces.md (Operation); `docs/security.md`.
"""

import json
import logging
import traceback
from collections.abc import Mapping
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any, Final

from chatmem.errors import StorageError

request_id: Final[ContextVar[str | None]] = ContextVar("request_id", default=None)
"""Of the request at hand; threads that work for it know it too."""
_MOST_CHARS: Final = 500
_FRAMES: Final = 8


class JsonLines(logging.Formatter):
    """One object a line: time, level, logger, message, and the fields of `extra["fields"]`."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        moment = datetime.fromtimestamp(record.created, UTC)
        line: dict[str, Any] = {
            "time": moment.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": _message(record),
        }
        current = request_id.get()
        if current is not None:
            line["request_id"] = current
        fields = getattr(record, "fields", None)
        if isinstance(fields, Mapping):
            line.update(fields)
        if record.exc_info and record.exc_info[0] is not None:
            line["error"] = record.exc_info[0].__name__
            line["at"] = places_of(record.exc_info[1])
        return json.dumps(line, ensure_ascii=False, default=str)


def log_as_json(handler: logging.Handler) -> None:
    """Everything that the process logs goes through this handler from now on, in this form."""
    handler.setFormatter(JsonLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    for name in ("chatmem", "uvicorn"):
        logging.getLogger(name).setLevel(logging.INFO)
    # It writes addresses with their queries, which are what people search for.
    logging.getLogger("uvicorn.access").disabled = True


def places_of(error: BaseException | None) -> list[str]:
    """Where an error came from, the innermost last: files and lines, no values."""
    frames = traceback.extract_tb(error.__traceback__ if error else None)[-_FRAMES:]
    return [f"{'/'.join(one.filename.split('/')[-2:])}:{one.lineno}" for one in frames]


def _message(record: logging.LogRecord) -> str:
    arguments = record.args
    if isinstance(arguments, tuple):
        arguments = tuple(_harmless(one) for one in arguments)
    try:
        text = str(record.msg) % arguments if arguments else str(record.msg)
    except (TypeError, ValueError):
        text = str(record.msg)
    return " ".join(text.split())[:_MOST_CHARS]


def _harmless(argument: object) -> object:
    """Only the kind of an exception, but the whole of a storage error."""
    if isinstance(argument, StorageError) or not isinstance(argument, BaseException):
        return argument
    return type(argument).__name__
