"""Memory, added to a request: one system message, and everything else as the client sent it.

Source: interfaces.md (`POST /v1/chat/completions`); S4.1; decisions 5.
"""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from chatmem.engine.context import ChatContextBuilder
from chatmem.engine.service import MemoryService
from chatmem.errors import ChatmemError, SessionNotFoundError
from chatmem.interfaces.openai.asked import Asked
from chatmem.interfaces.openai.conversation import leading_system, window_of
from chatmem.prompt.receipt import HOUSEHOLD, MEMORY_SECTIONS, PROFILE, Receipt

REMEMBERED: Final = frozenset({HOUSEHOLD, PROFILE, *MEMORY_SECTIONS})
"""A prompt without any of these has nothing to add."""
_NO_LIMIT: Final = 10_000_000
_WINDOW_CHARS: Final = 200_000
"""Of the client's history, looked at so that memory does not say again what stands there."""
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Reminded:
    """The messages to send, None where they are the client's own; and the prompt's receipt."""

    messages: Sequence[Any] | None = None
    receipt: Receipt | None = None


def remind(memory: MemoryService, asked: Asked, session_id: str) -> Reminded:
    """The request's messages with what is remembered for them.

    Where memory cannot be used, the request goes on without it, and the log says why.

    Raises:
        SessionNotFoundError: the session is another user's.
    """
    memory.sessions.check_readable(session_id)
    message = asked.said.message
    if message is None:
        return Reminded()
    system = leading_system(asked.messages)
    own = [one.get("content") for one in system]
    words = [one for one in own if isinstance(one, str)]
    is_text = len(words) == len(own)
    try:
        composed = ChatContextBuilder(memory).build_messages(
            message,
            session_id,
            base_system_prompt="\n\n".join(words) if is_text else "",
            session_messages=window_of(asked.said, _WINDOW_CHARS),
            # The conversation is the client's: it decides how long that may be.
            budget={"total_tokens": _NO_LIMIT, "window_messages": _NO_LIMIT},
        )
    except SessionNotFoundError:
        raise
    except (ChatmemError, OSError) as error:
        _log.warning("session %s: memory was not used (%s)", session_id, type(error).__name__)
        return Reminded()
    told = {one.name for one in composed.receipt.sections if one.tokens}
    if not told & REMEMBERED or composed[0]["role"] != "system":
        return Reminded(None, composed.receipt)
    text = composed[0]["content"]
    added = _merged(system, text) if is_text else _appended(system, text)
    return Reminded([*added, *asked.messages[len(system) :]], composed.receipt)


def _merged(system: Sequence[Mapping[str, Any]], text: str) -> list[dict[str, Any]]:
    """One message in place of the client's, whose words are in it."""
    first = dict(system[0]) if system else {"role": "system"}
    return [{**first, "content": text}]


def _appended(system: Sequence[Mapping[str, Any]], text: str) -> list[dict[str, Any]]:
    """The client's own messages, the last with one part more: parts may carry marks of their own.

    A server keeps what it has cached for them.
    """
    last = dict(system[-1])
    parts = last.get("content")
    if isinstance(parts, str):
        parts = [{"type": "text", "text": parts}]
    own = list(parts) if isinstance(parts, list) else []
    last["content"] = [*own, {"type": "text", "text": text}]
    return [*map(dict, system[:-1]), last]
