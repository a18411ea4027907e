import queue
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.conftest import soon

from chatmem.storage.documents.folder import DocumentFolder
from chatmem.storage.documents.watcher import DocumentWatcher

Reports = queue.Queue[float]
"""When it was called, in seconds of the monotonic clock."""


def started(
    folder: DocumentFolder, report: Callable[[], None], debounce_ms: int = 50
) -> DocumentWatcher:
    watcher = DocumentWatcher(folder.root, report, debounce_ms=debounce_ms)
    watcher.start()
    assert watcher.wait_until_ready()
    return watcher


@pytest.fixture
def reports() -> Reports:
    return queue.Queue()


@pytest.fixture
def watcher(folder: DocumentFolder, reports: Reports) -> Iterator[DocumentWatcher]:
    watcher = started(folder, lambda: reports.put(time.monotonic()), debounce_ms=300)
    yield watcher
    watcher.stop()


def test_edits_are_reported_together_once_it_is_quiet(
    watcher: DocumentWatcher, folder: DocumentFolder, reports: Reports
) -> None:
    for path in ("MEMORY.md", "daily/2026-11-21.md", "archive/2026-11.md"):
        (folder.root / path).write_text("- x\n")
    last_s = time.monotonic()
    assert reports.get(timeout=20) - last_s > 0.1
    with pytest.raises(queue.Empty):
        reports.get(timeout=0.6)


def test_saving_by_rename_and_removing_are_seen(
    watcher: DocumentWatcher, folder: DocumentFolder, reports: Reports
) -> None:
    saved = folder.root / "MEMORY.md~"
    saved.write_text("- x\n")
    saved.rename(folder.root / "MEMORY.md")
    reports.get(timeout=20)
    (folder.root / "MEMORY.md").unlink()
    reports.get(timeout=20)


def test_part_writes_locks_and_strangers_are_not_reported(
    watcher: DocumentWatcher, folder: DocumentFolder, reports: Reports
) -> None:
    (folder.root / ".MEMORY.md.ab.chatmem-tmp").write_text("x")
    (folder.root / "notes.md").write_text("x")
    (folder.root / ".MEMORY.md.swp").write_text("x")
    with folder.lock():
        (folder.root / "users/other").mkdir(parents=True)
        (folder.root / "users/other/MEMORY.md").write_text("x")
    with pytest.raises(queue.Empty):
        reports.get(timeout=0.8)
    folder.write("USER.md", "me\n")
    reports.get(timeout=20)


def test_a_file_that_is_written_all_the_time_is_reported_all_the_same(
    watcher: DocumentWatcher, folder: DocumentFolder, reports: Reports
) -> None:
    end_s = time.monotonic() + 20
    while reports.empty() and time.monotonic() < end_s:
        folder.write("MEMORY.md", "- x\n")
        time.sleep(0.05)
    assert not reports.empty()


def test_stopping_is_prompt_and_says_so(watcher: DocumentWatcher) -> None:
    assert watcher.why == ""
    started_s = time.monotonic()
    watcher.stop()
    assert time.monotonic() - started_s < 5
    assert watcher.why == "it was stopped"


def test_a_folder_that_disappears_ends_it_aloud(
    watcher: DocumentWatcher, folder: DocumentFolder, caplog: pytest.LogCaptureFixture
) -> None:
    shutil.rmtree(folder.root)
    soon(lambda: watcher.why)
    assert "No such file" in watcher.why
    assert str(folder.root) in caplog.text


def test_a_replaced_folder_ends_it_aloud(watcher: DocumentWatcher, folder: DocumentFolder) -> None:
    (folder.root / "daily").rename(folder.root / "elsewhere")
    (folder.root / "daily").mkdir()
    soon(lambda: watcher.why)
    assert "replaced" in watcher.why


def test_a_folder_that_was_never_there_is_said_and_not_raised(tmp_path: Path) -> None:
    watcher = DocumentWatcher(tmp_path / "nowhere", lambda: None)
    assert watcher.why == "it has not been started"
    watcher.start()
    assert not watcher.wait_until_ready()
    assert str(tmp_path / "nowhere") in watcher.why
    watcher.stop()
    assert "failed" in watcher.why


def test_a_fault_it_calls_ends_it(folder: DocumentFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    faults: list[threading.ExceptHookArgs] = []
    monkeypatch.setattr(threading, "excepthook", faults.append)

    def broken() -> None:
        raise KeyError("a fault of the program")

    watcher = started(folder, broken)
    folder.write("MEMORY.md", "- x\n")
    soon(lambda: watcher.why)
    watcher.stop()
    assert "a fault of the program" in watcher.why
    assert [fault.exc_type for fault in faults] == [KeyError]
