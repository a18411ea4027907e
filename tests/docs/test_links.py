import re
from pathlib import Path

import pytest

import pages

DOCUMENTS = [
    *(
        pages.ROOT / name
        for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md")
    ),
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
