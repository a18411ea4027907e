"""Search on the page: as one types, with what is asked for marked, filtered, and with reasons."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect
from tests.browser.conftest import Visit
from tests.browser.server import Served
from tests.browser.watch import choose


def fill(served: Served) -> None:
    """Memories of every kind, in both languages, and a conversation."""
    memory = served.memory
    memory.append_memory("Keeps bees behind the old mill", "fact")
    memory.append_memory("喜欢乌龙茶，不喝咖啡", "preference")
    memory.append_memory("Goes swimming every Tuesday", "pattern", source="inferred")
    memory.append_daily_log("Sold the first honey of the year, the bees are well")
    memory.save_conversation_turn("How do I feed bees in winter?", "With sugar dough.", "garden")


def ask(page: Page, visit: Visit, text: str) -> None:
    field(page, visit).fill(text)


def field(page: Page, visit: Visit) -> Locator:
    return page.get_by_label(visit.words("search.ask"))


def hits(page: Page) -> Locator:
    return rows(page).filter(has=page.locator(".score"))


def rows(page: Page) -> Locator:
    return page.locator(".browse-table tbody tr")


@pytest.mark.scenario("S5.9.3")
def test_what_is_typed_is_looked_for_at_once(served: Served, visit: Visit) -> None:
    """No button, no key: the hits follow the typing, what was asked for is marked."""
    fill(served)
    page = visit("/search")
    expect(page.get_by_text(visit.words("search.begin"), exact=True)).to_be_visible()

    field(page, visit).press_sequentially("bee", delay=20)

    expect(hits(page).first).to_contain_text("bees")
    expect(page.locator("mark").first).to_have_text("bees")
    field(page, visit).fill("乌龙")
    expect(hits(page)).to_have_count(1)
    expect(page.locator("mark")).to_have_text(["乌龙"])
    ask(page, visit, "submarine")
    expect(page.get_by_text(visit.words("search.none"), exact=True)).to_be_visible()
    ask(page, visit, "")
    expect(page.get_by_text(visit.words("search.begin"), exact=True)).to_be_visible()


@pytest.mark.scenario("S5.9.3")
def test_every_hit_shows_the_parts_of_its_score(served: Served, visit: Visit) -> None:
    """As a bar whose name a screen reader says, in search and in recall."""
    fill(served)
    words = visit.words
    page = visit("/search?q=bees")
    bar = hits(page).first.get_by_role("img")

    expect(bar).to_have_attribute("aria-label", re.compile(re.escape(words("search.part_bm25"))))

    page.get_by_role("button", name=words("search.way_recall"), exact=True).click()
    expect(page.get_by_text(words("search.way_recall_about"))).to_be_visible()
    said = hits(page).first.get_by_role("img")
    for part in ("keyword", "category", "recency", "frequency", "confidence"):
        expect(said).to_have_attribute(
            "aria-label", re.compile(re.escape(words(f"search.part_{part}")))
        )
    expect(hits(page).filter(has_text="winter")).to_have_count(0)


@pytest.mark.scenario("S5.9.3")
def test_filters_narrow_what_is_found(served: Served, visit: Visit) -> None:
    """By type, kind, category, source, session and time; without words they list the newest."""
    fill(served)
    words = visit.words
    page = visit("/search?q=bees")
    expect(hits(page)).to_have_count(4)
    page.get_by_text(words("browse.more_filters")).click()

    choose(page, words("browse.memory_type"), words("card.memory_type_long_term"))
    expect(hits(page)).to_have_count(2)
    choose(page, words("browse.kind"), words("card.kind_episodic"))
    expect(hits(page)).to_have_count(1)
    expect(hits(page)).to_contain_text("honey")

    page.get_by_role("button", name=words("browse.clear")).click()
    expect(hits(page)).to_have_count(4)
    page.get_by_role("combobox", name=words("browse.session_id")).click()
    page.get_by_role("option").click()  # the only session, under whatever title it got
    expect(hits(page)).to_have_count(2)
    page.get_by_role("button", name=words("browse.clear")).click()
    page.get_by_label(words("browse.time_to"), exact=True).fill("2020-01-01")
    expect(page.get_by_text(words("search.none_filtered"))).to_be_visible()

    page.get_by_role("button", name=words("browse.clear")).click()
    ask(page, visit, "")
    choose(page, words("browse.source"), words("card.source_inferred"))
    expect(rows(page)).to_have_count(1)
    expect(rows(page)).to_contain_text("swimming")
    page.get_by_role("button", name=words("browse.clear")).click()
    choose(page, words("browse.category"), words("card.category_preference"))
    expect(rows(page)).to_contain_text("乌龙茶")


def test_the_ways_share_their_words_and_filters(served: Served, visit: Visit) -> None:
    """A search becomes a table of what contains the words, and what would be recalled for them."""
    fill(served)
    words = visit.words
    page = visit("/search?q=bees")
    choose(page, words("browse.category"), words("card.category_fact"))
    expect(hits(page)).to_have_count(2)

    page.get_by_role("button", name=words("search.way_list"), exact=True).click()
    expect(hits(page)).to_have_count(0)
    expect(rows(page)).to_have_count(2)
    expect(rows(page).filter(has_text="mill")).to_have_count(1)
    page.get_by_role("button", name=words("search.way_recall"), exact=True).click()
    expect(hits(page)).to_have_count(2)
    visit("/browse?text=bees&memory_type=any")
    expect(rows(page)).to_have_count(3)
    page.get_by_role("button", name=words("search.way_search"), exact=True).click()
    expect(hits(page)).to_have_count(4)


def test_a_hit_opens_the_memory_and_leads_to_its_session(served: Served, visit: Visit) -> None:
    fill(served)
    page = visit("/search?q=winter")

    hits(page).first.get_by_role("button").click()

    expect(page.get_by_role("dialog")).to_contain_text("winter")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    hits(page).first.get_by_role("link").click()
    expect(page).to_have_url(re.compile("/ui/sessions/garden$"))


def test_long_results_come_in_portions(served: Served, visit: Visit) -> None:
    for number in range(45):
        served.memory.append_memory(f"Bee hive number {number}")
    page = visit("/search?q=hive")

    expect(hits(page)).to_have_count(20)
    page.get_by_role("button", name=visit.words("frame.more"), exact=True).click()
    expect(hits(page)).to_have_count(40)
    page.get_by_role("button", name=visit.words("frame.more"), exact=True).click()
    expect(hits(page)).to_have_count(45)
