"""Chat: streamed, stopped, failed and asked again, and what was remembered of it."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect
from tests.browser.conftest import NewWindow, Visit, Words
from tests.browser.server import Served, Server, serve, user_of
from tests.browser.watch import CONNECTED
from tests.chat_model_server import ChatModelServer, Question, Reply

ANSWER = "Keep the **bees** warm.\n\n<script>document.title = 'owned'</script>"


class TalkingModel(ChatModelServer):
    """Streams what is planned to who chats; who wants JSON of it gets none."""

    def reply(self, question: Question) -> Reply:
        if question.body.get("stream"):
            return super().reply(question)
        return Reply("no JSON from me")


@pytest.fixture(scope="module")
def model() -> Iterator[TalkingModel]:
    with TalkingModel(ANSWER) as running:
        yield running


@pytest.fixture(scope="module")
def talker(model: TalkingModel, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """It has a model for its chat, and reads each turn at once."""
    environment = {
        "CHATMEM_LLM_BASE_URL": model.base_url,
        "CHATMEM_LLM_MODEL": "small-model",
        "MEMORY_MIN_NEW_MESSAGES": "2",
        "MEMORY_EXTRACT_INTERVAL_SECONDS": "0",
    }
    with serve(tmp_path_factory.mktemp("talking"), environment) as running:
        yield running


@pytest.fixture
def talking(talker: Server, model: TalkingModel) -> Iterator[Served]:
    """A new user of that server."""
    model.received.clear()
    with user_of(talker) as user:
        yield user


def say(page: Page, words: Words, message: str) -> None:
    page.get_by_label(words("chat.message")).fill(message)
    page.get_by_label(words("chat.message")).press("Enter")


def test_without_a_model_it_says_how_to_configure_one(visit: Visit) -> None:
    words = visit.words
    page = visit("/chat")
    expect(page.get_by_role("heading", name=words("chat.no_model"))).to_be_visible()
    expect(page.get_by_text("CHATMEM_LLM_BASE_URL")).to_be_visible()
    expect(page.get_by_role("button", name=words("chat.look"))).to_be_visible()
    expect(page.get_by_label(words("chat.message"))).to_have_count(0)


def test_an_answer_is_streamed_and_what_was_remembered_is_below_it(
    talking: Served, model: TalkingModel, new_window: NewWindow
) -> None:
    talking.memory.append_memory("Keeps bees in the garden, 在花园养蜜蜂")
    visit = new_window(talking)
    words = visit.words
    model.planned.append(Reply(ANSWER, pause_seconds=0.15))
    page = visit("/chat")
    say(page, words, "I am allergic to peanuts. What about the bees in the garden?")
    # The beginning is there while the rest is still to come.
    expect(page.get_by_role("button", name=words("chat.stop"))).to_be_visible()
    expect(page.get_by_text("Keep the")).to_be_visible()
    expect(page.get_by_role("button", name=words("chat.send"))).to_be_visible()
    expect(page.locator(".chat-markdown strong")).to_have_text("bees")
    expect(page.get_by_text("<script>document.title = 'owned'</script>")).to_be_visible()
    assert page.title() != "owned"
    assert "Keeps bees" in model.received[0].system
    page.get_by_role("button", name=words.counted("chat.used", 1)).click()
    expect(page.get_by_role("button", name="Keeps bees in the garden")).to_be_visible()
    expect(page.get_by_text(words("chat.remembered"))).to_be_visible()
    expect(page.get_by_role("button", name="peanuts")).to_be_visible()
    page.get_by_role("button", name="peanuts").click()
    expect(page.get_by_role("dialog")).to_contain_text("peanuts")
    (session,) = talking.memory.sessions.list().items
    assert session.message_count == 2
    assert any("peanuts" in one.content for one in talking.memory.list_memories().items)


def test_an_answer_is_stopped_and_kept_as_far_as_it_came(
    talking: Served, model: TalkingModel, new_window: NewWindow
) -> None:
    visit = new_window(talking)
    words = visit.words
    model.planned.append(Reply("one two three four five six " * 20, pause_seconds=0.1))
    page = visit("/chat")
    say(page, words, "Count, please")
    expect(page.get_by_text("one two")).to_be_visible()
    page.get_by_role("button", name=words("chat.stop")).click()
    expect(page.get_by_text(words("chat.stopped"))).to_be_visible()
    (session,) = talking.memory.sessions.list().items
    assert talking.memory.sessions.messages(session.session_id)[1].content.endswith("[…]")
    # The conversation goes on.
    say(page, words, "And now?")
    expect(page.locator(".chat-markdown strong")).to_have_text("bees")


def test_a_failure_is_told_below_the_message_and_can_be_tried_again(
    talking: Served, model: TalkingModel, new_window: NewWindow
) -> None:
    visit = new_window(talking)
    words = visit.words
    model.planned.append(Reply(status=401, body=b'{"error": {"message": "who are you"}}'))
    page = visit("/chat")
    say(page, words, "Hello there")
    expect(page.get_by_role("alert")).to_contain_text("401")
    page.get_by_role("button", name=words("frame.try_again")).click()
    expect(page.locator(".chat-markdown strong")).to_have_text("bees")


def test_a_session_is_gone_on_with(
    talking: Served, model: TalkingModel, new_window: NewWindow
) -> None:
    talking.memory.save_conversation_turn("The hive is blue", "蓝色的蜂箱", "hive/1")
    visit = new_window(talking)
    page = visit("/sessions")
    page.get_by_role("main").get_by_role("listitem").get_by_role("link").click()
    page.get_by_role("link", name=visit.words("sessions.go_on")).click()
    expect(page.get_by_text("The hive is blue")).to_be_visible()
    page.wait_for_function(CONNECTED)
    say(page, visit.words, "Which colour is it?")
    expect(page.locator(".chat-markdown strong")).to_have_text("bees")
    said = [(one["role"], one["content"]) for one in model.received[0].messages[1:]]
    assert said == [
        ("user", "The hive is blue"),
        ("assistant", "蓝色的蜂箱"),
        ("user", "Which colour is it?"),
    ]
