"""All memories in a table, and the card of one: seen, sorted, changed, taken back, forgotten."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect
from tests.browser.conftest import Language, NewWindow, StartServer, Visit, Words
from tests.browser.server import Served
from tests.browser.watch import choose
from tests.conftest import soon
from tests.integration.conftest import doubt, home

from chatmem import AtomicMemoryRecord
from chatmem.errors import MemoryNotFoundError

NOW = datetime.now().astimezone()
NEXT: dict[Language, str] = {"en": "Next page", "zh-Hans": "下一页"}
"""As the library has it."""
ONE_LANGUAGE = pytest.mark.parametrize("language", ["en"])


def keep(
    served: Served,
    content: str,
    days_ago: float = 0,
    **columns: Any,  # noqa: ANN401 - as many types as there are columns
) -> AtomicMemoryRecord:
    return served.memory.append_memory(content, now=NOW - timedelta(days=days_ago), **columns)


def rows(page: Page) -> Locator:
    return page.locator(".browse-open")


def row(page: Page, content: str) -> Locator:
    return page.get_by_role("button", name=content, exact=True)


def button(within: Page | Locator, name: str) -> Locator:
    return within.get_by_role("button", name=name, exact=True)


def card(page: Page, words: Words) -> Locator:
    return page.get_by_role("dialog", name=words("card.title"))


def open_card(visit: Visit, content: str, path: str = "/browse") -> Locator:
    row(visit(path), content).click()
    opened = card(visit.page, visit.words)
    expect(opened).to_be_visible()
    return opened


def test_the_table_is_sorted_filtered_and_turned_by_the_server(
    served: Served, visit: Visit
) -> None:
    words = visit.words
    for place in range(55):
        keep(served, f"Note {place:02}", days_ago=place, importance=1 + place % 5,
             category="preference" if place % 2 else "fact")  # fmt: skip
    page = visit("/browse")
    expect(page.get_by_text(words.counted("browse.count", 55))).to_be_visible()
    expect(rows(page).first).to_have_text("Note 00")

    page.mouse.move(600, 600)
    page.mouse.wheel(0, 5000)
    turner = page.get_by_role("navigation", name=words("browse.pages"))
    expect(button(turner, NEXT[words.language])).to_be_in_viewport()
    button(turner, NEXT[words.language]).click()
    expect(rows(page)).to_have_text([f"Note {place:02}" for place in range(50, 55)])
    expect(rows(page).first).to_be_in_viewport()
    button(page, words("browse.content")).click()
    expect(rows(page).first).to_have_text("Note 00")
    header = page.get_by_role("columnheader", name=words("browse.content"))
    expect(header).to_have_attribute("aria-sort", "ascending")
    button(page, words("browse.content")).click()
    expect(rows(page).first).to_have_text("Note 54")

    page.get_by_label(words("browse.text")).fill("note 1")
    expect(page.get_by_text(words.counted("browse.count", 10))).to_be_visible()
    choose(page, words("browse.category"), words("card.category_preference"))
    expect(rows(page)).to_have_text([f"Note {place}" for place in (19, 17, 15, 13, 11)])
    page.get_by_label(words("browse.text")).fill("nothing like it")
    expect(page.get_by_text(words("browse.none"))).to_be_visible()
    button(page, words("browse.clear")).click()
    expect(page.get_by_text(words.counted("browse.count", 55))).to_be_visible()


def test_a_memory_is_changed_in_its_place_and_taken_back(served: Served, visit: Visit) -> None:
    words = visit.words
    kept = keep(served, "Likes green tea", category="preference").id
    dialog = open_card(visit, "Likes green tea")

    button(dialog, words("card.edit")).click()
    field = dialog.get_by_label(words("card.content"))
    expect(field).to_be_focused()
    field.fill("")
    button(dialog, words("frame.save")).click()
    empty = words("errors.InvalidInputError_empty", name=words("card.content"))
    expect(dialog.get_by_role("alert")).to_have_text(empty)
    field.fill("Likes black tea")
    dialog.get_by_label(words("card.key"), exact=True).fill("drink")
    dialog.get_by_label(words("card.value"), exact=True).fill("红茶")
    choose(visit.page, words("card.importance"), words("card.importance_5"))
    dialog.get_by_label(words("card.tags")).fill("tea，茶")
    button(dialog, words("frame.save")).click()

    expect(dialog.locator("del")).to_have_text("green")
    expect(dialog.locator("ins")).to_have_text("black")
    changed = served.memory.get(kept)
    assert (changed.content, changed.importance) == ("Likes black tea", 5)
    assert changed.tags == ("tea", "茶")
    assert (changed.key, changed.value) == ("drink", "红茶")
    expect(dialog.get_by_text("drink = 红茶", exact=True)).to_be_visible()
    expect(row(visit.page, "Likes black tea")).to_be_attached()

    button(dialog, words("card.restore")).click()
    expect(dialog.locator(".memory-card-content")).to_have_text("Likes green tea")
    assert served.memory.get(kept).content == "Likes green tea"
    assert "Likes green tea" in served.memory.read_main()
    expect(dialog.get_by_text(words("card.did_restore"))).to_be_visible()


def test_what_was_replaced_comes_back_beside_what_replaced_it(served: Served, visit: Visit) -> None:
    words = visit.words
    old = keep(served, "Lives in Graz", days_ago=9, key="home")
    new = keep(served, "Lives in Bergen", key="home")
    dialog = open_card(visit, "Lives in Bergen")
    expect(button(dialog, words("card.restore_both"))).to_have_count(0)
    dialog = open_card(visit, "Lives in Graz", "/browse?state=superseded")
    expect(button(dialog, words("card.restore_swap"))).to_be_visible()

    button(dialog, words("card.restore_both")).click()

    expect(visit.page.get_by_text(words("card.restored_both"))).to_be_visible()
    expect(dialog.get_by_text(words("card.did_restore"))).to_be_visible()
    expect(button(dialog, words("card.restore_both"))).to_have_count(0)
    expect(button(dialog, words("card.restore"))).to_have_count(0)
    assert served.memory.get(old.id).is_valid and served.memory.get(new.id).is_valid


def test_a_person_decides_where_two_may_be_about_the_same(served: Served, visit: Visit) -> None:
    words = visit.words
    old = keep(served, "Works at the mill", days_ago=9)
    right = doubt(served.memory, "Sells bread on Sundays", old, NOW - timedelta(days=8))
    new = doubt(served.memory, "Bakes at the bakery", old, NOW - timedelta(days=1))

    dialog = open_card(visit, right.content)
    note = dialog.get_by_role("note")
    expect(note).to_contain_text(words("card.doubt"))
    expect(dialog.get_by_text(words("card.reason_maybe"))).to_be_visible()
    button(note, words("card.doubt_both")).click()
    expect(note).to_have_count(0)
    assert served.memory.get(right.id).tags == ("work",)
    assert served.memory.get(old.id) == old

    dialog = open_card(visit, new.content)
    button(dialog.get_by_role("note"), old.content).click()
    expect(dialog.locator(".memory-card-content")).to_have_text(old.content)
    expect(dialog.get_by_role("note")).to_have_count(0)
    dialog = open_card(visit, new.content)
    button(dialog.get_by_role("note"), words("card.doubt_older")).click()
    expect(dialog.get_by_role("note")).to_have_count(0)
    assert served.memory.get(old.id).superseded_by == new.id
    assert served.memory.get(new.id).tags == ("work",)
    expect(row(visit.page, old.content)).to_have_count(0)


def test_forgetting_is_taken_back(served: Served, visit: Visit) -> None:
    words = visit.words
    kept = keep(served, "Keeps bees").id
    dialog = open_card(visit, "Keeps bees")

    button(dialog, words("card.forget")).click()
    expect(dialog).to_be_hidden()
    back = button(visit.page, words("card.keep_it"))
    expect(back).to_be_focused()
    expect(visit.page.locator(".browse-held")).to_contain_text("Keeps bees")
    visit.page.keyboard.press("Enter")
    expect(visit.page.get_by_text(words("card.kept"))).to_be_visible()
    expect(back).to_have_count(0)
    expect(visit.page.locator(".browse-held")).to_have_count(0)
    assert served.memory.get(kept).content == "Keeps bees"


@ONE_LANGUAGE
def test_forgetting_is_final_after_ten_seconds_whoever_looks(
    served: Served, visit: Visit, new_window: NewWindow
) -> None:
    words, other = visit.words, new_window(served)
    first, second = keep(served, "Keeps bees").id, keep(served, "Keeps hens").id
    button(open_card(visit, "Keeps bees"), words("card.forget")).click()
    expect(visit.page.locator(".browse-held")).to_have_count(1)
    button(open_card(other, "Keeps hens"), words("card.forget")).click()
    expect(other.page.locator(".browse-held")).to_have_count(2)
    other.page.close()
    assert served.memory.get(first).content == "Keeps bees"

    expect(visit.page.get_by_text(words("card.forgotten"))).to_be_visible(timeout=12_000)
    expect(row(visit.page, "Keeps bees")).to_have_count(0)
    with pytest.raises(MemoryNotFoundError):
        served.memory.get(first)
    soon(lambda: not served.memory.browse().total, 30)  # no page tells: nobody looks any more
    with pytest.raises(MemoryNotFoundError):
        served.memory.get(second)
    assert "bees" not in served.memory.read_main()


@ONE_LANGUAGE
def test_forgetting_is_done_at_once_when_the_server_stops(
    start_server: StartServer, new_window: NewWindow
) -> None:
    served = start_server()
    kept = keep(served, "Keeps bees").id
    window = new_window(served)
    button(open_card(window, "Keeps bees"), window.words("card.forget")).click()
    expect(window.page.locator(".browse-held")).to_have_count(1)
    window.watch.allow("WebSocket|ERR_CONNECTION|Failed to load")

    served.server.process.terminate()
    served.server.process.wait(20)
    with pytest.raises(MemoryNotFoundError):
        served.memory.get(kept)


def test_what_was_true_on_a_day_is_shown(served: Served, visit: Visit) -> None:
    words = visit.words
    keep(served, "Lives in Oslo", 30, key="home", value="Oslo")
    keep(served, "Lives in Lisbon", 3, key="home", value="Lisbon")
    page = visit("/browse")
    expect(rows(page)).to_have_text(["Lives in Lisbon"])

    slider = page.get_by_role("slider", name=words("browse.as_of"))
    slider.focus()
    page.keyboard.press("Home")
    expect(rows(page)).to_have_text(["Lives in Oslo"])
    page.keyboard.press("End")
    expect(rows(page)).to_have_text(["Lives in Lisbon"])
    choose(page, words("browse.state"), words("card.state_superseded"))
    row(page, "Lives in Oslo").click()
    dialog = card(page, words)
    expect(dialog.get_by_text(words("card.did_supersede"))).to_be_visible()
    button(dialog, "Lives in Lisbon").click()
    expect(dialog.locator(".memory-card-content")).to_have_text("Lives in Lisbon")


def test_where_it_came_from_are_the_very_messages(served: Served, visit: Visit) -> None:
    words = visit.words
    said = {"en": "I live in Oslo and I like oolong tea.", "zh-Hans": "我住在柏林，我喜欢乌龙茶。"}
    kept = {"en": "I live in Oslo", "zh-Hans": "我住在柏林"}
    memory = served.memory
    memory.save_conversation_turn("Hello there", "Hello", "s 1/a")
    memory.save_conversation_turn(said[words.language], "Noted", "s 1/a")
    memory.sessions.end("s 1/a")
    memory.wait_until_idle()
    visit("/browse")
    expect(row(visit.page, kept[words.language])).to_be_visible()
    row(visit.page, kept[words.language]).click()
    dialog = card(visit.page, words)

    expect(dialog.locator("blockquote")).to_have_text([said[words.language]])
    dialog.get_by_role("link", name=words("card.to_session")).click()
    visit.page.wait_for_url("**/sessions/s%201%2Fa")


def test_who_may_see_it_is_told_by_name(
    served: Served, visit: Visit, new_window: NewWindow
) -> None:
    words, memory = visit.words, served.memory
    home(memory, **{f"{served.user}-ana": "parent", f"{served.user}-tom": "child"})
    kept = keep(served, "Earns well", tags=("finance",)).id
    dialog = open_card(visit, "Earns well")
    expect(dialog.get_by_text(words("card.seen_by_nobody"))).to_be_visible()

    choose(visit.page, words("card.visibility"), words("card.visibility_household"))
    ana = words("card.person", user=f"{served.user}-ana", role="parent")
    expect(dialog.get_by_text(words("card.seen_by", names=ana))).to_be_visible()
    assert served.memory.get(kept).visibility == "household"

    theirs = new_window(Served(served.server, f"{served.user}-ana", memory))
    page = theirs("/browse")  # nothing of her own: what is shared is shown at once
    expect(rows(page)).to_have_text(["Earns well"])
    expect(page.get_by_text(words("browse.of_owner", user=served.user))).to_be_visible()
    memory.for_user(f"{served.user}-ana").append_memory("Of my own")
    expect(rows(theirs("/browse"))).to_have_text(["Of my own"])
    choose(page, words("browse.whose"), words("browse.whose_shared"))
    expect(rows(page)).to_have_text(["Earns well"])
    row(page, "Earns well").click()
    shown = card(page, words)
    expect(shown.get_by_text(words("card.shared_by", user=served.user))).to_be_visible()
    expect(button(shown, words("card.edit"))).to_have_count(0)
    for name in ("card.forget", "card.restore"):
        expect(button(shown, words(name))).to_have_count(0)
    expect(shown.get_by_text(words("card.history"))).to_have_count(0)
    tom = new_window(Served(served.server, f"{served.user}-tom", memory))
    expect(tom("/browse").get_by_text(words("browse.empty"))).to_be_visible()
    memory.for_user(f"{served.user}-tom").append_memory("Of my own")
    tom.watch.allow("404")
    tom(f"/browse?memory={kept}")
    expect(tom.page.get_by_text(words("errors.MemoryNotFoundError"))).to_be_visible()
    expect(tom.page.get_by_text("Earns well")).to_have_count(0)


def tab_to(page: Page, wanted: Locator, most: int = 60) -> None:
    """Press Tab, as a person would, until the focus is where it is wanted."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if wanted.evaluate("it => it === document.activeElement"):
            return
    raise AssertionError(f"{most} times Tab do not reach {wanted}")


def test_the_keyboard_alone_does_everything(served: Served, visit: Visit) -> None:
    words = visit.words
    kept = keep(served, "Likes tea").id
    page = visit("/browse")
    expect(row(page, "Likes tea")).to_be_visible()
    tab_to(page, row(page, "Likes tea"))
    page.keyboard.press("Enter")
    dialog = card(page, words)
    expect(dialog).to_be_visible()

    tab_to(page, button(dialog, words("card.edit")))
    page.keyboard.press("Enter")
    expect(dialog.get_by_label(words("card.content"))).to_be_focused()
    page.keyboard.press("End")
    page.keyboard.type(" and cake")
    page.keyboard.press("Control+Enter")
    expect(dialog.locator(".memory-card-content")).to_have_text("Likes tea and cake")
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    assert served.memory.get(kept).content == "Likes tea and cake"
