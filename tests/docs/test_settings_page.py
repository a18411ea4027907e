import pages
from chatmem.config import describe_settings


def test_the_page_of_settings_is_the_one_that_the_settings_make() -> None:
    written = (pages.DOCS / "settings.md").read_text("utf-8")

    assert written == pages.settings_page(), "docs/settings.md is stale: run `make docs`"


def test_every_setting_is_on_the_page_with_all_it_needs() -> None:
    page = pages.settings_page()

    for setting in describe_settings():
        names = f"`{setting.name}`<br>`{setting.env}` |"
        row = next(line for line in page.splitlines() if line.startswith(names))
        cells = [cell.strip() for cell in row.split(" | ")]
        assert len(cells) == 3 and all(cells), row
