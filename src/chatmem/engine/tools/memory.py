"""The tools by which a model reads and writes memory, defined once.

`memory_tools(memory)` are those that the settings offer; each is JSON schema, ABP and a plain
function (`MemoryTool`). What they give back is data for a model: without ids and comments, and
harmless as everything remembered is in a prompt.

Source: S5.7, S2.7.1; decisions 5.
"""

import sys
from collections.abc import Callable, Iterable
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

from chatmem.engine.tools.definition import MemoryTool, tool_of
from chatmem.extraction.redact import masked_kinds
from chatmem.model import AtomicMemoryRecord, Category, Hit
from chatmem.model.tool import ToolExecutionResult
from chatmem.prompt.imitations import neutralise
from chatmem.prompt.main_memory import prepare_main
from chatmem.text.tokens import truncate_tokens

if TYPE_CHECKING:
    from chatmem.engine.service import MemoryService

__all__ = ["MOST_FOUND", "MemoryTool", "memory_tools", "tool_of"]

MOST_FOUND = 10
"""Source: S5.7.3."""
_RESULT_TOKENS = 300
_FACT = "One fact, a short sentence that stands by itself; dates absolute. 一条独立完整的短句。"
_QUERY = "Words to look for. 要查找的内容。"
_RANGE = (
    'Begin and end as ISO dates, "" or null for open: ["2026-03-01", "2026-03-31"]. '
    "起止日期，可留空。"
)


def memory_tools(
    service: "MemoryService", *, session_id: str | None = None, now: datetime | None = None
) -> tuple[MemoryTool, ...]:
    """`read_memory`, `append_memory`, `search_memory`, `append_daily_log`, and `search_memories`
    where `memory.enable_agentic_search` is on.

    What they write belongs to the session, where one is given.

    Source: S5.7, S2.7.1.
    """  # noqa: D205

    def read_memory() -> Any:  # noqa: ANN401 - JSON
        """Read everything that is remembered of the user, MEMORY.md.

        读取全部长期记忆。
        """
        text = prepare_main(service.read_main(), sys.maxsize, "en").text
        return text or "(empty)"

    def append_memory(
        fact: Annotated[str, Field(description=_FACT)],
        category: Annotated[Category, Field(description="What kind of fact. 类别。")] = "fact",
    ) -> Any:  # noqa: ANN401 - JSON
        """Remember a fact about the user for good.

        把关于用户的一条事实写入长期记忆。
        """
        record = service.append_memory(fact, category, now=now, session_id=session_id)
        return {**_saved(record), "category": record.category}

    def search_memory(query: Annotated[str, Field(description=_QUERY)]) -> Any:  # noqa: ANN401
        """Search memories and past conversations; at most 10 results.

        搜索记忆和过往对话。
        """
        return _found(service.search_memories(query, limit=MOST_FOUND), service.user_id)

    def append_daily_log(
        entry: Annotated[str, Field(description="What happened, in a sentence. 今天发生的事。")],
    ) -> Any:  # noqa: ANN401 - JSON
        """Write a note into today's log.

        写入今天的日志。
        """
        record = service.append_daily_log(entry, now=now)
        return {**_saved(record), "date": _day(record.timestamp)}

    def search_memories(
        keyword: Annotated[str, Field(description=_QUERY)],
        time_range: Annotated[
            list[str | None] | None, Field(description=_RANGE, min_length=2, max_length=2)
        ] = None,
    ) -> Any:  # noqa: ANN401 - JSON
        """Search memories, within a time if one is given.

        按关键词搜索记忆，可限定时间范围。
        """
        begin, end = time_range or (None, None)
        bounds = (begin or None, end or None)
        return _found(
            service.search_memories(keyword, bounds if any(bounds) else None, MOST_FOUND),
            service.user_id,
        )

    functions: list[Callable[..., object]] = [
        read_memory,
        append_memory,
        search_memory,
        append_daily_log,
    ]
    if service.settings.memory.enable_agentic_search:
        functions.append(search_memories)
    return tuple(tool_of(function) for function in functions)


def harmless_result(result: ToolExecutionResult) -> Any:  # noqa: ANN401 - JSON
    """The content with every text in it made harmless: a tool may repeat what a stranger wrote."""
    return _harmless(result.content)


def _saved(record: AtomicMemoryRecord) -> dict[str, Any]:
    """What was written, and which secrets in it were not."""
    masked = list(masked_kinds(record.content))
    return {"saved": neutralise(record.content)} | ({"masked": masked} if masked else {})


def _found(hits: Iterable[Hit], viewer: str) -> dict[str, Any]:
    found = [_told(hit, viewer) for hit in hits]
    return {"results": found} if found else {"results": [], "note": "nothing found"}


def _told(hit: Hit, viewer: str) -> dict[str, Any]:
    memory = hit.memory
    text, cut = truncate_tokens(memory.content, _RESULT_TOKENS)
    origin = memory.role or ("daily log" if memory.kind == "episodic" else "memory")
    told: dict[str, Any] = {
        "content": neutralise(f"{text}…" if cut else text),
        "from": origin,
        "date": _day(memory.timestamp),
    }
    if memory.valid_to is not None:
        told["true_until"] = _day(memory.valid_to)
    if memory.user_id != viewer:
        told["shared_by"] = neutralise(memory.user_id)
    return told


def _day(moment: datetime) -> str:
    return moment.astimezone().date().isoformat()


def _harmless(value: Any) -> Any:  # noqa: ANN401 - JSON
    if isinstance(value, str):
        return neutralise(value)
    if isinstance(value, list):
        return [_harmless(one) for one in value]
    if isinstance(value, dict):
        return {neutralise(name): _harmless(one) for name, one in value.items()}
    return value
