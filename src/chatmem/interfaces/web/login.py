"""Signing in on the page, where the server asks for keys: a form without a script."""

from html import escape
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
_STYLE: Final = """
:root { font-family: system-ui, "Noto Sans CJK SC", sans-serif; }
body { display: grid; place-items: center; min-height: 90vh; margin: 1rem; }
form { width: min(24rem, 100%); display: grid; gap: .75rem; }
input, button { font: inherit; padding: .6rem .75rem; border-radius: .5rem;
  border: 1px solid #888; }
button { background: #0f766e; color: #fff; border-color: #0f766e; cursor: pointer; }
.wrong { color: light-dark(#b91c1c, #f87171); } code { overflow-wrap: anywhere; }
"""


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
    scheme = theme if theme in ("light", "dark") else "light dark"

    def say(name: str) -> str:
        return escape(words(f"login.{name}"))

    trouble = f'<p class="wrong" role="alert">{say("wrong")}</p>' if wrong else ""
    content = (
        f'<!doctype html><html lang="{words.language}" style="color-scheme: {scheme}">'
        '<head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{say('title')} · chatmem</title><style>{_STYLE}</style></head><body><main>"
        f'<form method="post" action="{LOGIN}"><h1>chatmem</h1>'
        f"<p>{say('about')} <code>chatmem keys create</code></p>{trouble}"
        f'<label for="key">{say("key")}</label>'
        '<input id="key" name="key" type="password" autocomplete="current-password" required '
        f'autofocus><button type="submit">{say("enter")}</button></form></main></body></html>'
    )
    headers = {"content-security-policy": _POLICY}
    return HTMLResponse(content, 401 if wrong else 200, headers)
