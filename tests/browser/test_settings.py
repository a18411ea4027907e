"""Settings on the page: each with its meaning, keys, taking things along, and starting afresh."""

import json
from pathlib import Path
from zipfile import ZipFile

import httpx
import pytest
from playwright.sync_api import Locator, Page, expect
from tests.browser.conftest import NewWindow, StartServer, Visit, Words
from tests.browser.server import Served
from tests.conftest import soon

from chatmem import MemoryService

TABLE = "memory."


def row(page: Page, name: str) -> Locator:
    return page.locator(".settings-row").filter(has=page.get_by_text(TABLE + name, exact=True))


def enter(field: Locator, value: str) -> None:
    field.fill(value)
    field.press("Enter")


def test_every_setting_stands_on_the_page_with_its_meaning(served: Served, visit: Visit) -> None:
    """None is left out, and none stands there twice."""
    page, words = visit("/settings"), visit.words

    for name in served.memory.config.get():
        last = name.removeprefix(TABLE)
        expect(row(page, last)).to_contain_text(words(f"settings.name_{last}"))
        expect(row(page, last)).to_contain_text(words(f"settings.about_{last}"))


@pytest.mark.scenario("S5.9.2")
def test_the_switch_decides_whether_turns_are_remembered(
    start_server: StartServer, new_window: NewWindow, words: Words
) -> None:
    """It follows what is changed elsewhere."""
    served = start_server()
    memory, page = served.memory, new_window(served)("/")
    switch = page.get_by_role("switch", name=words("memory.automatic_switch"))
    is_off, is_on = (
        page.get_by_text(words(f"memory.automatic_about_{state}")) for state in ("off", "on")
    )

    expect(switch).to_be_checked()
    switch.click()
    expect(is_off).to_be_visible()
    assert memory.settings.memory.auto_extract is False
    say(memory, "off", "I live in Lisbon", "I love rye bread")
    memory.wait_until_idle()
    page.wait_for_timeout(1_500)  # the server's worker looks for jobs every second
    assert memory.list_memories().total == 0

    memory.config.set({"memory.auto_extract": True})
    expect(switch).to_be_checked()
    expect(is_on).to_be_visible()
    switch.click()
    expect(is_off).to_be_visible()
    switch.click()
    expect(is_on).to_be_visible()
    say(memory, "on", "My name is Annika", "I work as a nurse")
    soon(lambda: memory.list_memories().total)


def say(memory: MemoryService, session: str, *texts: str) -> None:
    for text in texts:
        memory.save_conversation_turn(text, "I see", session)


@pytest.mark.scenario("S2.6.1")
def test_a_change_is_stored_and_can_be_undone(
    start_server: StartServer, new_window: NewWindow, words: Words
) -> None:
    """A switch, a number, a choice; what does not fit."""
    served = start_server()
    window, config = new_window(served), served.memory.config
    page = window("/settings")

    row(page, "auto_extract").get_by_role("switch").click()
    expect(row(page, "auto_extract")).to_contain_text(words("settings.origin_stored"))
    assert config.get()["memory.auto_extract"] is False

    number = row(page, "rag_top_n").get_by_role("spinbutton")
    enter(number, "7")
    expect(row(page, "rag_top_n")).to_contain_text(words("settings.origin_stored"))
    assert config.get()["memory.rag_top_n"] == 7

    row(page, "dedup").get_by_role("combobox").click()
    page.get_by_role("option", name=words("settings.dedup_exact")).click()
    expect(row(page, "dedup")).to_contain_text(words("settings.origin_stored"))
    assert config.get()["memory.dedup"] == "exact"

    undo = words("settings.reset", setting=words("settings.name_rag_top_n"))
    page.get_by_role("button", name=undo).click()
    expect(row(page, "rag_top_n")).to_contain_text(words("settings.origin_default"))
    expect(number).to_have_value("5")
    assert config.origin("memory.rag_top_n") == "default"

    number = row(page, "flush_threshold").get_by_role("spinbutton")
    enter(number, "1.5")
    told = words("settings.takes_number_above_to", low=0, high=1)
    expect(row(page, "flush_threshold")).to_contain_text(told)
    assert config.origin("memory.flush_threshold") == "default"
    number.fill("0.5")
    number.blur()
    expect(row(page, "flush_threshold")).to_contain_text(words("settings.origin_stored"))
    expect(row(page, "flush_threshold")).not_to_contain_text(told)
    assert config.get()["memory.flush_threshold"] == 0.5


