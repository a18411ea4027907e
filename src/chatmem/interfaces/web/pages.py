"""The view of each address, and the frame around it: the menu, the language and the theme.

One application, and so one page, in a process.
"""

import copy
import logging
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Final, TypeVar, cast

from fastapi import FastAPI, Request
from nicegui import app as nicegui_app
from nicegui import ui
from nicegui.language import Language as QuasarLanguage

from chatmem.errors import ChatmemError
from chatmem.interfaces.rest.identity import PAGE
from chatmem.interfaces.web import login
from chatmem.interfaces.web import visit as visits
from chatmem.interfaces.web.views import (
    chat,
    daily,
    memory,
    overview,
    profile,
    prompt,
    sessions,
    settings,
)
from chatmem.interfaces.web.views.memories import browse
from chatmem.interfaces.web.widgets import heading, icon_button, named
from chatmem.interfaces.web.words import NAMES, Language, words

_QUASAR: Final[dict[Language, str]] = {"en": "en-US", "zh-Hans": "zh-CN", "zh-Hant": "zh-TW"}
_THEME_ICONS: Final[dict[visits.Theme, str]] = {
    "light": "light_mode",
    "dark": "dark_mode",
    "auto": "brightness_auto",
}
_DARK: Final[dict[visits.Theme, bool | None]] = {"light": False, "dark": True, "auto": None}
_ESCAPE: Final = "() => { if (window.innerWidth < 1024) emit(); }"
"""Over a narrow window the menu lies on top of the view."""
Option = TypeVar("Option", bound=str)
_COOKIE_SECONDS: Final = 365 * 24 * 3600

LOGGER: Final = "nicegui"
_FOLDER: Final = Path(__file__).parent
_RECONNECT_SECONDS: Final = 30.0
"""How long a phone may sleep, or a restart take, before unsaved text is lost."""
View = Callable[[visits.Visit, Request], Awaitable[None]]
VIEWS: Final[dict[str, tuple[str, str, View]]] = {
    "/": ("memory", "description", memory.show),
    "/search": ("search", "search", partial(browse.show, mode="search")),
    "/browse": ("browse", "table_rows", partial(browse.show, mode="list")),
    "/sessions": ("sessions", "forum", sessions.show_list),
    "/daily": ("daily", "calendar_month", daily.show),
    "/profile": ("profile", "person", profile.show),
    "/prompt": ("prompt", "fact_check", prompt.show),
    "/chat": ("chat", "chat_bubble", chat.show),
    "/overview": ("overview", "insights", overview.show),
    "/settings": ("settings", "settings", settings.show),
}
"""By address below the page's own: the name, `frame.NAME` in the menu, the icon, and the view."""


def mount_page(app: FastAPI) -> None:
    """Serve the page, its assets and its sign-in with this application."""
    app.include_router(login.router)
    app.include_router(settings.router)
    for path, (name, _, view) in VIEWS.items():
        _register(path, name, view)
    _register("/sessions/{session_id:path}", "sessions", sessions.show_one)
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
    return not isinstance(error, (ChatmemError, visits.SignedOutError))


def _register(path: str, name: str, view: View) -> None:
    async def show(request: Request) -> None:
        visit = visits.visit_of(request)
        with frame(visit, name):
            await view(visit, request)

    ui.page(path, response_timeout=10)(show)


@contextmanager
def frame(visit: visits.Visit, name: str) -> Iterator[ui.column]:
    """The page with its menu; what is built inside stands in its main column."""
    page = ui.context.client.page = copy.copy(ui.context.client.page)
    page.language = cast(QuasarLanguage, _QUASAR[words.language])
    page.dark = _DARK[visit.theme]
    ui.colors(primary="#0f766e", secondary="#475569", accent="#7c3aed", positive="#15803d",
              negative="#b91c1c", warning="#b45309", info="#0369a1")  # fmt: skip
    ui.page_title(f"{words('frame.' + name)} · chatmem")
    ui.on_exception(lambda error: visits.notify_error(error))
    # Without a value it would ask the window for one, in vain where that was left at once. The
    # component itself opens it on a wide window, and tells.
    drawer = ui.left_drawer(value=False, bordered=True).classes("p-0")
    drawer.props("show-if-above width=220 breakpoint=1023")
    with ui.header(bordered=True).classes("frame-header items-center gap-2 px-3 py-2"):
        icon_button("menu", words("frame.menu"), drawer.toggle)
        ui.link("chatmem", "/").classes("frame-brand text-lg font-semibold no-underline")
        ui.space()
        user = visit.memory.user_id
        ui.label(words("frame.for_user", user=user)).classes("max-sm:hidden text-sm opacity-80")
        _choice(words("frame.language"), "translate", visits.LANGUAGE_COOKIE, NAMES, words.language)
        themes = {one: words(f"frame.theme_{one}") for one in visits.THEMES}
        icon = _THEME_ICONS[visit.theme]
        _choice(words("frame.theme"), icon, visits.THEME_COOKIE, themes, visit.theme)
        if visit.token is not None:
            icon_button("logout", words("frame.sign_out"), lambda: ui.navigate.to("/logout"))
    with drawer, named(ui.element("nav"), words("frame.menu")).classes("w-full") as menu:
        menu.on("keydown.esc", drawer.hide, js_handler=_ESCAPE)
        for address, (view, icon, _) in VIEWS.items():
            link = ui.link(target=address)
            link.classes("flex items-center gap-3 px-4 py-2.5 no-underline frame-entry")
            if view == name:
                link.classes("frame-here").props('aria-current="page"')
            with link:
                ui.icon(icon, size="sm").props("aria-hidden=true")
                ui.label(words(f"frame.{view}"))
    main = ui.element("div").classes("w-full")  # inside the library's own `main`
    with main, ui.column().classes("w-full max-w-6xl mx-auto gap-4 p-2 sm:p-4") as column:
        heading(words(f"frame.{name}"), 1, "text-2xl font-semibold")
        yield column
    ui.skip_link(words("frame.skip"), target=main)


def _choice(
    label: str, icon: str, cookie: str, options: Mapping[Option, str], current: Option
) -> None:
    """A menu whose choice goes into a cookie; the page is loaded again."""
    with icon_button(icon, label), ui.menu():
        for value, text in options.items():
            kept = f"'{cookie}={value}; path={PAGE}; max-age={_COOKIE_SECONDS}; samesite=strict'"
            choose = f"() => {{ document.cookie = {kept}; window.location.reload(); }}"
            item = ui.menu_item(text).on("click", js_handler=choose)
            if value == current:
                item.props("active")
