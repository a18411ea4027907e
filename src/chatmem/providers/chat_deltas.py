"""What a chat model's server sends, piece by piece or at once, read with suspicion.

Source: S4.3; decisions 7.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from chatmem.errors import MalformedAnswerError, ModelUnavailableError
from chatmem.providers.openai_client import reason_given

DONE = "[DONE]"
_SHOWN_CHARS = 80


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one request, as the server counts them."""

    prompt_tokens: int
    completion_tokens: int


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call that the model asks for, or a part of it; parts of one index belong together.

    `arguments` is JSON text as the model wrote it.
    """

    id: str
    name: str
    arguments: str
    index: int = 0


@dataclass(frozen=True, slots=True)
class Delta:
    """What one event adds to the answer."""

    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    finish_reason: str | None = None
    usage: Usage | None = None


def joined_calls(parts: Sequence[ToolCall]) -> list[ToolCall]:
    """The calls that parts make, in the order of their indexes; each has an id."""
    calls: dict[int, ToolCall] = {}
    for part in sorted(parts, key=lambda part: part.index):
        known = calls.get(part.index, ToolCall("", "", "", part.index))
        arguments = known.arguments + part.arguments
        calls[part.index] = replace(
            known, id=known.id or part.id, name=known.name or part.name, arguments=arguments
        )
    return [replace(one, id=one.id or f"call_{index}") for index, one in calls.items()]


def lines_of(chunks: Iterable[bytes], most_bytes: int) -> Iterator[str]:
    """Lines that end in a line feed: others of Unicode's line ends may stand in a text.

    Raises:
        MalformedAnswerError: more than `most_bytes`.
    """
    held = b""
    size = 0
    for chunk in chunks:
        size += len(chunk)
        if size > most_bytes:
            raise MalformedAnswerError(f"the answer has more than {most_bytes:,} bytes")
        *whole, held = (held + chunk).split(b"\n")
        for line in whole:
            yield line.decode("utf-8", "replace").rstrip("\r")
    if held:
        yield held.decode("utf-8", "replace")


def delta_of_event(data: str) -> Delta:
    """What the data of one server-sent event adds.

    Raises:
        MalformedAnswerError: no JSON, or not of OpenAI's form.
        ModelUnavailableError: the server tells of an error.
    """
    return _delta(_json(data), "delta")


def delta_of_completion(body: str) -> Delta:
    """A whole answer, of a server that does not stream; raises what `delta_of_event` does."""
    found = _json(body)
    delta = _delta(found, "message")
    if not found.get("choices"):
        raise MalformedAnswerError(f"no choices in the answer: {body[:_SHOWN_CHARS]!r}")
    return delta


def _json(text: str) -> Mapping[str, Any]:
    try:
        found = json.loads(text)
    except ValueError as error:
        raise MalformedAnswerError(f"what came is no JSON ({text[:_SHOWN_CHARS]!r})") from error
    if not isinstance(found, Mapping):
        raise MalformedAnswerError(f"what came is no JSON object ({text[:_SHOWN_CHARS]!r})")
    if found.get("error"):
        raise ModelUnavailableError(f"the server tells of an error: {reason_given(found)}")
    return found


def _delta(found: Mapping[str, Any], part: str) -> Delta:
    try:
        choice = (found.get("choices") or [{}])[0]
        message = choice.get(part) or {}
        ending = choice.get("finish_reason")
        return Delta(
            text=_text(message.get("content")),
            calls=tuple(_calls(message)),
            finish_reason=str(ending) if ending else None,
            usage=_usage(found.get("usage")),
        )
    except (AttributeError, KeyError, TypeError, ValueError, IndexError) as error:
        raise MalformedAnswerError(
            f"what came is not of OpenAI's form ({type(error).__name__}: {error})"
        ) from error


def _text(content: object) -> str:
    """The text of a content: a string, or a list of parts."""
    if content is None or isinstance(content, str):
        return content or ""
    if not isinstance(content, list):
        raise TypeError(f"content is {type(content).__name__}")
    return "".join(one.get("text") or "" for one in content)


def _calls(message: Mapping[str, Any]) -> Iterator[ToolCall]:
    for place, call in enumerate(message.get("tool_calls") or ()):
        function = call.get("function") or {}
        arguments = function.get("arguments") or ""
        if not isinstance(arguments, str):  # some servers send the object itself
            arguments = json.dumps(arguments, ensure_ascii=False)
        index = call.get("index")
        yield ToolCall(
            id=str(call.get("id") or ""),
            name=str(function.get("name") or ""),
            arguments=arguments,
            index=place if index is None else int(index),
        )


def _usage(found: object) -> Usage | None:
    if not isinstance(found, Mapping):
        return None
    counts = [found.get(name) for name in ("prompt_tokens", "completion_tokens")]
    whole = [count if isinstance(count, int) and count >= 0 else 0 for count in counts]
    return Usage(*whole) if any(whole) else None
