import numpy as np
import pytest

from chatmem.retrieval.query import (
    MANY_ROWS,
    SINGLE_HAN_WEIGHT,
    STOP_WEIGHT,
    NamedDate,
    Query,
    named_date,
    questions,
    read_query,
    statement,
)

SPEAKERS = ((0, "user", "user"), (1, "Ann Lee", "ann lee"), (2, "王芳", "王 芳 王芳"))


def _weights(query: Query) -> dict[str, float]:
    names = (*query.terms, *(f"{prefix}*" for prefix in query.prefixes))
    return dict(zip(names, query.weights.tolist(), strict=True))


def test_words_weigh_more_than_stop_words_and_single_characters() -> None:
    weights = _weights(read_query("the violin and 喜欢 猫"))

    assert weights["violin"] == weights["喜欢"] == 1.0
    assert weights["the"] == weights["and"] == STOP_WEIGHT
    assert weights["猫"] == SINGLE_HAN_WEIGHT


def test_among_many_rows_stop_words_are_not_asked_for() -> None:
    few, many = (read_query("the violin", row_count=count) for count in (0, MANY_ROWS))

    assert "the" in few.terms
    assert many.terms == ("violin",)
    assert read_query("the", row_count=MANY_ROWS).terms == ("the",)


def test_a_row_matches_by_words_that_tell_something() -> None:
    query = read_query("the violin Pyth*")

    assert dict(zip(query.terms, query.content.tolist(), strict=False)) == {
        "the": False,
        "violin": True,
    }
    assert query.prefixes == ("pyth",)
    assert query.content.tolist()[-1] is True
    assert len(query.content) == len(query.weights) == 3


@pytest.mark.scenario("S3.3.1")
def test_keywords_point_at_their_terms() -> None:
    query = read_query("我喜欢用 Python 写代码")
    spelled = [{query.terms[place] for place in places} for places in query.keywords]

    assert len(spelled) == 3
    for word, terms in (("python", {"python"}), ("代码", {"代码"}), ("喜欢", {"喜欢"})):
        assert any(word in found and terms <= found for found in spelled)


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("What does Ann Lee like?", {1}),
        ("What does Ann like?", set()),
        ("王芳喜欢什么？", {2}),
        ("What did the user say?", set()),
        ("Ann Lee 和王芳喜欢什么？", set()),  # everybody is nobody in particular
    ],
)
def test_named_speakers_are_recognised(question: str, asked: set[int]) -> None:
    assert read_query(question, SPEAKERS).speakers == asked


def test_a_speakers_name_is_no_search_term() -> None:
    weights = _weights(read_query("What does Ann Lee like?", SPEAKERS))

    assert weights["ann"] == weights["lee"] == 0.0


def test_several_questions_are_several_views() -> None:
    query = read_query("I was away. Where is the cat? Who fed the dog?")
    masks = [
        {term for term, one in zip(query.terms, view.mask, strict=True) if one}
        for view in query.views
    ]

    assert [view.texts[1] for view in query.views] == ["Where is the cat?", "Who fed the dog?"]
    assert "cat" in masks[0] and "cat" not in masks[1]
    assert "dog" in masks[1] and "dog" not in masks[0]
    assert query.views[0].texts[0] == "the cat"


def test_one_question_is_one_view_of_everything() -> None:
    message = "I was away. Where is the cat?"

    (view,) = read_query(message).views
    assert np.all(view.mask == 1.0)
    assert view.texts[1] == message


def test_what_is_asked_is_read() -> None:
    query = read_query("How many cups did you recommend in May 2023?")

    assert query.date == NamedDate(2023, 5, None)
    assert query.asks_assistant
    assert query.known_terms >= {"cup", "recommend", "the"}


@pytest.mark.parametrize(
    "message", ["Is the violin old?", "the", "王芳 什么时候 拉 琴？", "Pyth* the"]
)
@pytest.mark.parametrize("topic", ["violin lessons", "the", "琴 the", None])
def test_without_its_topic_a_query_is_that_of_the_message(message: str, topic: str | None) -> None:
    def told(query: Query) -> set[tuple[str, float]]:
        every = zip(_weights(query), query.content, query.search_weights, strict=True)
        return {(name, weight) for name, is_content, weight in every if is_content}

    alone, found = (read_query(message, SPEAKERS, one).without_topic for one in (None, topic))
    assert told(found) == told(alone)
    assert _weights(found).items() >= _weights(alone).items()
    assert found.known_terms == alone.known_terms


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


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("Where is it?", []),
        ("I am back. Where is it?", ["Where is it?"]),
        ("Who? What? Where? When?", ["What?", "Where?", "When?"]),
        ("我回来了。猫在哪？狗呢？", ["猫在哪？", "狗呢？"]),
        ("One. Two. Three.", []),
        ("I have v1.5. Is it old?\n好的。谢谢！贵吗？", ["Is it old?", "贵吗？"]),
    ],
)
def test_the_last_questions_of_a_message_are_told_apart(text: str, asked: list[str]) -> None:
    assert questions(text) == asked


ASSISTANTS = [
    *("What did you recommend?", "Remind me of the recipe", "你给我列的清单"),
    *("In our last conversation, what was the title?", "你之前说过的那本书", "你推薦的餐廳"),
]
USERS = ["What do I like?", "我说过什么", "Do you like tea?", ""]


@pytest.mark.parametrize("question", [*ASSISTANTS, *USERS])
def test_what_the_assistant_said_is_asked_for(question: str) -> None:
    assert read_query(question).asks_assistant is (question in ASSISTANTS)


@pytest.mark.parametrize(
    ("question", "date"),
    [
        ("What happened in 2023?", NamedDate(2023, None, None)),
        ("去年5月去了哪里", NamedDate(None, 5, None)),
        ("2023年5月8日那天呢", NamedDate(2023, 5, 8)),
        ("12月25號的計劃", NamedDate(None, 12, 25)),
        ("Where was she on 8 May 2023?", NamedDate(2023, 5, 8)),
        ("Where was she on May 8, 2023?", NamedDate(2023, 5, 8)),
        ("the 3rd of January", NamedDate(None, 1, 3)),
        ("in may", NamedDate(None, 5, None)),
        ("May I ask?", None),
        ("the army will march on", None),
        ("She might be 30 years old", None),
        ("room 2023b", None),
        ("13月", None),
        ("2月99日", NamedDate(None, 2, None)),
        ("May 0, 2023", NamedDate(2023, 5, None)),
        ("", None),
    ],
)
def test_a_named_date_is_read(question: str, date: NamedDate | None) -> None:
    assert named_date(question) == date
