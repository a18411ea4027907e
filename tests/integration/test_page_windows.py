"""With keys, the page answers its own origin alone, and a window its own sign-in alone."""

import gc
import json
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from typing import Any
from urllib.parse import urlencode

import httpx
import pytest
from nicegui import Client
from tests.conftest import soon
from tests.doors import Served, by_words, served
from websockets import Origin
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect
from websockets.sync.connection import Connection

from chatmem.interfaces.rest.identity import PAGE_COOKIE
from chatmem.interfaces.web.pages import mount_page

EVIL = "http://evil.example"


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server with the page, of which a process has one."""
    folder = tmp_path_factory.mktemp("page")
    with by_words(folder) as memory, served(memory, extend=mount_page) as running:
        yield running


class Browser:
    """Somebody's browser without its scripts: cookies, the page's windows, their sockets."""

    def __init__(self, page: Served, http: httpx.Client, user: str) -> None:
        self.page = page
        self.http = http
        self.key, self.kept = page.memory.keys.create(user)
        self.last = ""
        answer = self.http.post("/ui/login", data={"key": self.key}, headers={"origin": page.url})
        assert answer.status_code == httpx.codes.SEE_OTHER

    def open(self, path: str = "/ui/settings") -> str:
        """The id of a new window."""
        self.last = self.http.get(path, headers={"accept": "text/html"}).text
        found = re.search(r"client_id\W+([0-9a-f-]{36})", self.last)
        assert found is not None, self.last[:500]
        return found[1]

    def socket(self, client_id: str, origin: str | None = None) -> Connection:
        """The window's socket, which has said what a browser says first."""
        query = {
            "EIO": 4,
            "transport": "websocket",
            "client_id": client_id,
            "tab_id": f"tab of {client_id}",
            "document_id": "d",
            "next_message_id": 0,
            "implicit_handshake": "true",
        }
        address = f"ws://127.0.0.1:{self.page.port}/ui/_nicegui_ws/socket.io/?{urlencode(query)}"
        cookie = f"{PAGE_COOKIE}={self.http.cookies.get(PAGE_COOKIE)}"
        socket = connect(
            address, origin=Origin(origin or self.page.url), additional_headers={"cookie": cookie}
        )
        assert str(socket.recv(5)).startswith("0{")
        socket.send("40")
        assert "sid" in str(socket.recv(5))
        return socket


NewBrowser = Callable[[str], Browser]


@pytest.fixture
def new_browser(page: Served) -> Iterator[NewBrowser]:
    """Opens a browser in which this user is signed in."""
    with ExitStack() as stack:
        yield lambda user: Browser(page, stack.enter_context(page.client()), user)


@pytest.fixture
def mei(new_browser: NewBrowser) -> Browser:
    return new_browser("mei")


@pytest.fixture
def tom(new_browser: NewBrowser) -> Browser:
    return new_browser("tom")


def tell(socket: Connection, name: str, **frame: Any) -> None:  # noqa: ANN401
    socket.send(f"42{json.dumps([name, frame])}")


def heard(socket: Connection, seconds: float = 1.0) -> str:
    """Everything that comes until nothing comes any more."""
    found = []
    with suppress(TimeoutError, ConnectionClosed):
        while True:
            found.append(str(socket.recv(seconds)))
    return "\n".join(found)


