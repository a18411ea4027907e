"""Sessions: listed, read, collected, renamed, ended, deleted with all that came of them."""

from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import expect
from tests.browser.conftest import Visit
from tests.browser.server import Served

MOVE = "move/1 搬家"
"""An id as applications make them: it has to survive an address."""


def talk(served: Served, session_id: str = MOVE) -> None:
    ago = datetime.now(UTC) - timedelta(minutes=5)
    memory = served.memory
    memory.save_conversation_turn(
        "I am moving to Berlin in March.", "Have you measured the sofa?", session_id, now=ago
    )
    memory.save_conversation_turn("我对花生过敏。", "记住了，不放花生。", session_id, now=ago)


def test_sessions_are_listed_by_pages_and_opened(served: Served, visit: Visit) -> None:
    for number in range(21):
        ago = datetime.now(UTC) - timedelta(hours=30 - number)
        served.memory.save_conversation_turn(f"Garden {number}", "Bees", f"s-{number}", now=ago)
    served.memory.wait_until_idle()  # titles come from summaries
    page = visit("/sessions")
    entries = page.get_by_role("main").get_by_role("listitem")
    expect(page.get_by_text(visit.words.counted("sessions.count", 21))).to_be_visible()
    expect(entries).to_have_count(20)
    expect(entries.first).to_contain_text("Garden 20")
    page.get_by_role("button", name="2", exact=True).click()
    expect(entries).to_have_count(1)
    entries.get_by_role("link").press("Enter")
    expect(page.get_by_role("heading", level=2).first).to_have_text("Garden 0")
    page.get_by_role("link", name=visit.words("sessions.back")).click()
    expect(entries).to_have_count(20)


def test_an_empty_list_says_how_a_session_begins(visit: Visit) -> None:
    page = visit("/sessions")
    expect(page.get_by_text(visit.words("sessions.empty_how"))).to_be_visible()
    page.get_by_role("tab", name=visit.words("sessions.collected")).click()
    expect(page.get_by_text(visit.words("sessions.none_collected_how"))).to_be_visible()
    visit("/sessions/none-such")
    expect(page.get_by_text(visit.words("sessions.none_of_it"))).to_be_visible()


def test_a_session_is_read_renamed_and_summed_up_at_its_end(served: Served, visit: Visit) -> None:
    talk(served)
    words, sessions = visit.words, served.memory.sessions
    page = visit("/sessions")
    page.get_by_role("main").get_by_role("listitem").get_by_role("link").click()
    said = page.get_by_role("listitem")
    expect(said.filter(has_text="I am moving to Berlin in March.")).to_be_visible()
    expect(said.filter(has_text="记住了，不放花生。")).to_be_visible()
    expect(page.get_by_role("heading", name=words("sessions.working"))).to_be_visible()
    turns = page.locator("dt", has_text=words("sessions.turns")).locator("xpath=following::dd[1]")
    expect(turns).to_have_text("2")
    page.get_by_role("button", name=words("sessions.rename")).click()
    dialog = page.get_by_role("dialog", name=words("sessions.rename"))
    dialog.get_by_label(words("sessions.title")).fill("Umzug 柏林")
    dialog.get_by_role("button", name=words("frame.save")).click()
    expect(page.get_by_role("heading", name="Umzug 柏林")).to_be_visible()
    assert sessions.get(MOVE).title == "Umzug 柏林"
    page.get_by_role("button", name=words("sessions.end"), exact=True).click()
    expect(page.get_by_text(words("sessions.was_ended"))).to_be_visible()
    expect(page.get_by_text(words("sessions.by_rules"))).to_be_visible()
    assert sessions.get(MOVE).ended_at is not None
    # What it was read for at its end is beside it.
    expect(page.get_by_role("button", name="I am moving to Berlin")).to_be_visible()


def test_a_message_is_collected_and_found_again(served: Served, visit: Visit) -> None:
    talk(served)
    words, memory = visit.words, served.memory
    page = visit("/sessions")
    page.get_by_role("main").get_by_role("listitem").get_by_role("link").click()
    said = page.get_by_role("listitem").filter(has_text="Have you measured the sofa?")
    said.get_by_role("button", name=words("sessions.collect")).press("Enter")
    expect(said.get_by_role("button", name=words("sessions.let_go"))).to_be_visible()
    assert [one.content for one in memory.sessions.collected()] == ["Have you measured the sofa?"]
    visit("/sessions")
    page.get_by_role("tab", name=words("sessions.collected")).click()
    found = page.get_by_role("main").get_by_role("listitem")
    expect(found).to_contain_text("Have you measured the sofa?")
    found.get_by_role("link", name=words("sessions.to_session")).click()
    said.get_by_role("button", name=words("sessions.let_go")).click()
    expect(said.get_by_role("button", name=words("sessions.collect"))).to_be_visible()
    assert not memory.sessions.collected()


@pytest.mark.scenario("S1.5.2")
def test_a_message_of_a_transcript_is_promoted(served: Served, visit: Visit) -> None:
    served.memory.save_conversation_turn("The spare key hangs in the shed", "Good to know", "keys")
    words = visit.words
    page = visit("/sessions/keys")
    expect(page.get_by_text(words("sessions.nothing_learned"))).to_be_visible()
    said = page.get_by_role("listitem").filter(has_text="The spare key")
    said.get_by_role("button", name=words("sessions.open_memory")).click()
    page.get_by_role("dialog").get_by_role("button", name=words("card.promote")).click()
    learned = page.get_by_role("listitem").get_by_role("button", name="The spare key")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    visit("/sessions/keys")
    expect(learned).to_be_visible()
    (promoted,) = served.memory.list_memories("long_term").items
    assert promoted.content == "The spare key hangs in the shed"


def test_a_session_is_deleted_with_everything_that_came_from_it(
    served: Served, visit: Visit
) -> None:
    talk(served)
    memory, words = served.memory, visit.words
    memory.sessions.end(MOVE)
    memory.wait_until_idle()
    assert memory.list_memories("long_term").total
    page = visit("/sessions")
    page.get_by_role("main").get_by_role("listitem").get_by_role("link").click()
    page.get_by_role("button", name=words("sessions.delete"), exact=True).click()
    dialog = page.get_by_role("dialog", name=words("sessions.delete_title"))
    expect(dialog).to_contain_text(words.counted("sessions.messages", 4))
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    assert memory.sessions.list().total == 1
    page.get_by_role("button", name=words("sessions.delete"), exact=True).click()
    dialog.get_by_role("button", name=words("sessions.delete_yes")).click()
    expect(page.get_by_text(words.counted("sessions.deleted", 4))).to_be_visible()
    expect(page.get_by_text(words("sessions.empty"), exact=True)).to_be_visible()
    assert memory.list_memories(None).total == 0
    assert "peanuts" not in memory.read_main()
