"""The made-up conversations of the benchmark."""

from itertools import groupby

from chatmem.lab.bench.corpus import (
    LEAST_CHARS,
    MOST_CHARS,
    SESSION_MESSAGES,
    messages,
    questions,
)
from chatmem.text.languages import script_of


def test_the_same_seed_gives_the_same_messages() -> None:
    assert list(messages(60, 1)) == list(messages(60, 1))
    assert list(messages(60, 1))[:40] == list(messages(40, 1))
    assert list(messages(60, 1)) != list(messages(60, 2))


def test_messages_are_as_long_as_people_write() -> None:
    lengths = [len(message.content) for message in messages(2_000, 1)]
    assert min(lengths) >= LEAST_CHARS
    assert max(lengths) <= MOST_CHARS
    assert len(set(lengths)) > 100


def test_hardly_a_text_comes_twice_and_no_id_does() -> None:
    made = list(messages(2_000, 1))
    assert len({message.content for message in made}) > 1_980
    assert len({message.source_id for message in made}) == 2_000


def test_both_languages_have_their_share() -> None:
    chinese = sum(script_of(message.content) != "en" for message in messages(4_000, 1))
    assert 1_500 < chinese < 2_500


def test_sessions_run_forward_in_time() -> None:
    made = list(messages(100, 1))
    assert [message.timestamp for message in made] == sorted(m.timestamp for m in made)
    sizes = [len(list(group)) for _, group in groupby(made, key=lambda m: m.session_id)]
    assert sizes == [SESSION_MESSAGES] * 5


def test_questions_differ() -> None:
    asked = questions(200, 3)
    assert len(set(asked)) == 200
    assert asked == questions(200, 3)
