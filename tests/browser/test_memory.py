"""MEMORY.md, daily logs and profiles on the page: written, and saved over what was read only."""

import re
from collections.abc import Iterator
from datetime import date

import pytest
from playwright.sync_api import Locator, Page, expect
from tests.browser.conftest import NARROW, NewWindow, Visit, Words
from tests.browser.server import Served, Server, user_of
from tests.browser.watch import choose
from tests.conftest import some

NAME = "MEMORY.md"


def editor(page: Page, words: Words, name: str = NAME) -> Locator:
    return page.get_by_role("textbox", name=words("editor.text", document=name))


def save_button(page: Page, words: Words, name: str = NAME) -> Locator:
    return page.get_by_role("button", name=words("editor.save_named", document=name))


def expect_saved(page: Page, words: Words, name: str = NAME) -> None:
    """The document says when it was saved, and that nothing is left to save."""
    saved = re.escape(words("editor.saved_at", time="TIME")).replace("TIME", r"\d\d:\d\d")
    expect(page.get_by_role("status").filter(has_text=re.compile(saved)).first).to_be_visible()
    expect(save_button(page, words, name)).to_be_disabled()


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
    for number in range(8):
        type_at_the_end(page, words, f"\n\n\nReads {number} before going")
    for number in range(8):
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
    expect(result).to_contain_text("Hull")
    dialog.get_by_role("radio", name=words("editor.merge_theirs")).click()
    expect(result).to_contain_text("York")
    expect(result).not_to_contain_text("Hull")
    expect(result).to_contain_text("choir")
    dialog.get_by_role("button", name=words("editor.merge_save")).click()
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


FIRST = date(2026, 3, 4)
SECOND = date(2026, 3, 9)


def log_of(page: Page, words: Words, day: date) -> Locator:
    return editor(page, words, f"{day}.md")


def cell(page: Page, number: int) -> Locator:
    return page.locator(".daily-calendar").get_by_role("button", name=str(number), exact=True)


def test_a_note_is_added_to_today_and_marked_in_the_calendar(served: Served, visit: Visit) -> None:
    page, words = visit("/daily"), visit.words
    expect(page.get_by_text(words("daily.none"))).to_be_visible()
    note = page.get_by_role("textbox", name=words("daily.note"))
    note.fill("去看了牙医")
    note.press("Enter")
    expect(log_of(page, words, date.today())).to_contain_text("去看了牙医")
    expect(note).to_have_value("")
    expect(page.get_by_text(words("daily.count_one", count=1))).to_be_visible()
    expect(cell(page, date.today().day).locator(".q-date__event")).to_have_count(1)
    assert "去看了牙医" in served.memory.daily_logs.read(date.today()).content
    note.fill("Slept early")
    page.get_by_role("button", name=words("daily.add"), exact=True).click()
    expect(log_of(page, words, date.today())).to_contain_text("Slept early")


def test_days_are_chosen_in_the_calendar_and_by_steps(served: Served, visit: Visit) -> None:
    served.memory.daily_logs.append(FIRST, "Planted beans")
    served.memory.daily_logs.append(SECOND, "Met Ana")
    page, words = visit(f"/daily?day={SECOND}"), visit.words
    expect(log_of(page, words, SECOND)).to_contain_text("Met Ana")
    expect(page.get_by_role("button", name=words("daily.after"))).to_be_disabled()
    cell(page, FIRST.day).click()
    expect(log_of(page, words, FIRST)).to_contain_text("Planted beans")
    assert page.url.endswith(f"?day={FIRST}")
    expect(page.get_by_role("button", name=words("daily.before"))).to_be_disabled()
    page.get_by_role("button", name=words("daily.after")).click()
    expect(log_of(page, words, SECOND)).to_contain_text("Met Ana")
    page.get_by_role("button", name=words("daily.today"), exact=True).click()
    expect(log_of(page, words, date.today())).to_be_visible()


def test_a_day_is_written_changed_and_emptied(served: Served, visit: Visit) -> None:
    page, words = visit(f"/daily?day={FIRST}"), visit.words
    log_of(page, words, FIRST).click()
    page.keyboard.type("- 09:30 Planted beans")
    page.keyboard.press("Control+s")
    expect_saved(page, words, f"{FIRST}.md")
    (found,) = served.memory.list_memories().items
    assert found.content == "09:30 Planted beans"
    assert found.timestamp.astimezone().date() == FIRST
    page.keyboard.press("Control+a")
    page.keyboard.press("Delete")
    save_button(page, words, f"{FIRST}.md").click()
    page.get_by_role("button", name=words("editor.forget_save")).click()
    expect(page.get_by_text(words("daily.none"))).to_be_visible()
    assert not served.memory.list_memories().items
    assert served.memory.daily_logs.days().total == 0
    assert not (served.folder / "daily" / f"{FIRST}.md").exists()


@pytest.mark.parametrize("language", ["en"])
def test_unsaved_text_is_not_lost_by_choosing_another_day(served: Served, visit: Visit) -> None:
    page, words = visit(f"/daily?day={FIRST}"), visit.words
    log_of(page, words, FIRST).click()
    page.keyboard.type("- Planted beans")
    cell(page, SECOND.day).click()
    dialog = page.get_by_role("dialog", name=words("editor.leave_title"))
    dialog.get_by_role("button", name=words("editor.leave_stay")).click()
    expect(dialog).to_be_hidden()
    expect(log_of(page, words, FIRST)).to_contain_text("Planted beans")
    cell(page, SECOND.day).click()
    dialog.get_by_role("button", name=words("editor.save"), exact=True).click()
    expect(log_of(page, words, SECOND)).to_be_visible()
    assert "Planted beans" in served.memory.daily_logs.read(FIRST).content


def test_a_day_that_is_no_day_opens_today(served: Served, visit: Visit) -> None:
    page = visit("/daily?day=2026-02-31")
    expect(log_of(page, visit.words, date.today())).to_be_visible()


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
    choose(page, words("profile.role"), words("profile.role_child"))
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
