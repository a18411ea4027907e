"""Documents of memory as MCP resources: MEMORY.md, the daily logs, the profiles.

A client puts them into prompts, so they are given as a prompt takes them: without ids and comments,
and harmless. What does not exist yet is an empty text, but for a day without a log.

Source: S5.1; interfaces.md (`/mcp`).
"""

import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date

from mcp import MCPError
from mcp_types import (
    INVALID_PARAMS,
    ListResourcesResult,
    ReadResourceResult,
    Resource,
    ResourceTemplate,
    TextResourceContents,
)

from chatmem.engine.service import MemoryService
from chatmem.prompt.imitations import neutralise
from chatmem.prompt.main_memory import prepare_main

MARKDOWN = "text/markdown"
PAGE_DAYS = 100
_DAILY = "memory://daily/"
DAILY_TEMPLATE = f"{_DAILY}{{date}}"
_OFFSET = re.compile(r"[1-9][0-9]{0,8}")


@dataclass(frozen=True, slots=True)
class _Document:
    name: str
    title: str
    description: str
    read: Callable[[MemoryService], str]


def _main(memory: MemoryService) -> str:
    return _shown(memory.read_main())


def _profile(memory: MemoryService) -> str:
    return neutralise(memory.get_user_profile())


def _household(memory: MemoryService) -> str:
    return neutralise(memory.profiles.visible("household"))


_DOCUMENTS: Mapping[str, _Document] = {
    "memory://main": _Document(
        "main", "MEMORY.md", "Everything that is remembered of the user. 全部长期记忆。", _main
    ),
    "memory://profile": _Document(
        "profile", "USER.md", "The user's profile. 用户档案。", _profile
    ),
    "memory://household": _Document(
        "household",
        "HOUSEHOLD.md",
        "What the members of the user's household have in common. 家庭档案。",
        _household,
    ),
}  # fmt: skip


def list_resources(memory: MemoryService, cursor: str | None) -> ListResourcesResult:
    """The documents, and after them the days that have a log, the newest first, in pages.

    Raises:
        MCPError: a cursor that no page gave.
    """
    start = 0 if cursor is None else _offset(cursor)
    page = memory.daily_logs.days(limit=PAGE_DAYS, offset=start)
    end = start + len(page.items)
    listed = [] if start else [_listed(uri, one) for uri, one in _DOCUMENTS.items()]
    return ListResourcesResult(
        resources=listed + [_listed_day(day) for day in page.items],
        next_cursor=str(end) if page.items and end < page.total else None,
    )


def resource_templates() -> list[ResourceTemplate]:
    """How the log of any day is named."""
    return [
        ResourceTemplate(
            name="daily",
            title="Daily log",
            uri_template=DAILY_TEMPLATE,
            description="The log of a day, as 2026-11-21. 某一天的日志。",
            mime_type=MARKDOWN,
        )
    ]


def read_resource(memory: MemoryService, uri: str, not_found: int) -> ReadResourceResult:
    """The document as a prompt takes it.

    Raises:
        MCPError: there is none of this name; its code is `not_found`.
    """
    text = _text(memory, uri)
    if text is None:
        there_are = ", ".join([*_DOCUMENTS, f"{_DAILY}YYYY-MM-DD for a day that has a log"])
        raise MCPError(not_found, f"no resource {uri}; there are: {there_are}", {"uri": uri})
    return ReadResourceResult(
        contents=[TextResourceContents(uri=uri, mime_type=MARKDOWN, text=text)]
    )


def _text(memory: MemoryService, uri: str) -> str | None:
    document = _DOCUMENTS.get(uri)
    if document is not None:
        return document.read(memory)
    day = _day(uri.removeprefix(_DAILY)) if uri.startswith(_DAILY) else None
    log = memory.daily_logs.read(day) if day else None
    return _shown(log.content) if log and log.etag else None


def _shown(text: str) -> str:
    return prepare_main(text, sys.maxsize, "en").text


def _offset(cursor: str) -> int:
    if not _OFFSET.fullmatch(cursor):
        raise MCPError(INVALID_PARAMS, "cursor: not one that a page of this list gave")
    return int(cursor)


def _day(text: str) -> date | None:
    """The day, written as `isoformat` writes it: one document has one name."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    return day if day.isoformat() == text else None


def _listed(uri: str, document: _Document) -> Resource:
    return Resource(
        uri=uri,
        name=document.name,
        title=document.title,
        description=document.description,
        mime_type=MARKDOWN,
    )


def _listed_day(day: date) -> Resource:
    return Resource(
        uri=f"{_DAILY}{day.isoformat()}",
        name=day.isoformat(),
        title=f"Log of {day.isoformat()}",
        mime_type=MARKDOWN,
    )
