"""Pictures of every view of the page: in both themes, wide and narrow, in three languages.

    .venv/bin/python bench/screenshots.py --to screenshots
    .venv/bin/python bench/screenshots.py --to screenshots --only chat --language zh-Hant

Of each view as it is opened, of an empty memory too, and of what stands on it once something was
done: dialogs, hints, errors. Starts servers of its own on a folder that is thrown away, fills it,
and needs Chromium.
"""

import argparse
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from typing import cast
from urllib.parse import urlsplit

sys.path.insert(0, str(Path(__file__).parent.parent))

from playwright.sync_api import Browser, expect, sync_playwright
from tests.browser.conftest import LOCALES, NARROW, WAIT_MS, WIDE, chromium
from tests.browser.sample import VIEWS, fill
from tests.browser.server import Served, serve, user_of
from tests.browser.states import STATES, Window, leave
from tests.browser.watch import FLAGS, Watch
from tests.chat_model_server import ChatModelServer, Reply

from chatmem.interfaces.web.visit import LANGUAGE_COOKIE, THEME_COOKIE
from chatmem.interfaces.web.words import LANGUAGES, Language, Words

THEMES = ("light", "dark")
ANSWER = "Measure the **stairs** first:\n\n1. The door\n2. The sofa\n\n然后再订家具。"
EMPTY = "empty-"
"""Before the names of pictures of a memory that holds nothing yet."""
STATE_HEIGHT = 1_400
"""A window that shows a whole dialog."""
REST_MS = 400
Look = tuple[str, str, tuple[int, int]]
"""A language, a theme and a window's size."""


def main() -> None:
    """Take the pictures that are asked for."""
    wanted = _arguments()
    program = chromium()
    if program is None:
        sys.exit("Chromium is not installed (Debian: apt install chromium fonts-noto-cjk)")
    wanted.to.mkdir(parents=True, exist_ok=True)
    languages = [wanted.language] if wanted.language else LANGUAGES
    themes = [wanted.theme] if wanted.theme else THEMES
    with (
        tempfile.TemporaryDirectory() as folder,
        ChatModelServer(ANSWER) as model,
        serve(Path(folder, "with"), _environment(model)) as server,
        serve(Path(folder, "without")) as without_model,
        user_of(server, "mei") as full,
        user_of(without_model, "mei") as alone,
        user_of(server, "nobody") as empty,
        sync_playwright() as playwright,
    ):
        expect.set_options(timeout=WAIT_MS)
        fill(full.memory)
        browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
        for look in product(languages, themes, (WIDE, NARROW)):
            with _pictures(browser, full, look, wanted) as pictures:
                pictures.of_views()
                pictures.of_states()
                pictures.of_failure(model)
            with _pictures(browser, empty, look, wanted) as pictures:
                pictures.of_views(EMPTY)
            with _pictures(browser, alone, look, wanted) as pictures:
                pictures.of_others()
            print(*look, flush=True)
        browser.close()
        wrong = [*server.complaints(0), *without_model.complaints(0)]
    if wrong:
        sys.exit("the server had errors:\n" + "\n".join(wrong))


def _arguments() -> argparse.Namespace:
    asked = argparse.ArgumentParser(description="Pictures of every view of the page.")
    asked.add_argument("--to", type=Path, default=Path("screenshots"), help="folder for them")
    asked.add_argument("--only", help="views whose name has this in it")
    asked.add_argument("--language", choices=LANGUAGES, help="one language")
    asked.add_argument("--theme", choices=THEMES, help="one theme")
    return asked.parse_args()


def _environment(model: ChatModelServer) -> dict[str, str]:
    return {"CHATMEM_LLM_BASE_URL": model.base_url, "CHATMEM_LLM_MODEL": "small-model"}


@contextmanager
def _pictures(
    browser: Browser, whose: Served, look: Look, wanted: argparse.Namespace
) -> Iterator["_Pictures"]:
    language, theme, size = look
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]},
        locale=LOCALES[cast(Language, language)],
        extra_http_headers={"X-Chatmem-User": whose.user},
        reduced_motion="reduce",
    )
    for name, value in ((LANGUAGE_COOKIE, language), (THEME_COOKIE, theme)):
        context.add_cookies([{"name": name, "value": value, "url": whose.page_url}])
    watch = Watch(urlsplit(whose.url).netloc)
    watch.over(context)
    yield _Pictures(
        Window(context.new_page(), Words(cast(Language, language)), whose), look, wanted
    )
    context.close()
    watch.check()


class _Pictures:
    """Takes the pictures of one window."""

    def __init__(self, window: Window, look: Look, wanted: argparse.Namespace) -> None:
        self._window = window
        self._page = window.page
        self._wanted = wanted
        language, theme, self._size = look
        self._ending = f"-{language}-{theme}-{self._size[0]}.png"

    def of_views(self, prefix: str = "") -> None:
        """Every view, as it is opened."""
        for path, view in VIEWS.items():
            if not self._wants(name := prefix + view):
                continue
            self._window.open(path)
            if view == "search":
                self._page.locator(".browse-open").first.wait_for()
            if name == "chat":
                self._talk()
                self._page.get_by_text(self._window.words("chat.nothing_yet")).wait_for()
            self._whole(name)

    def of_states(self) -> None:
        """What views show once something was done in them."""
        for name, state in STATES.items():
            if not self._wants(name):
                continue
            self._page.set_viewport_size({"width": self._size[0], "height": STATE_HEIGHT})
            state(self._window)
            self._take(name)
            leave(self._window)
            self._page.set_viewport_size({"width": self._size[0], "height": self._size[1]})

    def of_failure(self, model: ChatModelServer) -> None:
        """An answer that broke off."""
        if self._wants("chat-failed"):
            self._window.open("/chat")
            model.planned[:] = [Reply(ANSWER, cut_after=3)] * 3
            self._talk()
            self._window.button("frame.try_again").wait_for()
            model.planned.clear()
            self._whole("chat-failed")

    def of_others(self) -> None:
        """Without a model, and the form for a key."""
        if self._wants("chat-no-model"):
            self._window.open("/chat")
            self._whole("chat-no-model")
        if self._wants("login"):
            self._page.goto(f"{self._window.served.page_url}/login")
            self._take("login")

    def _wants(self, name: str) -> bool:
        return not self._wanted.only or self._wanted.only in name

    def _talk(self) -> None:
        field = self._page.get_by_label(self._window.words("chat.message"))
        field.fill("My sister comes in December. 她喜欢博物馆。")
        field.press("Enter")
        self._page.locator(".chat-markdown, .field-error").last.wait_for()

    def _whole(self, name: str) -> None:
        """The whole page in a window as high as it: what sticks to a window's edge is in place."""
        self._page.wait_for_load_state("networkidle")
        self._page.wait_for_timeout(REST_MS)  # until what was drawn has come to rest
        height = self._page.evaluate("document.documentElement.scrollHeight")
        self._page.set_viewport_size({"width": self._size[0], "height": max(height, self._size[1])})
        self._take(name)
        self._page.set_viewport_size({"width": self._size[0], "height": self._size[1]})

    def _take(self, name: str) -> None:
        self._page.wait_for_timeout(REST_MS)
        self._page.screenshot(path=self._wanted.to / f"{name}{self._ending}")
        width = self._page.evaluate("document.documentElement.scrollWidth")
        if width > self._size[0]:
            print(f"{name}{self._ending}: {width} px wide, past the window's edge")


if __name__ == "__main__":
    main()
