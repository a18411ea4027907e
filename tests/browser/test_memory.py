"""MEMORY.md on the page: written, saved over the version that was read, brought together."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect
from tests.browser import documents
from tests.browser.conftest import NARROW, NewWindow, Visit, Words
from tests.browser.server import Served

NAME = "MEMORY.md"


def editor(page: Page, words: Words) -> Locator:
    return documents.editor(page, words, NAME)


def save_button(page: Page, words: Words) -> Locator:
    return documents.save_button(page, words, NAME)


def expect_saved(page: Page, words: Words) -> None:
    documents.expect_saved(page, words, NAME)


def type_at_the_end(page: Page, words: Words, text: str) -> None:
    editor(page, words).click()
    page.keyboard.press("Control+End")
    page.keyboard.type(text)


def change_line(page: Page, words: Words, old: str, new: str) -> None:
    """Type over a part of one line, as a person does."""
    line = editor(page, words).locator(".cm-line", has_text=old)
    line.click()
    page.keyboard.press("Home")
    at = str(line.inner_text()).index(old)
    for _ in range(at):
        page.keyboard.press("ArrowRight")
    for _ in old:
        page.keyboard.press("Shift+ArrowRight")
    page.keyboard.type(new)


def facts(served: Served) -> set[str]:
    return {one.content for one in served.memory.list_memories().items}


@pytest.mark.scenario("S5.9.1")
def test_what_is_written_is_saved_and_becomes_a_memory(served: Served, visit: Visit) -> None:
    served.memory.append_memory("Keeps bees")
    page, words = visit("/"), visit.words
    expect(editor(page, words)).to_contain_text("Keeps bees")
    expect(save_button(page, words)).to_be_disabled()
    type_at_the_end(page, words, "\n## 喜好\n\n- 喜欢乌龙茶 🍵")
    expect(page.get_by_text(words("editor.unsaved"))).to_be_visible()
    save_button(page, words).click()
    expect_saved(page, words)
    assert facts(served) == {"Keeps bees", "喜欢乌龙茶 🍵"}
    note = (
        editor(page, words).locator(".cm-line", has_text="喜欢乌龙茶 🍵").locator(".document-note")
    )
    expect(note).to_contain_text("id=")
    expect(editor(page, words)).to_be_focused()
    page.keyboard.type("，不加糖")
    expect(save_button(page, words)).to_be_enabled()
    page.keyboard.press("Control+s")
    expect_saved(page, words)
    assert (served.folder / NAME).read_text("utf-8").count("乌龙茶") == 1
    assert facts(served) == {"Keeps bees", "喜欢乌龙茶 🍵，不加糖"}


@pytest.mark.parametrize("language", ["en"])
def test_typing_on_while_it_is_saved_loses_nothing(served: Served, visit: Visit) -> None:
    served.memory.append_memory("Keeps bees")
    page, words = visit("/"), visit.words
    type_at_the_end(page, words, "\n- one")
    for number in range(12):
        page.keyboard.type(f"\nline {number}")  # the editor goes on with the list
        page.keyboard.press("Control+s")
    expect(editor(page, words)).to_contain_text("line 11")
    expect_saved(page, words)
    assert facts(served) >= {"Keeps bees", "one", *(f"line {number}" for number in range(12))}
    assert len(facts(served)) == 14


@pytest.mark.parametrize("language", ["en"])
def test_letters_stay_in_their_order_on_a_phone(served: Served, new_window: NewWindow) -> None:
    visit = new_window(served, size=NARROW)
    page, words = visit("/"), visit.words
    for number in range(20):
        type_at_the_end(page, words, f"\n\n\nReads {number} before going")
    for number in range(20):
        expect(editor(page, words)).to_contain_text(f"Reads {number} before going")


def test_two_windows_on_one_file_are_brought_together(
    served: Served, visit: Visit, new_window: NewWindow
) -> None:
    served.memory.append_memory("Lives in Leeds")
    served.memory.append_memory("Keeps bees")
    words = visit.words
    first, second = visit("/"), new_window(served)("/")
    change_line(first, words, "Leeds", "York")
    change_line(second, words, "Leeds", "Hull")
    type_at_the_end(second, words, "\n- Sings in a choir")
    save_button(first, words).click()
    expect_saved(first, words)
    expect(second.get_by_role("alert")).to_contain_text(
        words("editor.changed_elsewhere", document=NAME)
    )
    save_button(second, words).click()
    dialog = second.get_by_role("dialog", name=words("editor.merge_title", document=NAME))
    expect(dialog).to_contain_text("York")
    expect(dialog).to_contain_text("Hull")
    result = dialog.get_by_role("textbox", name=words("editor.merge_result"))
    keep = dialog.get_by_role("button", name=words("editor.merge_save"))
    expect(keep).to_be_disabled()
    dialog.get_by_role("radio", name=words("editor.merge_theirs")).first.click()
    expect(result).to_contain_text("York")
    expect(result).not_to_contain_text("Hull")
    expect(result).to_contain_text("choir")
    keep.click()
    expect(dialog).to_be_hidden()
    expect_saved(second, words)
    assert facts(served) == {"Lives in York", "Keeps bees", "Sings in a choir"}
    expect(editor(first, words)).to_contain_text("choir")


@pytest.mark.parametrize("language", ["en"])
def test_who_would_rather_go_on_writing_keeps_their_text(served: Served, visit: Visit) -> None:
    served.memory.append_memory("Keeps bees")
    page, words = visit("/"), visit.words
    type_at_the_end(page, words, "\n- Half a sent")
    served.memory.append_memory("Plays the cello")
    page.get_by_role("alert").get_by_role("button", name=words("editor.compare")).click()
    dialog = page.get_by_role("dialog", name=words("editor.merge_title", document=NAME))
    dialog.get_by_role("button", name=words("editor.merge_cancel")).click()
    expect(dialog).to_be_hidden()
    expect(editor(page, words)).to_contain_text("Half a sent")
    expect(editor(page, words)).not_to_contain_text("cello")
    assert facts(served) == {"Keeps bees", "Plays the cello"}


def test_a_change_outside_is_followed_while_nothing_is_unsaved(
    served: Served, visit: Visit
) -> None:
    served.memory.append_memory("Keeps bees")
    page, words = visit("/"), visit.words
    expect(editor(page, words)).to_contain_text("Keeps bees")
    file = served.folder / NAME
    file.write_text(file.read_text("utf-8") + "- 会弹钢琴\n", "utf-8")
    expect(editor(page, words)).to_contain_text("会弹钢琴")
    expect(page.get_by_text(words("editor.followed", document=NAME))).to_be_visible()
    expect(save_button(page, words)).to_be_disabled()


def test_what_a_save_would_forget_is_asked_first(served: Served, visit: Visit) -> None:
    served.memory.append_memory("Keeps bees")
    served.memory.append_memory("Plays the cello")
    page, words = visit("/"), visit.words
    editor(page, words).locator(".cm-line", has_text="Keeps bees").click()
    page.keyboard.press("Control+Shift+k")
    save_button(page, words).click()
    dialog = page.get_by_role("dialog", name=words("editor.forget_one"))
    expect(dialog).to_contain_text("Keeps bees")
    dialog.get_by_role("button", name=words("editor.forget_not")).click()
    expect(dialog).to_be_hidden()
    assert facts(served) == {"Keeps bees", "Plays the cello"}
    save_button(page, words).click()
    dialog.get_by_role("button", name=words("editor.forget_save")).click()
    expect_saved(page, words)
    assert facts(served) == {"Plays the cello"}


@pytest.mark.parametrize("language", ["en"])
def test_changes_can_be_discarded_and_brought_back(served: Served, visit: Visit) -> None:
    served.memory.append_memory("Keeps bees")
    page, words = visit("/"), visit.words
    type_at_the_end(page, words, "\n- Not this")
    page.get_by_role("button", name=words("editor.discard")).click()
    expect(editor(page, words)).not_to_contain_text("Not this")
    expect(save_button(page, words)).to_be_disabled()
    editor(page, words).click()
    page.keyboard.press("Control+z")
    expect(editor(page, words)).to_contain_text("Not this")
    expect(save_button(page, words)).to_be_enabled()


def test_the_meter_says_how_much_reaches_a_prompt(served: Served, visit: Visit) -> None:
    lines = [f"- Book number {one} is on the left shelf of the blue room" for one in range(140)]
    (served.folder / NAME).write_text("\n".join(["# Memory", "", *lines, ""]), "utf-8")
    page, words = visit("/"), visit.words
    reach = served.memory.main.reach(served.memory.read_main(), "en")
    assert 0 < reach.shown < reach.memories == 140
    meter = page.get_by_role("meter", name=words("memory.budget"))
    expect(meter).to_have_attribute("aria-valuenow", str(reach.tokens))
    size = words("memory.budget_size", tokens=f"{reach.tokens:,}", most=f"{reach.most:,}")
    expect(page.get_by_text(size)).to_be_visible()
    type_at_the_end(page, words, "- And one more that is not saved yet")
    expect(meter).to_have_attribute("aria-valuetext", re.compile("141"))


@pytest.mark.parametrize("language", ["en"])
def test_tab_leaves_the_editor(served: Served, visit: Visit) -> None:
    page, words = visit("/"), visit.words
    editor(page, words).click()
    expect(editor(page, words)).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_role("region", name=words("editor.preview", document=NAME))).to_be_focused()
