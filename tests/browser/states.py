"""What a view shows once something was done in it: dialogs, hints, errors. For axe and pictures."""

import json
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
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


State = Callable[[Window], AbstractContextManager[object]]


def _open_card(window: Window, text: str) -> Locator:
    page = window.open(f"/browse?text={quote(text)}")
    page.locator(".browse-open").first.click()
    return window.dialog()


@contextmanager
def card(window: Window) -> Iterator[None]:
    """A memory that was changed, with what it said before."""
    dialog = _open_card(window, "lists are fine")
    expect(dialog.locator("del").first).to_be_visible()
    yield


@contextmanager
def card_long(window: Window) -> Iterator[None]:
    """One that says much."""
    _open_card(window, "fourth floor")
    yield


@contextmanager
def card_origin(window: Window) -> Iterator[None]:
    """One with the message that it came from."""
    dialog = _open_card(window, "moving to Berlin")
    expect(dialog.locator("blockquote").first).to_be_visible()
    yield


@contextmanager
def card_edit(window: Window) -> Iterator[None]:
    """Being changed, with a field that was left empty."""
    dialog = _open_card(window, "Lives in Berlin")
    window.button("card.edit", dialog).click()
    dialog.get_by_label(window.words("card.content")).fill("")
    window.button("frame.save", dialog).click()
    expect(dialog.get_by_role("alert")).to_be_visible()
    yield


@contextmanager
def forgetting(window: Window) -> Iterator[None]:
    """Ten seconds in which it can be taken back."""
    dialog = _open_card(window, "Lives in Berlin")
    window.button("card.forget", dialog).click()
    back = window.button("card.keep_it")
    expect(back).to_be_focused()
    yield
    back.click()
    expect(back).to_have_count(0)


@contextmanager
def shared(window: Window) -> Iterator[None]:
    """What others share."""
    page = window.open("/browse?whose=shared")
    expect(page.locator(".browse-owner").first).to_be_visible()
    yield


@contextmanager
def card_shared(window: Window) -> Iterator[None]:
    """Another's memory, which can be read only."""
    page = window.open("/browse?whose=shared")
    page.locator(".browse-open").first.click()
    window.dialog()
    yield


@contextmanager
def browse_filters(window: Window) -> Iterator[None]:
    """All filters, and nothing that fits them."""
    page = window.open("/browse?text=nothing+like+it&category=fact")
    page.get_by_text(window.words("browse.more_filters")).click()
    expect(page.get_by_label(window.words("browse.time_to"))).to_be_visible()
    yield


@contextmanager
def search_nothing(window: Window) -> Iterator[None]:
    """A search in vain."""
    page = window.open("/search?q=xylophone")
    expect(page.get_by_text(window.words("search.none"), exact=True)).to_be_visible()
    yield


@contextmanager
def menu(window: Window) -> Iterator[None]:
    """The menu, which a narrow window has aside, and the languages."""
    page = window.open("/search")
    if not page.get_by_role("link", name=window.words("frame.settings")).is_visible():
        window.button("frame.menu").click()
    else:
        window.button("frame.language").click()
    yield


@contextmanager
def session_delete(window: Window) -> Iterator[None]:
    """Asked before a session goes."""
    window.open(f"/sessions/{quote(SESSION, safe='')}")
    window.button("sessions.delete").click()
    window.dialog()
    yield


@contextmanager
def session_none(window: Window) -> Iterator[None]:
    """An address of no session."""
    page = window.open("/sessions/nowhere")
    expect(page.get_by_text(window.words("sessions.none_of_it"))).to_be_visible()
    yield


@contextmanager
def changed_elsewhere(window: Window) -> Iterator[None]:
    """The hint that somebody else wrote in the meantime."""
    _write_on_both_sides(window)
    yield


@contextmanager
def merge(window: Window) -> Iterator[None]:
    """Both versions side by side."""
    _write_on_both_sides(window)
    window.button("editor.compare").click()
    expect(window.dialog().locator(".cm-content")).to_be_visible()
    yield


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


@contextmanager
def import_broken(window: Window) -> Iterator[None]:
    """A file that cannot be imported."""
    _import(window, "broken.json", '{"messages": [')
    expect(window.page.get_by_role("alert").filter(has_text="broken.json")).to_be_visible()
    yield


@contextmanager
def import_done(window: Window) -> Iterator[None]:
    """A file that was imported, and what was left out of it."""
    said = [{"role": "system", "content": "Be kind."}, {"role": "user", "content": "Hello 你好"}]
    _import(window, "talk.json", json.dumps({"messages": said}))
    note = window.words("settings.note_system_prompt")
    expect(window.page.get_by_text(note)).to_be_visible()
    yield


def _import(window: Window, name: str, text: str) -> None:
    page = window.open("/settings")
    file = {"name": name, "mimeType": "application/json", "buffer": text.encode()}
    page.locator("input[type=file]").set_input_files(file)  # type: ignore[arg-type]
    page.locator(".import-place").scroll_into_view_if_needed()


@contextmanager
def setting_refused(window: Window) -> Iterator[None]:
    """A setting that takes no such number."""
    page = window.open("/settings")
    field = page.get_by_label(window.words("settings.name_rag_top_n"), exact=True)
    field.fill("-3")
    field.press("Enter")
    expect(page.get_by_role("alert").first).to_be_visible()
    yield


@contextmanager
def danger(window: Window) -> Iterator[None]:
    """Asked before everything is forgotten."""
    window.open("/settings")
    window.button("settings.forget_do").click()
    window.dialog()
    yield


@contextmanager
def checks(window: Window) -> Iterator[None]:
    """Everything that can be looked at."""
    page = window.open("/overview")
    window.button("overview.check").click()
    expect(page.get_by_text(window.words("overview.found_watcher"))).to_be_visible()
    yield


@contextmanager
def prompt_refused(window: Window) -> Iterator[None]:
    """A prompt of nothing."""
    page = window.open("/prompt")
    window.button("prompt.go").click()
    expect(page.get_by_role("alert").first).to_be_visible()
    yield


STATES: Final[dict[str, State]] = {
    "card": card,
    "card-long": card_long,
    "card-origin": card_origin,
    "card-edit": card_edit,
    "card-shared": card_shared,
    "forgetting": forgetting,
    "browse-shared": shared,
    "browse-filters": browse_filters,
    "search-nothing": search_nothing,
    "menu": menu,
    "session-delete": session_delete,
    "session-none": session_none,
    "changed-elsewhere": changed_elsewhere,
    "merge": merge,
    "import-broken": import_broken,
    "import-done": import_done,
    "setting-refused": setting_refused,
    "danger": danger,
    "checks": checks,
    "prompt-refused": prompt_refused,
}
"""By the names of their pictures. What one does is undone, or harms no other."""
