"""The pages tell the truth about tests, settings and modules; links lead on, the example runs."""

import re
import tomllib
from collections import Counter
from pathlib import Path

import pytest

import pages
from chatmem.config import SETTINGS

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


DOCUMENTS = [
    *(pages.ROOT / f"{name}.md" for name in ("README", "CONTRIBUTING", "CHANGELOG", "SECURITY")),
    *sorted(pages.DOCS.rglob("*.md")),
]
LINK = re.compile(r"\]\((?!https?://|#|mailto:)([^)#\s]+)")


def shown(path: Path) -> str:
    return path.relative_to(pages.ROOT).as_posix()


@pytest.mark.parametrize("document", DOCUMENTS, ids=shown)
def test_no_link_within_the_project_is_dead(document: Path) -> None:
    targets = LINK.findall(document.read_text("utf-8"))

    assert [target for target in targets if not (document.parent / target).exists()] == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=shown)
def test_every_module_that_is_named_exists(document: Path) -> None:
    places = (pages.ROOT, pages.ROOT / "src" / "chatmem")
    named = re.findall(
        r"`((?:[a-z0-9_*]+/)+[a-z0-9_*]+\.(?:py|sql|toml))`", document.read_text("utf-8")
    )

    assert [name for name in named if not any(list(one.glob(name)) for one in places)] == []


def test_every_room_of_the_house_is_in_the_architecture() -> None:
    text = (pages.DOCS / "architecture.md").read_text("utf-8")
    package = pages.ROOT / "src" / "chatmem"
    rooms = [path.name for path in package.iterdir() if (path / "__init__.py").exists()]

    assert len(rooms) >= 8
    assert [room for room in rooms if f"`{room}`" not in text and f".{room}`" not in text] == []


def test_the_page_of_settings_is_the_one_that_the_settings_make() -> None:
    written = (pages.DOCS / "settings.md").read_text("utf-8")

    assert written == pages.settings_page(), "docs/settings.md is stale: run `make docs`"


def test_every_setting_is_on_the_page_with_all_it_needs() -> None:
    page = pages.settings_page()

    for setting in SETTINGS.values():
        names = f"`{setting.name}`<br>`{setting.env}` |"
        row = next(line for line in page.splitlines() if line.startswith(names))
        cells = [cell.strip() for cell in row.split(" | ")]
        assert len(cells) == 3 and all(cells), row


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


PROJECT = tomllib.loads((pages.ROOT / "pyproject.toml").read_text("utf-8"))
ALWAYS = PROJECT["project"]["dependencies"]
CHOSEN = [
    one
    for name, extra in PROJECT["project"]["optional-dependencies"].items()
    if name != "all"
    for one in extra
]
GROUPS = PROJECT["dependency-groups"]
READER = GROUPS["reader"]
DEVELOPMENT = [one for name, group in GROUPS.items() if name != "reader" for one in group]


def name_of(requirement: str) -> str:
    """`psycopg` for `psycopg[binary]>=3.2`."""
    return re.split(r"[\[<>=;~! ]", requirement, maxsplit=1)[0]


@pytest.mark.parametrize("requirement", sorted({*ALWAYS, *CHOSEN, *DEVELOPMENT, *READER}))
def test_every_dependency_has_its_reason(requirement: str) -> None:
    page = (pages.DOCS / "dependencies.md").read_text("utf-8")

    assert f"`{name_of(requirement)}`" in page


@pytest.mark.parametrize(
    ("file", "requirements"), [("runtime.txt", ALWAYS), ("dev.txt", [*ALWAYS, *DEVELOPMENT])]
)
def test_every_dependency_is_locked_with_hashes(file: str, requirements: list[str]) -> None:
    text = (pages.ROOT / "requirements" / file).read_text("utf-8")
    locked = re.findall(r"^([a-z0-9._-]+)==\S+.*\\\n    --hash=sha256:", text, re.MULTILINE)

    assert {name_of(one) for one in requirements} <= set(locked)
    assert len(locked) == len(re.findall(r"^[a-z0-9]", text, re.MULTILINE))


@pytest.mark.parametrize("file", ["runtime.txt", "dev.txt", "reader.txt"])
def test_no_lock_file_names_a_place_to_install_from(file: str) -> None:
    text = (pages.ROOT / "requirements" / file).read_text("utf-8")

    assert re.search(r"://|--(extra-)?index-url|--find-links|@ file", text) is None


def test_the_two_lock_files_agree() -> None:
    # For which systems something is needed may differ: tests need some things everywhere.
    runtime, dev = (
        set(re.findall(r"^[a-z0-9][^\\\n; ]*", path.read_text("utf-8"), re.MULTILINE))
        for path in (pages.ROOT / "requirements" / name for name in ("runtime.txt", "dev.txt"))
    )

    assert runtime < dev
