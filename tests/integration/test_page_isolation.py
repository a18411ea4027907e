"""Four users of a real server, on both databases: no view, socket or prompt has another's words."""

import os
import sys
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from fastapi import FastAPI
from tests.chat_model_server import ChatModelServer
from tests.doors import Served, by_words, serving
from tests.integration.conftest import home
from tests.integration.test_page_windows import Browser, heard

from chatmem import MemoryService

CHATMEM = str(Path(sys.executable).with_name("chatmem"))
USERS = ("ann", "bo", "小明", "dee")
EACH = 9
"""Memories of a user; a third of them are a household's, in which the first two are."""
LEAST_CHECKS = 1_500
VIEWS = (
    *("/", "/search?q=garden&mode=search", "/search?q=花园", "/browse", "/browse?whose=shared"),
    *("/browse?memory_type=any&state=all", "/sessions", "/sessions/talk", "/daily", "/profile"),
    *("/prompt?message=garden&session=talk", "/chat?session=talk", "/overview", "/settings"),
)


def marker(user: int, number: int) -> str:
    return f"muk{user}x{number}q"


def remember(memory: MemoryService, user: int) -> None:
    for number in range(EACH):
        text = f"The garden 花园 has {marker(user, number)}"
        if number % 3 == 0:
            memory.append_memory(text, visibility="household")
        elif number % 3 == 1:
            memory.save_conversation_turn(text, f"I see {marker(user, number)}", "talk")
        else:
            memory.append_daily_log(text)
    memory.update_user_profile(f"- {marker(user, EACH)}\n")
    memory.wait_until_idle()


def hidden_from(viewer: int) -> list[str]:
    """Markers that this user may never see."""
    return [
        marker(user, number)
        for user in range(len(USERS))
        for number in range(EACH + 1)
        if user != viewer and not ({user, viewer} == {0, 1} and number % 3 == 0 and number < EACH)
    ]


@pytest.mark.parametrize("database", ["sqlite", "postgres"])
def test_what_is_not_for_a_visitor_reaches_no_window_socket_or_model(
    request: pytest.FixtureRequest, own_folder: Path, database: str
) -> None:
    is_file = database == "sqlite"
    place = own_folder / "data" if is_file else request.getfixturevalue("postgres_address")
    checks = 0
    with ExitStack() as stack:
        model = stack.enter_context(ChatModelServer("Good to know."))
        memory = stack.enter_context(by_words(place, USERS[0]))
        for number, user in enumerate(USERS):
            remember(memory.for_user(user), number)
        home(memory, bo="parent")
        llm = {"CHATMEM_LLM_BASE_URL": model.base_url, "CHATMEM_LLM_MODEL": "small-model"}
        environment = {**os.environ, "CHATMEM_EMBEDDER": "none", **llm}
        command = (CHATMEM, "serve", "--data" if is_file else "--database", str(place))
        url = stack.enter_context(serving(*command, cwd=own_folder, env=environment))
        served = Served(memory, url, urlsplit(url).port or 0, FastAPI())
        for number, user in enumerate(USERS):
            http = stack.enter_context(served.client())
            browser = Browser(served, http, user)
            before = len(model.received)
            for view in VIEWS:
                window = browser.open(f"/ui{view}")
                with browser.socket(window) as socket:
                    shown = browser.last + heard(socket, 0.15)
                leaked = [one for one in hidden_from(number) if one in shown]
                assert not leaked, (view, user)
                checks += len(hidden_from(number))
            chat = {"messages": [{"role": "user", "content": "What is in the garden 花园?"}]}
            with served.client(browser.key) as client:
                answer = client.post("/v1/chat/completions", json=chat)
                assert answer.is_success, answer.text
                told = str([one.body for one in model.received[before:]]) + answer.text
            assert marker(number, 0) in told
            assert not [one for one in hidden_from(number) if one in told], user
            checks += len(hidden_from(number))
    assert checks >= LEAST_CHECKS
