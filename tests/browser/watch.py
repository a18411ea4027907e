"""A browser that sees what no test may miss: errors in the console, and requests to elsewhere."""

import re
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, ConsoleMessage, Page, Request, WebSocket, expect

FLAGS: Final = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # Whatever asks for another machine fails at once, and is seen.
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1 , EXCLUDE localhost",
)
CONNECTED: Final = "() => window.socket?.connected && window.did_handshake"


@dataclass
class Watch:
    """What a browser did that it should not; `allow` says what a test expects of it."""

    own_host: str
    seen: list[str] = field(default_factory=list)
    """Addresses, sockets and what was said in the console, for whoever asks why a test failed."""
    errors: list[str] = field(default_factory=list)
    strangers: list[str] = field(default_factory=list)
    _allowed: list[re.Pattern[str]] = field(default_factory=list)

    def allow(self, pattern: str) -> None:
        """Console errors that match it are no defect, here."""
        self._allowed.append(re.compile(pattern))

    def over(self, context: BrowserContext) -> None:
        """Watch every page of the context."""
        context.on("console", self._note_message)
        context.on("weberror", lambda error: self.errors.append(f"uncaught: {error.error}"))
        context.on("request", self._note_request)
        context.on("page", self._over_page)

    def check(self) -> None:
        """Fail where there was something."""
        errors = [one for one in self.errors if not any(ok.search(one) for ok in self._allowed)]
        assert not errors, f"errors in the console: {errors}"
        assert not self.strangers, f"requests that left the machine: {self.strangers}"

    def _over_page(self, page: Page) -> None:
        page.on("websocket", self._note_socket)
        page.on("framenavigated", lambda frame: self._note(f"at {frame.url}"))

    def _note(self, what: str) -> None:
        self.seen.append(f"{datetime.now():%H:%M:%S.%f} {what}")

    def _note_message(self, message: ConsoleMessage) -> None:
        self._note(f"{message.type}: {message.text}")
        if message.type == "error":
            self.errors.append(f"{message.text} ({message.location.get('url', '')})")

    def _note_request(self, request: Request) -> None:
        self._note_address(request.url)

    def _note_socket(self, socket: WebSocket) -> None:
        self._note("socket opened")
        socket.on("close", lambda _: self._note("socket closed"))
        self._note_address(socket.url)

    def _note_address(self, address: str) -> None:
        parts = urlsplit(address)
        if parts.scheme in ("http", "https", "ws", "wss") and parts.netloc != self.own_host:
            self.strangers.append(address)


def choose(page: Page, label: str, option: str) -> None:
    """Take an option of a list, which is closed then."""
    page.get_by_role("combobox", name=label, exact=True).click()
    page.get_by_role("option", name=option, exact=True).click()
    expect(page.get_by_role("option")).to_have_count(0)


def go(page: Page, address: str) -> None:
    """Open an address of the page; returns when it answers to clicks."""
    page.goto(address)
    page.wait_for_function(CONNECTED)
