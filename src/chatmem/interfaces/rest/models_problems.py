"""Errors as the document describes them: problem details, RFC 9457.

Source: interfaces.md ("problem details for errors").
"""

from typing import Any, Final

PROBLEM: Final = "application/problem+json"
_MEANINGS: Final = {
    404: ("Not found", "There is none with this id that this user may see."),
    409: ("Conflict", "It is not in a state in which this can be done."),
    412: ("Stale", "It has changed since it was read; the answer has the present text and etag."),
    422: ("Not valid", "A value that cannot be used; says which and what fits."),
    503: ("Unavailable", "The files or the database cannot be used; says why."),
}
_PROPERTIES: Final[dict[str, Any]] = {
    "type": {"type": "string"},
    "title": {"type": "string"},
    "status": {"type": "integer"},
    "detail": {"type": "string"},
    "instance": {"type": "string"},
    "request_id": {"type": ["string", "null"]},
    "errors": {"type": "array", "items": {"type": "object"}},
}
_STALE: Final[dict[str, Any]] = {
    "content": {"type": "string", "description": "The text as it stands."},
    "etag": {"type": "string"},
}

Responses = dict[int | str, dict[str, Any]]


def problems(*statuses: int) -> Responses:
    """What a route may answer besides success, for its `responses`; 503 always."""
    return {status: _described(status) for status in (*statuses, 503)}


def _described(status: int) -> dict[str, Any]:
    title, description = _MEANINGS[status]
    properties = _PROPERTIES | _STALE if status == 412 else _PROPERTIES
    schema = {"type": "object", "required": ["title", "status"], "properties": properties}
    example: dict[str, Any] = {"type": "about:blank", "title": title, "status": status}
    return {
        "description": description,
        "content": {PROBLEM: {"schema": schema, "example": example}},
    }
