"""Topic, slots and emotion of a message, sentences, and titles and snippets of sessions."""

import pytest
from tests.conftest import some

from chatmem.analysis import summary
from chatmem.analysis.turn import RuleAnalyzer
from chatmem.model import EMOTIONS
from chatmem.text.languages import language_of
from chatmem.text.segment import sentences

ANALYZER = RuleAnalyzer()


@pytest.mark.parametrize(
    ("previous", "message", "topic"),
    [
        (None, "我下个月搬到柏林，帮我列个清单", "柏林 清单"),
        (None, "我下個月從上海搬到柏林，幫我列個清單", "上海 柏林 清單"),
        (None, "Could you help me plan a trip to Berlin next week?", "plan trip Berlin"),
        (None, "帮我写一个 Python 脚本，读取 CSV 并画图", "Python 脚本 读取 CSV 画图"),
        (None, "I'm really worried about my exam on Friday", "exam"),
        ("trip Berlin", "What about Paris?", "trip Berlin Paris"),
        ("旅游 北京", "那成都呢？", "旅游 北京 成都"),
        ("trip Berlin", "I need a recipe for apple pie", "recipe apple pie"),
        # it lasts while no new subject is named
        ("trip Berlin", "Can I take the train from Berlin?", "trip train Berlin"),
        ("trip Berlin", "I'd prefer something cheaper", "trip Berlin prefer cheaper"),
        ("旅游 北京", "太贵了，真让人头疼", "旅游 北京 太贵 头疼"),
        ("成都旅游 攻略", "成都有什么火锅店", "攻略 成都 火锅店"),
        ("旅游 北京", "帮我写一个 Python 脚本读取 CSV", "Python 脚本 读取 CSV"),
    ],
)
def test_the_topic_is_the_message_s_own_keywords_and_a_short_one_goes_on(
    previous: str | None, message: str, topic: str
) -> None:
    assert ANALYZER.analyse(message, previous).topic == topic


@pytest.mark.parametrize(
    "message",
    [
        *("好的", "继续", "繼續", "谢谢！", "为什么？", "ok thanks", "why?", "Yes, please go on."),
        *("👍", "", "123", "太好了"),
    ],
)
def test_a_message_without_content_keeps_the_topic(message: str) -> None:
    assert ANALYZER.analyse(message, None).topic is None
    assert ANALYZER.analyse(message, "柏林 清单").topic is None


def test_a_topic_is_short_and_made_of_words_of_the_message() -> None:
    message = (
        "The kubernetes cluster drops connections whenever the ingress controller reloads its "
        "certificates and the autoscaler replaces nodes"
    )

    topic = some(ANALYZER.analyse(message, None).topic)
    assert len(topic) <= 40
    assert all(word in message for word in topic.split())


def test_code_and_quotations_give_no_topic_and_no_slots() -> None:
    found = ANALYZER.analyse("```python\nbudget = 500  # euros\n```\n> trip to Berlin", None)

    assert found.topic is None
    assert found.variables == {}


SLOTS = [
    ("我下个月搬到柏林", {"destination": "柏林", "date": "下个月"}),
    ("我下個月從上海搬到柏林", {"origin": "上海", "destination": "柏林"}),
    ("国庆想去三亚，预算五千元左右，一家三口", {"budget": "五千元", "people": "一家三口"}),
    ("預算五千塊以內，我們四個人，這個週末去台南", {"people": "四個人", "date": "這個週末"}),
    ("下周我会去北京旅游，可以给我一些建议吗？", {"destination": "北京"}),
    ("我不去上海了，改去成都", {"destination": "成都"}),
    ("报告下周五之前要交", {"deadline": "下周五"}),
    ("報告最晚五月三號", {"deadline": "五月三號"}),
    ("明天下午三点开会", {"date": "明天下午", "time": "下午三点"}),
    ("用英文写一封邮件给房东", {"language": "英文"}),
    ("把這段翻譯成法語", {"language": "法語"}),
    ("订单号是 20240512001，还没发货", {"order_number": "20240512001"}),
    ("我叫李明，在杭州工作", {"name": "李明"}),
    ("我的名字是王小红", {"name": "王小红"}),
    ("plan a trip to Berlin next week for three people", {"people": "three people"}),
    ("Could you find a flight from Madrid to Oslo?", {"origin": "Madrid", "destination": "Oslo"}),
    ("We have a budget of 2,000 euros", {"budget": "2,000 euros"}),
    ("My budget is $500 max", {"budget": "$500"}),
    ("Book a table for two at 7:30 pm", {"people": "two", "time": "7:30 pm"}),
    ("My deadline is next Monday", {"deadline": "next Monday"}),
    ("I need it by Friday", {"deadline": "Friday"}),
    ("write it in German please", {"language": "German"}),
    ("I am on version 3.11 of it", {"version": "3.11"}),
    ("My order number is A123-4567, where is it?", {"order_number": "A123-4567"}),
    ("My name is Sara Lopez", {"name": "Sara Lopez"}),
]


