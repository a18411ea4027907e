import pytest

from chatmem.retrieval.question import asks_assistant, questions, sentences, statement


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What is the name of my dog?", "the name of my dog"),
        ("Where did Caroline move from?", "Caroline move from"),
        ("How many children does Ann have?", "children does Ann have"),
        ("Did she like the soup?", "she like the soup"),
        ("我的狗叫什么名字？", "我的狗叫名字"),
        ("她住在哪里呢", "她住在"),
        ("小王喜欢喝咖啡吗？", "小王喜欢喝咖啡"),
        ("Pyth*", "Pyth*"),
        ("What?", "What?"),
        ("吗？", "吗？"),
        ("", ""),
    ],
)
def test_a_question_becomes_the_beginning_of_its_answer(question: str, said: str) -> None:
    assert statement(question) == said


@pytest.mark.parametrize(
    ("question", "names", "said"),
    [
        ("What did Ann buy?", ["Ann"], "I buy"),
        ("What is ann's hobby?", ["Ann"], "my hobby"),
        ("What did Anna buy?", ["Ann"], "Anna buy"),
        ("王芳喜欢什么？", ["王芳"], "我喜欢"),
        ("What did C++ (Bo) say?", ["C++ (Bo)"], "C++ (Bo) say"),
    ],
)
def test_the_one_who_would_answer_says_i(question: str, names: list[str], said: str) -> None:
    assert statement(question, names) == said


def test_sentences_end_where_a_reader_would_say_so() -> None:
    assert sentences("I have v1.5. Is it old?\n好的。谢谢！") == [
        "I have v1.5.",
        "Is it old?",
        "好的。",
        "谢谢！",
    ]
    assert sentences("  \n ") == []


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("Where is it?", []),
        ("I am back. Where is it?", ["Where is it?"]),
        ("Who? What? Where? When?", ["What?", "Where?", "When?"]),
        ("我回来了。猫在哪？狗呢？", ["猫在哪？", "狗呢？"]),
        ("One. Two. Three.", []),
    ],
)
def test_the_last_questions_of_a_message_are_told_apart(text: str, asked: list[str]) -> None:
    assert questions(text) == asked


@pytest.mark.parametrize(
    "question",
    [
        "What did you recommend?",
        "Remind me of the recipe",
        "In our last conversation, what was the title?",
        "你之前说过的那本书",
        "你推薦的餐廳",
        "你给我列的清单",
    ],
)
def test_what_the_assistant_said_is_asked_for(question: str) -> None:
    assert asks_assistant(question)


@pytest.mark.parametrize("question", ["What do I like?", "我说过什么", "Do you like tea?", ""])
def test_what_the_user_said_is_asked_for(question: str) -> None:
    assert not asks_assistant(question)
