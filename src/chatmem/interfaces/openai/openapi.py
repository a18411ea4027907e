"""What the OpenAPI document says of the chat endpoint; its shapes are OpenAI's own."""

from typing import Any, Final

from chatmem.interfaces.problems import described

_ANY_OBJECT: Final = {"type": "object", "additionalProperties": True}
_MESSAGE: Final = {
    "type": "object",
    "properties": {"role": {"type": "string"}},
    "required": ["role"],
    "additionalProperties": True,
}
_EXAMPLE: Final = {
    "model": "chatmem",
    "messages": [{"role": "user", "content": "我下个月搬到柏林，帮我列个清单"}],
    "stream": True,
}
_ANSWER: Final = {"role": "assistant", "content": "先去市民局登记住址。"}
_COMPLETION: Final = {
    "id": "chatcmpl-1",
    "object": "chat.completion",
    "created": 1772442000,
    "model": "small-model",
    "choices": [{"index": 0, "finish_reason": "stop", "message": _ANSWER}],
}

CHAT_REQUEST: Final[dict[str, Any]] = {
    "required": True,
    "description": "As OpenAI's API takes it; what is not named here is passed on as it is.",
    "content": {
        "application/json": {
            "schema": {
                "type": "object",
                "properties": {
                    "model": {
                        "type": "string",
                        "description": "Passed on; `chatmem`, or none, is the configured model.",
                    },
                    "messages": {"type": "array", "minItems": 1, "items": _MESSAGE},
                    "stream": {"type": "boolean"},
                },
                "required": ["messages"],
                "additionalProperties": True,
            },
            "example": _EXAMPLE,
        }
    },
}
_JSON: Final = "application/json"
_TEXT: Final = {"schema": {"type": "string"}}
_PASSED: Final = described(
    "Whatever else the model's server answers, byte for byte.", _ANY_OBJECT, _JSON
)
CHAT_RESPONSES: Final[dict[int | str, dict[str, Any]]] = {
    200: {
        "description": "The model's answer, byte for byte.",
        "headers": {
            "X-Chatmem-Receipt": {
                "description": "The receipt's id: `GET /api/receipts/{id}` gives it.",
                **_TEXT,
            },
            "X-Chatmem-Session": {"description": "The session that it was saved in.", **_TEXT},
        },
        "content": {
            "application/json": {"schema": _ANY_OBJECT, "example": _COMPLETION},
            "text/event-stream": _TEXT,
        },
    },
    400: described("The body is no request; or the model's server says so."),
    404: described("The model's server says that it has none."),
    502: described("The model's server does not answer, or breaks off."),
    503: described("No model is configured; the detail says how to."),
    504: described("The model's server is too slow."),
    "default": _PASSED,
}
MODELS_RESPONSES: Final[dict[int | str, dict[str, Any]]] = {
    200: described(
        "The list of the model's server, or the configured model alone.", _ANY_OBJECT, _JSON
    ),
    502: described("The model's server does not answer, and no model is configured by name."),
    503: described("No model's server is configured; the detail says how to."),
    504: described("The model's server is too slow, and no model is configured by name."),
    "default": _PASSED,
}
