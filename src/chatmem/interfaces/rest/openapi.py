"""The OpenAPI document: what routes say of errors, and what the edge may answer to any request.

Source: interfaces.md (OpenAPI at /openapi.json; "problem details for errors"); RFC 9457.
"""

from typing import Any, Final, TypeAlias

from fastapi import FastAPI

from chatmem.interfaces.problems import PROBLEM_REF, described
from chatmem.interfaces.rest.limits import WRITES, takes_key
from chatmem.interfaces.rest.wire import ETAG

Responses: TypeAlias = dict[int | str, dict[str, Any]]
_MEANINGS: Final = {
    403: ("Forbidden", "It concerns everybody on the server and takes an admin's key."),
    404: ("Not found", "There is none with this id that this user may see."),
    409: ("Conflict", "It is not in a state in which this can be done."),
    412: ("Stale", "It has changed since it was read; the answer has the present text and etag."),
    428: ("Precondition required", "No `If-Match`: the etag of the version that was read, or `*`."),
    422: ("Not valid", "A value that cannot be used; says which and what fits."),
    503: ("Unavailable", "The files or the database cannot be used; says why."),
}
_STALE: Final[dict[str, Any]] = {
    "allOf": [
        PROBLEM_REF,
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
_ALWAYS: Final = {
    "400": "The request cannot be read.",
    "401": "With keys configured: no key that counts.",
    "403": "Not from here: see the security notes.",
    "421": "Without keys: `Host` does not name this machine.",
    "429": "This key asks too often; `Retry-After` says when it may again.",
    "500": "A defect; the log has the request's id.",
    "503": "The files or the database cannot be used.",
}
_WITH_BODY: Final = {
    "408": "The body did not come in time.",
    "413": "The body has more than 1 MiB.",
    "415": "The body is compressed.",
}
_WITH_KEY: Final = {
    "409": "The first request with this `Idempotency-Key` is still running.",
    "410": "It was carried out; its answer is kept no longer.",
    "422": "A value that cannot be used, or the key of another request.",
}
_OPEN: Final = ("/healthz", "/readyz")
_PROBLEM: Final[dict[str, Any]] = {
    "type": "object",
    "required": ["type", "title", "status", "detail"],
    "properties": {
        **{name: {"type": "string"} for name in ("type", "title", "detail", "instance")},
        "status": {"type": "integer"},
        "request_id": {"type": ["string", "null"]},
        "errors": {"type": "array", "items": {"type": "object"}},
        "error": {"type": "object", "description": "Under `/v1`: the same in OpenAI's form."},
    },
}
_KEY_PARAMETER: Final = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "description": "Sent twice with the same request, it is carried out once.",
    "schema": {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]+$"},
}


def problems(*statuses: int) -> Responses:
    """What a route may answer besides success, for its `responses`; 503 always."""
    found: Responses = {}
    for status in (*statuses, 503):
        title, description = _MEANINGS[status]
        example = {"type": "about:blank", "title": title, "status": status, "detail": description}
        if status == 412:
            example |= {"content": "- Lives in Berlin\n", "etag": ETAG}
        schema = _STALE if status == 412 else PROBLEM_REF
        found[status] = described(description, schema, example=example)
    return found


def describe(app: FastAPI) -> dict[str, Any]:
    """The document of this application, made once."""
    if app.openapi_schema is not None:
        return app.openapi_schema
    document = FastAPI.openapi(app)
    document["components"]["schemas"]["Problem"] = _PROBLEM
    document["components"]["securitySchemes"] = {"key": {"type": "http", "scheme": "bearer"}}
    document["security"] = [{"key": []}, {}]
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            _complete(path, method.upper(), operation)
    return document


def _complete(path: str, method: str, operation: dict[str, Any]) -> None:
    if path in _OPEN:
        operation["security"] = []
        return
    answers = dict(_ALWAYS)
    if method in WRITES:
        answers |= _WITH_BODY
    if takes_key(method, path):
        answers |= _WITH_KEY
        operation.setdefault("parameters", []).append(_KEY_PARAMETER)
    responses = operation["responses"]
    for status, description in answers.items():
        responses.setdefault(status, described(description))
    if "HTTPValidationError" in str(responses.get("422")):
        responses["422"] = described("A value that cannot be used; says which and what fits.")
