"""Whatever services and editors with old texts do, in any order, nothing is lost or revived."""

from hypothesis import given, settings
from hypothesis import strategies as st
from interleavings import run
from tests.conftest import examples


@settings(max_examples=examples(15), deadline=None)
@given(seed=st.integers(0, 2**32), steps=st.integers(5, 25))
def test_old_texts_lose_nothing_and_revive_nothing(seed: int, steps: int) -> None:
    assert not run(seed, steps)
