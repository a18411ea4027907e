"""The README's Python example runs as it stands."""

import re
from pathlib import Path

import pytest

README = Path(__file__).parents[2] / "README.md"
EXAMPLE = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_the_example_runs_and_finds_what_it_asks_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    examples = EXAMPLE.findall(README.read_text("utf-8"))
    assert len(examples) == 1

    exec(compile(examples[0], "README.md", "exec"), {})

    printed = capsys.readouterr().out
    assert "搬到柏林" in printed
    assert "对花生过敏" in printed
