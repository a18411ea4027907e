"""Documents of memory as MCP resources: MEMORY.md, the daily logs, the profiles.

A client puts them into prompts, so they are given as a prompt takes them: without ids and comments,
and harmless. What does not exist yet is an empty text, but for a day without a log.

Source: S5.1; interfaces.md (`/mcp`).
"""

import re
import sys
from collections.abc import Callable
from datetime import date
from typing import Final

import mcp_types as types
from mcp import MCPError

from chatmem.engine.service import MemoryService
from chatmem.prompt.imitations import neutralise
from chatmem.prompt.main_memory import prepare_main
from chatmem.text.languages import DEFAULT

MARKDOWN: Final = "text/markdown"
PAGE_DAYS: Final = 100
_DAILY: Final = "memory://daily/"
_OFFSET: Final = re.compile(r"[1-9][0-9]{0,8}")
_READERS: Final[dict[str, Callable[[MemoryService], str]]] = {
    "memory://main": lambda memory: _prepared(memory.read_main()),
    "memory://profile": lambda memory: neutralise(memory.get_user_profile()),
    "memory://household": lambda memory: neutralise(memory.profiles.visible("household")),
}
_DAILY_LOG: Final = types.ResourceTemplate(
    name="daily",
    title="Daily log",
    uri_template=f"{_DAILY}{{date}}",
    description="The log of a day, as 2026-11-21. 某一天的日志。",
    mime_type=MARKDOWN,
)
TEMPLATES: Final = types.ListResourceTemplatesResult(resource_templates=[_DAILY_LOG])


def _document(name: str, title: str, description: str) -> types.Resource:
    return types.Resource(
        uri=f"memory://{name}", name=name, title=title, description=description, mime_type=MARKDOWN
    )


_DOCUMENTS: Final = (
    _document("main", "MEMORY.md", "Everything that is remembered of the user. 全部长期记忆。"),
    _document("profile", "USER.md", "The user's profile. 用户档案。"),
    _document(
        "household",
        "HOUSEHOLD.md",
        "What the members of the user's household have in common. 家庭档案。",
    ),
)


def list_resources(
    memory: MemoryService, params: types.PaginatedRequestParams | None
) -> types.ListResourcesResult:
    """The documents, and after them the days that have a log, the newest first, in pages.

    Raises:
        MCPError: a cursor that no page gave.
    """
    cursor = params.cursor if params else None
    if cursor is not None and not _OFFSET.fullmatch(cursor):
        raise MCPError(types.INVALID_PARAMS, "cursor: not one that a page of this list gave")
    start = int(cursor or 0)
    page = memory.daily_logs.days(limit=PAGE_DAYS, offset=start)
    end = start + len(page.items)
    days = [
        types.Resource(
            uri=f"{_DAILY}{day}", name=f"{day}", title=f"Log of {day}", mime_type=MARKDOWN
        )
        for day in page.items
    ]
    return types.ListResourcesResult(
        resources=days if start else [*_DOCUMENTS, *days],
        next_cursor=str(end) if page.items and end < page.total else None,
    )


def read_resource(memory: MemoryService, uri: str, not_found: int) -> types.ReadResourceResult:
    """The document as a prompt takes it.

    Raises:
        MCPError: there is none of this name; its code is `not_found`.
    """
    text = _READERS[uri](memory) if uri in _READERS else _daily_log(memory, uri)
    if text is None:
        there_are = ", ".join([*_READERS, f"{_DAILY}YYYY-MM-DD for a day that has a log"])
        raise MCPError(not_found, f"no resource {uri}; there are: {there_are}", {"uri": uri})
    contents = types.TextResourceContents(uri=uri, mime_type=MARKDOWN, text=text)
    return types.ReadResourceResult(contents=[contents])


def _daily_log(memory: MemoryService, uri: str) -> str | None:
    """The day's log; None where there is none. A day is written as `isoformat` writes it."""
    text = uri.removeprefix(_DAILY)
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    if uri == text or day.isoformat() != text:
        return None
    log = memory.daily_logs.read(day)
    return _prepared(log.content) if log.etag else None


def _prepared(text: str) -> str:
    return prepare_main(text, sys.maxsize, DEFAULT.code).text