@pytest.mark.parametrize(
    ("status", "headers"),
    [
        (303, {}),
        (303, {"origin": "here"}),
        (303, {"origin": "null", "sec-fetch-site": "same-origin"}),
        (303, {"origin": "https://mem.example", "x-forwarded-host": "mem.example"}),
        (403, {"origin": EVIL}),
        (403, {"origin": "null"}),
        (403, {"origin": "http://127.0.0.1:1"}),
        (403, {"origin": "here", "sec-fetch-site": "same-site", "sec-fetch-mode": "navigate"}),
        (403, {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"}),
    ],
)
def test_nobody_is_signed_in_from_elsewhere(
    page: Served, status: int, headers: dict[str, str]
) -> None:
    key, _ = page.memory.keys.create("mallory")
    sent = {name: page.url if value == "here" else value for name, value in headers.items()}

    with page.client() as browser:
        answer = browser.post("/ui/login", data={"key": key}, headers=sent)

    assert answer.status_code == status
    assert (PAGE_COOKIE in answer.cookies) is (status == httpx.codes.SEE_OTHER)


def test_a_link_from_elsewhere_may_be_followed_and_no_more(mei: Browser) -> None:
    link = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"}
    assert mei.http.get("/ui/browse", headers=link).status_code == httpx.codes.OK
    picture = {"sec-fetch-site": "same-site", "sec-fetch-mode": "no-cors"}
    assert mei.http.get("/ui/logout", headers=picture).status_code == httpx.codes.FORBIDDEN
    assert mei.http.get("/ui/browse", headers={"origin": EVIL}).status_code == httpx.codes.FORBIDDEN


def test_a_socket_from_another_origin_is_refused(mei: Browser) -> None:
    window = mei.open()
    for origin in (EVIL, "http://127.0.0.1:1", "null"):
        with pytest.raises(InvalidStatus):
            mei.socket(window, origin)
    with mei.socket(window):
        assert Client.instances[window].has_socket_connection


def test_a_window_hears_only_who_opened_it(page: Served, mei: Browser, tom: Browser) -> None:
    window, own = mei.open("/ui/"), tom.open("/ui/")
    number = next(iter(Client.instances[window].elements))
    with pytest.raises(InvalidStatus):
        tom.socket(window)
    before = page.memory.for_user("mei").settings
    with mei.socket(window) as hers, tom.socket(own) as his:
        heard(hers)
        told: list[object] = []
        Client.instances[window].handle_event = told.append  # type: ignore[assignment,method-assign]
        frame = {"id": number, "client_id": window, "listener_id": "x", "args": []}
        tell(his, "event", **frame)
        tell(his, "log", client_id=window, level="error", message="mine")
        tell(his, "handshake", client_id=window, tab_id="t", document_id="d")
        heard(his)
        assert told == []
        tell(hers, "event", **frame)
        soon(lambda: told == [frame])
    assert page.memory.for_user("mei").settings == before
    upload = f"/ui/_nicegui/client/{window}/upload/{number}"
    answer = tom.http.post(upload, files={"f": b"x"}, headers={"origin": page.url})
    assert answer.status_code == httpx.codes.FORBIDDEN


def test_frames_that_are_none_are_let_go(
    mei: Browser, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    window = mei.open()
    with mei.socket(window) as socket:
        for frame in ("{}", '{"client_id": 5}', '{"client_id": []}', "[]", "5", '"x"', "null"):
            for name in ("event", "handshake", "log", "ack", "javascript_response"):
                socket.send(f'42["{name}",{frame}]')
        tell(socket, "handshake", client_id="nobody", tab_id="t", document_id="d")
        heard(socket, 0.5)
        assert Client.instances[window].has_socket_connection
    gc.collect()  # an error of a task that nobody waits for is told when the task is gone
    assert "Error" not in capfd.readouterr().err + caplog.text


def test_signing_out_ends_every_window(mei: Browser, tom: Browser) -> None:
    first, second = mei.open(), mei.open()
    his = tom.open()
    with mei.socket(first) as socket:
        heard(socket)
        mei.http.get("/ui/logout")
        assert "try_reconnect" in heard(socket)
    assert not {first, second} & set(Client.instances)
    assert his in Client.instances


@pytest.mark.parametrize("message", ["3", '42["ack",{}]'])
def test_revoking_a_key_ends_its_windows_at_the_next_message(
    page: Served, mei: Browser, message: str
) -> None:
    window = mei.open()
    with mei.socket(window) as socket:
        heard(socket)
        page.memory.keys.revoke(mei.kept.id)
        socket.send(message)
        assert "try_reconnect" in heard(socket)
        assert window not in Client.instances
        socket.send(message)
        with pytest.raises(ConnectionClosed):
            while True:
                socket.recv(5)
