"""The overview, what waits or failed and what works; the prompt inspector: exact, counted."""

import json
import re
from datetime import UTC, datetime, timedelta

import apsw
from playwright.sync_api import Locator, Page, expect
from tests.browser.conftest import Visit, Words
from tests.browser.server import Served
from tests.browser.watch import choose

from chatmem import ChatContextBuilder, PromptComposer


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
    served: Served, visit: Visit
) -> None:
    """Its reason stands there; the page sees by itself what waits."""
    words = visit.words
    served.memory.save_conversation_turn("I keep bees", "Nice", "talk")
    served.memory.wait_until_idle()  # or the jobs of the turn itself would be done meanwhile
    page = visit("/overview")
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


QUESTION = "What may I cook for my sister? 她吃花生吗？"


def unmarked(text: str) -> str:
    """A prompt without its fence's mark, which each process draws for itself."""
    return re.sub(r"\b\d{12}\b", "", text)


def test_the_prompt_is_shown_exactly_and_counted(served: Served, visit: Visit) -> None:
    memory, words = served.memory, visit.words
    memory.append_memory("My sister is allergic to peanuts, 对花生过敏")
    memory.save_conversation_turn("My sister visits", "How nice", "visit")
    page = visit("/prompt?session=visit")
    page.get_by_label(words("prompt.message")).fill(QUESTION)
    page.keyboard.press("Control+Enter")
    wanted = ChatContextBuilder(memory).build_messages(QUESTION, "visit", counts_access=False)
    shown = page.locator("section .prompt-text")
    expect(shown).to_have_count(len(wanted))
    texts = [one["content"] for one in wanted]
    assert [*map(unmarked, shown.all_text_contents())] == [*map(unmarked, texts)]
    rows = page.get_by_role("table").get_by_role("row")
    tokens = {
        row.get_by_role("rowheader").inner_text().splitlines()[0]: row.get_by_role("cell").first
        for row in rows.all()[1:]
    }
    receipt = wanted.receipt
    assert {name: int(cell.inner_text()) for name, cell in tokens.items()} == {
        words(f"prompt.section_{one.name}"): one.tokens for one in receipt.sections if one.tokens
    }
    bar = page.get_by_role("img", name=words("prompt.section_main"))
    widths = [part.bounding_box() for part in bar.locator(".prompt-part").all()]
    assert len(widths) == len(tokens)
    expect(page.get_by_text(words("prompt.nothing_left_out"))).to_be_visible()
    # Nothing was counted, nothing was saved.
    (kept,) = memory.list_memories("long_term").items
    assert kept.access_count == 0
    assert len(memory.sessions.messages("visit")) == 2


def test_as_one_text(served: Served, visit: Visit) -> None:
    served.memory.append_memory("Keeps bees")
    words = visit.words
    page = visit("/prompt")
    page.get_by_label(words("prompt.message")).fill(QUESTION)
    page.get_by_role("button", name=words("prompt.as_text")).click()
    page.get_by_role("button", name=words("prompt.go")).click()
    wanted = PromptComposer(served.memory).compose(QUESTION, counts_access=False)
    expect(page.locator("section .prompt-text")).to_have_count(1)
    shown = page.locator("section .prompt-text").text_content()
    assert unmarked(shown or "") == unmarked(str(wanted))
    page.get_by_role("button", name=words("prompt.copy")).click()
    expect(page.get_by_text(words("prompt.copied"))).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == shown


def test_what_was_left_out_is_told_with_its_reason(served: Served, visit: Visit) -> None:
    memory, words = served.memory, visit.words
    for number in range(40):
        memory.append_memory(f"The sister's recipe number {number} has lentils, rice and cumin")
    page = visit("/prompt")
    page.get_by_label(words("prompt.message")).fill("The sister's recipe with lentils")
    page.get_by_label(words("prompt.most_tokens")).fill("400")
    page.get_by_role("button", name=words("prompt.go")).click()
    expect(page.get_by_text(words("prompt.reason_total_tokens"))).to_be_visible()
    left_out = page.locator(".prompt-left")
    items = left_out.get_by_role("button").first
    count = int(re.findall(r"\d+", items.inner_text())[0])
    assert 20 < count < 40
    items.click()
    left = left_out.get_by_role("listitem")
    expect(left).to_have_count(count)
    left.first.get_by_role("button").click()
    expect(page.get_by_role("dialog")).to_contain_text("The sister's recipe number")


def test_what_does_not_fit_is_said_at_the_field(visit: Visit) -> None:
    words = visit.words
    page = visit("/prompt")
    page.get_by_role("button", name=words("prompt.go")).click()
    expect(page.get_by_text(words("prompt.needs_message"))).to_be_visible()
    page.get_by_label(words("prompt.message")).fill("Lentils " * 200)
    page.get_by_label(words("prompt.most_tokens")).fill("100")
    page.get_by_role("button", name=words("prompt.go")).click()
    expect(page.get_by_role("alert").filter(has_text="total_tokens = 100")).to_be_visible()


def test_persona_and_scenario_are_chosen(served: Served, visit: Visit) -> None:
    words = visit.words
    page = visit("/prompt")
    page.get_by_label(words("prompt.message")).fill("Write a loop")
    for field, option in (("persona", "persona_coding"), ("scenario", "scenario_brief")):
        choose(page, words(f"prompt.{field}"), words(f"prompt.{option}"))
    page.get_by_role("button", name=words("prompt.go")).click()
    wanted = ChatContextBuilder(served.memory).build_messages(
        "Write a loop", persona="coding", scenario="brief", counts_access=False
    )
    shown = page.locator("section .prompt-text")
    expect(shown.first).to_have_text(wanted[0]["content"], use_inner_text=False)
    assert json.dumps(shown.all_text_contents()) == json.dumps([one["content"] for one in wanted])
