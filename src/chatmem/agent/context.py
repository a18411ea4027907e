"""What an agent's requests bring along from memory: long-term memories and the conversation.

Source: S1.7.1 (RAG memories, history); S1.4.2; decisions 5 ("memory text is data").
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import zip_longest
from typing import Final

from chatmem.agent.plan import AgentLimits
from chatmem.engine.service import MemoryService
from chatmem.model import Hit, Missing
from chatmem.prompt.excerpt import excerpt, query_terms
from chatmem.prompt.fence import MEMORY_FENCE, fenced_items, memory_line, message_line
from chatmem.prompt.material import Material, WindowMessage
from chatmem.text.languages import LanguageCode as Language
from chatmem.text.tokens import count_tokens

_ENTRY_TOKENS: Final = 300
_QUERY_CHARS: Final = 2_000


@dataclass(frozen=True, slots=True)
class AgentContext:
    """Fenced lines, the memories among them, and what recall could not use."""

    memories: str = ""
    conversation: str = ""
    memory_ids: tuple[str, ...] = ()
    missing: tuple[Missing, ...] = ()


def context_of(
    memory: MemoryService,
    queries: Sequence[str],
    session_id: str | None,
    limits: AgentLimits,
    language: Language,
    now: datetime,
) -> AgentContext:
    """The memories for these queries, the first of each first, and the session's newest messages.

    Recalled anew for each request: what was forgotten in between is not shown. Nothing is recalled
    where memory is switched off.

    Raises:
        SessionNotFoundError: the session is another user's.
    """
    conversation = _conversation(memory, session_id, limits, language) if session_id else ""
    if not memory.settings.memory.enabled or not limits.memory_tokens:
        return AgentContext(conversation=conversation)
    found = [
        memory.get_relevant_memories(query[:_QUERY_CHARS], session_id=session_id, now=now)
        for query in queries
    ]
    missing = tuple(dict.fromkeys(one for results in found for one in results.missing))
    hits = {hit.memory.id: hit for hit in _in_turn(found)}
    material = Material(message=queries[0], language=language, viewer=memory.user_id)
    want = query_terms(" ".join(queries))
    told = {one: memory_line(hit, material, _ENTRY_TOKENS, want) for one, hit in hits.items()}
    kept = _fitting(told.values(), limits.memory_tokens)
    lines = list(told.values())[:kept]
    text = fenced_items(MEMORY_FENCE, "memories", lines) if lines else ""
    return AgentContext(text, conversation, tuple(told)[:kept], missing)


def _conversation(
    memory: MemoryService, session_id: str, limits: AgentLimits, language: Language
) -> str:
    memory.sessions.check_readable(session_id)
    said = memory.sessions.window(session_id, limits.conversation_messages)
    nothing = query_terms("")
    lines = [
        message_line(
            WindowMessage(one.role, excerpt(one.content, _ENTRY_TOKENS, nothing)), language
        )
        for one in said
    ]
    kept = _fitting(reversed(lines), limits.conversation_tokens)
    if not kept:
        return ""
    return fenced_items(MEMORY_FENCE, "this session", lines[len(lines) - kept :])


def _in_turn(found: Iterable[Iterable[Hit]]) -> Iterable[Hit]:
    """The first of each, then the second of each, and so on."""
    for row in zip_longest(*found):
        yield from (hit for hit in row if hit is not None)


def _fitting(lines: Iterable[str], max_tokens: int) -> int:
    """How many lines from the beginning on fit."""
    count, used = 0, 0
    for line in lines:
        used += count_tokens(line) + 1
        if used > max_tokens:
            break
        count += 1
    return count
