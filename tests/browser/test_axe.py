"""No view is wider than a phone or hard to use, by the rules of axe-core, in either theme."""

import sys
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import expect
from tests.browser.conftest import NARROW, THEMES, WIDE, NewWindow, Theme, fail_or_skip
from tests.browser.sample import VIEWS, fill
from tests.browser.server import Served
from tests.browser.states import STATES, Window, leave

AXE: Final = Path(sys.prefix) / "share" / "axe-core" / "axe.min.js"
SERIOUS: Final = ("serious", "critical")
FADED_MS: Final = 500
"""What fades in has its full contrast by then."""
RUN: Final = "async () => await axe.run(document, {resultTypes: ['violations']})"


@pytest.fixture(scope="module")
def rules() -> str:
    if not AXE.is_file():
        fail_or_skip(f"axe-core is not installed ({AXE}): make test fetches it by npm")
    return AXE.read_text(encoding="utf-8")


def faults(found: dict[str, Any]) -> list[str]:
    """Serious violations. The editor's pane is none: the text in it takes the focus, and scrolls.

    The rule looks for an element that can be tabbed to by nature or by `tabindex`; it passes over
    `contenteditable`, which browsers do tab to.
    """
    return [
        f"{one['id']}: {one['help']}: {node['html'][:200]} ({node.get('failureSummary', '')[:300]})"
        for one in found["violations"]
        if one["impact"] in SERIOUS
        for node in one["nodes"][:5]
        if not (one["id"] == "scrollable-region-focusable" and "cm-scroller" in node["html"])
    ]


SEEN: Final = list(zip((one for one in THEMES if one != "auto"), ("en", "zh-Hans"), strict=True))
"""Each theme in another language."""


@pytest.mark.parametrize(("theme", "language"), SEEN)
def test_no_view_has_a_serious_fault(
    rules: str, served: Served, new_window: NewWindow, theme: Theme
) -> None:
    fill(served.memory)
    found: list[str] = []
    for size in (WIDE, NARROW):
        visit = new_window(served, theme=theme, size=size)
        for path in VIEWS:
            page = visit(path)
            expect(page.get_by_role("heading", level=1)).to_be_visible()
            page.wait_for_load_state("networkidle")
            if page.evaluate("document.documentElement.scrollWidth") > size[0]:
                found.append(f"{path} is wider than {size[0]}")
            page.evaluate(rules)
            wrong = faults(page.evaluate(RUN))
            found += [f"{path} at {size[0]}: {one}" for one in wrong]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(("theme", "language"), SEEN)
def test_no_dialog_hint_or_error_has_a_serious_fault(
    rules: str, served: Served, new_window: NewWindow, theme: Theme
) -> None:
    fill(served.memory)
    found: list[str] = []
    visit = new_window(served, theme=theme, size=NARROW)
    visit.watch.allow("404")  # an address of no session
    window = Window(visit.page, visit.words, served)
    for name, state in STATES.items():
        state(window)
        visit.page.wait_for_timeout(FADED_MS)
        visit.page.evaluate(rules)
        found += [f"{name}: {one}" for one in faults(visit.page.evaluate(RUN))]
        leave(window)
    assert not found, "\n".join(found)


def test_the_form_for_a_key_has_none(rules: str, served: Served, new_window: NewWindow) -> None:
    page = new_window(served, signs_in=True).page
    page.goto(f"{served.page_url}/login")
    page.evaluate(rules)
    assert not faults(page.evaluate(RUN))