@pytest.mark.parametrize(("message", "slots"), SLOTS)
def test_what_a_user_states_is_a_variable(message: str, slots: dict[str, str]) -> None:
    found = ANALYZER.analyse(message, None).variables

    assert {name: found.get(name) for name in slots} == slots


@pytest.mark.parametrize(
    "message",
    [
        *("What is my budget?", "我的预算是多少？", "我的預算是多少？", "你去过北京吗？"),
        *("Have you been to Berlin?", "Should I fly to Berlin or to Rome?"),
        *("If I had 5000 euros I would fly to Tokyo", "如果我去东京要多少钱"),
        *("I'm not flying to Berlin", "我不去上海了", "I went to Berlin last year"),
        *("我去年去了柏林", "My budget is not 500 euros", "他说预算是五千元"),
        *("My friend said the budget is 900 euros", "我叫了外卖", "See you tomorrow!", "明天见"),
        *("今天是星期天", "I ran 5 km and read 3 chapters"),
        *("Translate: I am going to Berlin with 3 people", "COVID-19 was hard", ""),
    ],
)
def test_what_is_asked_denied_supposed_or_over_is_no_variable(message: str) -> None:
    assert ANALYZER.analyse(message, None).variables == {}


FEELINGS = {
    "happy": (
        *("I'm so happy with the result!", "太好了！我拿到 offer 了", "我今天好開心", "done 🎉"),
    ),
    "sad": (
        *("I'm not happy with this answer", "我今天不开心", "我很難過", "I feel really lonely"),
    ),
    "angry": ("I'm furious about the delay", "气死我了", "我真的很生氣"),
    "anxious": ("I'm really worried about my exam", "我好焦虑，睡不着", "我很緊張"),
    "surprised": ("omg I got the job", "真没想到会这样"),
    "neutral": (
        *("別擔心，我沒事", "Don't be worried", "I'm not angry", "我妹妹很生气"),
        *("My sister is angry", "how do I calm an angry customer", "很高兴认识你"),
        *("Glad to meet you", "我下个月搬到柏林", ""),
    ),
}


@pytest.mark.parametrize(
    ("message", "emotion"), [(one, name) for name, said in FEELINGS.items() for one in said]
)
def test_a_feeling_is_the_writer_s_and_said(message: str, emotion: str) -> None:
    assert emotion in EMOTIONS
    assert ANALYZER.analyse(message, None).emotion == emotion


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", []),
        ("  \n ", []),
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ("我搬到柏林了。你呢？好！", ["我搬到柏林了。", "你呢？", "好！"]),
        ("他說「走吧。」然後就走了。", ["他說「走吧。」", "然後就走了。"]),
        ("first line\nsecond line", ["first line", "second line"]),
        ("It costs 3.50 euros. Cheap.", ["It costs 3.50 euros.", "Cheap."]),
        ("Python 3.11 is fine. 版本是3.11。", ["Python 3.11 is fine.", "版本是3.11。"]),
        ("Dr. Li is in. Mr. T. is out.", ["Dr. Li is in.", "Mr. T. is out."]),
        ("Bring fruit, e.g. apples. Thanks.", ["Bring fruit, e.g. apples.", "Thanks."]),
        ("At 3 p.m. we go. At 4 p.m. Home.", ["At 3 p.m. we go.", "At 4 p.m.", "Home."]),
        ("原则：1. 控油 2. 多喝水。", ["原则：1. 控油 2. 多喝水。"]),
        ("Wait... what?", ["Wait...", "what?"]),
        ("no end", ["no end"]),
    ],
)
def test_a_text_is_cut_into_sentences(text: str, found: list[str]) -> None:
    assert sentences(text) == found


SUMMARIZER = summary.ExtractiveSummarizer()

