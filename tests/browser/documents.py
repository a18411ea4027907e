"""What the tests of documents on the page do alike."""

import re

from playwright.sync_api import Locator, Page, expect
from tests.browser.conftest import Words


def editor(page: Page, words: Words, name: str) -> Locator:
    return page.get_by_role("textbox", name=words("editor.text", document=name))


def save_button(page: Page, words: Words, name: str) -> Locator:
    return page.get_by_role("button", name=words("editor.save_named", document=name))


def expect_saved(page: Page, words: Words, name: str) -> None:
    """The document says when it was saved, and that nothing is left to save."""
    saved = re.escape(words("editor.saved_at", time="TIME")).replace("TIME", r"\d\d:\d\d")
    expect(page.get_by_role("status").filter(has_text=re.compile(saved)).first).to_be_visible()
    expect(save_button(page, words, name)).to_be_disabled()
