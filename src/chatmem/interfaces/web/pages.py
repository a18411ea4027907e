"""Which address shows which view."""

import logging
from collections.abc import Awaitable, Callable
from typing import Final

from fastapi import Request
from nicegui import ui

from chatmem.errors import ChatmemError
from chatmem.interfaces.web.layout import frame
from chatmem.interfaces.web.views import (
    chat,
    daily,
    memory,
    overview,
    profile,
    prompt,
    session,
    sessions,
    settings,
)
from chatmem.interfaces.web.views.memories import browse
from chatmem.interfaces.web.visit import SignedOutError, Visit, visit_of

LOGGER: Final = "nicegui"
View = Callable[[Visit, Request], Awaitable[None]]
VIEWS: Final[dict[str, tuple[str, View]]] = {
    "/": ("memory", memory.show),
    "/search": ("search", browse.show_search),
    "/browse": ("browse", browse.show),
    "/sessions": ("sessions", sessions.show),
    "/sessions/{session_id:path}": ("sessions", session.show),
    "/daily": ("daily", daily.show),
    "/profile": ("profile", profile.show),
    "/prompt": ("prompt", prompt.show),
    "/chat": ("chat", chat.show),
    "/overview": ("overview", overview.show),
    "/settings": ("settings", settings.show),
}
"""By address below the page's own: the name in the menu, and the view."""


def register() -> None:
    """Register every view, and keep what visitors are shown out of the server's log."""
    for path, (name, view) in VIEWS.items():
        _register(path, name, view)
    logging.getLogger(LOGGER).addFilter(is_unexpected)


def is_unexpected(record: logging.LogRecord) -> bool:
    """False for an exception that the page explains to its visitor, which is no server error.

    The library logs every exception of a page; ours are answers: a stale etag, a refused value.
    """
    error = record.exc_info[1] if record.exc_info else record.msg
    return not isinstance(error, (ChatmemError, SignedOutError))


def _register(path: str, name: str, view: View) -> None:
    async def show(request: Request) -> None:
        visit = visit_of(request)
        with frame(visit, name):
            await view(visit, request)

    ui.page(path, response_timeout=10)(show)
