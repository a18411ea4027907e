"""A process that is killed while it saves, extracts and flushes: nothing lost, nothing doubled.

A few rounds of `bench/kill.py`, which does the same 200 times.
"""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest
from tests.conftest import some

ROUNDS = 3
_SCRIPT = Path(__file__).parents[2] / "bench" / "kill.py"


@pytest.fixture
def kill(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    spec = some(importlib.util.spec_from_file_location("kill", _SCRIPT))
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "kill", module)
    spec.loader.exec_module(module)
    return module


def test_what_was_acknowledged_is_there_once(kill: ModuleType, tmp_path: Path) -> None:
    outcome = kill.run(ROUNDS, seed=7, folder=tmp_path)

    assert outcome.acknowledged > ROUNDS
    assert outcome.lost == ()
    assert outcome.doubled == ()
