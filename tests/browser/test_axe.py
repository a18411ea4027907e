"""No view is wider than a phone or hard to use, by the rules of axe-core, in either theme."""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import TimeoutError as PlaywrightTimeout
from playwright.sync_api import expect
from tests.browser.conftest import NARROW, WIDE, NewWindow, Theme, fail_or_skip
from tests.browser.sample import VIEWS, fill
from tests.browser.server import Served
from tests.browser.states import STATES, Window, leave

AXE: Final = Path(sys.prefix) / "share" / "axe-core" / "axe.min.js"
SERIOUS: Final = ("serious", "critical")
FADED: Final = """async () => {
  for (const _ of [1, 2]) await new Promise(requestAnimationFrame);
  const ending = (one) => one.effect.getComputedTiming().endTime < Infinity;
  await Promise.allSettled(document.getAnimations().filter(ending).map((one) => one.finished));
}"""
"""What fades in has its full contrast then."""
FITS: Final = "(width) => document.documentElement.scrollWidth <= width"
FITS_MS: Final = 5_000
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


SEEN: Final = [("light", "en", WIDE), ("dark", "zh-Hans", NARROW)]
"""Each theme in another language and size."""


def states_of(theme: Theme) -> list[tuple[str, Callable[[Window], None]]]:
    """Every other one, so that of two that are alike each theme has one; or all of them."""
    step = 1 if os.environ.get("CHATMEM_TEST_LANGUAGES") == "all" else 2
    return list(STATES.items())[theme == "dark" and step > 1 :: step]


@pytest.mark.parametrize(("theme", "language", "size"), SEEN)
def test_no_view_has_a_serious_fault(
    rules: str, served: Served, new_window: NewWindow, theme: Theme, size: tuple[int, int]
) -> None:
    fill(served.memory)
    found: list[str] = []
    visit = new_window(served, theme=theme, size=size)
    for path in VIEWS:
        page = visit(path)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        page.wait_for_load_state("networkidle")
        page.evaluate(rules)
        found += [f"{path}: {one}" for one in faults(page.evaluate(RUN))]
        for width, height in (WIDE, NARROW):
            page.set_viewport_size({"width": width, "height": height})
            try:
                page.wait_for_function(FITS, arg=width, timeout=FITS_MS)
            except PlaywrightTimeout:
                found.append(f"{path} is wider than {width}")
        page.set_viewport_size({"width": size[0], "height": size[1]})
    assert not found, "\n".join(found)


@pytest.mark.parametrize(("theme", "language"), [one[:2] for one in SEEN])
def test_no_dialog_hint_or_error_has_a_serious_fault(
    rules: str, served: Served, new_window: NewWindow, theme: Theme
) -> None:
    fill(served.memory)
    found: list[str] = []
    visit = new_window(served, theme=theme, size=NARROW)
    visit.watch.allow("404")  # an address of no session
    window = Window(visit.page, visit.words, served)
    for name, state in states_of(theme):
        state(window)
        visit.page.evaluate(FADED)
        visit.page.evaluate(rules)
        found += [f"{name}: {one}" for one in faults(visit.page.evaluate(RUN))]
        leave(window)
    assert not found, "\n".join(found)


def test_the_form_for_a_key_has_none(rules: str, served: Served, new_window: NewWindow) -> None:
    page = new_window(served, signs_in=True).page
    page.goto(f"{served.page_url}/login")
    page.evaluate(rules)
    assert not faults(page.evaluate(RUN))
