"""Which statements make an older one out of date, and which leave it alone."""

from datetime import UTC, datetime

import pytest

from chatmem.extraction.replaced import may_replace, replaces
from chatmem.model import AtomicMemoryRecord

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


def known(content: str, key: str | None = None, value: str | None = None) -> AtomicMemoryRecord:
    return AtomicMemoryRecord(
        id="old",
        user_id="mei",
        timestamp=NOON,
        create_time=NOON,
        content=content,
        key=key,
        value=value,
    )


def is_replaced(new: str, old: AtomicMemoryRecord) -> bool:
    return may_replace(new) and any(replaces(new, None, old))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Lives in a flat in Ghent", "We moved to Bruges last month"),
        ("我租在五道口", "上周搬到回龙观了"),
        ("Works at a garden centre", "I got laid off and started at a museum"),
        ("在书店上班", "我跳槽了，新公司做地图的"),
        ("Drives an old Saab", "The Saab is sold, I cycle everywhere"),
        ("开一辆旧高尔夫", "高尔夫上个月卖了"),
        ("Is single", "Guess what, I'm engaged"),
        ("我单身", "我有对象了"),
        ("Is on keto", "Gave up keto, I eat normally again"),
        ("吃素两年了", "最近又开始吃肉了"),
        ("Smokes half a pack a day", "I quit smoking in spring"),
        ("每天抽半包烟", "烟已经戒了"),
        ("Dentist is on 2026-05-04", "They pushed the dentist to 2026-05-11"),
        ("面试在 2026-05-04", "面试改到 2026-05-11 了"),
        ("Choir is on Mondays", "Choir moved to Wednesdays"),
        ("Loves liquorice", "I can't stand liquorice anymore"),
        ("我爱吃榴莲", "榴莲我吃腻了"),
        ("Uses Evernote for recipes", "Switched everything to Obsidian"),
        ("笔记都记在印象笔记里", "笔记全搬到Notion了"),
        ("My mum lives in Derby", "Mum moved into a home in Leeds"),
        ("我妈住在乡下", "我妈搬来城里了"),
        ("Wants short answers", "From now on give me long, thorough answers"),
        ("回答尽量简短", "以后还是详细一点吧"),
        ("Going to Cork in June", "The Cork trip is cancelled"),
        ("六月打算去大理", "大理不去了，太贵"),
    ],
)
def test_what_has_changed_takes_the_place_of_what_was(old: str, new: str) -> None:
    assert is_replaced(new, known(old))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Lives in Ghent", "My sister moved to Bruges"),
        ("我住在南京", "我弟搬到苏州了"),
        ("Was born in Lagos", "We live in Porto now"),
        ("出生在兰州", "现在住在厦门"),
        ("Works at a bank", "I moved the meeting to Friday"),
        ("在银行上班", "我把会议改到周五了"),
        ("Likes tea", "I started drinking coffee"),
        ("喜欢喝茶", "最近开始喝咖啡"),
        ("Is allergic to nuts", "I'm allergic to latex too"),
        ("对花生过敏", "我对芒果也过敏"),
        ("Is a nurse", "My wife quit her job as a nurse"),
        ("Is learning to cook", "Today's chat was nice, I'm going to have dinner now"),
        ("最近在学绘画", "我最近很迷茫，怕说错话"),
        ("Works in Leeds", "I'm considering a new job"),
        ("我在医院工作", "我在考虑要不要换工作"),
    ],
)
def test_what_is_another_matter_is_left_alone(old: str, new: str) -> None:
    assert not is_replaced(new, known(old))


def test_a_name_is_replaced_by_another_name_or_a_loss_and_by_nothing_else() -> None:
    rex = known("Dog is called Rex", "pet:dog", "Rex")
    assert is_replaced("Rex passed away on Sunday", rex)
    assert is_replaced("We renamed Rex, he's Bruno from now on", rex)
    assert not is_replaced("We switched Rex to another kibble", rex)
    ball = known("家里的猫叫汤圆", "pet:猫", "汤圆")
    assert is_replaced("汤圆上周走丢了", ball)
    assert not is_replaced("汤圆换了猫粮", ball)


def test_attitudes_count_only_for_the_thing_that_the_key_names() -> None:
    jazz = known("Loves late jazz evenings", "taste:jazz", "like")
    assert is_replaced("I hate jazz by now", jazz)
    assert not is_replaced("I hate late evenings", jazz)
