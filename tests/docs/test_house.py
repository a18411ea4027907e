"""The size of the house, and its names: these limits may only fall."""

import ast
import re
from collections import Counter, defaultdict
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "chatmem"
FILES = {path.relative_to(SOURCE).as_posix(): path for path in SOURCE.rglob("*.py")}
MOST_LINES = 43_348
MOST_MODULES = 226
MOST_IN_A_FOLDER = 18
LONGEST_MODULE = 400
MOST_LINES_OF_TESTS = 30_369
MOST_BELOW_THE_DOORS = 96
BELOW_THE_DOORS = re.compile(r"^from chatmem\.(?!errors|model|testing)", re.MULTILINE)
"""What a file of tests imports that is neither public nor a value of the model."""


def lines(path: Path) -> int:
    return len(path.read_text("utf-8").splitlines())


def test_the_package_does_not_grow() -> None:
    assert sum(map(lines, FILES.values())) <= MOST_LINES
    assert len(FILES) <= MOST_MODULES


def test_no_folder_and_no_module_grows() -> None:
    folders = Counter(
        path.parent for path in SOURCE.rglob("*") if path.is_file() and path.suffix != ".pyc"
    )
    assert max(folders.values()) <= MOST_IN_A_FOLDER
    assert max(map(lines, FILES.values())) <= LONGEST_MODULE


def test_the_tests_do_not_grow() -> None:
    tests = [path.read_text("utf-8") for path in (ROOT / "tests").rglob("*.py")]
    assert sum(len(text.splitlines()) for text in tests) <= MOST_LINES_OF_TESTS
    assert len([text for text in tests if BELOW_THE_DOORS.search(text)]) <= MOST_BELOW_THE_DOORS


def test_no_public_class_has_a_namesake() -> None:
    places: dict[str, set[str]] = defaultdict(set)
    for name, path in FILES.items():
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].add(name)
    assert not {name: found for name, found in places.items() if len(found) > 1}


@pytest.mark.parametrize("ending", ["told", "said", "kept", "shown", "asked"])
def test_no_module_is_named_by_what_was_done(ending: str) -> None:
    named = {name for name in FILES if Path(name).stem.rpartition("_")[2] == ending}
    assert not named


def _is_there(name: str) -> bool:
    return any(next(folder.glob(name), None) for folder in (SOURCE, ROOT))


def test_where_a_change_goes_is_there() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    rows = text.partition("## Where a change goes")[2].partition("\n## ")[0]
    named = {name for name in re.findall(r"`([^` ]+)`", rows) if "/" in name.rstrip("/")}
    assert len(named) > 20
    assert not [name for name in sorted(named) if not _is_there(name)]


DOORS = {"interfaces/web/pages.py", "interfaces/web/words/__init__.py", "lab/bench/corpus.py"}
"""The page names its languages and finds its words by them; the benchmark speaks both."""
HAN_RANGES = {"extraction/redact.py"}
"""Secrets are found by what stands beside them, in both languages at once."""


def test_only_the_room_of_languages_tells_one_from_another() -> None:
    elsewhere = {name: path for name, path in FILES.items() if "text/languages/" not in name}
    naming = {
        name
        for name, path in elsewhere.items()
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Constant) and node.value in ("zh", "zh-Hans", "zh-Hant")
    }
    assert naming <= DOORS
    ranges = re.compile(r"\\u(?:3400|4[eE]00|9fff)|has_han")
    assert {name for name, path in elsewhere.items() if ranges.search(path.read_text("utf-8"))} <= (
        HAN_RANGES
    )
