"""The conversation of the demo."""

from itertools import pairwise

from chatmem.lab.demo import ASKED_AT, QUESTIONS, TURNS
from chatmem.text.languages import script_of


def test_it_has_thirty_messages_in_three_sessions_over_some_weeks() -> None:
    assert 2 * len(TURNS) == 30
    assert list(dict.fromkeys(turn.session for turn in TURNS)) == ["moving", "routine", "keys"]
    assert (TURNS[-1].at - TURNS[0].at).days > 28
    assert all(before.at < after.at for before, after in pairwise(TURNS))
    assert TURNS[-1].at < ASKED_AT


def test_both_languages_are_spoken_and_asked() -> None:
    chinese = [script_of(turn.user) != "en" for turn in TURNS]
    assert 0 < sum(chinese) < len(TURNS)
    assert 0 < sum(script_of(asked.text) != "en" for asked in QUESTIONS) < len(QUESTIONS) == 5


def test_facts_of_every_category_and_entries_are_remembered() -> None:
    notes = [turn.note for turn in TURNS if turn.note is not None]
    assert {note.category for note in notes if note.category} == {"preference", "fact", "pattern"}
    assert sum(note.category is None for note in notes) == 2
