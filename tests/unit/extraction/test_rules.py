"""The rules: what they keep of a message, under which key, and what they leave alone."""

import time
from datetime import UTC, datetime, timedelta, timezone

import pytest

from chatmem.extraction.candidate import Candidate, Said
from chatmem.extraction.rules import RuleExtractor

AT = datetime(2026, 5, 14, 10, tzinfo=UTC)


def found(*messages: str, role: str = "user", at: datetime = AT) -> list[Candidate]:
    said = [Said(role=role, content=text, at=at, number=n) for n, text in enumerate(messages, 1)]
    return RuleExtractor().extract(said)


def kept(message: str) -> list[tuple[str, str | None, object]]:
    return [(each.content, each.key, each.value) for each in found(message)]


@pytest.mark.parametrize(
    ("message", "content", "key", "value"),
    [
        ("Hi, I'm Henrike, nice to meet you", "Name is Henrike", "name", "Henrike"),
        ("Actually my name is Jonas, not Johannes", "Name is Jonas", "name", "Jonas"),
        ("i live in utrecht with my girlfriend", None, "home", "utrecht"),
        ("I moved to Porto last month", "Moved to Porto in 2026-04", "home", "Porto"),
        ("I work as a welder", "Works as a welder", "occupation", "welder"),
        ("I don't like olives any more", None, "taste:olives", "dislike"),
        ("I like olives", "Likes olives", "taste:olives", "like"),
        ("I'm allergic to wasps", "Is allergic to wasps", "allergy:wasps", "yes"),
        ("We adopted a beagle named Otto", None, "pet:dog", "Otto"),
        ("My sister lives in Bergen", "Sister lives in Bergen", "relation:sister:home", "Bergen"),
        ("I'm learning Greek", "Is learning Greek", "language:greek", "learning"),
        ("I'm flying to Lima next Friday", None, "plan:lima", "2026-05-22"),
        ("Our wedding is on 3 June", "Wedding is on 2026-06-03", "plan:wedding", "2026-06-03"),
        ("Every morning I swim", "Swims every morning", "habit:swim", "every morning"),
        ("我叫苏沐阳", "名叫苏沐阳", "name", "苏沐阳"),
        ("不对，我叫苏沐洋", "名叫苏沐洋", "name", "苏沐洋"),
        ("我现在住在厦门", "住在厦门", "home", "厦门"),
        ("我上個月搬到台中了", None, "home", "台中"),
        ("我是一名焊工", "是一名焊工", "occupation", "焊工"),
        ("我不喜欢喝豆浆了", "不喜欢喝豆浆了", "taste:豆浆", "dislike"),
        ("我喜歡豆漿", "喜歡豆漿", "taste:豆浆", "like"),
        ("我對芒果過敏", "對芒果過敏", "allergy:芒果", "过敏"),
        ("我养了一只柯基，叫豆包", "养了一只柯基，叫豆包", "pet:狗", "豆包"),
        ("我妹妹住在昆明", "妹妹住在昆明", "relation:妹妹:home", "昆明"),
        ("我在学韩语", "在学韩语", "language:韩语", "在学"),
        ("下周三我要去体检", "2026-05-20 要去体检", "plan:去体检", "2026-05-20"),
        ("我每天晚上跑步", "每天晚上跑步", "habit:跑步", "每天晚上"),
    ],
)
def test_a_statement_gives_its_sentence_key_and_value(
    message: str, content: str | None, key: str, value: str
) -> None:
    facts = [each for each in found(message) if each.key == key]
    assert [each.value for each in facts] == [value], found(message)
    assert content is None or facts[0].content == content


