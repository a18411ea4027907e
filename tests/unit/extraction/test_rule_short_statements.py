"""A message of one short statement says something lasting, or nothing."""

from datetime import UTC, datetime

import pytest

from chatmem.extraction.candidate import Candidate, Said
from chatmem.extraction.rules import RuleExtractor

NOW = datetime(2026, 3, 4, 12, tzinfo=UTC)


def read(text: str) -> list[Candidate]:
    return RuleExtractor().extract([Said(role="user", content=text, at=NOW, number=1)])


@pytest.mark.parametrize(
    "text",
    [
        "I use Ticktick for my lists.",
        "My phone number ends in 5512.",
        "Our rehearsals are on Tuesdays at eight.",
        "I subscribe to Mubi.",
        "My hairdresser is called Ines.",
        "I'm on the board of a primary school.",
        "Our house has a heat pump.",
        "I've never been to Iceland.",
        "我宽带是联通。",
        "我在合唱团唱低音。",
        "我晚上教瑜伽。",
        "我家装了地暖。",
        "理发师叫阿强。",
        "我在追《繁花》。",
    ],
)
def test_a_short_statement_is_kept(text: str) -> None:
    assert len(read(text)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "My code is slow.",
        "My train is late.",
        "My landlord is an idiot.",
        "I keep getting a 404.",
        "I use the following command.",
        "I have a question.",
        "My protagonist works as a spy.",
        "I'm a bit lost.",
        "我好困。",
        "我有个问题。",
        "我看不懂这段话。",
        "我在路上。",
        "我是来吐槽的。",
        "我喜欢你写的结尾。",
    ],
)
def test_what_is_of_the_moment_is_not_kept(text: str) -> None:
    assert read(text) == []


def test_what_has_a_name_or_a_number_has_a_key() -> None:
    (said,) = read("My car insurance is with Aviva.")
    assert (said.key, said.value) == ("car insurance", "with Aviva")
