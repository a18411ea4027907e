"""The answer of a chat model's server, whole or in server-sent events, read with suspicion.

Source: S4.3; decisions 7.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from chatmem.errors import MalformedAnswerError, ModelUnavailableError
from chatmem.providers.openai_client import reason_given

DONE: Final = "[DONE]"
MOST_BYTES: Final = 16 * 1024 * 1024
_QUOTED_CHARS: Final = 80


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


def deltas_of(chunks: Iterable[bytes], *, is_stream: bool) -> Iterator[Delta]:
    """What each event adds, to `[DONE]`; of a server that does not stream, one with everything.

    Of several choices the first is read.

    Raises:
        MalformedAnswerError: no JSON, not of OpenAI's form, or too long.
        ModelUnavailableError: the server reports an error.
    """
    if not is_stream:
        body = b"".join(chunks).decode("utf-8", "replace")
        found = _json(body)
        whole = _delta(found, "message")
        if not found.get("choices"):
            raise MalformedAnswerError(f"no choices in the answer: {body[:_QUOTED_CHARS]!r}")
        yield replace(whole, finish_reason=whole.finish_reason or "stop")
        return
    for line in _lines(chunks):
        if line.startswith("data:"):
            data = line.removeprefix("data:").strip()
            if data == DONE:
                yield Delta(finish_reason="stop")
                return
            yield _delta(_json(data), "delta")
        elif line.lstrip().startswith(("<", "{")):
            raise MalformedAnswerError(f"what came is no stream ({line[:_QUOTED_CHARS]!r})")


def _lines(chunks: Iterable[bytes]) -> Iterator[str]:
    """Lines that end in a line feed: others of Unicode's line ends may stand in a text."""
    rest = b""
    size = 0
    for chunk in chunks:
        size += len(chunk)
        if size > MOST_BYTES:
            raise MalformedAnswerError(f"the answer has more than {MOST_BYTES:,} bytes")
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            yield line.decode("utf-8", "replace").rstrip("\r")
    if rest:
        yield rest.decode("utf-8", "replace")


def _json(text: str) -> Mapping[str, Any]:
    try:
        found = json.loads(text)
    except ValueError as error:
        raise MalformedAnswerError(f"what came is no JSON ({text[:_QUOTED_CHARS]!r})") from error
    if not isinstance(found, Mapping):
        raise MalformedAnswerError(f"what came is no JSON object ({text[:_QUOTED_CHARS]!r})")
    if found.get("error"):
        raise ModelUnavailableError(f"the server tells of an error: {reason_given(found)}")
    return found


def _delta(found: Mapping[str, Any], part: str) -> Delta:
    try:
        choices = found.get("choices") or ()
        if part == "delta":
            choices = [one for one in choices if not one.get("index")]
        choice = choices[0] if choices else {}
        message = choice.get(part) or {}
        ending = choice.get("finish_reason")
        return Delta(
            text=_text(message.get("content")),
            calls=tuple(_calls(message)),
            finish_reason=str(ending) if ending else None,
            usage=_usage(found.get("usage")),
        )
    except (AttributeError, KeyError, TypeError, ValueError) as error:
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
