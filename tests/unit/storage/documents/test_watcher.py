import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from chatmem.storage.documents.folder import DocumentFolder
from chatmem.storage.documents.ports import DocumentWatcher

DEBOUNCE_S = 0.5


class Watched:
    """A folder that is looked at all the time; `reports` are the moments when it was called."""

    def __init__(self, folder: DocumentFolder) -> None:
        self.reports: list[float] = []
        self.watcher = DocumentWatcher(
            folder, lambda: self.reports.append(time.monotonic()), DEBOUNCE_S
        )
        self.look_for(2 * DEBOUNCE_S)  # what was there when it was opened
        self.reports.clear()

    def look_for(self, seconds: float, doing: Callable[[], object] = lambda: None) -> None:
        until_s = time.monotonic() + seconds
        while time.monotonic() < until_s and not self.reports:
            doing()
            self.watcher.look()
            time.sleep(0.02)


@pytest.fixture
def watched(folder: DocumentFolder) -> Watched:
    return Watched(folder)


def test_edits_are_reported_together_once_it_is_quiet(
    watched: Watched, folder: DocumentFolder
) -> None:
    for path in ("MEMORY.md", "daily/2026-11-21.md", "archive/2026-11.md"):
        (folder.root / path).write_text("- x\n")
        watched.look_for(DEBOUNCE_S / 2)
    last_s = time.monotonic() - DEBOUNCE_S / 2
    watched.look_for(5)
    assert watched.reports[0] - last_s >= DEBOUNCE_S
    watched.reports.clear()
    watched.look_for(3 * DEBOUNCE_S)
    assert not watched.reports


def test_saving_by_rename_and_removing_are_seen(watched: Watched, folder: DocumentFolder) -> None:
    saved = folder.root / "MEMORY.md~"
    saved.write_text("- x\n")
    saved.rename(folder.root / "MEMORY.md")
    watched.look_for(5)
    assert watched.reports
    watched.reports.clear()
    (folder.root / "MEMORY.md").unlink()
    watched.look_for(5)
    assert watched.reports


def test_part_writes_locks_and_strangers_are_not_reported(
    watched: Watched, folder: DocumentFolder
) -> None:
    (folder.root / ".MEMORY.md.ab.chatmem-tmp").write_text("x")
    (folder.root / "notes.md").write_text("x")
    with folder.lock():
        (folder.root / "users/other").mkdir(parents=True)
        (folder.root / "users/other/MEMORY.md").write_text("x")
    watched.look_for(3 * DEBOUNCE_S)
    assert not watched.reports


def test_a_file_that_is_written_all_the_time_is_reported_all_the_same(
    watched: Watched, folder: DocumentFolder
) -> None:
    watched.look_for(10, lambda: folder.write("MEMORY.md", f"- {time.monotonic()}\n"))
    assert watched.reports


def test_a_folder_that_cannot_be_looked_at_is_said_until_it_can(
    watched: Watched, folder: DocumentFolder, tmp_path: Path
) -> None:
    daily = folder.root / "daily"
    shutil.move(daily, tmp_path / "elsewhere")
    daily.write_text("no folder")
    watched.look_for(2 * DEBOUNCE_S)
    assert str(daily) in watched.watcher.why and "next search" in watched.watcher.why
    daily.unlink()
    watched.look_for(2 * DEBOUNCE_S)
    assert not watched.watcher.why