def test_keys_are_made_shown_once_and_revoked(
    start_server: StartServer, new_window: NewWindow, words: Words
) -> None:
    """The first key ends the time without keys: its maker signs in with it."""
    served = start_server()
    window = new_window(served, signs_in=True)
    page = window("/settings")
    expect(page.get_by_text(words("settings.keys_none"))).to_be_visible()

    page.get_by_role("button", name=words("settings.key_make")).click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text(words("settings.key_first"))
    key = dialog.locator(".settings-key").inner_text().strip()
    assert key.startswith("cm_")
    assert served.memory.keys.find(key) is not None
    window.watch.allow("401|WebSocket|socket.io")
    dialog.get_by_role("button", name=words("frame.close")).click()

    page.wait_for_url("**/ui/login")
    window.sign_in(key)
    page.wait_for_url("**/ui/")
    window("/settings")
    page.get_by_role("textbox", name=words("settings.key_user"), exact=True).fill("bo")
    page.get_by_role("checkbox", name=words("settings.key_admin")).set_checked(False)
    page.get_by_role("button", name=words("settings.key_make")).click()
    key_of_bo = dialog.locator(".settings-key").inner_text().strip()
    page.get_by_role("dialog").get_by_role("button", name=words("frame.close")).click()
    only_an_operator_changes_settings_and_keys(new_window(served, signs_in=True), key_of_bo)
    bo = next(one for one in served.memory.keys.list() if one.user_id == "bo")
    page.get_by_role("button", name=words("settings.revoke_one", id=bo.id, user="bo")).click()
    page.get_by_role("dialog").get_by_role("button", name=words("settings.key_revoke")).click()
    expect(page.get_by_text(words("settings.revoked"), exact=True)).to_be_visible()
    assert next(one for one in served.memory.keys.list() if one.user_id == "bo").revoked_at


def only_an_operator_changes_settings_and_keys(window: Visit, key: str) -> None:
    page, words = window.page, window.words
    page.goto(f"{window.url}/ui/")
    window.sign_in(key)
    page.wait_for_url("**/ui/")
    window("/settings")
    expect(page.get_by_text(words("settings.read_only"))).to_be_visible()
    expect(row(page, "enabled").get_by_role("switch")).to_have_attribute("aria-disabled", "true")
    expect(page.get_by_role("button", name=words("settings.key_make"))).to_have_count(0)
    page.close()


def test_an_operator_exports_and_deletes_a_user(
    start_server: StartServer, new_window: NewWindow, words: Words
) -> None:
    """It takes the name, typed."""
    served = start_server()
    served.memory.for_user("bo & 小").append_memory("Keeps bees")
    page = new_window(served)("/settings")

    with page.expect_download() as download:
        page.get_by_role("link", name=words("settings.user_export", user="bo & 小")).click()
    with ZipFile(download.value.path()) as packed:
        assert b"Keeps bees" in packed.read("prompts/memory/users/bo%20%26%20%E5%B0%8F/MEMORY.md")
    delete = words("settings.user_delete", user="bo & 小")
    page.get_by_role("button", name=delete).click()
    dialog = page.get_by_role("dialog")
    go = dialog.get_by_role("button", name=words("settings.user_go"))
    expect(go).to_be_disabled()
    dialog.get_by_role("textbox").fill("bo & 小")
    go.click()
    expect(page.get_by_role("button", name=delete)).to_have_count(0)
    assert [one.user_id for one in served.memory.users.list()] == ["default"]


def test_everything_is_exported_and_imported_again(
    start_server: StartServer, new_window: NewWindow, words: Words, tmp_path: Path
) -> None:
    """One file holds everything; an import reports what is new, and adds nothing twice."""
    served = start_server()  # a download goes without the header that names a user
    visit = new_window(served)
    served.memory.append_memory("Keeps bees 养蜂")
    served.memory.save_conversation_turn("你好", "Hello!", "talk")
    page = visit("/settings")

    with page.expect_download() as download:
        page.get_by_role("link", name=words("settings.export")).click()
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    lines = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    assert {line["content"] for line in lines} == {"Keeps bees 养蜂", "你好", "Hello!"}

    page.locator("input[type=file]").set_input_files(file)
    expect(page.get_by_text(words("settings.known", count=3))).to_be_visible()
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name=words("settings.choose_file")).click()
    other = tmp_path / "notes.md"
    other.write_text("# Notes\n\n- Plays the cello\n- 喜欢爬山\n", "utf-8")
    chooser.value.set_files(other)
    expect(page.get_by_text(_imported(words, "notes.md", messages=0, memories=2))).to_be_visible()
    assert {one.content for one in served.memory.list_memories().items} >= {
        "Plays the cello",
        "喜欢爬山",
    }

    page.locator("input[type=file]").set_input_files(other)
    expect(page.get_by_text(words("settings.known", count=2))).to_be_visible()


