"""The frame around every view: where one is, where one can go, language and theme."""

import copy
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final, cast

from nicegui import Client, ui
from nicegui.language import Language as QuasarLanguage

from chatmem.interfaces.rest.page_sessions import PAGE
from chatmem.interfaces.web.visit import LANGUAGE_COOKIE, THEME_COOKIE, THEMES, Theme, Visit, tell
from chatmem.interfaces.web.words import LANGUAGES, NAMES, Language

_QUASAR: Final[dict[Language, str]] = {"en": "en-US", "zh-Hans": "zh-CN", "zh-Hant": "zh-TW"}
_THEME_ICONS: Final[dict[Theme, str]] = {
    "light": "light_mode",
    "dark": "dark_mode",
    "auto": "brightness_auto",
}
_DARK: Final[dict[Theme, bool | None]] = {"light": False, "dark": True, "auto": None}
_ESCAPE: Final = "() => { if (window.innerWidth < 1024) emit(); }"
"""Over a narrow window the menu lies on top of the view."""
_COOKIE_SECONDS: Final = 365 * 24 * 3600


@dataclass(frozen=True, slots=True)
class Place:
    """A view in the menu: its address below the page's, its word in `frame`, its icon."""

    path: str
    name: str
    icon: str


PLACES: Final = (
    Place("/", "memory", "description"),
    Place("/search", "search", "search"),
    Place("/browse", "browse", "table_rows"),
    Place("/sessions", "sessions", "forum"),
    Place("/daily", "daily", "calendar_month"),
    Place("/profile", "profile", "person"),
    Place("/prompt", "prompt", "fact_check"),
    Place("/chat", "chat", "chat_bubble"),
    Place("/overview", "overview", "insights"),
    Place("/settings", "settings", "settings"),
)


def address(path: str) -> str:
    """A view's address as links and `ui.navigate` take it: they put the page's before it."""
    return path


@contextmanager
def frame(visit: Visit, name: str) -> Iterator[ui.column]:
    """The page with its menu; what is built inside stands in its main column."""
    words = visit.words
    _speak(visit, ui.context.client)
    ui.colors(primary="#0f766e", secondary="#475569", accent="#7c3aed", positive="#15803d",
              negative="#b91c1c", warning="#b45309", info="#0369a1")  # fmt: skip
    ui.page_title(f"{words('frame.' + name)} · chatmem")
    ui.on_exception(lambda error: tell(visit, error))
    # Without a value it would ask the window for one, in vain where that was left at once. The
    # component itself opens it on a wide window, and tells.
    drawer = ui.left_drawer(value=False, bordered=True).classes("p-0")
    drawer.props("show-if-above width=220 breakpoint=1023")
    with ui.header(bordered=True).classes("frame-header items-center gap-2 px-3 py-2"):
        ui.button(icon="menu", on_click=drawer.toggle).props(
            f'flat round dense aria-label="{words("frame.menu")}"'
        )
        ui.link("chatmem", address("/")).classes("frame-brand text-lg font-semibold no-underline")
        ui.space()
        user = visit.memory.user_id
        ui.label(words("frame.for_user", user=user)).classes("max-sm:hidden text-sm opacity-80")
        _languages(visit)
        _themes(visit)
        if visit.token is not None:
            _sign_out(visit)
    with drawer, ui.element("nav").classes("w-full") as menu:
        menu.props(f'aria-label="{words("frame.menu")}"')
        menu.on("keydown.esc", drawer.hide, js_handler=_ESCAPE)
        for place in PLACES:
            _menu_entry(visit, place, is_here=place.name == name)
    main = ui.element("div").classes("w-full")  # inside the library's own `main`
    with main, ui.column().classes("w-full max-w-6xl mx-auto gap-4 p-2 sm:p-4") as column:
        heading = ui.label(words(f"frame.{name}")).props("role=heading aria-level=1")
        heading.classes("text-2xl font-semibold")
        yield column
    ui.skip_link(words("frame.skip"), target=main)


def _speak(visit: Visit, client: Client) -> None:
    """This client's copy of the page's facts has the visitor's language and theme."""
    page = copy.copy(client.page)
    page.language = cast(QuasarLanguage, _QUASAR[visit.language])
    page.dark = _DARK[visit.theme]
    client.page = page


def _menu_entry(visit: Visit, place: Place, *, is_here: bool) -> None:
    link = ui.link(target=address(place.path)).classes(
        "flex items-center gap-3 px-4 py-2.5 no-underline frame-entry"
    )
    if is_here:
        link.classes("frame-here").props('aria-current="page"')
    with link:
        ui.icon(place.icon, size="sm").props("aria-hidden=true")
        ui.label(visit.words(f"frame.{place.name}"))


def _languages(visit: Visit) -> None:
    label = visit.words("frame.language")
    button = ui.button(icon="translate").props(f'flat round dense aria-label="{label}"')
    with button, ui.menu():
        for language in LANGUAGES:
            item = ui.menu_item(
                NAMES[language],
                lambda chosen=language: _choose(LANGUAGE_COOKIE, chosen),
            )
            if language == visit.language:
                item.props("active")


def _themes(visit: Visit) -> None:
    label = visit.words("frame.theme")
    icon = _THEME_ICONS[visit.theme]
    button = ui.button(icon=icon).props(f'flat round dense aria-label="{label}"')
    with button, ui.menu():
        for theme in THEMES:
            item = ui.menu_item(
                visit.words(f"frame.theme_{theme}"),
                lambda chosen=theme: _choose(THEME_COOKIE, chosen),
            )
            if theme == visit.theme:
                item.props("active")


def _choose(cookie: str, value: str) -> None:
    ui.run_javascript(
        f"document.cookie = '{cookie}={value}; path={PAGE}; max-age={_COOKIE_SECONDS}; "
        "samesite=strict'; window.location.reload()"
    )


def _sign_out(visit: Visit) -> None:
    label = visit.words("frame.sign_out")
    button = ui.button(icon="logout").props(f'flat round dense aria-label="{label}"')
    button.on_click(lambda: ui.navigate.to(address("/logout")))
    button.tooltip(label)
