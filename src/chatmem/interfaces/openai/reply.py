"""The model's reply, read from the bytes that were passed on: what is saved of it.

Source: S1.2; S5.5.1.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from chatmem.errors import MalformedAnswerError, ModelUnavailableError
from chatmem.providers.chat_deltas import (
    DONE,
    Delta,
    Usage,
    delta_of_completion,
    delta_of_event,
    lines_of,
)
from chatmem.text.thoughts import without_thoughts

MOST_BYTES = 16 * 1024 * 1024
"""What is longer is passed on, and saved as far as this."""
_CALLING = ("tool_calls", "function_call")
_DATA = "data:"


@dataclass(slots=True)
class AnswerBytes:
    """The bytes of an answer, as they pass; what is past `MOST_BYTES` is let go."""

    is_stream: bool = False
    size: int = 0
    chunks: list[bytes] = field(default_factory=list)

    def add(self, chunk: bytes) -> None:
        """Take a chunk."""
        self.size += len(chunk)
        if self.size <= MOST_BYTES:
            self.chunks.append(chunk)


@dataclass(frozen=True, slots=True)
class Reply:
    """What the model said, without its thoughts; with `calls_tools` the turn is not over."""

    text: str = ""
    is_whole: bool = False
    calls_tools: bool = False
    usage: Usage | None = None


def read_reply(answer: AnswerBytes) -> Reply:
    """The first choice of an answer; of a broken one, as far as it can be read."""
    deltas = (_streamed if answer.is_stream else _completed)(answer.chunks)
    text: list[str] = []
    ending, calls, usage = None, False, None
    try:
        for delta in deltas:
            text.append(delta.text)
            calls = calls or bool(delta.calls)
            ending = ending or delta.finish_reason
            usage = delta.usage or usage
    except (MalformedAnswerError, ModelUnavailableError):
        pass  # what came until then is what there is
    said = without_thoughts("".join(text))
    return Reply(said, ending is not None, calls or ending in _CALLING, usage)


def _completed(chunks: Sequence[bytes]) -> Iterator[Delta]:
    delta = delta_of_completion(b"".join(chunks).decode("utf-8", "replace"))
    yield Delta(delta.text, delta.calls, delta.finish_reason or "stop", delta.usage)


def _streamed(chunks: Sequence[bytes]) -> Iterator[Delta]:
    for line in lines_of(chunks, MOST_BYTES):
        if not line.startswith(_DATA):
            continue
        data = line.removeprefix(_DATA).strip()
        if data == DONE:
            yield Delta(finish_reason="stop")
            return
        yield delta_of_event(_first_choice(data))


def _first_choice(data: str) -> str:
    """The event without what it says of other choices (`n` above 1)."""
    if '"index":' not in data.replace('"index":0', "").replace('"index": 0', ""):
        return data
    try:
        found = json.loads(data)
        choices = [one for one in found.get("choices") or () if not one.get("index")]
    except (ValueError, AttributeError, TypeError):
        return data
    return json.dumps({**found, "choices": choices})