@pytest.mark.parametrize("language", ["en"])
def test_a_long_import_shows_how_far_it_is_and_goes_on_without_its_page(
    served: Served, visit: Visit, tmp_path: Path
) -> None:
    file = tmp_path / "long.json"
    said = [{"role": ("user", "assistant")[n % 2], "content": f"Herons {n}"} for n in range(15_000)]
    file.write_text(json.dumps({"messages": said}), "utf-8")
    page = visit("/settings")

    page.locator("input[type=file]").set_input_files(file)

    expect(page.get_by_role("progressbar", name="long.json")).to_be_visible()
    visit("/overview")
    soon(lambda: served.memory.stats().messages == len(said), 90)


def test_a_file_is_dropped_and_what_was_left_out_is_told(served: Served, visit: Visit) -> None:
    words = visit.words
    page = visit("/settings")

    _drop(page, "broken.json", '{"messages": [')
    alert = page.get_by_role("alert").filter(has_text="broken.json")
    expect(alert).to_contain_text(words("errors.ImportFormatError_json"))
    expect(alert).to_contain_text("line 1 column 15: not JSON")
    assert served.memory.stats().messages == 0

    said = [{"role": "system", "content": "Be kind."}, {"role": "user", "content": "Hello 你好"}]

    _drop(page, "talk.json", json.dumps({"messages": said}))
    expect(page.get_by_text(_imported(words, "talk.json", messages=1, memories=0, sessions=1))
           ).to_be_visible()  # fmt: skip
    for name, count in (("system_prompt", 1), ("undated", 1)):
        told = words("settings.noted", note=words(f"settings.note_{name}"), count=count)
        expect(page.get_by_text(told, exact=True)).to_be_visible()
    assert served.memory.stats().messages == 1

    _drop(page, "picture.png", "no text")
    refused = words("settings.rejected", kinds="").rstrip()
    expect(page.get_by_role("alert").filter(has_text=refused)).to_be_visible()


@pytest.mark.scenario("S2.6.1")
def test_everything_is_forgotten_only_after_the_word_was_typed(
    served: Served, visit: Visit
) -> None:
    """Long-term memories, then conversations: the page needs the word for each."""
    memory = served.memory
    memory.append_memory("Keeps bees")
    for number in range(3):
        memory.save_conversation_turn(f"Hello {number}", "Hi", f"talk-{number}")
    words = visit.words
    page = visit("/settings")

    for deed in ("forget", "delete"):
        page.get_by_role("button", name=words(f"settings.{deed}_do")).click()
        dialog = page.get_by_role("dialog")
        button = dialog.get_by_role("button", name=words(f"settings.{deed}_go"), exact=True)
        expect(button).to_be_disabled()
        dialog.get_by_role("textbox").fill("yes")
        expect(button).to_be_disabled()
        dialog.get_by_role("textbox").fill(words(f"settings.{deed}_word"))
        button.click()
        count = {"forget": 1, "delete": 3}[deed]
        told = words(f"settings.{deed}_done", count=count)
        expect(page.get_by_text(told)).to_be_visible()

    stats = memory.stats()
    assert (stats.long_term, stats.short_term, stats.messages, stats.sessions) == (0, 0, 0, 0)


def test_an_empty_memory_explains_itself_and_plays_the_demo(served: Served, visit: Visit) -> None:
    words = visit.words
    page = visit("/")
    expect(page.get_by_role("heading", name=words("first_run.title"))).to_be_visible()

    page.get_by_role("button", name=words("first_run.play")).click()

    expect(page.get_by_role("heading", name=words("first_run.title"))).to_have_count(0)
    assert served.memory.stats().sessions == 3


def test_the_export_is_of_the_one_who_asks(served: Served) -> None:
    served.memory.append_memory("Keeps bees")

    with served.rest() as client:
        mine = client.get("/ui/export")
    other = httpx.get(f"{served.page_url}/export", headers={"X-Chatmem-User": "nobody"})

    assert "Keeps bees" in mine.text
    assert other.text == ""


def _imported(words: Words, file: str, *, messages: int, memories: int, sessions: int = 0) -> str:
    return words(
        "settings.imported", file=file, messages=messages, memories=memories, sessions=sessions
    )


def _drop(page: Page, name: str, text: str) -> None:
    """Drag a file over the place for it, and let it go there."""
    held = page.evaluate_handle(
        "([name, text]) => { const held = new DataTransfer();"
        " held.items.add(new File([text], name)); return held; }",
        [name, text],
    )
    for event in ("dragenter", "dragover", "drop"):
        page.dispatch_event(".import-place", event, {"dataTransfer": held})
