"""Signing in on the page, where the server asks for keys: a form without a script."""

from html import escape
from pathlib import Path
from string import Template
from typing import Annotated, Final

from anyio.to_thread import run_sync
from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from chatmem.interfaces.rest.page_sessions import (
    LOGIN,
    PAGE,
    PAGE_COOKIE,
    SESSION_SECONDS,
    PageSessions,
)
from chatmem.interfaces.web.visit import THEME_COOKIE, words_of

router = APIRouter(include_in_schema=False)

_POLICY: Final = (
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'"
)
_PAGE: Final = Template(Path(__file__).with_name("login.html").read_text("utf-8"))


@router.get("/")
async def home() -> Response:
    """The page is where a person begins."""
    return RedirectResponse(f"{PAGE}/", 307)


@router.get(LOGIN)
async def form(request: Request) -> Response:
    """The form."""
    return _form(request)


@router.post(LOGIN)
async def enter(request: Request, key: Annotated[str, Form()] = "") -> Response:
    """A cookie for a key that counts; the form again for any other."""
    key = key.strip()
    if await run_sync(request.app.state.memory.keys.find, key) is None:
        return _form(request, wrong=True)
    sessions: PageSessions = request.app.state.page_sessions
    answer = RedirectResponse(f"{PAGE}/", 303)
    answer.set_cookie(
        PAGE_COOKIE,
        sessions.open(key),
        max_age=int(SESSION_SECONDS),
        path=PAGE,
        secure=request.url.scheme == "https",
        httponly=True,
        samesite="strict",
    )
    return answer


@router.get(f"{PAGE}/logout")
async def leave(request: Request) -> Response:
    """Out, and back to the form."""
    sessions: PageSessions = request.app.state.page_sessions
    sessions.close(request.cookies.get(PAGE_COOKIE))
    answer = RedirectResponse(LOGIN, 303)
    answer.delete_cookie(PAGE_COOKIE, path=PAGE, httponly=True, samesite="strict")
    return answer


def _form(request: Request, *, wrong: bool = False) -> Response:
    words = words_of(request)
    theme = request.cookies.get(THEME_COOKIE)
    said = {
        name: escape(words(f"login.{name}")) for name in ("title", "about", "key", "enter", "wrong")
    }
    content = _PAGE.substitute(
        said,
        language=words.language,
        scheme=theme if theme in ("light", "dark") else "light dark",
        action=LOGIN,
        trouble=f'<p class="wrong" role="alert">{said["wrong"]}</p>' if wrong else "",
    )
    headers = {"content-security-policy": _POLICY}
    return HTMLResponse(content, 401 if wrong else 200, headers)