MOVE = [
    ("user", "你好！我下个月搬到柏林，帮我列个清单。"),
    ("assistant", "好的：签证、住房、保险，另外记得注销国内的宽带。"),
    ("user", "我对花生过敏，搬家那天是五月三号，一共两个人。"),
    ("assistant", "记下了，五月三号，两个人。"),
    ("user", "好的，谢谢！"),
]
TRIP = [
    ("user", "Hi there! Could you please help me plan a trip to Lisbon in June?"),
    ("assistant", "Of course! Lisbon is lovely in June. What is your budget?"),
    ("user", "We have 2000 euros, and my daughter is afraid of flying, so we take the train."),
    ("assistant", "Then take the night train through Madrid."),
    ("user", "ok thanks"),
]


def test_the_title_is_the_first_request_without_its_politeness() -> None:
    assert SUMMARIZER.summarise(TRIP, list).title == "Plan a trip to Lisbon in June"
    assert SUMMARIZER.summarise(MOVE, list).title == "我下个月搬到柏林，帮我列个清单"


@pytest.mark.parametrize(
    ("said", "title"),
    [
        ("請問你可以幫我寫一封辭職信嗎？", "寫一封辭職信"),
        ("# Plan\n**Compare** these two laptops for me", "Compare these two laptops for me"),
        ("```\nx = 1\n```\nWhy does this loop never end?", "Why does this loop never end?"),
        ("Hi\nMy name is Sam. I'm looking for a cheap flight to Oslo", "A cheap flight to Oslo"),
        ("ok", "Ok"),
        ("", ""),
        ("👍", ""),
        ("```\nx = 1\n```", ""),
    ],
)
def test_titles(said: str, title: str) -> None:
    assert SUMMARIZER.summarise([("user", said)], list).title == title


def test_a_long_title_ends_at_a_word() -> None:
    said = "Compare the fuel costs of diesel and petrol cars over ten years of daily commuting"

    title = SUMMARIZER.summarise([("user", said)], list).title

    assert len(title) <= summary.MAX_TITLE_CHARS
    assert title.endswith("…")
    assert said.startswith(title[:-1])


def test_the_snippet_is_whole_sentences_in_their_order() -> None:
    snippet = SUMMARIZER.summarise(TRIP, list).snippet

    told = [one for _, content in TRIP for one in sentences(content)]
    places = [told.index(one) for one in sentences(snippet)]
    assert places == sorted(places)
    assert "2000 euros" in snippet
    assert "thanks" not in snippet


def test_dates_and_facts_of_the_user_are_in_the_snippet() -> None:
    snippet = SUMMARIZER.summarise(MOVE, list).snippet

    assert "五月三号" in snippet
    assert "花生过敏" in snippet
    assert "谢谢" not in snippet


def test_the_snippet_has_the_user_s_language() -> None:
    mixed = [
        ("user", "帮我看看这份合同的第三条，我明天要签字。"),
        ("assistant", "The third clause says that the landlord may raise the rent every year."),
    ]

    snippet = SUMMARIZER.summarise(mixed, list).snippet

    assert language_of(snippet).code == "zh"
    assert "landlord" not in snippet


@pytest.mark.parametrize(
    ("said", "language"),
    [("I bought {} red lamps in Ghent.", "en"), ("我在根特买了{}盏红色的灯。", "zh")],
)
def test_a_long_session_has_a_short_snippet(said: str, language: str) -> None:
    messages = [("user", said.format(number)) for number in range(500)]

    snippet = SUMMARIZER.summarise(messages, list).snippet

    limit = summary.MAX_SNIPPET_CHARS[language == "en"]
    assert 0 < len(snippet) <= limit
    assert snippet == SUMMARIZER.summarise(messages, list).snippet


@pytest.mark.parametrize(
    "messages",
    [
        *([], [("user", "")], [("system", "Be kind to everybody here.")], [("user", "\ud800")]),
        [("tool", "{}")],
    ],
)
def test_nothing_said_is_nothing_told(messages: list[tuple[str, str]]) -> None:
    assert SUMMARIZER.summarise(messages, list) == summary.SummaryText("", "")


def test_without_a_user_the_assistant_s_words_are_the_title() -> None:
    told = SUMMARIZER.summarise(
        [("assistant", "Your invoice for March is ready to download.")], list
    )

    assert told.title == "Your invoice for March is ready to download"
