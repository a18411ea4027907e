"""The daily logs on the page: a day is found, written, added to; nothing of it is overwritten."""

from datetime import date, datetime

import pytest
from playwright.sync_api import Locator, Page, expect
from tests.browser import documents
from tests.browser.conftest import Visit, Words
from tests.browser.server import Served

TODAY = datetime.now().astimezone().date()
FIRST = date(2026, 3, 4)
SECOND = date(2026, 3, 9)


def editor(page: Page, words: Words, day: date) -> Locator:
    return documents.editor(page, words, f"{day}.md")


def cell(page: Page, number: int) -> Locator:
    return page.locator(".daily-calendar").get_by_role("button", name=str(number), exact=True)


def test_a_note_is_added_to_today_and_marked_in_the_calendar(served: Served, visit: Visit) -> None:
    page, words = visit("/daily"), visit.words
    expect(page.get_by_text(words("daily.none"))).to_be_visible()
    note = page.get_by_role("textbox", name=words("daily.note"))
    note.fill("去看了牙医")
    note.press("Enter")
    expect(editor(page, words, TODAY)).to_contain_text("去看了牙医")
    expect(note).to_have_value("")
    expect(page.get_by_text(words("daily.count_one", count=1))).to_be_visible()
    expect(cell(page, TODAY.day).locator(".q-date__event")).to_have_count(1)
    assert "去看了牙医" in served.memory.daily_logs.read(TODAY).content
    note.fill("Slept early")
    page.get_by_role("button", name=words("daily.add"), exact=True).click()
    expect(editor(page, words, TODAY)).to_contain_text("Slept early")


def test_days_are_chosen_in_the_calendar_and_by_steps(served: Served, visit: Visit) -> None:
    served.memory.daily_logs.append(FIRST, "Planted beans")
    served.memory.daily_logs.append(SECOND, "Met Ana")
    page, words = visit(f"/daily?day={SECOND}"), visit.words
    expect(editor(page, words, SECOND)).to_contain_text("Met Ana")
    expect(page.get_by_role("button", name=words("daily.after"))).to_be_disabled()
    cell(page, FIRST.day).click()
    expect(editor(page, words, FIRST)).to_contain_text("Planted beans")
    assert page.url.endswith(f"?day={FIRST}")
    expect(page.get_by_role("button", name=words("daily.before"))).to_be_disabled()
    page.get_by_role("button", name=words("daily.after")).click()
    expect(editor(page, words, SECOND)).to_contain_text("Met Ana")
    page.get_by_role("button", name=words("daily.today"), exact=True).click()
    expect(editor(page, words, TODAY)).to_be_visible()


def test_a_day_is_written_changed_and_emptied(served: Served, visit: Visit) -> None:
    page, words = visit(f"/daily?day={FIRST}"), visit.words
    editor(page, words, FIRST).click()
    page.keyboard.type("- 09:30 Planted beans")
    page.keyboard.press("Control+s")
    documents.expect_saved(page, words, f"{FIRST}.md")
    (found,) = served.memory.list_memories().items
    assert found.content == "09:30 Planted beans"
    assert found.timestamp.astimezone().date() == FIRST
    page.keyboard.press("Control+a")
    page.keyboard.press("Delete")
    documents.save_button(page, words, f"{FIRST}.md").click()
    page.get_by_role("button", name=words("editor.forget_save")).click()
    expect(page.get_by_text(words("daily.none"))).to_be_visible()
    assert not served.memory.list_memories().items
    assert served.memory.daily_logs.days().total == 0
    assert not (served.folder / "daily" / f"{FIRST}.md").exists()


@pytest.mark.parametrize("language", ["en"])
def test_unsaved_text_is_not_lost_by_choosing_another_day(served: Served, visit: Visit) -> None:
    page, words = visit(f"/daily?day={FIRST}"), visit.words
    editor(page, words, FIRST).click()
    page.keyboard.type("- Planted beans")
    cell(page, SECOND.day).click()
    dialog = page.get_by_role("dialog", name=words("editor.leave_title"))
    dialog.get_by_role("button", name=words("editor.leave_stay")).click()
    expect(dialog).to_be_hidden()
    expect(editor(page, words, FIRST)).to_contain_text("Planted beans")
    cell(page, SECOND.day).click()
    dialog.get_by_role("button", name=words("editor.save"), exact=True).click()
    expect(editor(page, words, SECOND)).to_be_visible()
    assert "Planted beans" in served.memory.daily_logs.read(FIRST).content


def test_a_day_that_is_no_day_opens_today(served: Served, visit: Visit) -> None:
    page = visit("/daily?day=2026-02-31")
    expect(editor(page, visit.words, TODAY)).to_be_visible()
