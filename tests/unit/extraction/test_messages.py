"""What of a message is extracted from, and when; what comes of it; the flush of a context."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from tests.contract.given import NOON, memory

from chatmem.extraction import flush
from chatmem.extraction.extractor import (
    Candidate,
    NewMessage,
    candidates_of,
    own_part,
    profile_slot,
)
from chatmem.extraction.flush import next_extraction
from chatmem.extraction.settle import Met, Relation, settle
from chatmem.model import AtomicMemoryRecord


def test_what_was_put_into_a_message_is_taken_out_and_nothing_else() -> None:
    fenced = '<memory-1 source="MEMORY.md">\n- Lives in Paris\n</memory-1>\nI live in Oslo'
    assert own_part(f"[MEMORY]\n- Lives in Paris\n\n[USER]\n{fenced}") == "I live in Oslo"
    assert own_part('<memory source="x">\n- Lives in Paris\nnever closed') == ""
    assert (
        own_part('[[ABP_TOOL:x]]{"a": "Paris"}[[END_ABP_TOOL]] I live in Oslo') == "I live in Oslo"
    )
    plain = "I use <b> tags and [links](x)"
    assert own_part(plain) == plain


AT = datetime(2026, 5, 14, 12, tzinfo=UTC)
STATED = [
    ("please keep your answers short from now on", "reply_length"),
    ("以后回答详细一点", "reply_length"),
    ("以後回答簡短一點就好", "reply_length"),
    ("Please always reply in Chinese.", "reply_language"),
    ("以后都用英文回复我", "reply_language"),
    ("I'd like your replies to be more formal from now on", "reply_tone"),
    ("以后跟我说话别那么官方，随便一点", "reply_tone"),
    ("Please never use emojis in your replies.", "reply_format"),
    ("以后不要用表情符号", "reply_format"),
    ("Call me Sam from now on", "address"),
    ("以后叫我老李就行", "address"),
    ("I'm a software engineer at Siemens", "background"),
    ("我是护士，在儿童医院上班", "background"),
    ("I love hiking and photography", "preference"),
    ("我特别喜欢看推理小说", "preference"),
]
NOTHING = [
    "Make this email shorter",
    "翻译成英文",
    "What languages do you speak?",
    "just this once, answer in German",
    "My sister is a nurse in Leeds",
    "You are a pirate. Talk like one in this story.",
    "今天好累",
]


def slots_of(message: str) -> set[str]:
    found = candidates_of(NewMessage(role="user", content=message, at=AT))
    return {slot for one in found if (slot := profile_slot(one))}


@pytest.mark.parametrize(("message", "slot"), STATED)
def test_what_a_person_says_of_themselves_and_of_replies(message: str, slot: str) -> None:
    assert slot in slots_of(message)


@pytest.mark.parametrize("message", NOTHING)
def test_what_is_for_no_profile(message: str) -> None:
    assert slots_of(message) <= {"background"}


NOW = datetime(2025, 3, 1, 12, tzinfo=UTC)
AGO_60 = NOW - timedelta(seconds=60)


def test_nothing_new_is_never_due_even_if_no_message_is_asked_for() -> None:
    assert next_extraction(AGO_60, 0, NOW, 0, 0) is None
    assert next_extraction(AGO_60, 1, NOW, 0, 0) == NOW - timedelta(seconds=60)


LATER = NOON + timedelta(days=3)


def known(content: str, **columns: Any) -> AtomicMemoryRecord:  # noqa: ANN401
    return memory("old", content, memory_type="long_term", **columns)


def new(content: str, **columns: Any) -> Candidate:  # noqa: ANN401
    return Candidate(content=content, **columns)


def relation(**shares: float) -> Relation:
    known = {"replaces": 0.0, "ends": 0.0, "same": 0.0, "independent": 0.0, **shares}
    return Relation(**known, may_retire=True)


PARIS = known("Lives in Paris", key="home", value="Paris")
GUESSED = known("Lives in Paris", key="home", value="Paris", source="inferred")
GUESS = new("Lives in Berlin", key="home", value="Berlin", source="inferred")
NUTS = known("Allergic to nuts", key="allergy", value="nuts")
MILK = new("Allergic to milk", key="allergy", value="milk")
BERLIN = new("Moved to Berlin")
OF_ANOTHER = replace(relation(replaces=1.0), may_retire=False)


@pytest.mark.parametrize(
    ("candidate", "met", "action"),
    [
        # the same value in other words or in the other script changes nothing
        (new("Has moved to Paris", key="home", value="Paris"), Met(PARIS), "confirm"),
        (new("Has moved to Paris", key="home", value="PARIS"), Met(PARIS), "confirm"),
        (new("Has moved to Paris", key="home", value="Ｐａｒｉｓ"), Met(PARIS), "confirm"),
        (
            new("住在台湾", key="home", value="台湾"),
            Met(known("住在臺灣", key="home", value="臺灣")),
            "confirm",
        ),
        (new("Paris is where I live"), Met(PARIS, relation(same=0.95, replaces=0.05)), "confirm"),
        # the person outweighs a guess
        (GUESS, Met(PARIS), "flag"),
        (GUESS, Met(GUESSED), "supersede"),
        # what matters more by two steps is not replaced
        (MILK, Met(replace(NUTS, importance=3)), "supersede"),
        (MILK, Met(replace(NUTS, importance=4)), "supersede"),
        (MILK, Met(replace(NUTS, importance=5)), "flag"),
        # what the reader is sure to replace goes, and what it is not stays beside
        (BERLIN, Met(PARIS, relation(replaces=0.97, independent=0.03)), "supersede"),
        (BERLIN, Met(PARIS, relation(replaces=0.6, independent=0.4)), "maybe"),
        (BERLIN, Met(PARIS, relation(independent=1.0)), "add"),
        # nothing retires what is of another attribute or person, however sure
        (new("Her sister moved to Berlin"), Met(PARIS, OF_ANOTHER), "add"),
    ],
)
def test_what_becomes_of_a_candidate(candidate: Candidate, met: Met, action: str) -> None:
    assert settle(candidate, [met], LATER).action == action


NEW = flush.FlushState()


def used(state: flush.FlushState, percent: float) -> flush.FlushStep:
    return flush.on_usage(state, percent, 100, 0.75)


ASKED = used(NEW, 75).state


def test_a_flush_that_is_under_way_is_not_started_twice_but_again_once_it_is_given_up() -> None:
    step = flush.on_compaction_start(ASKED)
    assert not step.asks
    given_up = flush.on_flush_given_up(step.state)
    assert not given_up.asks
    again = flush.on_message(given_up.state)
    assert again.asks
    assert not flush.on_message(again.state).asks


def test_a_flush_that_was_given_up_is_owed_beyond_its_cycle() -> None:
    step = flush.on_flush_given_up(flush.on_compaction_start(NEW).state)
    assert flush.on_compaction_end(step.state, success=True).asks
    assert flush.on_context_cleared(step.state).asks


def test_usage_that_falls_before_the_end_is_told_leaves_one_cycle_behind() -> None:
    low = used(flush.on_compaction_start(ASKED).state, 20).state
    step = flush.on_compaction_end(low, success=True)
    assert not step.asks
    assert used(step.state, 75).asks


def test_a_second_start_is_a_repetition_unless_something_was_said() -> None:
    begun = flush.on_compaction_start(ASKED).state
    assert not flush.on_compaction_start(begun).asks
    assert flush.on_compaction_start(flush.on_message(begun).state).asks
