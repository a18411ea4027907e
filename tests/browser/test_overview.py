"""The overview: what there is, how it grew, what waits or failed, what works."""

import re
from datetime import UTC, datetime, timedelta

import apsw
from playwright.sync_api import Locator, Page, expect
from tests.browser.conftest import NewWindow, StartServer, Visit, Words
from tests.browser.server import Served


def card(page: Page, title: str) -> Locator:
    heading = page.get_by_role("heading", name=title, exact=True)
    return page.locator(".q-card").filter(has=heading)


def fill(served: Served) -> None:
    memory = served.memory
    now = datetime.now(UTC)
    for days in (0, 3, 40, 200):
        then = now - timedelta(days=days)
        memory.append_memory(f"Saw {days} herons", "fact", now=then)
    memory.append_memory("喜欢乌龙茶", "preference")
    memory.append_memory("Swims on Tuesdays", "pattern")
    memory.save_conversation_turn("Hello", "Hi", "talk")


def test_the_overview_tells_how_much_there_is_and_how_it_grew(served: Served, visit: Visit) -> None:
    """Numbers, a plot over a choice of spans, and a bar for each category."""
    fill(served)
    words = visit.words
    page = visit("/overview")

    tiles = page.locator(".tiles > div")
    expect(tiles.filter(has_text=words("overview.long_term"))).to_contain_text("6")
    expect(tiles.filter(has_text=words("overview.messages"))).to_contain_text("2")
    growth = card(page, words("overview.growth"))
    plot = growth.locator(".nicegui-echart[role=img]")
    expect(plot.locator("svg")).to_be_visible()
    expect(plot).to_have_attribute("aria-label", _grew(words, 90, 5))
    growth.get_by_role("button", name=words("overview.days", days=365)).click()
    expect(plot).to_have_attribute("aria-label", _grew(words, 365, 6))
    growth.get_by_role("button", name=words("overview.messages"), exact=True).click()
    expect(plot.locator("svg")).to_contain_text(words("overview.category_turns"))
    bars = card(page, words("overview.categories"))
    expect(bars).to_contain_text(
        re.compile(re.escape(words("card.category_fact")) + r"\s*4", re.DOTALL)
    )


def test_the_overview_says_what_works(visit: Visit) -> None:
    """Vectors are off here, and the page says so; everything can be looked at on request."""
    words = visit.words
    page = visit("/overview")

    works = card(page, words("overview.works"))
    item = works.locator(".works-item").filter(has_text=words("overview.works_vectors"))
    expect(item.locator(".works-off")).to_be_visible()
    expect(item).to_contain_text(words("errors.missing_embedder_off"))
    expect(works).to_contain_text(words("overview.works_model"))
    works.get_by_role("button", name=words("overview.check")).click()
    expect(works).to_contain_text(words("overview.found_documents"))


def test_work_that_was_given_up_can_be_tried_again_or_struck_off(
    start_server: StartServer, new_window: NewWindow, words: Words
) -> None:
    """Its reason stands there; the page sees by itself what waits."""
    served = start_server()
    served.memory.save_conversation_turn("I keep bees", "Nice", "talk")
    served.memory.wait_until_idle()  # or the jobs of the turn itself would be done meanwhile
    page = new_window(served)("/overview")
    queue = card(page, words("overview.queue"))
    failed = queue.locator(".job-failed")
    _give_up(served, "profile", "the model's server is away <b>now</b>")
    _give_up(served, "consolidation", "no room on the disk")

    expect(failed).to_have_count(2)  # seen by itself
    title = served.memory.sessions.get("talk").title
    assert title
    away = failed.filter(has_text="the model's server is away <b>now</b>")
    again = words("overview.retry_one", what=f"{words('overview.job_profile')} · {title}")
    away.get_by_role("button", name=again).click()
    expect(failed).to_have_count(1)
    off = words("overview.discard_one", what=f"{words('overview.job_consolidation')} · {title}")
    failed.get_by_role("button", name=off).click()
    expect(failed).to_have_count(0)
    assert all(job.state != "failed" for job in served.memory.jobs.list())


def _grew(words: Words, days: int, memories: int) -> str:
    return words("overview.grew", days=days, memories=memories, messages=2)


def _give_up(served: Served, kind: str, error: str) -> None:
    """A job as it stands after its last attempt: to fail so often takes a day."""
    now = f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%S.000Z}"
    database = apsw.Connection(str(served.data / "chatmem.db"))
    try:
        database.set_busy_timeout(5_000)
        database.execute(
            "INSERT OR REPLACE INTO job "
            "(user_id, kind, session_id, due_at, attempts, error, given_up_at) "
            "VALUES (?, ?, 'talk', ?, 9, ?, ?)",
            (served.user, kind, now, error, now),
        )
    finally:
        database.close()
