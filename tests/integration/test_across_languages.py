"""Told in one language, asked in the other: meaning finds what shares no word."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.doors import default_embedder

from chatmem import MemoryService

TOLD_AND_ASKED = (
    ("我的猫叫豆沙，今年八岁。", "What is my cat called?"),
    ("我妈妈八月九号过七十岁生日。", "When does my mother turn seventy?"),
    ("I moved to a new apartment near the river last month.", "我上个月搬到哪里了？"),
    ("My dentist appointment is on Friday at three.", "我什么时候去看牙医？"),
    ("我对花生和虾过敏。", "What foods am I allergic to?"),
    ("I play the cello every Thursday evening.", "我每周四晚上做什么？"),
    ("我在一家医院当护士。", "Where do I work?"),
    ("My favourite drink is oolong tea without sugar.", "我最喜欢喝什么？"),
    ("我打算明年春天去日本旅行。", "Where do I plan to travel next spring?"),
    ("My brother just got a job as a pilot.", "我哥哥做什么工作？"),
    ("我每天早上六点去公园跑步。", "What do I do every morning?"),
    ("I am learning Portuguese because my wife is from Porto.", "我为什么学葡萄牙语？"),
    ("公司年会定在十二月二十号。", "When is the company party?"),
    ("My car broke down on the highway yesterday.", "昨天我的车怎么了？"),
    ("我女儿今年九月上小学。", "When does my daughter start school?"),
    ("The Wi-Fi password is written under the router.", "无线网密码写在哪里？"),
)
ANSWERS = (
    *("今天天气不错，我们出去走走吧。", "好的，我记住了。", "Sounds good, thanks!"),
    *("What should I cook tonight?", "今天晚上吃什么好呢？", "The meeting was moved to Monday."),
    *("I watched a movie about a lighthouse keeper.", "我看了一部关于灯塔的电影。"),
    *("My phone battery is almost dead.", "我的手机快没电了。", "明天早上有个会议。"),
    *("你好，很高兴认识你。", "每周四下午上课。", "Let's talk about my garden."),
    *("我最近在看一本书。", "春天的花园真漂亮。"),
)


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MemoryService]:
    folder: Path = tmp_path_factory.mktemp("across")
    with MemoryService.open(folder, embedder=default_embedder(), background=False) as opened:
        for number, ((told, _), answer) in enumerate(zip(TOLD_AND_ASKED, ANSWERS, strict=True)):
            opened.save_conversation_turn(told, answer, f"session {number}")
        opened.wait_until_indexed()
        yield opened


def test_most_questions_in_the_other_language_find_their_answer(memory: MemoryService) -> None:
    found = [
        told in [hit.memory.content for hit in memory.search_memories(asked, limit=3)]
        for told, asked in TOLD_AND_ASKED
    ]
    assert sum(found) >= 14