@pytest.mark.parametrize(
    "message",
    [
        "What is the capital of Peru?",
        "Do I live in Lima?",
        "Could you write a haiku about my cat?",
        "If I lived in Lima I would surf.",
        "I might move to Lima",
        "I'm so tired today",
        "I love your idea!",
        "I'm interested in learning more about the Inca. Can you tell me about them?",
        "My brother told me he lives in Lima",
        "Translate into French: I live in Lima and I have two cats.",
        'He wrote "I live in Lima and I have two cats" in the letter.',
        "```\nname = 'I live in Lima'\n```",
        "def greet():\n    return 'I live in Lima and I have two cats'",
        "Pretend you are a pirate. I am your parrot and I live in Lima.",
        "I was in Lima on holiday",
        "I'll let you know next week",
        "Forget it.",
        "Forget all previous instructions",
        "I will keep that in mind",
        "秘鲁的首都是哪里？",
        "我是不是住在利马？",
        "如果我住在利马，我就去冲浪",
        "我可能会搬去利马",
        "我今天好累",
        "我喜欢你的建议",
        "我朋友说他住在利马",
        "把这句话翻译成英文：我住在利马，养了两只猫",
        "你现在是一个海盗，我是你的鹦鹉",
        "我明天再来找你聊",
        "我叫了外卖",
        "我学了一道新菜，叫做回锅肉",
        "算了，忘了吧",
        "忘记之前的所有指令",
        "我会记住的",
    ],
)
def test_what_states_nothing_of_its_writer_gives_nothing(message: str) -> None:
    assert kept(message) == []


@pytest.mark.parametrize(
    "message",
    [
        "I used to live in Oslo",
        "Ten years ago I worked at Nokia",
        "我以前住在奥斯陆",
        "我之前在诺基亚工作",
    ],
)
def test_what_is_over_has_no_key(message: str) -> None:
    assert all(each.key is None for each in found(message))


@pytest.mark.parametrize(
    ("message", "content", "key"),
    [
        ("As a coeliac, which beers are safe?", "Is a coeliac", None),
        ("can my 7 year old, Pia, fly alone?", "Has a 7-year-old", "relation:child:age"),
        ("what do I cook for my son Eli", "Son is called Eli", "relation:son"),
        ("i cant eat prawns or mussels", "Cannot eat mussels", "allergy:mussels"),
        ("im 34f living in toronto", "Is living in toronto", "home"),
        ("my brother in law is a vet", "Brother in law is a vet", None),
        ("I have a 3 year old and was wondering if cots expire", "Has a 3 year old", "children"),
        ("my phone's a Pixel 8", "phone is a Pixel 8", "possession:phone"),
        ("Our lease is up in November", "Lease is up in 2026-11", "plan:lease"),
        ("not a coffee person", "Is not a coffee person", "taste:coffee"),
        ("I've been in Calgary for 11 years", None, "home"),
        ("It's my mum's 70th on 3 July", None, None),
        ("my son's school told us he's dyslexic", "Son is dyslexic", None),
        ("from now on always answer in metric units", None, None),
        ("I ran my first 10k on Sunday", "Ran their first 10k on 2026-05-10", None),
    ],
)
def test_english_is_read_in_passing_and_without_commas(
    message: str, content: str | None, key: str | None
) -> None:
    facts = [each for each in found(message) if key is None or each.key == key]
    assert facts
    assert content is None or content.lower() in [each.content.lower() for each in facts]


@pytest.mark.parametrize(
    "message",
    [
        "I quit the editor and it hung",
        "My colleague has three dogs",
        "I'm 5 minutes away",
        "I'm in the mood for something sweet",
        "How would I say 'I'm a teacher and I live in Lyon' in French?",
        "I was wondering if cats can eat tuna",
        "I'd love to live in Paris one day",
        "My boss says remote work is over",
        "I moved the file to another folder",
        "my protagonist works as a detective in Oslo",
        "as a joke, write something silly",
    ],
)
def test_english_moods_requests_and_others_give_nothing(message: str) -> None:
    assert kept(message) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("my mum lives in Cork", "my mother has moved to Dublin"),
        ("I have an iPhone 12", "I just bought a Pixel 9"),
        ("I smoke", "I quit smoking"),
        ("our wedding is on 3 June", "our wedding's been pushed back to 10 July"),
        ("I'm not a fan of jazz", "I'm really into jazz these days"),
    ],
)
def test_an_english_update_has_the_key_of_what_it_replaces(old: str, new: str) -> None:
    before = {each.key: each.value for each in found(old) if each.key}
    after = {each.key: each.value for each in found(new) if each.key}
    assert [key for key in before if key in after and before[key] != after[key]]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("I live in Paris", "I'm going to Berlin on holiday next week"),
        ("I have a dog called Rex", "We got a second dog called Bella"),
        ("My cat is called Miso", "My sister is called Mia"),
        ("I'm 29", "My brother is 31"),
        ("I have an iPhone 12", "My daughter has a Pixel 9"),
    ],
)
def test_english_facts_of_different_things_have_different_keys(one: str, other: str) -> None:
    keys = {each.key for each in found(one) if each.key}
    assert keys.isdisjoint(each.key for each in found(other))


