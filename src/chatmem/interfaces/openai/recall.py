"""Memory, added to a request: one system message, and everything else as the client sent it.

Source: interfaces.md (`POST /v1/chat/completions`); S4.1; decisions 5.
"""

import logging
from collections.abc import Mapping, Sequence
from typing import Any, Final

from chatmem.engine.context import ChatContextBuilder
from chatmem.engine.service import MemoryService
from chatmem.errors import ChatmemError, SessionNotFoundError
from chatmem.interfaces.openai.request import ChatRequest
from chatmem.prompt.receipt import HOUSEHOLD, MEMORY_SECTIONS, PROFILE, Receipt

_OF_MEMORY: Final = frozenset({HOUSEHOLD, PROFILE, *MEMORY_SECTIONS})
"""A prompt without any of these sections has nothing to add."""
_NO_LIMIT: Final = 10_000_000
_WINDOW_CHARS: Final = 200_000
"""Of the client's history, looked at so that memory does not say again what stands there."""
_log = logging.getLogger(__name__)


def add_memory(
    memory: MemoryService, request: ChatRequest, session_id: str
) -> tuple[list[Any] | None, Receipt | None]:
    """The messages with what is remembered, None where they stay as they are; and the receipt.

    Where memory cannot be used, the request goes on without it, and the log says why.

    Raises:
        SessionNotFoundError: the session is another user's.
    """
    memory.sessions.check_readable(session_id)
    if not request.conversation.new:
        return None, None
    system = request.system
    contents = [one.get("content") for one in system]
    texts = [one for one in contents if isinstance(one, str)]
    is_text = len(texts) == len(contents)
    try:
        composed = ChatContextBuilder(memory).build_messages(
            request.conversation.new[-1],
            session_id,
            base_system_prompt="\n\n".join(texts) if is_text else "",
            session_messages=request.conversation.window(_WINDOW_CHARS),
            # The conversation is the client's: it decides how long that may be.
            budget={"total_tokens": _NO_LIMIT, "window_messages": _NO_LIMIT},
        )
    except SessionNotFoundError:
        raise
    except (ChatmemError, OSError) as error:
        _log.warning("session %s: memory was not used (%s)", session_id, type(error).__name__)
        return None, None
    sections = {one.name for one in composed.receipt.sections if one.tokens}
    if not sections & _OF_MEMORY or composed[0]["role"] != "system":
        return None, composed.receipt
    text = composed[0]["content"]
    if is_text:  # one message in place of the client's, whose words are in it
        added = [{**(system[0] if system else {"role": "system"}), "content": text}]
    else:
        added = _appended(system, text)
    return [*added, *request.messages[len(system) :]], composed.receipt


def _appended(system: Sequence[Mapping[str, Any]], text: str) -> list[dict[str, Any]]:
    """The client's own messages, the last with one part more: a server may have cached them."""
    last = dict(system[-1])
    parts = last.get("content")
    if isinstance(parts, str):
        parts = [{"type": "text", "text": parts}]
    own = list(parts) if isinstance(parts, list) else []
    last["content"] = [*own, {"type": "text", "text": text}]
    return [*map(dict, system[:-1]), last]
