"""Extraction by a model over real HTTP: one typed prompt, checked against what was said."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from tests.chat_model_server import ChatModelServer, Question, Reply
from tests.doors import by_words
from tests.integration.conftest import AT_ONCE

from chatmem import AtomicMemoryRecord, MemoryService
from chatmem.text.tokens import count_tokens

ASKED = "what a good assistant would still want to know"
MOST_TOKENS = 900


@dataclass(frozen=True)
class Talk:
    """A memory, and the model that reads what is said to it."""

    memory: MemoryService
    server: ChatModelServer

    def answer(self, *memories: dict[str, Any]) -> None:
        """What the model says to everything that it is asked."""
        self.server.otherwise = json.dumps({"memories": memories})

    def asked(self) -> list[Question]:
        """The questions of extractions."""
        return [one for one in self.server.received if ASKED in one.system]

    def all_of(self) -> dict[str, AtomicMemoryRecord]:
        return {one.content: one for one in self.memory.list_memories(limit=100, state="all").items}

    def tell(self, *texts: str) -> set[str]:
        """Valid memories after these messages."""
        for text in texts:
            self.memory.save_conversation_turn(text, "OK", "s1")
        self.memory.wait_until_idle()
        return {one.content for one in self.all_of().values() if one.is_valid}


@pytest.fixture
def talk(data: Path, server: ChatModelServer) -> Iterator[Talk]:
    server.otherwise = "{}"
    llm = {"base_url": server.base_url, "model": "small"}
    with by_words(data, llm=llm, **AT_ONCE) as memory:
        yield Talk(memory, server)


def home(place: str, **more: object) -> dict[str, Any]:
    return {"content": f"Lives in {place}", "attribute": "home", "value": place, **more}


# One call


def test_what_the_model_finds_is_settled_like_anything_else(talk: Talk) -> None:
    talk.answer(home("Paris", message=1))
    assert talk.tell("so Paris has been good to us, all these years") == {"Lives in Paris"}
    talk.answer(home("Berlin", message=1))
    assert talk.tell("Berlin it is, since Monday") == {"Lives in Berlin"}

    first, second = talk.asked()
    assert "Paris has been good" in first.user
    assert "known" not in first.user
    assert "known 1: Lives in Paris" in second.user
    assert talk.all_of()["Lives in Berlin"].key == "home"


def test_the_prompt_is_short_and_names_the_closed_lists_once(talk: Talk) -> None:
    talk.tell("I live in Oslo")

    (question,) = talk.asked()
    assert count_tokens(question.system) < MOST_TOKENS
    for word in ("medication", "mother-in-law", "hypothetical"):
        assert question.system.count(word) == 1


def test_a_model_is_not_asked_where_nothing_is_there_to_read(talk: Talk) -> None:
    talk.answer(home("Lima"))
    assert talk.tell("what time is it in Lima?", "谢谢，你真厉害", "ok") == set()
    assert talk.asked() == []

    talk.tell("And in Quito?", "I live in Oslo", "thanks!")
    (question,) = talk.asked()
    assert "Oslo" in question.user
    assert "Quito" not in question.user


def test_a_short_answer_stands_with_the_question(talk: Talk) -> None:
    talk.memory.save_conversation_turn(
        "hi", "Are you still living in Kyoto?", "s1", now=datetime.now(UTC)
    )
    talk.answer(home("Kyoto", message=1))
    assert talk.tell("Yes") == {"Lives in Kyoto"}
    assert "(asked: Are you still living in Kyoto?) Yes" in talk.asked()[0].user


def test_a_model_gets_only_what_the_person_said(talk: Talk) -> None:
    talk.answer()
    talk.memory.save_conversation_turn(
        '<memory source="MEMORY.md">\n- Lives in Paris\n</memory>\nI love rye bread',
        "I live in a server, says the assistant",
        "s1",
    )
    talk.memory.wait_until_idle()
    (question,) = talk.asked()
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
def test_what_is_replaced_or_ended_is_retired(talk: Talk, text: str, item: dict[str, Any]) -> None:
    talk.answer(home("Lyon"))
    talk.tell("I live in Lyon")
    content = item["content"] if item["bearing"] == "replaces" else "No longer lives in Lyon"
    talk.answer({**item, "content": content, "about": 1})

    assert talk.tell(text) == {content}
    old = talk.all_of()["Lives in Lyon"]
    assert old.superseded_by == talk.all_of()[content].id
    assert talk.memory.restore(old.id).is_valid


def test_what_is_said_again_is_written_once(talk: Talk) -> None:
    pet = {"content": "Has a dog named Rex", "attribute": "pet", "value": "Rex"}
    talk.answer({**pet, "confidence": 0.8})
    talk.tell("I have a dog named Rex")
    talk.answer(
        {**pet, "content": "Owns Rex, a dog", "value": "dog", "confidence": 0.9, "about": 1,
         "bearing": "same"},
    )  # fmt: skip

    assert talk.tell("Rex, my dog, needs a bath") == {"Has a dog named Rex"}
    assert talk.all_of()["Has a dog named Rex"].confidence == 0.9


def test_what_has_ended_and_what_takes_its_place_make_one_change(talk: Talk) -> None:
    work = {"attribute": "employer", "about": 1}
    talk.answer({"content": "Works at Aldi", "attribute": "employer", "value": "Aldi"})
    talk.tell("I work at Aldi")
    talk.answer(
        {**work, "content": "Quit Aldi", "value": "Aldi", "standing": "ended", "bearing": "ends"},
        {**work, "content": "Works at Lidl", "value": "Lidl", "bearing": "replaces"},
    )

    assert talk.tell("I quit my job at Aldi and work at Lidl now") == {"Works at Lidl"}


def test_a_model_cannot_retire_what_is_about_something_else(talk: Talk) -> None:
    talk.answer({"content": "Is allergic to peanuts", "attribute": "allergy", "value": "peanuts"})
    talk.tell("I am allergic to peanuts")
    talk.answer(home("Ghent", about=1, bearing="replaces"))

    assert talk.tell("I live in Ghent") == {"Is allergic to peanuts", "Lives in Ghent"}


def test_what_shall_be_forgotten_is_the_memory_that_is_named(talk: Talk) -> None:
    talk.answer(home("Lyon"), {"content": "Has a dog", "attribute": "pet", "value": "dog"})
    talk.tell("I live in Lyon with my dog")
    talk.answer()
    talk.tell("please forget I live in Lyon")
    place = 1 if "known 1: Lives" in talk.asked()[-1].user else 2
    talk.answer({"content": "live in Lyon", "attribute": "home", "wish": "forget", "about": place})

    assert talk.tell("so forget that I live in Lyon") == {"Has a dog"}


# The profile


def test_the_profile_is_told_by_the_same_answer(talk: Talk) -> None:
    talk.answer(
        {"content": "Wants short answers", "attribute": "reply.length", "value": "short"},
        {"content": "Is a nurse", "attribute": "occupation", "value": "nurse"},
        {"content": "Is a pilot", "attribute": "occupation", "subject": "wife", "value": "pilot"},
        {"content": "Answers in French", "attribute": "reply.language", "standing": "once"},
    )
    talk.tell("I am a nurse, my wife is a pilot. Short answers please, from now on; French today")

    profile = talk.memory.get_user_profile()
    assert "- Wants short answers" in profile
    assert "- Is a nurse" in profile
    assert "pilot" not in profile
    assert "French" not in profile
    assert len(talk.asked()) == 1


def test_a_message_that_is_read_again_tells_the_profile_nothing_new(talk: Talk) -> None:
    talk.answer({"content": "Is a nurse", "attribute": "occupation", "value": "nurse"})
    talk.tell("I am a nurse")
    before = talk.memory.get_user_profile()

    engine, owner = talk.memory._engine, talk.memory._space.owner
    with engine.store.transaction():  # as if the process had been killed before it wrote this
        known = engine.store.extraction.get(owner, "s1")
        engine.store.extraction.put(owner, "s1", type(known)(0, known.extracted_at, known.flush))
    talk.answer({"content": "Works as a nurse", "attribute": "occupation", "value": "nurse"})
    talk.tell("thanks")

    assert len(talk.asked()) == 2
    assert talk.memory.get_user_profile() == before


def test_the_profile_is_the_reader_s_where_the_model_fails(talk: Talk) -> None:
    talk.server.otherwise = "No."
    talk.tell("I am a nurse")
    assert "nurse" in talk.memory.get_user_profile()


# Answers that are not as they should be


def test_what_was_not_said_is_not_remembered(talk: Talk) -> None:
    talk.answer(
        {"content": "Owns a sailing yacht", "attribute": "possession", "value": "yacht"},
        {"content": "Likes rye bread", "attribute": "taste"},
    )
    assert talk.tell("I love the rye bread, never enough of it") == {"Likes rye bread"}


@pytest.mark.parametrize(
    "doubt",
    [
        *({"confidence": 0.6}, {"confidence": "40 %"}, {"standing": "joking"}),
        *({"standing": "once"}, {"standing": "perhaps"}, {"content": "Where to buy rye bread?"}),
        *({"subject": "other"}, {"subject": "my boss"}),
    ],
)
def test_what_is_not_meant_or_of_nobody_close_is_dropped(talk: Talk, doubt: dict[str, Any]) -> None:
    sure = {"content": "Likes honey", "attribute": "taste", "value": "honey"}
    talk.answer({**sure, "content": "Likes rye bread", "value": "rye bread", **doubt}, sure)
    assert talk.tell("I love rye bread with honey") == {"Likes honey"}


def test_a_word_outside_of_a_list_is_mended(talk: Talk) -> None:
    talk.answer(
        {"content": "Is a nurse", "attribute": "Job", "subject": "girlfriend", "value": ["nurse"],
         "category": "opinion", "kind": "vague", "importance": "9", "confidence": 95,
         "message": "message 7", "about": "known 3", "bearing": "updates", "wish": None},
    )  # fmt: skip
    talk.tell("my girlfriend is a nurse")

    (found,) = talk.all_of().values()
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
def test_an_item_that_cannot_be_used_does_not_cost_the_others(talk: Talk, broken: object) -> None:
    talk.server.otherwise = json.dumps({"memories": [broken, home("Oslo")]})
    assert "Lives in Oslo" in talk.tell("I live in Oslo")


@pytest.mark.parametrize("shape", ["[{}]", "{}", '{"properties": {"memories": [{}]}}'])
def test_items_without_their_list_are_understood(talk: Talk, shape: str) -> None:
    talk.server.otherwise = shape.replace("{}", json.dumps(home("Oslo")))
    assert talk.tell("so Oslo is where I live") == {"Lives in Oslo"}


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
def test_where_a_model_fails_what_the_reader_found_is_used(talk: Talk, reply: Reply) -> None:
    talk.server.reply = lambda question: reply  # type: ignore[method-assign]
    assert talk.tell("I live in Oslo") == {"I live in Oslo"}


@pytest.mark.parametrize("thoughts", ["<think>Paris?</think>\n", "Not {Paris}.\n</think>\n\n"])
def test_a_model_that_thinks_first_is_understood(talk: Talk, thoughts: str) -> None:
    talk.answer({"content": "Likes rye bread", "attribute": "taste"})
    talk.server.otherwise = thoughts + talk.server.otherwise
    assert talk.tell("I love rye bread, never enough of it") == {"Likes rye bread"}
