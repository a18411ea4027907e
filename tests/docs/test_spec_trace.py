"""The list of scenarios tells the truth about the tests, in both directions."""

import ast
import re
from collections import Counter
from pathlib import Path

import pytest

import pages

PAGE = (pages.DOCS / "spec-trace.md").read_text("utf-8")
ENTRIES = dict(re.findall(r"^- \*\*(\S+)\*\* (.*)$", PAGE, re.MULTILINE))
"""The tests, by scenario id."""
SOURCE = re.compile(r"^\s*(?:.*\s)?Source: (.*)$", re.MULTILINE)
LINK = re.compile(r"\]\(([^)]+)\)")


def test_the_page_is_the_one_that_the_tests_make() -> None:
    assert pages.trace_page() == PAGE, "docs/spec-trace.md is stale: run `make docs`"


def test_all_scenarios_of_the_five_specifications_have_an_entry() -> None:
    ids = pages.scenarios()

    assert len(ids) == len(set(ids)) == 77
    assert Counter(one[:2] for one in ids) == {"S1": 16, "S2": 11, "S3": 19, "S4": 7, "S5": 24}
    assert tuple(ENTRIES) == ids


def test_every_id_that_a_test_carries_is_known_and_its_entry_names_the_file() -> None:
    for carrier in pages.carriers():
        assert carrier.scenario in ENTRIES, f"{carrier.path}: no scenario {carrier.scenario}"
        tests = ENTRIES[carrier.scenario]
        assert f"(../{carrier.path.relative_to(pages.ROOT).as_posix()})" in tests
        assert f"`{carrier.test}`" in tests


def sources(package: Path) -> set[str]:
    """The ids that docstrings of the package's modules name after `Source:`."""
    documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
    trees = [ast.parse(path.read_text("utf-8")) for path in package.rglob("*.py")]
    nodes = [node for tree in trees for node in ast.walk(tree) if isinstance(node, documented)]
    return {
        one
        for node in nodes
        for named in SOURCE.findall(ast.get_docstring(node) or "")
        for one in re.findall(r"\bS\d\.\d+(?:\.\d+)?\b", named)
    }


def test_every_id_that_a_module_names_is_known() -> None:
    known = set(pages.scenarios())
    known |= {one.rpartition(".")[0] for one in known}

    named = sources(pages.ROOT / "src")

    assert len(named) > 40
    assert named <= known


def test_no_link_of_the_page_is_dead() -> None:
    targets = LINK.findall(PAGE)

    assert targets
    assert [target for target in targets if not (pages.DOCS / target).is_file()] == []


def test_ids_are_read_from_functions_classes_and_files(tmp_path: Path) -> None:
    (tmp_path / "test_marked.py").write_text(
        "import pytest\n"
        "pytestmark = [pytest.mark.slow, pytest.mark.scenario('S1.1.1')]\n"
        "@pytest.mark.scenario('S1.2.1', 'S1.2.3')\n"
        "@pytest.mark.parametrize('a', [1])\n"
        "def test_one(a): ...\n"
        "@pytest.mark.scenario('S1.3.1')\n"
        "class TestMany:\n"
        "    @pytest.mark.scenario('S1.3.2')\n"
        "    async def test_two(self): ...\n",
        "utf-8",
    )

    found = {(carrier.test, carrier.scenario) for carrier in pages.carriers(tmp_path)}

    assert found == {
        ("all", "S1.1.1"),
        ("test_one", "S1.2.1"),
        ("test_one", "S1.2.3"),
        ("TestMany", "S1.3.1"),
        ("test_two", "S1.3.2"),
    }


@pytest.mark.parametrize("arguments", ["", "ID", "'S1.1.1', ID", "*IDS", "id='S1.1.1'"])
def test_an_id_that_is_not_written_out_is_refused(tmp_path: Path, arguments: str) -> None:
    text = f"import pytest\n@pytest.mark.scenario({arguments})\ndef test_a(): ...\n"
    (tmp_path / "test_marked.py").write_text(text, "utf-8")

    with pytest.raises(ValueError, match=r"test_marked\.py:2: a scenario mark takes ids"):
        pages.carriers(tmp_path)


def test_ids_are_read_from_source_lines_of_docstrings_only(tmp_path: Path) -> None:
    (tmp_path / "module.py").write_text(
        '"""First.\n\nSource: decisions 3, S3.3.3; S5.2.\n"""\n'
        "Source: str = 'S1.1'  # Source: S1.2\n"
        'def one():\n    """Does. Source: S3.4.4."""\n'
        'def two():\n    """Speaks of S4.1.1."""\n',
        "utf-8",
    )

    assert sources(tmp_path) == {"S3.3.3", "S5.2", "S3.4.4"}
