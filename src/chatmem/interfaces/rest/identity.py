"""Who a request stands for: a key's user, or, without keys, whoever sits at this machine.

Without keys `Host` and `Origin` have to be this machine's own, and proxies are refused, so that no
foreign page can send anything. On the page a browser has a cookie where a program has a key: it is
random, of this process and the page's paths only, hidden from scripts and other sites; it ends with
its key. Source: interfaces.md (Identity).
"""

import ipaddress
import re
import secrets
import time
from functools import lru_cache
from typing import Any, Final
from urllib.parse import unquote, urlsplit

from anyio.to_thread import run_sync
from starlette.datastructures import Headers
from starlette.requests import cookie_parser
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from chatmem.engine.server import Keys
from chatmem.engine.service import MemoryService
from chatmem.engine.state import stage
from chatmem.errors import ChatmemError
from chatmem.interfaces.problems import Problem, problem_of, refuse
from chatmem.interfaces.threads import work_for

PAGE: Final = "/ui"
PAGE_COOKIE: Final = "chatmem_page"
LOGIN: Final = f"{PAGE}/login"
UPLOADS: Final = f"{PAGE}/_nicegui/client/"
"""Of a window: files imported on the page, which go to disk piece by piece."""
_ASSET: Final = re.compile(
    rf"{PAGE}/_nicegui/[0-9.]+/(static|libraries|components|resources|esm)/[\w./+-]+", re.ASCII
)
SESSION_SECONDS: Final = 12 * 3600.0
_MOST_SESSIONS: Final = 10_000
OPEN_PATHS: Final = frozenset({"/healthz", "/readyz", "/openapi.json"})
"""They say nothing about anybody, and whoever watches the server may have no key."""
_WAY_IN: Final = frozenset({"/", LOGIN})
"""Of the page: where nobody has a key yet. Foreign hosts and origins are refused here too."""
USER_HEADER: Final = "x-chatmem-user"
_FORWARDED: Final = {"forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via"}
_PORTS: Final = {"http": 80, "https": 443}
_MOST_MEMORIES: Final = 1_000
_FOREIGN: Final = Problem(403, "Origin: a page from elsewhere may not ask")
_CHALLENGE: Final = {"www-authenticate": 'Bearer realm="chatmem"'}


class PageSessions:
    """Tokens of browsers that are signed in, and the keys they signed in with.

    Opened and closed on the event loop, asked from any thread.
    """

    def __init__(self, keys: Keys) -> None:
        self._keys = keys
        self._known: dict[str, tuple[str, float]] = {}

    def open(self, key: str) -> str:
        """A new token for a key that counts."""
        token = secrets.token_urlsafe(32)
        self._known[token] = (key, time.monotonic() + SESSION_SECONDS)
        while len(self._known) > _MOST_SESSIONS:
            del self._known[next(iter(self._known))]
        return token

    def key_of(self, token: str | None) -> str | None:
        """The key that the token stands for; None where there is none, or no longer."""
        found = self._known.get(token or "")
        return found[0] if found is not None and found[1] >= time.monotonic() else None

    def counts(self, token: str | None) -> bool:
        """True while who has the token may act; None is who came while no keys were needed."""
        if token is None:
            return not self._keys.are_needed()
        key = self.key_of(token)
        return key is not None and self._keys.find(key) is not None

    def close(self, token: str | None) -> None:
        """The browser signed out."""
        self._known.pop(token or "", None)


def is_page(path: str) -> bool:
    """True for the addresses of the page, its assets and its socket."""
    return path == PAGE or path.startswith(f"{PAGE}/")


