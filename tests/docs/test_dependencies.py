"""Every dependency has its row in docs/dependencies.md, and its place in the lock files."""

import re
import tomllib

import pytest

import pages

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
    ("file", "requirements"),
    [("runtime.txt", ALWAYS), ("dev.txt", [*ALWAYS, *DEVELOPMENT])],
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
