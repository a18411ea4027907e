"""The second reader in the extractor: what it adds, drops and leaves alone."""

from datetime import datetime, timedelta, timezone

import pytest

from chatmem.extraction.candidate import LEAST_CONFIDENCE, Candidate, Said
from chatmem.extraction.clauses import clauses
from chatmem.extraction.own_words import own_words
from chatmem.extraction.rules import RuleExtractor
from chatmem.extraction.worth_reading import said_in
from chatmem.extraction.worth_statements import MOST_ADDED

AT = datetime(2026, 5, 14, 10, tzinfo=timezone(timedelta(hours=8)))  # a Thursday


def found(message: str) -> list[Candidate]:
    return RuleExtractor().extract([Said(role="user", content=message, at=AT)])


@pytest.mark.parametrize(
    ("message", "content", "category"),
    [
        ("后厨干了十四年，肩周炎犯了咋办", "后厨干了十四年", "fact"),
        ("女儿先天性心脏病做过手术，能打疫苗吗", "女儿先天性心脏病做过手术", "fact"),
        ("两个儿子都在外地打工，过年怎么抢票", "两个儿子都在外地打工", "fact"),
        ("twins run in our family, odds for me?", "Twins run in their family", "fact"),
        ("gym at 6 every weekday, what do i eat after", "Gym at 6 every weekday", "pattern"),
    ],
)
def test_what_no_rule_knows_is_added_in_the_persons_own_words(
    message: str, content: str, category: str
) -> None:
    (only,) = found(message)

    assert (only.content, only.category, only.key) == (content, category, None)
    assert LEAST_CONFIDENCE <= only.confidence <= MOST_ADDED


@pytest.mark.parametrize(
    "message",
    [
        "扮演一个老船长，你在海上漂了三十年，右腿是木头的",
        "编个故事，主人公二十七岁，在上海做律师，每天跑步",
        "隔壁那家养了三条大狗，天天叫，能投诉吗",
        "英译中：I've been allergic to cashews since I was five",
        "act as a sailor who lost his leg in a storm and drinks rum each night",
        "word problem: Ines swims 4 laps every day for 3 weeks, how many laps",
        "what would a coeliac order in a pizza place",
        "lol that was fun, another one",
    ],
)
def test_what_is_not_said_of_the_writer_is_not_added(message: str) -> None:
    assert found(message) == []


def test_days_are_those_of_the_calendar() -> None:
    (due,) = found("wife's pregnant with our second, due in october, name ideas")
    assert (due.content, due.key) == ("Wife's pregnant with their second, due in 2026-10", None)


def test_habits_keep_their_weekdays() -> None:
    contents = " ".join(each.content for each in found("每周三下班去打羽毛球，手腕疼怎么缓解"))
    assert "周三" in contents and "2026" not in contents


def test_one_thing_said_in_two_clauses_is_one_candidate() -> None:
    (only,) = found("审计干了五年，后来转的财务，简历怎么写")
    assert only.content.startswith("审计干了五年")


def test_a_bare_statement_is_never_idle() -> None:
    assert [each.key for each in found("我现在住在襄阳")] == ["home"]
    assert [each.key for each in found("I'm allergic to lupin")] == ["allergy:lupin"]


def test_nothing_is_added_beside_what_is_to_be_forgotten() -> None:
    assert {each.wish for each in found("Forget that I live in Oslo, I sold the flat there")} == {
        "forget"
    }


def test_the_clause_with_most_of_the_words_is_where_it_was_said() -> None:
    parts = list(clauses(own_words("we moved house, my dog Rex hates it")))

    assert said_in("Dog is called Rex", parts) == 1
    assert said_in("zzz", parts) is None
