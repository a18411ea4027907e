"""One opened page: whose memory it shows, in which language, and how it calls the engine."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final, Literal, ParamSpec, TypeAlias, TypeVar, get_args
from urllib.parse import quote

from anyio.to_thread import run_sync
from fastapi import Request
from nicegui import ui

from chatmem.engine.service import MemoryService
from chatmem.errors import ChatmemError
from chatmem.interfaces.rest.identity import LOGIN, PAGE, PageSessions
from chatmem.interfaces.threads import run_writing
from chatmem.interfaces.web.words import LANGUAGES, complaint_of, preferred, speak, words

P = ParamSpec("P")
T = TypeVar("T")
Theme: TypeAlias = Literal["light", "dark", "auto"]
THEMES: Final[tuple[Theme, ...]] = get_args(Theme)
LANGUAGE_COOKIE: Final = "chatmem_language"
THEME_COOKIE: Final = "chatmem_theme"


class SignedOutError(Exception):
    """The key of this page no longer counts."""


@dataclass(frozen=True, slots=True)
class Visit:
    """One opened page; `is_operator` may change what concerns every user: settings, keys."""

    memory: MemoryService
    theme: Theme
    is_operator: bool
    token: str | None
    pages: PageSessions

    async def run(self, call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What a call that reads returns, from a thread; nobody waits for it when the server stops.

        Raises:
            SignedOutError: the page's key was revoked, or the first key was made since.
            ChatmemError: whatever the call raises.
        """
        checked = partial(self._checked, partial(call, *args, **kwargs))
        return await run_sync(checked, abandon_on_cancel=True)

    async def run_slow(self, call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """As `run`, for a call that may wait: it writes, or asks another server."""
        return await run_writing(self._checked, partial(call, *args, **kwargs))

    async def carry_out(self, call: Callable[[], object], done: str, **values: object) -> None:
        """Make a call that writes, as `run_slow`, then notify with the text `done`."""
        await self.run_slow(call)
        ui.notify(words(done, **values), type="positive")

    def _checked(self, call: Callable[[], T]) -> T:
        """What the call returns, while the visitor may still see it."""
        if not self.pages.counts(self.token):
            raise SignedOutError
        return call()


def session_address(session_id: str) -> str:
    """The address of a session's view, below the page's own."""
    return f"/sessions/{quote(session_id, safe='')}"


def speak_to(request: Request) -> None:
    """Speak the language that the visitor has chosen, or else the one that the browser prefers."""
    chosen = request.cookies.get(LANGUAGE_COOKIE, "")
    accepted = request.headers.get("accept-language", "")
    speak(chosen if chosen in LANGUAGES else preferred(accepted))


def visit_of(request: Request) -> Visit:
    """The visit that a request begins."""
    speak_to(request)
    state = request.state
    theme = request.cookies.get(THEME_COOKIE, "")
    return Visit(
        memory=state.memory,
        theme=theme if theme in THEMES else "auto",
        is_operator=bool(state.is_operator),
        token=request.scope["state"].get("page_token"),
        pages=state.page_sessions,
    )


def notify_error(error: BaseException) -> None:
    """Say what went wrong: one sentence, or the way to sign in again."""
    if isinstance(error, SignedOutError):
        ui.notify(words("frame.signed_out"), type="warning")
        ui.navigate.to(LOGIN.removeprefix(PAGE))
    elif isinstance(error, ChatmemError):
        complaint = complaint_of(error)
        ui.notify(
            complaint.text,
            type="negative",
            caption=complaint.detail,
            multi_line=True,
            close_button=words("frame.close"),
            timeout=10_000,
        )
    else:
        close = words("frame.close")
        ui.notify(words("frame.went_wrong"), type="negative", close_button=close)
