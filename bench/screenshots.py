"""Pictures of every view of the page: in both themes, wide and narrow, in three languages.

    .venv/bin/python bench/screenshots.py --to screenshots
    .venv/bin/python bench/screenshots.py --to screenshots --only chat --language zh-Hant

Starts a server of its own on a folder that is thrown away, fills it, and needs Chromium.
"""

import argparse
import sys
import tempfile
from itertools import product
from pathlib import Path
from urllib.parse import urlsplit

sys.path.insert(0, str(Path(__file__).parent.parent))

from playwright.sync_api import Browser, Page, sync_playwright
from tests.browser.conftest import NARROW, WIDE, chromium
from tests.browser.serving import Served, serve, user_of
from tests.browser.showing import VIEWS, fill
from tests.browser.watching import FLAGS, Watch, go

from chatmem.interfaces.web.visit import LANGUAGE_COOKIE, THEME_COOKIE
from chatmem.interfaces.web.words import LANGUAGES, Words
from chatmem.testing.chat_model_server import ChatModelServer

THEMES = ("light", "dark")
ANSWER = "Measure the **stairs** first:\n\n1. The door\n2. The sofa\n\n然后再订家具。"
EMPTY = "empty-"
"""Before the names of pictures of a memory that holds nothing yet."""


def main() -> None:
    """Take the pictures that are asked for."""
    wanted = _arguments()
    program = chromium()
    if program is None:
        sys.exit("Chromium is not installed (Debian: apt install chromium fonts-noto-cjk)")
    wanted.to.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        ChatModelServer(ANSWER) as model,
        serve(Path(folder), _environment(model)) as server,
        user_of(server, "mei") as full,
        user_of(server, "nobody") as empty,
        sync_playwright() as playwright,
    ):
        fill(full.memory)
        browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
        for whose, prefix in ((full, ""), (empty, EMPTY)):
            _take_all(browser, whose, prefix, wanted)
        browser.close()


def _arguments() -> argparse.Namespace:
    asked = argparse.ArgumentParser(description="Pictures of every view of the page.")
    asked.add_argument("--to", type=Path, default=Path("screenshots"), help="folder for them")
    asked.add_argument("--only", help="views whose name has this in it")
    asked.add_argument("--language", choices=LANGUAGES, help="one language")
    asked.add_argument("--theme", choices=THEMES, help="one theme")
    return asked.parse_args()


def _environment(model: ChatModelServer) -> dict[str, str]:
    return {"CHATMEM_LLM_BASE_URL": model.base_url, "CHATMEM_LLM_MODEL": "small-model"}


def _take_all(browser: Browser, whose: Served, prefix: str, wanted: argparse.Namespace) -> None:
    languages = [wanted.language] if wanted.language else LANGUAGES
    themes = [wanted.theme] if wanted.theme else THEMES
    for language, theme, size in product(languages, themes, (WIDE, NARROW)):
        context = browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            extra_http_headers={"X-Chatmem-User": whose.user},
            reduced_motion="reduce",
        )
        for name, value in ((LANGUAGE_COOKIE, language), (THEME_COOKIE, theme)):
            context.add_cookies([{"name": name, "value": value, "url": whose.page_url}])
        watch = Watch(urlsplit(whose.url).netloc)
        watch.over(context)
        page = context.new_page()
        for path, view in VIEWS.items():
            name = f"{prefix}{view}"
            if wanted.only and wanted.only not in name:
                continue
            go(page, f"{whose.page_url}{path}")
            if name == "chat":
                _talk(page, Words(language))
            page.wait_for_load_state("networkidle")
            page.wait_for_timeout(400)  # until what was drawn has come to rest
            page.screenshot(
                path=wanted.to / f"{name}-{language}-{theme}-{size[0]}.png", full_page=True
            )
        context.close()
        watch.check()
        print(f"{whose.user}: {language}, {theme}, {size[0]} px")


def _talk(page: Page, words: Words) -> None:
    field = page.get_by_label(words("chat.message"))
    field.fill("My sister comes in December. 她喜欢博物馆。")
    field.press("Enter")
    page.locator(".chat-markdown strong").wait_for()
    page.get_by_text(words("chat.nothing_yet")).wait_for()


if __name__ == "__main__":
    main()
