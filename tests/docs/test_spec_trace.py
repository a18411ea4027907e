"""The table of scenarios tells the truth about the tests, in both directions."""

from collections import Counter
from pathlib import Path

import pytest

import pages

TABLE = (pages.DOCS / "spec-trace.md").read_text("utf-8")
ROWS = {
    line.split(" | ")[0].removeprefix("| "): line.split(" | ")
    for line in TABLE.splitlines()
    if line.startswith("| S")
}
"""By scenario id: id, what it shows, tests, modules."""


def test_the_table_is_the_one_that_the_tests_and_modules_make() -> None:
    assert pages.trace_page() == TABLE, "docs/spec-trace.md is stale: run `make docs`"


def test_all_scenarios_of_the_five_specifications_have_a_row() -> None:
    ids = [scenario.id for scenario in pages.scenarios()]

    assert len(ids) == len(set(ids)) == 77
    assert Counter(one[:2] for one in ids) == {"S1": 16, "S2": 11, "S3": 19, "S4": 7, "S5": 24}
    assert list(ROWS) == ids


def test_every_id_that_a_test_carries_is_known_and_its_row_names_the_file() -> None:
    for carrier in pages.carriers():
        assert carrier.scenario in ROWS, f"{carrier.path}: no scenario {carrier.scenario}"
        tests = ROWS[carrier.scenario][2]
        assert f"(../{carrier.path.relative_to(pages.ROOT).as_posix()})" in tests
        assert f"`{carrier.test}`" in tests


def test_every_id_that_a_module_names_is_known() -> None:
    known = {one.id for one in pages.scenarios()}
    known |= {one.rpartition(".")[0] for one in known}

    assert {one: paths for one, paths in pages.sources().items() if one not in known} == {}


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

    assert set(pages.sources(tmp_path)) == {"S3.3.3", "S5.2", "S3.4.4"}
