"""The page of scenarios tells the truth about the tests, in both directions."""

import re
from collections import Counter
from pathlib import Path

import pytest

import pages

PAGE = (pages.DOCS / "spec-trace.md").read_text("utf-8")
TESTS = dict(re.findall(r"^- (S\d\.\d+\.\d+) .*?: (\[.*|none)$", PAGE, re.MULTILINE))
"""What the page names as tests of a scenario, by its id."""


def test_the_page_is_the_one_that_the_tests_and_modules_make() -> None:
    assert pages.trace_page() == PAGE, "docs/spec-trace.md is stale: run `make docs`"


def test_all_scenarios_of_the_five_specifications_have_a_row() -> None:
    ids = [scenario.id for scenario in pages.scenarios()]

    assert len(ids) == len(set(ids)) == 77
    assert Counter(one[:2] for one in ids) == {"S1": 16, "S2": 11, "S3": 19, "S4": 7, "S5": 24}
    assert list(TESTS) == ids


def test_every_id_that_a_test_carries_is_known_and_its_row_names_the_file() -> None:
    for carrier in pages.carriers():
        assert carrier.scenario in TESTS, f"{carrier.path}: no scenario {carrier.scenario}"
        tests = TESTS[carrier.scenario]
        assert f"(../{carrier.path.relative_to(pages.ROOT).as_posix()})" in tests
        assert f"`{carrier.test}`" in tests


def test_every_id_that_a_module_names_is_known() -> None:
    known = {one.id for one in pages.scenarios()}
    known |= {one.rpartition(".")[0] for one in known}

    assert {one: paths for one, paths in pages.sources().items() if one not in known} == {}


@pytest.mark.parametrize("arguments", ["", "ID", "'S1.1.1', ID", "*IDS", "id='S1.1.1'"])
def test_an_id_that_is_not_written_out_is_refused(tmp_path: Path, arguments: str) -> None:
    text = f"import pytest\n@pytest.mark.scenario({arguments})\ndef test_a(): ...\n"
    (tmp_path / "test_marked.py").write_text(text, "utf-8")

    with pytest.raises(ValueError, match=r"test_marked\.py:2: a scenario mark takes ids"):
        pages.carriers(tmp_path)
