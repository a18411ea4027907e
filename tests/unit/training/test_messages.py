"""The messages that the reader learns from: their notation, and what is said of a wrong label."""

from pathlib import Path

import pytest
from dataset import messages_of, pairs_of
from markup import MarkupError, Span, read_line, read_pair

TRAINING = Path(__file__).parents[3] / "training"


def test_the_notation_counts_characters() -> None:
    message = read_line("⟦home|我住在⟪龙泽苑⟫⟧，离地铁八分钟")

    assert message.text == "我住在龙泽苑，离地铁八分钟"
    (span,) = message.spans
    assert span == Span(start=0, end=6, attribute="home", category="fact", value=(3, 6))


def test_the_assistants_question_and_a_chat_of_several_people() -> None:
    asked = read_line("Any pets? ⟹ ⟦pet|⟪two cats⟫⟧")
    assert asked.text[: asked.asked] == "Any pets?\n"
    assert asked.text[slice(*asked.spans[0].value or ())] == "two cats"
    assert read_line("G ⟹ merged it\\nok").group
    assert read_line("G ⟹ merged it\\nok").text == "merged it\nok"


def test_a_pair_has_two_statements_and_a_relation() -> None:
    pair = read_pair("⟦home|I live in ⟪Rome⟫⟧ ⇒ ⟦home !began|in ⟪Oslo⟫ now⟧ ⇒ replaces")
    assert pair["relation"] == "replaces"
    with pytest.raises(MarkupError, match="relation 'maybe'; expected one of ends"):
        read_pair("⟦home|Rome⟧ ⇒ ⟦home|Oslo⟧ ⇒ maybe")


@pytest.mark.parametrize("language", ["zh", "en"])
def test_messages_are_well_formed_and_no_kept_back_writer_is_learned_from(language: str) -> None:
    learned = sorted((TRAINING / "messages").glob(f"{language}-*.jsonl"))
    kept_back = sorted((TRAINING / "kept_back").glob(f"{language}-*.jsonl"))

    assert not {one.name for one in learned} & {one.name for one in kept_back}
    texts = [one.text for path in (*learned, *kept_back) for one in messages_of(path)]
    assert len(texts) >= 8_000


def test_there_are_pairs_of_every_kind() -> None:
    pairs = [one for path in (TRAINING / "pairs").glob("*.jsonl") for one in pairs_of(path)]

    assert len(pairs) >= 3_000
    assert {relation for _, _, relation in pairs} == {"replaces", "ends", "same", "independent"}
