"""Extraction by a model over real HTTP: one typed prompt, checked against what was said."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from tests.chat_model_server import ChatModelServer, Question, Reply

from chatmem import AtomicMemoryRecord, MemoryService, Settings
from chatmem.text.tokens import count_tokens

ASKED = "what a good assistant would still want to know"
MOST_TOKENS = 900


@pytest.fixture
def server() -> Iterator[ChatModelServer]:
    with ChatModelServer(otherwise="{}") as running:
        yield running


@pytest.fixture
def memory(data: Path, server: ChatModelServer) -> Iterator[MemoryService]:
    settings = Settings(
        embedder={"name": "none"},
        memory={"extract_interval_seconds": 0.0, "min_new_messages": 1},
        llm={"base_url": server.base_url, "model": "small"},
    )
    with MemoryService.open(data, settings=settings, background=False) as opened:
        yield opened


def answer(server: ChatModelServer, *memories: dict[str, Any]) -> None:
    """What the model says to everything that it is asked."""
    server.otherwise = json.dumps({"memories": memories})


def asked(server: ChatModelServer) -> list[Question]:
    """The questions of extractions."""
    return [one for one in server.received if ASKED in one.system]


def all_of(memory: MemoryService) -> dict[str, AtomicMemoryRecord]:
    return {one.content: one for one in memory.list_memories(limit=100).items}


def tell(memory: MemoryService, *texts: str, session: str = "s1", reply: str = "OK") -> set[str]:
    """Valid memories after these messages."""
    for text in texts:
        memory.save_conversation_turn(text, reply, session)
    memory.wait_until_idle()
    return {one.content for one in all_of(memory).values() if one.is_valid}


def home(place: str, **more: object) -> dict[str, Any]:
    return {"content": f"Lives in {place}", "attribute": "home", "value": place, **more}


# One call


def test_what_the_model_finds_is_settled_like_anything_else(
    memory: MemoryService, server: ChatModelServer
) -> None:
    answer(server, home("Paris", message=1))
    assert tell(memory, "so Paris has been good to us, all these years") == {"Lives in Paris"}
    answer(server, home("Berlin", message=1))
    assert tell(memory, "Berlin it is, since Monday") == {"Lives in Berlin"}

    first, second = asked(server)
    assert "Paris has been good" in first.user
    assert "known" not in first.user
    assert "known 1: Lives in Paris" in second.user
    assert all_of(memory)["Lives in Berlin"].key == "home"


def test_the_prompt_is_short_and_names_the_closed_lists_once(
    memory: MemoryService, server: ChatModelServer
) -> None:
    tell(memory, "I live in Oslo")

    (question,) = asked(server)
    assert count_tokens(question.system) < MOST_TOKENS
    for word in ("medication", "mother-in-law", "hypothetical"):
        assert question.system.count(word) == 1


def test_a_model_is_not_asked_where_nothing_is_there_to_read(
    memory: MemoryService, server: ChatModelServer
) -> None:
    answer(server, home("Lima"))
    assert tell(memory, "what time is it in Lima?", "谢谢，你真厉害", "ok") == set()
    assert asked(server) == []

    tell(memory, "And in Quito?", "I live in Oslo", "thanks!")
    (question,) = asked(server)
    assert "Oslo" in question.user
    assert "Quito" not in question.user


def test_a_short_answer_stands_with_the_question(
    memory: MemoryService, server: ChatModelServer
) -> None:
    memory.save_conversation_turn(
        "hi", "Are you still living in Kyoto?", "s1", now=datetime.now(UTC)
    )
    answer(server, home("Kyoto", message=1))
    assert tell(memory, "Yes") == {"Lives in Kyoto"}
    assert "(asked: Are you still living in Kyoto?) Yes" in asked(server)[0].user


def test_a_model_gets_only_what_the_person_said(
    memory: MemoryService, server: ChatModelServer
) -> None:
    answer(server)
    memory.save_conversation_turn(
        '<memory source="MEMORY.md">\n- Lives in Paris\n</memory>\nI love rye bread',
        "I live in a server, says the assistant",
        "s1",
    )
    memory.wait_until_idle()
    (question,) = asked(server)
    assert "rye bread" in question.user
    assert "Paris" not in question.user
    assert "server" not in question.user


# What is known


@pytest.mark.parametrize(
    ("text", "item"),
    [
        ("I moved to Ghent in May", home("Ghent", standing="began", bearing="replaces")),
        ("We left Lyon for good", home("Lyon", standing="ended", bearing="ends")),
    ],
)
def test_a_known_memory_that_is_replaced_or_ended_is_retired(
    memory: MemoryService, server: ChatModelServer, text: str, item: dict[str, Any]
) -> None:
    answer(server, home("Lyon"))
    tell(memory, "I live in Lyon")
    content = item["content"] if item["bearing"] == "replaces" else "No longer lives in Lyon"
    answer(server, {**item, "content": content, "about": 1})

    assert tell(memory, text) == {content}
    old = all_of(memory)["Lives in Lyon"]
    assert old.superseded_by == all_of(memory)[content].id
    assert memory.restore(old.id).is_valid


def test_what_is_said_again_is_written_once(memory: MemoryService, server: ChatModelServer) -> None:
    pet = {"content": "Has a dog named Rex", "attribute": "pet", "value": "Rex"}
    answer(server, {**pet, "confidence": 0.8})
    tell(memory, "I have a dog named Rex")
    answer(
        server,
        {**pet, "content": "Owns Rex, a dog", "value": "dog", "confidence": 0.9, "about": 1,
         "bearing": "same"},
    )  # fmt: skip

    assert tell(memory, "Rex, my dog, needs a bath") == {"Has a dog named Rex"}
    assert all_of(memory)["Has a dog named Rex"].confidence == 0.9


def test_what_has_ended_and_what_takes_its_place_make_one_change(
    memory: MemoryService, server: ChatModelServer
) -> None:
    work = {"attribute": "employer", "about": 1}
    answer(server, {"content": "Works at Aldi", "attribute": "employer", "value": "Aldi"})
    tell(memory, "I work at Aldi")
    answer(
        server,
        {**work, "content": "Quit Aldi", "value": "Aldi", "standing": "ended", "bearing": "ends"},
        {**work, "content": "Works at Lidl", "value": "Lidl", "bearing": "replaces"},
    )

    assert tell(memory, "I quit my job at Aldi and work at Lidl now") == {"Works at Lidl"}


def test_a_model_cannot_retire_what_is_about_something_else(
    memory: MemoryService, server: ChatModelServer
) -> None:
    answer(
        server, {"content": "Is allergic to peanuts", "attribute": "allergy", "value": "peanuts"}
    )
    tell(memory, "I am allergic to peanuts")
    answer(server, home("Ghent", about=1, bearing="replaces"))

    assert tell(memory, "I live in Ghent") == {"Is allergic to peanuts", "Lives in Ghent"}


def test_what_shall_be_forgotten_is_the_memory_that_is_named(
    memory: MemoryService, server: ChatModelServer
) -> None:
    answer(server, home("Lyon"), {"content": "Has a dog", "attribute": "pet", "value": "dog"})
    tell(memory, "I live in Lyon with my dog")
    place = next(
        number
        for number in (1, 2)
        if f"known {number}: Lives"
        in _next_question(memory, server, "please forget I live in Lyon")
    )
    answer(
        server, {"content": "live in Lyon", "attribute": "home", "wish": "forget", "about": place}
    )

    assert tell(memory, "so forget that I live in Lyon") == {"Has a dog"}


def _next_question(memory: MemoryService, server: ChatModelServer, text: str) -> str:
    answer(server)
    tell(memory, text)
    return asked(server)[-1].user


# The profile


def test_the_profile_is_told_by_the_same_answer(
    memory: MemoryService, server: ChatModelServer
) -> None:
    answer(
        server,
        {"content": "Wants short answers", "attribute": "reply.length", "value": "short"},
        {"content": "Is a nurse", "attribute": "occupation", "value": "nurse"},
        {"content": "Is a pilot", "attribute": "occupation", "subject": "wife", "value": "pilot"},
        {"content": "Answers in French", "attribute": "reply.language", "standing": "once"},
    )
    tell(
        memory, "I am a nurse, my wife is a pilot. Short answers please, from now on; French today"
    )

    profile = memory.get_user_profile()
    assert "- Wants short answers" in profile
    assert "- Is a nurse" in profile
    assert "pilot" not in profile
    assert "French" not in profile
    assert len(asked(server)) == 1


def test_a_message_that_is_read_again_tells_the_profile_nothing_new(
    memory: MemoryService, server: ChatModelServer
) -> None:
    answer(server, {"content": "Is a nurse", "attribute": "occupation", "value": "nurse"})
    tell(memory, "I am a nurse")
    before = memory.get_user_profile()

    engine, owner = memory._engine, memory._space.owner
    with engine.store.transaction():  # as if the process had been killed before it wrote this
        known = engine.store.extraction.get(owner, "s1")
        engine.store.extraction.put(owner, "s1", type(known)(0, known.extracted_at, known.flush))
    answer(server, {"content": "Works as a nurse", "attribute": "occupation", "value": "nurse"})
    tell(memory, "thanks")

    assert len(asked(server)) == 2
    assert memory.get_user_profile() == before


def test_the_profile_is_the_reader_s_where_the_model_fails(
    memory: MemoryService, server: ChatModelServer
) -> None:
    server.otherwise = "No."
    tell(memory, "I am a nurse")
    assert "nurse" in memory.get_user_profile()


# Answers that are not as they should be


def test_what_was_not_said_is_not_remembered(
    memory: MemoryService, server: ChatModelServer
) -> None:
    answer(
        server,
        {"content": "Owns a sailing yacht", "attribute": "possession", "value": "yacht"},
        {"content": "Likes rye bread", "attribute": "taste"},
    )
    assert tell(memory, "I love the rye bread, never enough of it") == {"Likes rye bread"}


@pytest.mark.parametrize(
    "doubt",
    [
        {"confidence": 0.6},
        {"confidence": "40 %"},
        {"standing": "joking"},
        {"standing": "once"},
        {"standing": "perhaps"},
        {"content": "Where to buy rye bread?"},
        {"subject": "other"},
        {"subject": "my boss"},
    ],
)
def test_what_is_not_meant_or_of_nobody_close_is_dropped(
    memory: MemoryService, server: ChatModelServer, doubt: dict[str, Any]
) -> None:
    sure = {"content": "Likes honey", "attribute": "taste", "value": "honey"}
    answer(server, {**sure, "content": "Likes rye bread", "value": "rye bread", **doubt}, sure)
    assert tell(memory, "I love rye bread with honey") == {"Likes honey"}


def test_a_word_outside_of_a_list_is_mended(memory: MemoryService, server: ChatModelServer) -> None:
    answer(
        server,
        {"content": "Is a nurse", "attribute": "Job", "subject": "girlfriend", "value": ["nurse"],
         "category": "opinion", "kind": "vague", "importance": "9", "confidence": 95,
         "message": "message 7", "about": "known 3", "bearing": "updates", "wish": None},
    )  # fmt: skip
    tell(memory, "my girlfriend is a nurse")

    (found,) = all_of(memory).values()
    assert (found.content, found.key) == ("Partner: Is a nurse", "partner:occupation")
    assert (found.category, found.kind, found.importance) == ("fact", "semantic", 5)
    assert (found.value, found.confidence) == ("nurse", 0.95)


@pytest.mark.parametrize(
    "broken",
    [
        "a string",
        None,
        17,
        ["Lives", "in"],
        {},
        {"content": {"text": "Lives in Rome"}, "attribute": "home"},
        {"content": "​", "attribute": "home"},
        {"content": "x" * 200_000, "attribute": "home", "value": "y" * 200_000},
        {"content": "Lives in Rome", "attribute": "home", "about": 10**30, "bearing": "ends",
         "message": -5, "value": {"a": 1}, "standing": ["holds"]},
    ],
)  # fmt: skip
def test_an_item_that_cannot_be_used_does_not_cost_the_others(
    memory: MemoryService, server: ChatModelServer, broken: object
) -> None:
    server.otherwise = json.dumps({"memories": [broken, home("Oslo")]})
    assert "Lives in Oslo" in tell(memory, "I live in Oslo")


@pytest.mark.parametrize("shape", ["[{}]", "{}", '{"properties": {"memories": [{}]}}'])
def test_items_without_their_list_are_understood(
    memory: MemoryService, server: ChatModelServer, shape: str
) -> None:
    server.otherwise = shape.replace("{}", json.dumps(home("Oslo")))
    assert tell(memory, "so Oslo is where I live") == {"Lives in Oslo"}


@pytest.mark.parametrize(
    "reply",
    [
        Reply(text="I am sorry, I cannot do that."),
        Reply(text='{"memories": [{"content": ""}]}'),
        Reply(text='{"memories": "Lives in Rome"}'),
        Reply(status=500, body=b"oops"),
        Reply(status=401, body=b'{"error": {"message": "no key"}}'),
        Reply(hang_up=True),
    ],
)
def test_where_a_model_fails_what_the_reader_found_is_used(
    memory: MemoryService, server: ChatModelServer, reply: Reply
) -> None:
    server.reply = lambda question: reply  # type: ignore[method-assign]
    assert tell(memory, "I live in Oslo") == {"I live in Oslo"}


@pytest.mark.parametrize("thoughts", ["<think>Paris?</think>\n", "Not {Paris}.\n</think>\n\n"])
def test_a_model_that_thinks_first_is_understood(
    memory: MemoryService, server: ChatModelServer, thoughts: str
) -> None:
    answer(server, {"content": "Likes rye bread", "attribute": "taste"})
    server.otherwise = thoughts + server.otherwise
    assert tell(memory, "I love rye bread, never enough of it") == {"Likes rye bread"}
