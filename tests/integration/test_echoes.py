"""What was remembered is not remembered again when it comes back: from the model, from a client."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from tests.doors import by_words
from tests.integration.conftest import AT_ONCE

from chatmem import ChatContextBuilder

TURNS = 60
FACTS = (
    ("I live in Lisbon and work as a nurse", "My sister Anna lives in Oslo"),
    ("我对花生过敏，养了一只叫豆豆的猫", "我每天早上六点去跑步"),
)
NEUTRAL = (
    "And what else?", "Tell me more", "好的，继续", "Can you say that again?", "还有呢？",
    "What do you know about me?", "你还记得什么？", "Thanks!", "嗯", "Why?",
)  # fmt: skip


@pytest.mark.parametrize("comes_back", ["from the model", "from the client"])
def test_no_memory_is_made_of_an_echo(data: Path, comes_back: str) -> None:
    """60 turns with everything recalled each time, the context echoed whole."""
    now = datetime.now(UTC)
    with by_words(data, **AT_ONCE, retrieval_limit=50) as memory:
        for user, other in FACTS:
            memory.save_conversation_turn(user, "Noted", "first", now=now)
            memory.save_conversation_turn(other, "记住了", "first", now=now)
        memory.wait_until_idle(now=now)
        before = {one.id for one in memory.list_memories(limit=1000, state="all").items}
        assert len(before) >= 5
        builder = ChatContextBuilder(memory)

        for turn in range(TURNS):
            now += timedelta(minutes=2)
            message = f"{NEUTRAL[turn % len(NEUTRAL)]} (#{turn})"
            messages = builder.build_messages(message, "second", now=now)
            context = "\n".join(one["content"] for one in messages[:-1])
            assert "Lisbon" in context
            if comes_back == "from the model":
                memory.save_conversation_turn(
                    message, f"I know this:\n{context}", "second", now=now
                )
            else:
                sent = f"{messages[0]['content']}\n\n[USER]\n{message}"
                memory.save_conversation_turn(sent, "Yes.", "second", now=now)
            if turn % 10 == 9:
                memory.wait_until_idle(now=now)

        after = {one.id for one in memory.list_memories(limit=1000, state="all").items}
        new = [memory.get(one).content for one in after - before]
        assert new == []
