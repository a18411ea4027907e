"""A user who has something in every table: what is deleted, exported, backed up."""

from datetime import UTC, datetime, timedelta

from chatmem import MemoryService
from chatmem.engine.server import HttpAnswer
from chatmem.model import Message
from chatmem.prompt.receipt import Receipt

MESSAGES = 300
"""More than are packed at a time."""


def fill(memory: MemoryService, word: str, messages: int = MESSAGES) -> None:
    """Write the word wherever the user of this memory can, by use and not by table."""
    noon = datetime(2026, 3, 2, 12, tzinfo=UTC)
    memory.save_messages(
        Message(
            role="user" if number % 2 == 0 else "assistant",
            content=f"{word} note {number} 我住在{word}",
            session_id=f"{word} session {number % 3}",
            speaker=f"{word} speaker",
            timestamp=noon + timedelta(minutes=number),
            source_id=f"{word}/{number}",
        )
        for number in range(messages)
    )
    session = f"{word} chat"
    memory.save_conversation_turn(f"I live in {word}, and my cat is {word}", "OK", session)
    memory.wait_until_idle()
    first = memory.append_memory(f"Lives in {word}", key="home", value=word, tags=(word,))
    memory.append_memory(f"Lives in New {word}", key="home", value=f"New {word}")
    memory.update(memory.append_memory(f"Owns a {word}").id, content=f"Owns two {word}s")
    memory.append_daily_log(f"Saw a {word}")
    memory.forget(memory.append_memory(f"Once was in {word}").id)
    memory.update_user_profile(f"# Me\nA {word}")
    memory.profiles.write("household", f"# Home\nOf {word}")
    memory.get_user_profile()
    memory.profiles.visible("household")
    memory.sessions.rename(session, f"{word} title")
    memory.set_topic(session, f"{word} topic")
    memory.count_access([first.id])
    event = {"type": "usage", "session_id": session, "id": f"{word} event"}
    memory.handle_event(event | {"data": {"currentTokens": 10, "tokenLimit": 1_000}})
    memory.receipts.put(Receipt(f"{word} receipt", (), (), 0), session)
    memory.keys.create(memory.user_id)
    memory.people.create_group(f"{word} group")
    memory.people.create_household(f"{word} home")
    memory.wait_until_idle()
    memory.save_conversation_turn(f"{word} waits for its vector", "And for a job", session)
    memory.answers.begin(f"{word}", "request")
    memory.answers.finish(f"{word}", HttpAnswer(200, {}, f"{word} was said"))
