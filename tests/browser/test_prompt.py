"""The prompt inspector: the exact prompt, its tokens by section, what was left out and why."""

import json

from playwright.sync_api import expect
from tests.browser.conftest import Visit
from tests.browser.server import Served

from chatmem import ChatContextBuilder, PromptComposer

QUESTION = "What may I cook for my sister? 她吃花生吗？"


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
    assert shown.all_text_contents() == [one["content"] for one in wanted]
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
    assert page.locator("section .prompt-text").text_content() == str(wanted)
    page.get_by_role("button", name=words("prompt.copy")).click()
    expect(page.get_by_text(words("prompt.copied"))).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == str(wanted)


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
    left_out.get_by_role("button", name=words.counted("prompt.items", 26)).click()
    left = left_out.get_by_role("listitem")
    expect(left).to_have_count(26)
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
        page.get_by_role("combobox", name=words(f"prompt.{field}")).click()
        page.get_by_role("option", name=words(f"prompt.{option}")).click()
    page.get_by_role("button", name=words("prompt.go")).click()
    wanted = ChatContextBuilder(served.memory).build_messages(
        "Write a loop", persona="coding", scenario="brief", counts_access=False
    )
    shown = page.locator("section .prompt-text")
    expect(shown.first).to_have_text(wanted[0]["content"], use_inner_text=False)
    assert json.dumps(shown.all_text_contents()) == json.dumps([one["content"] for one in wanted])
