import numpy as np
import pytest

from chatmem.providers.embedding import MAX_CHARS, embed_in_batches, embeddable, normalised
from chatmem.providers.ports import Vectors


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("  我住在柏林。\n", "我住在柏林。"),
        ("before\0after", "before after"),
        ("half \ud83d of an emoji", "half ? of an emoji"),
        ("\0\0 \n", ""),
        ("", ""),
    ],
)
def test_a_text_becomes_what_a_model_can_take(text: str, expected: str) -> None:
    assert embeddable(text) == expected


def test_a_huge_text_is_cut_and_leading_space_does_not_count() -> None:
    text = " " * 10_000 + "字" * 10_000_000

    assert embeddable(text) == "字" * MAX_CHARS


def test_batches_keep_the_order_and_blank_texts_become_zeros() -> None:
    batches: list[list[str]] = []

    def lengths(texts: list[str]) -> Vectors:
        batches.append(texts)
        return np.array([[len(text), 1.0] for text in texts], dtype=np.float32)

    vectors = embed_in_batches(["aaa", "", "a", " ", "aaaaa"], lengths, dimension=2, batch_size=2)

    assert batches == [["aaa", "a"], ["aaaaa"]]
    assert vectors.dtype == np.float32
    assert vectors[[1, 3]].tolist() == [[0, 0], [0, 0]]
    assert (vectors[[0, 2, 4], 0] / vectors[[0, 2, 4], 1]).tolist() == pytest.approx([3, 1, 5])
    assert np.linalg.norm(vectors[[0, 2, 4]], axis=1).tolist() == pytest.approx([1, 1, 1])


def test_no_text_at_all_asks_nothing_of_the_model() -> None:
    def never(texts: list[str]) -> Vectors:
        raise AssertionError(f"asked for {texts}")

    assert embed_in_batches([], never, dimension=7, batch_size=2).shape == (0, 7)
    assert embed_in_batches(["", "\0"], never, dimension=7, batch_size=2).shape == (2, 7)


def test_normalising_leaves_its_argument_alone() -> None:
    given = np.array([[3.0, 4.0], [0.0, 0.0]], dtype=np.float32)

    rows = normalised(given)

    assert rows == pytest.approx(np.array([[0.6, 0.8], [0.0, 0.0]]))
    assert given.tolist() == [[3.0, 4.0], [0.0, 0.0]]
