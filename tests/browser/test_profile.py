"""USER.md, HOUSEHOLD.md and who lives in the household, on the page."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect
from tests.browser.conftest import NewWindow, Visit
from tests.browser.documents import editor, expect_saved, save_button
from tests.browser.server import Served, Server, user_of
from tests.conftest import some


@pytest.fixture
def other(server: Server) -> Iterator[Served]:
    """Somebody else on the same server."""
    with user_of(server) as somebody:
        yield somebody


@pytest.mark.scenario("S2.2.1")
def test_the_profile_is_written_and_stands_in_prompts(served: Served, visit: Visit) -> None:
    page, words = visit("/profile"), visit.words
    expect(page.get_by_text(words("editor.nothing_yet")).first).to_be_visible()
    editor(page, words, "USER.md").click()
    page.keyboard.type("护士，住在利兹")
    save_button(page, words, "USER.md").click()
    expect_saved(page, words, "USER.md")
    assert served.memory.get_user_profile() == "护士，住在利兹"


def test_a_profile_changed_elsewhere_is_not_overwritten(served: Served, visit: Visit) -> None:
    served.memory.update_user_profile("Nurse\nLives in Leeds\n")
    page, words = visit("/profile"), visit.words
    editor(page, words, "USER.md").locator(".cm-line", has_text="Nurse").click()
    page.keyboard.press("End")
    page.keyboard.type(" in York")
    served.memory.update_user_profile("Nurse\nLives in Hull\n")
    save_button(page, words, "USER.md").click()
    dialog = page.get_by_role("dialog", name=words("editor.merge_title", document="USER.md"))
    dialog.get_by_role("button", name=words("editor.merge_save")).click()
    expect(dialog).to_be_hidden()
    expect_saved(page, words, "USER.md")
    assert served.memory.get_user_profile() == "Nurse in York\nLives in Hull"


def test_a_household_is_made_joined_read_and_left(
    served: Served, other: Served, visit: Visit, new_window: NewWindow
) -> None:
    page, words = visit("/profile"), visit.words
    page.get_by_role("textbox", name=words("profile.name")).fill("花园街 7 号")
    page.get_by_role("button", name=words("profile.create"), exact=True).click()
    expect(page.get_by_text("花园街 7 号")).to_be_visible()
    editor(page, words, "HOUSEHOLD.md").click()
    page.keyboard.type("Bins go out on Monday")
    save_button(page, words, "HOUSEHOLD.md").click()
    expect_saved(page, words, "HOUSEHOLD.md")
    page.get_by_role("textbox", name=words("profile.user_id")).fill(other.user)
    page.get_by_role("combobox", name=words("profile.role"), exact=True).click()
    page.get_by_role("option", name=words("profile.role_child"), exact=True).click()
    page.get_by_role("button", name=words("profile.invite"), exact=True).click()
    expect(page.get_by_text(words("profile.invited", user=other.user))).to_be_visible()

    theirs = new_window(other)("/profile")
    expect(theirs.get_by_text("花园街 7 号")).to_be_visible()
    theirs.get_by_role("button", name=words("profile.join"), exact=True).click()
    expect(theirs.get_by_role("button", name=words("profile.leave"))).to_be_visible()
    expect(editor(theirs, words, "HOUSEHOLD.md")).to_contain_text("Bins go out on Monday")
    expect(editor(theirs, words, "HOUSEHOLD.md")).to_have_attribute("aria-readonly", "true")
    expect(save_button(theirs, words, "HOUSEHOLD.md")).to_be_hidden()
    theirs.get_by_role("button", name=words("profile.leave")).click()
    theirs.get_by_role("button", name=words("profile.sure")).click()
    expect(theirs.get_by_text(words("profile.none"))).to_be_visible()
    assert other.memory.people.household() is None
    circle = some(served.memory.people.household())
    assert [one.user_id for one in circle.members] == [served.user]
