"""Chromium before the real server: `page` is a window of one user, in each language.

    def test_x(served: Served, visit: Visit) -> None:
        served.memory.append_memory("Keeps bees")        # the test's own process, the same files
        page = visit("/search?q=bees")                   # open, connected, watched
        page.get_by_role("button", name=visit.words("search.go")).click()

A test that takes `visit` or `page` runs in English or in Chinese, as its name decides, or in what
`@pytest.mark.parametrize("language", ["en"])` says; `test_axe.py` opens every view in both. With
`CHATMEM_TEST_LANGUAGES=all` all run in both. A test fails on an error in the console or in the
server's log, and on a request that would leave the machine.
"""

import logging
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn
from urllib.parse import urlsplit
from zlib import crc32

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright
from tests.browser.server import USER_HEADER, Served, Server, serve, user_of
from tests.browser.watch import FLAGS, Watch, go

from chatmem.interfaces.web.visit import LANGUAGE_COOKIE, THEME_COOKIE
from chatmem.interfaces.web.visit import THEMES as THEMES
from chatmem.interfaces.web.visit import Theme as Theme
from chatmem.interfaces.web.words import Language as Language
from chatmem.interfaces.web.words import Words as Words

_log = logging.getLogger(__name__)
WAIT_MS = 20_000
WIDE = (1280, 860)
NARROW = (390, 844)
_NAMES = (
    *("chromium-headless-shell", "chromium"),  # the shell has no windows: half of the work
    *("chromium-browser", "google-chrome", "google-chrome-stable"),
)
LOCALES: dict[Language, str] = {"en": "en-GB", "zh-Hans": "zh-CN", "zh-Hant": "zh-TW"}

StartServer = Callable[..., Served]
NewWindow = Callable[..., "Visit"]


@dataclass(frozen=True)
class Visit:
    """A window of somebody who looks at the page; `visit("/search")` opens a view in it."""

    page: Page
    words: Words
    url: str
    watch: Watch

    def __call__(self, path: str = "/") -> Page:
        """The window with this view, which answers to clicks."""
        go(self.page, f"{self.url}/ui{path}")
        return self.page

    def sign_in(self, key: str) -> None:
        """Answers the form that asks for a key."""
        self.page.get_by_label(self.words("login.key")).fill(key)
        self.page.get_by_role("button", name=self.words("login.enter")).click()


def fail_or_skip(reason: str) -> NoReturn:
    """What a test needs is not there: a defect where it should be, or else left out."""
    if os.environ.get("CI", "").lower() in ("1", "true"):
        pytest.fail(reason)
    pytest.skip(reason)


def chromium() -> str | None:
    """The browser: the one that CHROMIUM names, or one that is found; None where there is none."""
    named = os.environ.get("CHROMIUM")
    return named or next((found for name in _NAMES if (found := shutil.which(name))), None)


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    program = chromium()
    if program is None:
        fail_or_skip("Chromium is not installed (Debian: apt install chromium fonts-noto-cjk)")
    with sync_playwright() as playwright:
        expect.set_options(timeout=WAIT_MS)
        launched = playwright.chromium.launch(executable_path=program, args=FLAGS)
        yield launched
        launched.close()


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One for all tests that do not change what is everybody's; each has a user of its own."""
    with serve(tmp_path_factory.mktemp("served")) as running:
        yield running


@pytest.fixture
def served(server: Server) -> Iterator[Served]:
    """A new user of the shared server."""
    before = server.log_size()
    with user_of(server) as user:
        yield user
    assert not server.complaints(before)


@pytest.fixture
def start_server(tmp_path: Path) -> Iterator[StartServer]:
    """Starts a server for this test alone, as `start_server(CHATMEM_LLM_MODEL="x")`.

    Its user is `default`, or `user=`. With `expect_errors=True` its log may have some.
    """
    with ExitStack() as stack:
        checked: list[Server] = []

        def start(
            user: str = "default", *, expect_errors: bool = False, **environment: str
        ) -> Served:
            folder = tmp_path / f"server-{len(checked)}"
            running = stack.enter_context(serve(folder, environment))
            checked.append(running)
            if not expect_errors:
                stack.callback(_assert_quiet, running)
            return stack.enter_context(user_of(running, user))

        yield start


def _assert_quiet(server: Server) -> None:
    assert not server.complaints(0)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Half of the tests run in English, the other half in Chinese."""
    marks = metafunc.definition.iter_markers("parametrize")
    if "language" not in metafunc.fixturenames or any("language" in mark.args[0] for mark in marks):
        return
    languages = ["en", "zh-Hans"]
    if os.environ.get("CHATMEM_TEST_LANGUAGES") != "all":
        languages = [languages[crc32(metafunc.definition.name.encode()) % 2]]
    metafunc.parametrize("language", languages)


@pytest.fixture
def language() -> Language:
    """The page's language; `pytest_generate_tests` gives it."""
    raise NotImplementedError


@pytest.fixture
def words(language: Language) -> Words:
    """What the page says in that language."""
    return Words(language)


@pytest.fixture
def new_window(browser: Browser, language: Language) -> Iterator[NewWindow]:
    """Opens a window with cookies of its own: `new_window(served, theme="dark", size=NARROW)`."""
    opened: list[tuple[BrowserContext, Watch]] = []

    def open_window(
        whose: Served,
        *,
        theme: Theme = "light",
        size: tuple[int, int] = WIDE,
        language: Language = language,
        signs_in: bool = False,
    ) -> Visit:
        """`signs_in`: the window belongs to nobody yet, the form asks for a key."""
        context = browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            locale=LOCALES[language],
            extra_http_headers={} if signs_in else {USER_HEADER: whose.user},
            reduced_motion="reduce",
        )
        context.set_default_timeout(WAIT_MS)
        context.grant_permissions(["clipboard-read", "clipboard-write"])
        for name, value in ((LANGUAGE_COOKIE, language), (THEME_COOKIE, theme)):
            context.add_cookies([{"name": name, "value": value, "url": whose.page_url}])
        watch = Watch(urlsplit(whose.url).netloc)
        watch.over(context)
        opened.append((context, watch))
        return Visit(context.new_page(), Words(language), whose.url, watch)

    yield open_window
    for context, _ in opened:
        context.close()
    for _, watch in opened:
        _log.info("what the window saw:\n%s", "\n".join(watch.seen))
    for _, watch in opened:
        watch.check()


@pytest.fixture
def visit(new_window: NewWindow, served: Served) -> Visit:
    """A window of the test's user."""
    return new_window(served)


@pytest.fixture
def page(visit: Visit) -> Page:
    """The page of `visit`."""
    return visit.page
