"""The view of each address; one application, and so one page, in a process."""

import logging
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Final

from fastapi import FastAPI, Request
from nicegui import app as nicegui_app
from nicegui import ui

from chatmem.errors import ChatmemError
from chatmem.interfaces.rest.page_sessions import PAGE
from chatmem.interfaces.web import login
from chatmem.interfaces.web.layout import MenuEntry, frame
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
_FOLDER: Final = Path(__file__).parent
_RECONNECT_SECONDS: Final = 30.0
"""How long a phone may sleep, or a restart take, before unsaved text is lost."""
View = Callable[[Visit, Request], Awaitable[None]]
VIEWS: Final[dict[str, tuple[MenuEntry, View]]] = {
    "/": (MenuEntry("memory", "description"), memory.show),
    "/search": (MenuEntry("search", "search"), partial(browse.show, mode="search")),
    "/browse": (MenuEntry("browse", "table_rows"), partial(browse.show, mode="list")),
    "/sessions": (MenuEntry("sessions", "forum"), sessions.show),
    "/daily": (MenuEntry("daily", "calendar_month"), daily.show),
    "/profile": (MenuEntry("profile", "person"), profile.show),
    "/prompt": (MenuEntry("prompt", "fact_check"), prompt.show),
    "/chat": (MenuEntry("chat", "chat_bubble"), chat.show),
    "/overview": (MenuEntry("overview", "insights"), overview.show),
    "/settings": (MenuEntry("settings", "settings"), settings.show),
}
"""By address below the page's own: the entry in the menu, and the view."""
_MENU: Final = {path: entry for path, (entry, _) in VIEWS.items()}


def mount_page(app: FastAPI) -> None:
    """Serve the page, its assets and its sign-in with this application."""
    app.include_router(login.router)
    app.include_router(settings.router)
    for path, (entry, view) in VIEWS.items():
        _register(path, entry.name, view)
    _register("/sessions/{session_id:path}", "sessions", session.show)
    logging.getLogger(LOGGER).addFilter(is_unexpected)
    # A bar above the page for each upload has no name, and the page shows one of its own.
    nicegui_app.config.quasar_config["loadingBar"]["skipHijack"] = True
    ui.add_css(_FOLDER.joinpath("style.css").read_text("utf-8"), shared=True)
    script = _FOLDER.joinpath("markdown_editor.js").read_text("utf-8")
    ui.add_head_html(f"<script>{script}</script>", shared=True)
    login.bind_windows(app)
    ui.run_with(
        app,
        title="chatmem",
        mount_path=PAGE,
        reconnect_timeout=_RECONNECT_SECONDS,
        gzip_middleware_factory=None,
        show_welcome_message=False,
    )


def is_unexpected(record: logging.LogRecord) -> bool:
    """False for an exception that the page explains to its visitor: no error of the server."""
    error = record.exc_info[1] if record.exc_info else record.msg
    return not isinstance(error, (ChatmemError, SignedOutError))


def _register(path: str, name: str, view: View) -> None:
    async def show(request: Request) -> None:
        visit = visit_of(request)
        with frame(visit, name, _MENU):
            await view(visit, request)

    ui.page(path, response_timeout=10)(show)
