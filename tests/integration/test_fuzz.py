"""A short run of `bench/fuzz.py`, with other inputs under `make fuzz`."""

import os
import random

import pytest
from fuzz import DOORS, Maker, fuzz
from tests.conftest import examples

SEED = random.randrange(1 << 30) if os.environ.get("HYPOTHESIS_PROFILE") == "fuzz" else 7


@pytest.mark.parametrize("door", DOORS)
def test_hostile_inputs_are_answered_soon_and_without_a_traceback(door: str) -> None:
    found = fuzz(examples(120), SEED, (door,))

    assert found.failures == []
    assert found.inputs[door] == examples(120)


def test_the_same_seed_makes_the_same_inputs() -> None:
    first, again, other = (
        [
            Maker(random.Random(seed)).json({"content": "Keeps bees", "tags": ["a"]})
            for seed in seeds
        ]
        for seeds in (range(300), range(300), range(300, 600))
    )
    assert first == again != other
    assert len(set(first)) > 100
