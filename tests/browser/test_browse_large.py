"""A table of 100,000 memories: soon there, and quick to turn, to sort and to filter."""

import logging
import sqlite3
import statistics
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final

import pytest
from playwright.sync_api import Page, expect
from tests.browser.conftest import StartServer, Visit
from tests.browser.server import Served

_log = logging.getLogger(__name__)
ROWS: Final = 100_000
FEW: Final = 200
MOST_TIMES: Final = 4
"""How much longer a table of all rows may take than one of few, in the same run."""
TIMES: Final = 5
TURNED: Final = ("Next", "Last", "Previous", "First", "Last")
TYPED: Final = ("lake", "乌龙茶", "99", "烏龍茶", "12")
SORTS: Final = ("content", "used", "confidence", "importance", "happened")
# What a table shows needs no index: rows alone, written in one statement, are there in a second.
FILL: Final = """
WITH RECURSIVE place (number) AS (
    SELECT 0 UNION ALL SELECT number + 1 FROM place WHERE number < :rows - 1
)
INSERT INTO atomic_memory (
    row_id, id, user_id, timestamp, create_time, content, session_id, role, memory_type, category,
    kind, importance, confidence
)
SELECT
    (SELECT number FROM owner WHERE user_id = :user) << 32 | place.number,
    'made' || place.number, :user,
    strftime('%Y-%m-%dT%H:%M:%S.000Z', :newest, '-' || (:rows - place.number) || ' minutes'),
    strftime('%Y-%m-%dT%H:%M:%S.000Z', :newest, '-' || (:rows - place.number) || ' minutes'),
    'Note ' || place.number || ' is about the ' || CASE place.number % 3
        WHEN 0 THEN 'walk to the lake house with a long rest under the old trees'
        WHEN 1 THEN '乌龙茶和每天早上六点的跑步，还有一本很长的书'
        ELSE 'rehearsal at eight, and who brings the music stands' END,
    NULL, NULL, 'long_term',
    CASE place.number % 3 WHEN 0 THEN 'fact' WHEN 1 THEN 'preference' ELSE 'pattern' END,
    'semantic', 1 + place.number % 5, 0.5 + place.number % 50 / 100.0
FROM place
"""
SEEN: Final = """() => {
  window.changes = [];
  const body = () => document.querySelector('.browse-table tbody')?.innerText;
  for (const kind of ['click', 'input']) {
    document.addEventListener(kind, () => {
      const begin = performance.now(), before = body();
      const look = () => {
        if (body() === before) return requestAnimationFrame(look);
        window.changes.push(performance.now() - begin);
      };
      requestAnimationFrame(look);
    }, { capture: true });
  }
}"""


def fill(served: Served, rows: int) -> None:
    """Write the rows as they would stand in the file, and let the owner count on behind them."""
    with sqlite3.connect(served.data / "chatmem.db", timeout=30) as database:
        bindings = {
            "rows": rows,
            "user": served.user,
            "newest": datetime.now(UTC).isoformat(timespec="milliseconds"),
        }
        database.execute(FILL, bindings)
        database.execute(
            "UPDATE owner SET next_row = :rows, version = version + 1 WHERE user_id = :user",
            bindings,
        )


def median_ms(page: Page, change: Callable[[int], None]) -> float:
    """How long it takes until the rows are others, from the click or the key on."""
    page.evaluate(SEEN)
    for place in range(TIMES):
        change(place)
        page.wait_for_function(f"window.changes.length > {place}", polling="raf")
    found: list[float] = page.evaluate("window.changes")
    return statistics.median(found)


def median_times(window: Visit) -> dict[str, float]:
    """Milliseconds until the table is painted, and until it is turned, filtered and sorted."""
    words, paints = window.words, []
    for _ in range(3):
        page = window("/browse")
        page.locator(".browse-open").first.wait_for()
        paints.append(
            page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
        )
    turned = median_ms(
        page, lambda place: page.get_by_label(f"{TURNED[place]} page", exact=True).click()
    )
    page = window("/browse")
    text = page.get_by_label(words("browse.text"))
    typed = median_ms(page, lambda place: text.fill(TYPED[place]))
    page = window("/browse")
    ordered = median_ms(
        page,
        lambda place: page.get_by_role(
            "button", name=words(f"browse.{SORTS[place % len(SORTS)]}")
        ).click(),
    )
    painted = statistics.median(paints)
    return {"painted": painted, "turned": turned, "typed": typed, "ordered": ordered}


@pytest.mark.parametrize("language", ["en"])
def test_a_hundred_thousand_rows_are_as_soon_there_turned_sorted_and_filtered_as_few(
    start_server: StartServer, new_window: Callable[[Served], Visit]
) -> None:
    times = {}
    for rows in (FEW, ROWS):
        served = start_server()
        fill(served, rows)
        window = new_window(served)
        expect(
            window("/browse").get_by_text(window.words.counted("browse.count", rows))
        ).to_be_visible()
        times[rows] = median_times(window)

    _log.info("ms: %s", times)
    assert all(times[ROWS][name] <= MOST_TIMES * few for name, few in times[FEW].items()), times