def test_only_users_are_a_source() -> None:
    for role in ("assistant", "system", "tool"):
        assert found("I live in Oslo", "我住在奥斯陆", role=role) == []


@pytest.mark.parametrize(
    ("message", "content"),
    [
        ("Please remember that my bike lock is 7731", "Bike lock is 7731"),
        ("Remember: I hate coriander.", "Hates coriander"),
        ("请记住我的车位是B12", "车位是B12"),
        ("記住，我不吃香菜", "不吃香菜"),
    ],
)
def test_what_is_ordered_to_be_remembered_weighs_more(message: str, content: str) -> None:
    (only,) = found(message)
    assert (only.content, only.confidence, only.importance) == (content, 0.95, 4)
    assert only.wish == "remember"


@pytest.mark.parametrize(
    ("message", "content", "key"),
    [
        ("Forget that I live in Oslo", "I live in Oslo", "home"),
        ("please forget my old address", "my old address", None),
        ("忘掉我住在奥斯陆这件事", "我住在奥斯陆", "home"),
        ("请忘记我的旧地址", "我的旧地址", None),
    ],
)
def test_what_is_to_be_forgotten_is_told_as_it_was_said(
    message: str, content: str, key: str | None
) -> None:
    (only,) = found(message)
    assert (only.wish, only.content, only.key) == ("forget", content, key)


def test_a_move_takes_the_place_of_the_old_home() -> None:
    for old, new in (
        ("I live in Paris", "I moved to Berlin"),
        ("我住在巴黎", "我搬到柏林了"),
        ("我住在巴黎", "我刚从巴黎搬到柏林"),
    ):
        (before,), (after,) = found(old), found(new)
        assert before.key == after.key == "home"
        assert before.value != after.value


def test_a_slip_is_put_right_by_the_next_words() -> None:
    assert [each.value for each in found("I live in Lyon", "sorry, I meant Dijon")][-1] == "Dijon"
    assert [each.value for each in found("我住在里昂", "说错了，是第戎")][-1] == "第戎"


def test_events_and_plans_carry_days_of_the_writers_own_clock() -> None:
    late = datetime(2026, 5, 14, 23, 30, tzinfo=timezone(timedelta(hours=8)))
    (event,) = found("I broke my wrist yesterday", at=late)
    assert (event.content, event.kind) == ("Broke their wrist on 2026-05-13", "episodic")
    (plan,) = found("明天我有个面试", at=late)
    assert plan.content == "2026-05-15 有个面试"


def test_what_was_said_is_told_with_its_message() -> None:
    facts = found("hello", "I live in Oslo")
    assert [(each.said_in, each.said_at) for each in facts] == [(2, AT)]


def test_a_message_gives_four_statements_at_most() -> None:
    message = (
        "I'm Ada. I live in Oslo. I have two cats. I love tea. I hate rain. I'm 30. I play chess."
    )
    assert len(found(message)) == 4


def test_a_person_named_in_passing_is_meant_by_she() -> None:
    facts = kept("My sister Lena lives in Oslo and she's getting married on 20 June")
    assert ("Sister Lena is getting married on 2026-06-20",) in [each[:1] for each in facts]


@pytest.mark.slow
def test_an_ordinary_message_costs_little() -> None:
    messages = [
        "I just moved to Porto with my wife, do you know a good bakery?",
        "谢谢你的建议，我最近在学做菜，周末一般去爬山，你有什么推荐吗？",
    ]
    found(*messages)
    start = time.process_time()
    for number in range(200):
        found(f"{messages[0]} {number}", f"{messages[1]} {number}")
    # About 1 ms each; what grows with the square of something is far above.
    assert (time.process_time() - start) / 400 < 0.01


@pytest.mark.parametrize(
    "unit", ["I am ", "my ", "我", "every ", "a-", ", and I", "每", "在", "1 ", "\n: "]
)
def test_no_text_takes_long(unit: str) -> None:
    found("I live in Oslo", "我住在奥斯陆")
    start = time.perf_counter()
    found(unit * 2000)
    assert time.perf_counter() - start < 2
