"""What a message tells for a profile, in Chinese (both scripts) and English."""

import pytest

from chatmem.extraction.profile import SINGLE_SLOTS, profile_statements

STATED = [
    # how to be answered
    ("please keep your answers short", "reply_length", "Prefers short answers"),
    ("I prefer short answers", "reply_length", "Prefers short answers"),
    ("From now on, give me detailed answers.", "reply_length", "Prefers detailed answers"),
    ("回答请简短一点", "reply_length", "希望回答简短"),
    ("回答請簡短一點", "reply_length", "希望回答簡短"),
    ("回答太长了，以后短一点", "reply_length", "希望回答简短"),
    ("以后回答详细一点", "reply_length", "希望回答详细"),
    ("Please always reply in Chinese.", "reply_language", "Prefers replies in Chinese"),
    ("From now on answer me in German", "reply_language", "Prefers replies in German"),
    ("Please answer in English.", "reply_language", "Prefers replies in English"),
    ("请用中文回答", "reply_language", "希望用中文回答"),
    ("以后都用英文回复我", "reply_language", "希望用英文回答"),
    ("以後請用繁體中文回答", "reply_language", "希望用繁體中文回答"),
    ("be more casual", "reply_tone", "Prefers a casual tone"),
    ("I'd like your replies to be more formal", "reply_tone", "Prefers a formal tone"),
    ("以后回答语气幽默一点", "reply_tone", "希望语气幽默"),
    ("以後回答的語氣正式一點", "reply_tone", "希望語氣正式"),
    ("don't use emojis", "reply_format", "Prefers replies without emoji"),
    ("Please never use emojis in your replies.", "reply_format", "Prefers replies without emoji"),
    ("以后不要用表情符号", "reply_format", "希望不用表情符号"),
    ("以後不要用表情符號", "reply_format", "希望不用表情符號"),
    ("use bullet points in your answers", "reply_format", "Prefers bullet points"),
    (
        "Could you always explain things step by step?",
        "reply_format",
        "Prefers step-by-step explanations",
    ),
    # what to be called
    ("Call me Sam", "address", "Wants to be called Sam"),
    ('you can call me "Max"', "address", "Wants to be called Max"),
    ("叫我小王就好", "address", "希望被称呼为小王"),
    ("請叫我阿明", "address", "希望被稱呼為阿明"),
    ("以后请称呼我为李老师", "address", "希望被称呼为李老师"),
    # who they are
    ("I'm a nurse and I work nights", "background", "Is a nurse"),
    ("I'm a software engineer at Siemens", "background", "Is a software engineer at Siemens"),
    ("I work as a data analyst", "background", "Works as a data analyst"),
    ("I live in New York City with my wife", "background", "Lives in New York City"),
    ("I'm originally from Sichuan", "background", "Is from Sichuan"),
    ("I have two kids and a dog", "background", "Has two kids and a dog"),
    ("I'm vegetarian, by the way", "background", "Is vegetarian"),
    ("我是一名护士", "background", "是护士"),
    ("我是護士，住在台北", "background", "住在台北"),
    ("我在医院工作", "background", "在医院工作"),
    ("我现在住在杭州", "background", "住在杭州"),
    ("我是四川人", "background", "是四川人"),
    ("我有两个孩子", "background", "有两个孩子"),
    ("我對花生過敏", "background", "對花生過敏"),
    # what they like
    ("I love hiking and photography", "preference", "Loves hiking and photography"),
    ("I don't like cilantro", "preference", "Dislikes cilantro"),
    ("I like tea, chess and old films.", "preference", "Likes tea, chess and old films"),
    ("My favourite food is hot pot", "preference", "Favourite food: hot pot"),
    ("我喜欢喝乌龙茶", "preference", "喜欢喝乌龙茶"),
    ("我不喜歡吃香菜", "preference", "不喜歡吃香菜"),
    ("我很喜欢音乐、电影和旅游", "preference", "喜欢音乐、电影和旅游"),
]

SILENT = [
    # for one answer
    "answer this one in French",
    "Answer in French: what is love?",
    "这次用英文回答",
    "這次用英文回答",
    "用英文回答：什么是光合作用？",
    "Explain photosynthesis step by step",
    "Write a short answer about Rome",
    # questions
    "What's my job?",
    "Am I a nurse?",
    "你知道我喜欢什么吗",
    "你知道我喜歡什麼嗎？",
    "Do you think I like tea?",
    "我是不是护士？",
    # suppositions and plays
    "If I lived in Berlin, what would I pay?",
    "Suppose I'm a doctor.",
    "如果我是医生，你会怎么说",
    "假設我是醫生",
    "Act as a lawyer. Your answers should be short.",
    "你是一位律师，回答要简短",
    # others, and what they say
    "my sister likes tea",
    "my sister is a nurse",
    "我妹妹喜欢画画",
    "我妹妹是護士",
    'He said "I live in Paris"',
    "She told me I am a nurse",
    "他说我是护士",
    # of the conversation, not of the person
    "I like your answer",
    "I like the second option",
    "I like that",
    "我喜欢你的回答",
    "我喜歡這個",
    "Your answers are too long",
    "我的回答很简短",
    # not so
    "I used to live in Rome",
    "I'm a bit tired",
    "I'm a big fan of jazz",
    "我叫了外卖",
    "please call me when you arrive",
    "别叫我小王",
    "我在找工作",
    "谢谢你的忠告，我会尝试跟我的朋友好好地沟通",
    # not their own words
    "translate: I am a doctor",
    "翻译成英文：我是医生",
    "```\nI live in Berlin\n```",
    "> I live in Berlin",
    # nothing
    "",
    "ok",
    "好的",
    "👍",
    "\ud800",
]


@pytest.mark.parametrize(("message", "slot", "text"), STATED)
def test_a_statement_is_taken(message: str, slot: str, text: str) -> None:
    found = {(one.slot, one.text) for one in profile_statements(message)}

    assert (slot, text) in found


@pytest.mark.parametrize("message", SILENT)
def test_what_is_no_statement_of_the_writer_is_left(message: str) -> None:
    assert profile_statements(message) == ()


def test_one_statement_is_not_told_twice() -> None:
    assert len(profile_statements("I prefer short answers")) == 1
    assert len(profile_statements("I love tea. I love tea!")) == 1


def test_of_two_wishes_for_one_slot_the_later_counts() -> None:
    found = profile_statements("Always answer in French. No, always answer in German.")

    assert [one.text for one in found if one.slot == "reply_language"] == [
        "Prefers replies in German"
    ]


def test_several_statements_come_in_their_order() -> None:
    found = profile_statements("我是护士，住在杭州。以后回答简短一点。")

    assert [one.text for one in found] == ["是护士", "住在杭州", "希望回答简短"]
    assert [one.slot in SINGLE_SLOTS for one in found] == [False, False, True]
