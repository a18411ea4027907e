"""Who is signed in on the page: a browser has a cookie where a program has a key.

The cookie is random, of this process and the page's paths only, hidden from scripts and other
sites; it ends with its key. Source: interfaces.md (Identity).
"""

import re
import secrets
import time
from typing import Final

from chatmem.engine.server import Keys

PAGE: Final = "/ui"
PAGE_COOKIE: Final = "chatmem_page"
LOGIN: Final = f"{PAGE}/login"
UPLOADS: Final = f"{PAGE}/_nicegui/client/"
"""Of a window: files imported on the page, which go to disk piece by piece."""
_ASSET: Final = re.compile(
    rf"{PAGE}/_nicegui/[0-9.]+/(static|libraries|components|resources|esm)/[\w./+-]+", re.ASCII
)
SESSION_SECONDS: Final = 12 * 3600.0
_MOST: Final = 10_000


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
        while len(self._known) > _MOST:
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


def is_asset(path: str) -> bool:
    """True for the library's scripts and styles: the same for everybody, and nobody's memory."""
    return _ASSET.fullmatch(path) is not None and ".." not in path
