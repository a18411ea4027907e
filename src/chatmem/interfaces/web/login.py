"""Signing in on the page, where the server asks for keys, and what belongs to a sign-in.

The form has no script. The library finds a window by its random id alone: here a window's frames,
uploads and socket count only with the sign-in that opened it, and it ends with that one.
Source: interfaces.md (Identity).
"""

import inspect
from collections.abc import Mapping
from functools import partial
from html import escape
from pathlib import Path
from string import Template
from typing import Annotated, Any, Final
from urllib.parse import parse_qs

from anyio.to_thread import run_sync
from fastapi import APIRouter, FastAPI, Form, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from nicegui import Client
from nicegui.core import sio
from starlette.middleware import Middleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from chatmem.interfaces.problems import Problem, refuse
from chatmem.interfaces.rest import identity
from chatmem.interfaces.rest.identity import LOGIN, PAGE
from chatmem.interfaces.web.visit import THEME_COOKIE, speak_to
from chatmem.interfaces.web.words import words

router = APIRouter(include_in_schema=False)

_POLICY: Final = (
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'"
)
_FORM: Final = Template(Path(__file__).with_name("login.html").read_text("utf-8"))
_SOCKETS: Final = f"{PAGE}/_nicegui_ws/"
_HANDLERS: Final = {
    name: sio.handlers["/"][name]
    for name in ("handshake", "event", "javascript_response", "ack", "log")
}
"""The library's own, for frames that name a window."""
_REFUSED: Final = Problem(403, "this window belongs to another sign-in")


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
    sessions: identity.PageSessions = request.app.state.page_sessions
    answer = RedirectResponse(f"{PAGE}/", 303)
    answer.set_cookie(
        identity.PAGE_COOKIE,
        sessions.open(key),
        max_age=int(identity.SESSION_SECONDS),
        path=PAGE,
        secure=request.url.scheme == "https",
        httponly=True,
        samesite="strict",
    )
    return answer


@router.get(f"{PAGE}/logout")
async def leave(request: Request) -> Response:
    """Out, and back to the form."""
    sessions: identity.PageSessions = request.app.state.page_sessions
    token = request.cookies.get(identity.PAGE_COOKIE)
    sessions.close(token)
    await end_windows(token)
    answer = RedirectResponse(LOGIN, 303)
    answer.delete_cookie(identity.PAGE_COOKIE, path=PAGE, httponly=True, samesite="strict")
    return answer


def _form(request: Request, *, wrong: bool = False) -> Response:
    speak_to(request)
    theme = request.cookies.get(THEME_COOKIE)
    said = {
        name: escape(words(f"login.{name}")) for name in ("title", "about", "key", "enter", "wrong")
    }
    content = _FORM.substitute(
        said,
        language=words.language,
        scheme=theme if theme in ("light", "dark") else "light dark",
        action=LOGIN,
        trouble=f'<p class="wrong" role="alert">{said["wrong"]}</p>' if wrong else "",
    )
    headers = {"content-security-policy": _POLICY}
    return HTMLResponse(content, 401 if wrong else 200, headers)


def bind_windows(app: FastAPI) -> None:
    """Let nobody use a window of the page who did not open it."""
    app.user_middleware.append(Middleware(_bound))  # behind what says who asks
    for name in _HANDLERS:
        sio.on(name, partial(_take, name))


async def end_windows(token: str | None) -> None:
    """Nothing happens any more in the windows of a sign-in; each is told to load again."""
    for client in list(Client.instances.values()):
        if token is not None and _sign_in(client.request.scope)[1] == token:
            await sio.emit("try_reconnect", {}, room=client.id)
            client.delete()


async def _take(name: str, sid: str, frame: object) -> object:
    """What the library answers to a frame that names a window of the sender's; False to others."""
    client_id = frame.get("client_id") if isinstance(frame, dict) else None
    if not isinstance(client_id, str) or _is_anothers(client_id, sio.get_environ(sid)):
        return False
    if client := Client.instances.get(client_id):
        speak_to(client.request)
    answer = _HANDLERS[name](sid, frame)
    return await answer if inspect.isawaitable(answer) else answer


def _is_anothers(client_id: str, asked: Mapping[str, Any]) -> bool:
    """True for a window that another sign-in opened; one that is gone is nobody's."""
    client = Client.instances.get(client_id)
    return client is not None and _sign_in(client.request.scope) != _sign_in(asked["asgi.scope"])


def _sign_in(scope: Scope) -> tuple[str | None, str | None]:
    """The key of a request and, on the page, the token; without keys all are one."""
    state = scope["state"]
    return state["key_id"], state.get("page_token")


def _bound(app: ASGIApp) -> ASGIApp:
    """Passes on what concerns no window, or one of the same sign-in."""

    async def pass_on(scope: Scope, receive: Receive, send: Send) -> None:
        path = str(scope.get("path", ""))
        if path.startswith((identity.UPLOADS, _SOCKETS)):
            if _concerns_another(path, scope):
                await refuse(_REFUSED, scope, receive, send)
                return
            if scope["type"] == "http":
                speak_to(Request(scope))
            elif _sign_in(scope)[1] is not None:
                receive = _while_it_counts(scope, receive)
        await app(scope, receive, send)

    return pass_on


def _concerns_another(path: str, scope: Scope) -> bool:
    """True for an upload to, or a socket of, somebody else's window or sign-in."""
    asked = {"asgi.scope": scope}
    if path.startswith(identity.UPLOADS):
        return _is_anothers(path.removeprefix(identity.UPLOADS).partition("/")[0], asked)
    query = parse_qs(scope["query_string"].decode("latin-1"))
    opened = filter(None, map(sio.environ.get, query.get("sid", ())))
    return any(_sign_in(one["asgi.scope"]) != _sign_in(scope) for one in opened) or any(
        _is_anothers(one, asked) for one in query.get("client_id", ())
    )


def _while_it_counts(scope: Scope, receive: Receive) -> Receive:
    """What a socket receives while its sign-in counts; then its windows are told, and it ends."""
    (_, token), pages = _sign_in(scope), scope["state"]["page_sessions"]
    is_over = False

    async def receive_one() -> Message:
        nonlocal is_over
        message = await receive()
        if is_over:
            return {"type": "websocket.disconnect", "code": 1008}
        if not await run_sync(pages.counts, token):
            is_over = True
            await end_windows(token)
        return message

    return receive_one
