"""Errors as the document describes them: problem details, RFC 9457.

Source: interfaces.md ("problem details for errors").
"""

from typing import Any, Final, TypeAlias

PROBLEM: Final = "application/problem+json"
_MEANINGS: Final = {
    403: ("Forbidden", "It concerns everybody on the server and takes an admin's key."),
    404: ("Not found", "There is none with this id that this user may see."),
    409: ("Conflict", "It is not in a state in which this can be done."),
    412: ("Stale", "It has changed since it was read; the answer has the present text and etag."),
    422: ("Not valid", "A value that cannot be used; says which and what fits."),
    503: ("Unavailable", "The files or the database cannot be used; says why."),
}
_PROBLEM: Final = {"$ref": "#/components/schemas/Problem"}
_STALE: Final[dict[str, Any]] = {
    "allOf": [
        _PROBLEM,
        {
            "type": "object",
            "required": ["content", "etag"],
            "properties": {
                "content": {"type": "string", "description": "The text as it stands."},
                "etag": {"type": "string"},
            },
        },
    ]
}

Responses: TypeAlias = dict[int | str, dict[str, Any]]


def problems(*statuses: int) -> Responses:
    """What a route may answer besides success, for its `responses`; 503 always."""
    return {status: _described(status) for status in (*statuses, 503)}


def _described(status: int) -> dict[str, Any]:
    title, description = _MEANINGS[status]
    example: dict[str, Any] = {
        "type": "about:blank",
        "title": title,
        "status": status,
        "detail": description,
    }
    if status == 412:
        example |= {"content": "- Lives in Berlin\n", "etag": "5d41402abc4b2a76b9719d911017c592"}
    schema = _STALE if status == 412 else _PROBLEM
    return {
        "description": description,
        "content": {PROBLEM: {"schema": schema, "example": example}},
    }
