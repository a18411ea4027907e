"""A short run of `bench/fuzz.py`, with other inputs under `make fuzz`."""

import os
import random

import pytest
from fuzz import DOORS, fuzz
from tests.conftest import examples

SEED = random.randrange(1 << 30) if os.environ.get("HYPOTHESIS_PROFILE") == "fuzz" else 7


@pytest.mark.parametrize("door", DOORS)
def test_hostile_inputs_are_answered_soon_and_without_a_traceback(door: str) -> None:
    found = fuzz(examples(120), SEED, (door,))

    assert found.failures == []
    assert found.inputs[door] == examples(120)