class Identify:
    """Puts `memory`, `key_id` and `is_operator` into the request's state, or refuses it."""

    def __init__(self, app: ASGIApp, memory: MemoryService, pages: PageSessions) -> None:
        self._app = app
        self._memory = memory
        self._pages = pages
        self._is_far = memory.settings.database is not None
        self._known: dict[str, MemoryService] = {}
        self._deleted = memory.users.deleted

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass one request on, or refuse it."""
        if scope["type"] == "lifespan" or _is_open(scope):
            await self._app(scope, receive, send)
            return
        try:
            with stage("identify"):
                found = await self._identify(scope)
        except ChatmemError as error:
            found = problem_of(error)
        if not isinstance(found, Problem):
            scope.setdefault("state", {}).update(found, page_sessions=self._pages)
            work_for(found["memory"].user_id)
            await self._app(scope, receive, send)
        elif found.status == 401 and _is_navigation(scope):
            await RedirectResponse(LOGIN, 303)(scope, receive, send)
        else:
            await refuse(found, scope, receive, send)

    async def _identify(self, scope: Scope) -> dict[str, Any] | Problem:
        """The request's state, or why it is refused.

        Keys in a file are read in less time than it takes to ask another thread.
        """
        found = await run_sync(self._asker, scope) if self._is_far else self._asker(scope)
        if isinstance(found, Problem):
            return found
        user_id, deleted = found.pop("user_id"), self._memory.users.deleted
        if deleted != self._deleted or len(self._known) > _MOST_MEMORIES:
            self._known, self._deleted = {}, deleted
        known = self._known
        # Opening a memory looks at the user's files, so it is kept, until a user is gone.
        if user_id not in known:
            known[user_id] = await run_sync(self._memory.for_user, user_id)
        return {"memory": known[user_id], **found}

    def _asker(self, scope: Scope) -> dict[str, Any] | Problem:
        """Whose memory is asked for, with which key, and what it may; or why it is refused."""
        headers = Headers(scope=scope)
        given = headers.getlist(USER_HEADER)
        if len(given) > 1:
            return Problem(400, "X-Chatmem-User: came more than once")
        try:
            header = given[0].encode("latin-1").decode("utf-8") if given else ""
            named = unquote(header, errors="strict").strip() or None  # percent-encoded or not
        except UnicodeError:
            return Problem(400, "X-Chatmem-User: takes a name, percent-encoded as UTF-8")
        if not self._memory.keys.are_needed():
            client = scope.get("client")
            refusal = refusal_without_keys(client[0] if client else None, headers)
            return refusal or _state(named or self._memory.user_id, None, True)
        scheme, _, sent = headers.get("authorization", "").partition(" ")
        given_key = sent.strip() if scheme.lower() == "bearer" else ""
        token = None
        if is_page(scope["path"]):
            if _is_from_elsewhere(scope, headers):
                return _FOREIGN
            token = cookie_parser(headers.get("cookie", "")).get(PAGE_COOKIE)
            given_key = given_key or self._pages.key_of(token) or ""
        key = self._memory.keys.find(given_key)
        if key is None and scope["path"] in _WAY_IN:
            return _state(self._memory.user_id, None, False)
        if key is None:
            return Problem(401, "Authorization: takes `Bearer` and a key", headers=_CHALLENGE)
        if named is not None and named != key.user_id and not key.is_admin:
            return Problem(403, "X-Chatmem-User: this key is bound to its own user")
        return {**_state(named or key.user_id, key.id, key.is_admin), "page_token": token}


def _state(user_id: str, key_id: str | None, is_operator: bool) -> dict[str, Any]:
    return {"user_id": user_id, "key_id": key_id, "is_operator": is_operator}


def refusal_without_keys(client: str | None, headers: Headers) -> Problem | None:
    """Why a request is not answered while there are no keys; None where it is."""
    if client is None or not is_loopback(client):
        return Problem(403, "without keys only this machine is answered: `chatmem keys create`")
    if not _FORWARDED.isdisjoint(headers):
        return Problem(403, "without keys nothing is answered that a proxy passes on")
    hosts = headers.getlist("host")
    own_port = _loopback_port(f"http://{hosts[0]}") if len(hosts) == 1 else None
    if own_port is None:
        return Problem(421, "Host: without keys it has to name this machine, as localhost does")
    origin = headers.get("origin")
    if origin is not None and _loopback_port(origin) != own_port:
        return _FOREIGN
    is_page = headers.get("sec-fetch-mode") == "navigate"
    return _FOREIGN if headers.get("sec-fetch-site") == "cross-site" and not is_page else None


def _is_from_elsewhere(scope: Scope, headers: Headers) -> bool:
    """True for what a page of another origin sends, except a link to this one that is followed.

    Browsers say it in `Sec-Fetch-Site`; those that do not say it name the page in `Origin`, which
    has to be the host that was asked. No page can set these headers, nor `X-Forwarded-Host`.
    """
    site, origin = headers.get("sec-fetch-site"), headers.get("origin")
    if site is None:
        hosts = (headers.get("host"), headers.get("x-forwarded-host"))
        return origin is not None and origin.partition("://")[2] not in hosts
    is_link = scope.get("method") == "GET" and headers.get("sec-fetch-mode") == "navigate"
    return site not in ("same-origin", "none") and not is_link


@lru_cache
def is_loopback(host: str) -> bool:
    """True for `localhost` and the addresses that never leave the machine."""
    if host.lower().rstrip(".") == "localhost":
        return True
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return (mapped or address).is_loopback


def _is_open(scope: Scope) -> bool:
    """True for what needs no key: health, the API's description, the page's scripts and styles."""
    path: str = scope["path"]
    is_asset = scope["type"] == "http" and _ASSET.fullmatch(path) is not None and ".." not in path
    return path in OPEN_PATHS or is_asset


@lru_cache
def _loopback_port(origin: str) -> int | None:
    """The port of `http://localhost:8600` or `https://[::1]`; None where it is no such address."""
    try:
        parts = urlsplit(origin)
        port = parts.port
    except ValueError:
        return None
    if parts.scheme not in _PORTS or origin != f"{parts.scheme}://{parts.netloc}" or "@" in origin:
        return None
    if parts.hostname is None or not is_loopback(parts.hostname):
        return None
    return _PORTS[parts.scheme] if port is None else port


def _is_navigation(scope: Scope) -> bool:
    """True where a browser opens the page, where a person can sign in."""
    page = scope["type"] == "http" and scope["method"] == "GET" and is_page(scope["path"])
    return page and "text/html" in Headers(scope=scope).get("accept", "")
