"""The model's reply, read from the bytes that were passed on: what is saved of it.

Source: S1.2; S5.5.1.
"""

from dataclasses import dataclass, field

from chatmem.errors import MalformedAnswerError, ModelUnavailableError
from chatmem.providers.chat_deltas import MOST_BYTES, Usage, deltas_of
from chatmem.text.thoughts import without_thoughts

_CALLING = ("tool_calls", "function_call")


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
    text: list[str] = []
    ending, calls, usage = None, False, None
    try:
        for delta in deltas_of(answer.chunks, is_stream=answer.is_stream):
            text.append(delta.text)
            calls = calls or bool(delta.calls)
            ending = ending or delta.finish_reason
            usage = delta.usage or usage
    except (MalformedAnswerError, ModelUnavailableError):
        pass  # what came until then is what there is
    said = without_thoughts("".join(text))
    return Reply(said, ending is not None, calls or ending in _CALLING, usage)
