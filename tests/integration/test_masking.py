"""What is made of a conversation has no secrets in it, and who writes one is told."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from tests.conftest import some
from tests.doors import Chatmem
from tests.integration.conftest import Open

from chatmem import MemoryService
from chatmem.engine.tools import memory_tools

TOLD = [
    # what is said in a session, and what must stay in it
    ("My wifi password is Kolibri-77, please remember that for my trip to Graz.", "Kolibri-77"),
    ("I changed my mail password. It's now Kolibri-77. Remind me on Friday.", "Kolibri-77"),
    ("Kolibri77x is my password, can you plan a trip to Graz on Friday?", "Kolibri77x"),
    ("user/password: bob / s3cr3tpass, and I would like a plan for Graz", "s3cr3tpass"),
    ("我家wifi密码还是老的那个 abc12345，周五帮我订去成都的票", "abc12345"),
    ("我的密碼改過了，新的是 Moon2025，週五提醒我去台北", "Moon2025"),
]


def derived(memory: MemoryService, data: Path) -> Iterator[str]:
    """Everything that was made of the session, as text."""
    yield repr(memory.sessions.working_memory("s1"))
    yield repr(memory.sessions.summary("s1"))
    yield repr([memory.sessions.get("s1"), *memory.get_recent_session_summaries()])
    yield repr([one for one in memory.list_memories(limit=99, state="all").items])
    yield from (file.read_text("utf-8") for file in (data / "prompts").rglob("*.md"))


@pytest.mark.parametrize(("said", "secret"), TOLD)
def test_a_secret_stays_in_the_conversation(
    memory: MemoryService, data: Path, said: str, secret: str
) -> None:
    now = datetime.now(UTC)
    memory.save_conversation_turn(said, f"Sure, I keep in mind: {said}", "s1", now=now)
    memory.wait_until_idle(now=now)
    assert not [text for text in derived(memory, data) if secret in text]

    memory.sessions.end("s1", now=now + timedelta(minutes=5))
    memory.wait_until_idle(now=now + timedelta(hours=3))
    assert not [text for text in derived(memory, data) if secret in text]
    assert memory.sessions.messages("s1")[0].content == said


def test_a_summary_is_still_a_summary(memory: MemoryService) -> None:
    memory.save_conversation_turn(TOLD[0][0], "OK", "s1")
    memory.wait_until_idle(now=datetime.now(UTC))

    summary = some(memory.sessions.summary("s1"))
    assert "[secret: password]" in summary.title + summary.snippet
    assert "Graz" in summary.snippet
    working = some(memory.sessions.working_memory("s1"))
    assert "secret" not in str(working.current_topic)


def test_who_switches_masking_off_has_it_off_everywhere(reopen: Open) -> None:
    memory = reopen(mask_secrets=False)
    memory.save_conversation_turn(TOLD[0][0], "OK", "s1")
    memory.wait_until_idle(now=datetime.now(UTC))

    summary = some(memory.sessions.summary("s1"))
    assert "Kolibri-77" in summary.title + summary.snippet


def test_the_columns_beside_the_text_keep_no_secret_either(memory: MemoryService) -> None:
    record = memory.append_memory(
        "My wifi password is Kolibri-77", key="wifi_password", value="Kolibri-77", tags=("wifi",)
    )
    assert (record.content, record.value) == ("My wifi password is [secret: password]", None)
    assert record.tags == ("wifi",)

    (written,) = memory.apply_writes([{"content": "My bank card is 4111 1111 1111 1111"}])
    assert "4111" not in written.content + memory.read_main()
    edited = memory.update(record.id, content="The PIN of my card is 4821")
    assert edited.content == "The PIN of my card is [secret: code]"
    kept = memory.append_memory("Lives in Graz", key="home", value="Graz")
    assert kept.value == "Graz"


def test_a_turn_that_is_promoted_leaves_its_secret_in_the_conversation(
    memory: MemoryService, main: Path
) -> None:
    saved = memory.save_conversation_turn(TOLD[0][0], "OK", "s1")
    promoted = memory.promote(saved.user.id)

    assert "Kolibri-77" not in promoted.content + main.read_text("utf-8")
    assert memory.sessions.messages("s1")[0].content == TOLD[0][0]


def test_rest_says_what_was_masked(http: TestClient) -> None:
    written = http.post("/api/memory", json={"content": "my password is hunter2tulip"})
    plain = http.post("/api/memory", json={"content": "I live in Graz"})
    logged = http.post("/api/memory/daily/2026-11-21", json={"entry": "PIN: 4821"})

    assert written.json()["masked"] == ["password"]
    assert plain.json()["masked"] == []
    assert logged.json()["masked"] == ["code"]


def test_a_tool_says_what_was_masked(memory: MemoryService) -> None:
    tools = {one.name: one for one in memory_tools(memory)}

    told = tools["append_memory"].call({"fact": "my password is hunter2tulip"}).content
    logged = tools["append_daily_log"].call({"entry": "卡号是6217 0007 0000 1234 563"}).content
    plain = tools["append_memory"].call({"fact": "I live in Graz"}).content

    assert isinstance(told, Mapping) and told["masked"] == ["password"]
    assert isinstance(logged, Mapping) and logged["masked"] == ["card"]
    assert isinstance(plain, Mapping) and "masked" not in plain


def test_the_command_line_says_what_was_masked(chatmem: Chatmem) -> None:
    told = chatmem("remember", "my password is hunter2tulip")
    assert (told.code, told.err) == (0, "chatmem: masked: password\n")
    assert chatmem("remember", "I live in Graz").err == ""
