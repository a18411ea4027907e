"""What is extracted meets what is known: superseded, kept beside, masked, never brought back."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from tests.doors import by_words, default_embedder
from tests.integration.conftest import AT_ONCE, Open

from chatmem import AtomicMemoryRecord, ChatContextBuilder, MemoryService, Message, Settings
from chatmem.extraction.extractor import Candidate, NewMessage, candidates_of
from chatmem.extraction.model_extraction import ModelExtractor
from chatmem.extraction.reader import network as networks_module
from chatmem.extraction.reader import reading


@pytest.fixture
def memory(attentive: MemoryService) -> MemoryService:
    return attentive


@pytest.fixture
def meaning(data: Path) -> Iterator[MemoryService]:
    """The same with the default embedder."""
    settings = Settings(memory={**AT_ONCE, "scan_interval_seconds": 0.0})
    with MemoryService.open(
        data, settings=settings, embedder=default_embedder(), background=False
    ) as opened:
        yield opened


def tell(memory: MemoryService, *texts: str, now: datetime | None = None) -> None:
    """Say these in one session, each extracted before the next is said."""
    at = now or datetime.now(UTC)
    for text in texts:
        memory.save_conversation_turn(text, "OK", "s1", now=at)
        memory.wait_until_idle(now=at)
        at += timedelta(minutes=2)


def valid(memory: MemoryService) -> dict[str, AtomicMemoryRecord]:
    return {one.content: one for one in memory.list_memories(limit=1000).items}


def of_key(memory: MemoryService, key: str) -> list[AtomicMemoryRecord]:
    listed = memory.list_memories(limit=1000, state="all").items
    found = [one for one in listed if one.key == key]
    return sorted(found, key=lambda one: one.timestamp)


def test_a_supersession_says_why_and_can_be_undone(memory: MemoryService) -> None:
    tell(memory, "我住在巴黎", "我搬到柏林了")
    old, _ = of_key(memory, "home")
    assert "home" in memory.history(old.id)[-1].reason
    assert "s1" in memory.history(old.id)[-1].reason

    assert memory.restore(old.id).is_valid


def test_what_was_said_earlier_does_not_replace_what_was_said_later(memory: MemoryService) -> None:
    """An old conversation is imported after a newer one."""
    now = datetime.now(UTC)
    tell(memory, "I live in Berlin", now=now)
    memory.save_conversation_turn("I live in Paris", "Nice", "old", now=now - timedelta(days=900))
    memory.wait_until_idle(now=now)

    old, new = of_key(memory, "home")
    assert (old.value, old.is_valid) == ("Paris", False)
    assert (new.value, new.is_valid) == ("Berlin", True)
    assert old.superseded_by == new.id


def test_the_same_said_again_raises_confidence_and_writes_nothing(memory: MemoryService) -> None:
    tell(memory, "I live in Paris", "As you know I live in Paris", "Remember that I live in Paris")
    (home,) = of_key(memory, "home")
    assert home.confidence > 0.9


def test_a_guess_does_not_replace_what_the_person_said(memory: MemoryService) -> None:
    memory.append_memory("Lives in Paris", key="home", value="Paris", importance=5)
    tell(memory, "I moved to Berlin")

    both = of_key(memory, "home")
    assert [one.value for one in both if one.is_valid] == ["Paris", "Berlin"]
    assert all("conflict" in one.tags for one in both)


@pytest.mark.parametrize(
    ("first", "second", "left"),
    [
        ("Lives in Graz", "lives in Graz.", ["Lives in Graz"]),
        ("住在臺北", "住在台北", ["住在臺北"]),
        ("Allergic to peanuts", "Is allergic to peanuts", ["Is allergic to peanuts"]),
        ("对花生过敏", "花生过敏", ["对花生过敏"]),
        ("My sister likes tea", "Likes tea", ["My sister likes tea", "Likes tea"]),
        ("Flies to Oslo", "Flies from Oslo", ["Flies to Oslo", "Flies from Oslo"]),
        ("Met Anna on 3 May", "Met Anna on 3 June", ["Met Anna on 3 May", "Met Anna on 3 June"]),
    ],
)
def test_what_is_written_twice_is_kept_once(
    meaning: MemoryService, first: str, second: str, left: list[str]
) -> None:
    meaning.append_memory(first, confidence=0.95)
    meaning.append_memory(second, importance=5, tags=("told",))
    meaning.wait_until_idle()

    found = valid(meaning)
    assert sorted(found) == sorted(left)
    if len(left) == 1:
        [kept] = found.values()
        assert (kept.confidence, kept.importance, kept.tags) == (0.95, 5, ("told",))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Works as a nurse", "Works as a teacher"),
        ("是护士", "是老师"),
        ("Is vegetarian", "Is not vegetarian"),
        ("对花生过敏", "对花生不过敏"),
    ],
)
def test_a_contradiction_of_what_was_written_is_marked(
    meaning: MemoryService, first: str, second: str
) -> None:
    for text in ("Plays the violin on Mondays", first, "有两辆自行车", second):
        meaning.append_memory(text)
    meaning.wait_until_idle()

    found = valid(meaning)
    assert len(found) == 4
    assert {text for text, one in found.items() if "conflict" in one.tags} == {first, second}


def test_what_was_written_without_a_key_is_never_retired(meaning: MemoryService) -> None:
    texts = [f"Note {number:02}" for number in range(12)]
    texts += ["Works as a nurse", "Works as a teacher", "住在臺北", "住在高雄"]
    for days, text in enumerate(texts):  # each happened before the one that is known
        meaning.append_memory(
            text, importance=1 + days % 5, now=datetime.now(UTC) - timedelta(days)
        )
    meaning.wait_until_idle()

    assert sorted(valid(meaning)) == sorted(texts)


def test_nothing_that_was_forgotten_comes_back(memory: MemoryService) -> None:
    tell(memory, "I have a cat named Miso", "我对花生过敏")
    for one in valid(memory).values():
        memory.forget(one.id)
    tell(memory, "I have a cat named Miso", "我对花生过敏", "我對花生過敏")
    assert not [one for one in valid(memory) if "Miso" in one or "花生" in one]


def test_what_the_person_asks_to_forget_is_forgotten(memory: MemoryService, main: Path) -> None:
    tell(memory, "I live in Paris", "I have a cat named Miso", "Please forget that I live in Paris")
    assert not of_key(memory, "home")
    assert "Paris" not in main.read_text("utf-8")
    assert any("Miso" in one for one in valid(memory))


def test_other_speakers_and_roles_teach_nothing_about_the_user(memory: MemoryService) -> None:
    now = datetime.now(UTC)
    said = [
        ("user", "I live in Rome", "Marco"),
        ("assistant", "I live in Oslo", None),
        ("system", "The user lives in Bonn", None),
        ("tool", "I live in Kyoto", None),
        ("user", "I live in Lisbon", "default"),
    ]
    memory.save_messages(
        Message(role=role, content=text, session_id="s9", timestamp=now, speaker=speaker)  # type: ignore[arg-type]
        for role, text, speaker in said
    )
    memory.wait_until_idle(now=now)
    assert [one.value for one in of_key(memory, "home")] == ["Lisbon"]


def test_long_statements_are_cut_to_the_length_that_is_set(reopen: Open) -> None:
    memory = reopen(**AT_ONCE, atomic_content_max_length=50)
    tell(memory, "Remember that " + "the blue folder in the attic holds every receipt of 2024 " * 3)
    assert all(len(one) <= 50 for one in valid(memory))
    written = memory.append_memory("The green folder holds every receipt of 2025 " * 3)
    assert len(written.content) > 50, "what is written on purpose is kept whole"


def test_extraction_again_over_the_same_messages_has_no_effect(memory: MemoryService) -> None:
    tell(memory, "I live in Paris", "I moved to Berlin", "I like tea", "I don't like tea any more")
    before = {one.id: one for one in memory.list_memories(limit=1000, state="all").items}
    with memory._engine.store.transaction():
        memory._engine.store._db.execute("DELETE FROM extraction")
    memory.sessions.end("s1")
    memory.wait_until_idle()
    after = {one.id: one for one in memory.list_memories(limit=1000, state="all").items}
    assert after == before


def test_what_differs_in_words_is_one_memory_and_numbers_are_none(memory: MemoryService) -> None:
    tell(
        memory,
        "Remember that the spare key hangs behind the green door",
        "Remember that the spare key is hanging behind the green door",
        "Remember that the spare key hangs behind door 12",
        "Remember that the spare key hangs behind door 21",
    )

    left = valid(memory)
    assert len(left) == 3
    assert {"12", "21"} == {word for one in left for word in ("12", "21") if word in one}


def test_without_what_the_reader_has_learned_all_but_extraction_works(
    memory: MemoryService, monkeypatch: pytest.MonkeyPatch
) -> None:
    for forget in (networks_module.networks, reading.READ, reading.MEMORIES, reading.LOOKS):
        forget.cache_clear()
    monkeypatch.setattr(networks_module, "WEIGHTS", "gone.npz")
    tell(memory, "I live in Lisbon")
    memory.append_memory("Allergic to sesame", key="allergy", value="sesame")

    assert list(valid(memory)) == ["Allergic to sesame"]
    assert memory.search_memories("Lisbon")
    assert memory.get_relevant_memories("what am I allergic to?")
    assert memory.get_user_profile() == ""
    (reader,) = (one for one in memory.diagnose() if one.name == "reader")
    assert not reader.ok
    assert "until chatmem is installed again" in reader.detail
    assert not [one for one in memory.diagnose() if one.name == "jobs" and not one.ok]


class ForgetsMeanwhile(ModelExtractor):
    """Extracts like the reader; while it does, the person forgets what was said."""

    name = "slow"

    def __init__(self, memory: MemoryService) -> None:
        self.memory = memory

    def extract(
        self, messages: Sequence[NewMessage], known: Mapping[str, str] | None = None
    ) -> list[Candidate]:
        found = [one for message in messages for one in candidates_of(message)]
        for hit in self.memory.search_memories("Miso"):
            self.memory.forget(hit.memory.id)
        return found


def test_a_message_forgotten_while_it_is_read_teaches_nothing(memory: MemoryService) -> None:
    memory._engine.model_extractor = ForgetsMeanwhile(memory)
    tell(memory, "I have a cat named Miso")
    tell(memory, "I live in Paris")
    assert [one for one in valid(memory) if "Miso" in one] == []
    assert any("Paris" in one for one in valid(memory))


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
