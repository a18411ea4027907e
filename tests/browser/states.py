"""What a view shows once something was done in it: dialogs, hints, errors. For axe and pictures."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from urllib.parse import quote

from playwright.sync_api import Locator, Page, expect
from tests.browser.conftest import Words
from tests.browser.sample import SESSION
from tests.browser.server import Served
from tests.browser.watch import go

PROFILE: Final = "USER.md"


@dataclass(frozen=True, slots=True)
class Window:
    """A window of a user whose memory `sample.fill` has filled."""

    page: Page
    words: Words
    served: Served

    def open(self, path: str) -> Page:
        go(self.page, f"{self.served.page_url}{path}")
        return self.page

    def button(self, name: str, within: Locator | None = None, **values: object) -> Locator:
        return (within or self.page).get_by_role(
            "button", name=self.words(name, **values), exact=True
        )

    def dialog(self) -> Locator:
        found = self.page.get_by_role("dialog")
        expect(found).to_be_visible()
        return found


def _open_card(window: Window, text: str) -> Locator:
    page = window.open(f"/browse?text={quote(text)}")
    page.locator(".browse-open").first.click()
    return window.dialog()


def card(window: Window) -> None:
    """A memory that was changed, with what it said before."""
    dialog = _open_card(window, "lists are fine")
    expect(dialog.locator("del").first).to_be_visible()


def card_long(window: Window) -> None:
    """One that says much."""
    _open_card(window, "fourth floor")


def card_origin(window: Window) -> None:
    """One with the message that it came from."""
    dialog = _open_card(window, "moving to Berlin")
    expect(dialog.locator("blockquote").first).to_be_visible()


def card_edit(window: Window) -> None:
    """Being changed, with a field that was left empty."""
    dialog = _open_card(window, "Lives in Berlin")
    window.button("card.edit", dialog).click()
    dialog.get_by_label(window.words("card.content")).fill("")
    window.button("frame.save", dialog).click()
    expect(dialog.get_by_role("alert")).to_be_visible()


def forgetting(window: Window) -> None:
    """Ten seconds in which it can be taken back."""
    dialog = _open_card(window, "Lives in Berlin")
    window.button("card.forget", dialog).click()
    expect(window.button("card.keep_it")).to_be_focused()


def browse_shared(window: Window) -> None:
    """What others share."""
    page = window.open("/browse?whose=shared")
    expect(page.locator(".browse-owner").first).to_be_visible()


def card_shared(window: Window) -> None:
    """Another's memory, which can be read only."""
    page = window.open("/browse?whose=shared")
    page.locator(".browse-open").first.click()
    window.dialog()


def browse_filters(window: Window) -> None:
    """All filters, and nothing that fits them."""
    page = window.open("/browse?text=nothing+like+it&category=fact")
    page.get_by_text(window.words("browse.more_filters")).click()
    expect(page.get_by_label(window.words("browse.time_to"))).to_be_visible()


def search_nothing(window: Window) -> None:
    """A search in vain."""
    page = window.open("/search?q=xylophone")
    expect(page.get_by_text(window.words("search.none"), exact=True)).to_be_visible()


def menu(window: Window) -> None:
    """The menu, which a narrow window has aside, and the languages."""
    page = window.open("/search")
    if not page.get_by_role("link", name=window.words("frame.settings")).is_visible():
        window.button("frame.menu").click()
    else:
        window.button("frame.language").click()


def session_delete(window: Window) -> None:
    """Asked before a session goes."""
    window.open(f"/sessions/{quote(SESSION, safe='')}")
    window.button("sessions.delete").click()
    window.dialog()


def session_none(window: Window) -> None:
    """An address of no session."""
    page = window.open("/sessions/nowhere")
    expect(page.get_by_text(window.words("sessions.none_of_it"))).to_be_visible()


def changed_elsewhere(window: Window) -> None:
    """The hint that somebody else wrote in the meantime."""
    _write_on_both_sides(window)


def merge(window: Window) -> None:
    """Both versions side by side."""
    _write_on_both_sides(window)
    window.button("editor.compare").click()
    expect(window.dialog().locator(".cm-content")).to_be_visible()


def _write_on_both_sides(window: Window) -> None:
    words, memory = window.words, window.served.memory
    page = window.open("/profile")
    editor = page.get_by_role("textbox", name=words("editor.text", document=PROFILE))
    editor.click()
    page.keyboard.press("Control+End")
    page.keyboard.type("- Plays the cello on Tuesdays")
    memory.update_user_profile(
        f"# Mei 梅\n\n- Software engineer 软件工程师\n- 喜欢简洁的回答，{datetime.now():%H:%M:%S}\n"
    )
    expect(window.button("editor.compare")).to_be_visible()


def import_broken(window: Window) -> None:
    """A file that cannot be imported."""
    _import(window, "broken.json", '{"messages": [')
    expect(window.page.get_by_role("alert").filter(has_text="broken.json")).to_be_visible()


def import_done(window: Window) -> None:
    """A file that was imported, and what was left out of it."""
    said = [{"role": "system", "content": "Be kind."}, {"role": "user", "content": "Hello 你好"}]
    _import(window, "talk.json", json.dumps({"messages": said}))
    note = window.words("settings.note_system_prompt")
    expect(window.page.get_by_text(note)).to_be_visible()


def _import(window: Window, name: str, text: str) -> None:
    page = window.open("/settings")
    file = {"name": name, "mimeType": "application/json", "buffer": text.encode()}
    page.locator("input[type=file]").set_input_files(file)  # type: ignore[arg-type]
    page.locator(".import-place").scroll_into_view_if_needed()


def setting_refused(window: Window) -> None:
    """A setting that takes no such number."""
    page = window.open("/settings")
    field = page.get_by_label(window.words("settings.name_rag_top_n"), exact=True)
    field.fill("-3")
    field.press("Enter")
    expect(page.get_by_role("alert").first).to_be_visible()


def danger(window: Window) -> None:
    """Asked before everything is forgotten."""
    window.open("/settings")
    window.button("settings.forget_do").click()
    window.dialog()


def checks(window: Window) -> None:
    """Everything that can be looked at."""
    page = window.open("/overview")
    window.button("overview.check").click()
    expect(page.get_by_text(window.words("overview.found_watcher"))).to_be_visible()


def prompt_refused(window: Window) -> None:
    """A prompt of nothing."""
    page = window.open("/prompt")
    window.button("prompt.go").click()
    expect(page.get_by_role("alert").first).to_be_visible()


def leave(window: Window) -> None:
    """Takes back what a state began, so that it harms no other."""
    back = window.button("card.keep_it")
    if back.count():
        back.click()
        expect(back).to_have_count(0)


STATES: Final[dict[str, Callable[[Window], None]]] = {
    state.__name__.replace("_", "-"): state
    for state in (
        card, card_long, card_origin, card_edit, card_shared, forgetting, browse_shared,
        browse_filters, search_nothing, menu, session_delete, session_none, changed_elsewhere,
        merge, import_broken, import_done, setting_refused, danger, checks, prompt_refused,
    )
}  # fmt: skip
"""By the names of their pictures; `leave` follows each."""
