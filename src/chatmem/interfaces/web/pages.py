"""Which address shows which view."""

from collections.abc import Awaitable, Callable
from typing import Final

from fastapi import Request
from nicegui import ui

from chatmem.interfaces.web.layout import frame
from chatmem.interfaces.web.views import (
    browse,
    chat,
    daily,
    memory,
    overview,
    profile,
    prompt,
    search,
    sessions,
    settings,
)
from chatmem.interfaces.web.visit import Visit, visit_of

View = Callable[[Visit, Request], Awaitable[None]]
VIEWS: Final[dict[str, tuple[str, View]]] = {
    "/": ("memory", memory.show),
    "/search": ("search", search.show),
    "/browse": ("browse", browse.show),
    "/sessions": ("sessions", sessions.show),
    "/sessions/{session_id:path}": ("sessions", sessions.show_one),
    "/daily": ("daily", daily.show),
    "/profile": ("profile", profile.show),
    "/prompt": ("prompt", prompt.show),
    "/chat": ("chat", chat.show),
    "/overview": ("overview", overview.show),
    "/settings": ("settings", settings.show),
}


def register() -> None:
    """Make every view known under its address."""
    for path, (name, view) in VIEWS.items():
        _register(path, name, view)


def _register(path: str, name: str, view: View) -> None:
    async def show(request: Request) -> None:
        visit = visit_of(request)
        with frame(visit, name):
            await view(visit, request)

    ui.page(path, response_timeout=10)(show)
