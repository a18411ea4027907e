"""Notices edits of files soon after they happen; a convenience that nothing depends on.

Freshness rests on the stat scan (`DocumentFolder.stamps`); the watcher only makes an edit show up
before somebody asks. So it never raises: when it cannot go on, the log and `why` say so.
Edits behind a link that leads out of the folder are left to the scan.

Source: S5.2.2; decisions 2; lessons.md (a watcher that dies silently or eats descriptors).
"""

import logging
import os
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

from watchfiles import watch

from chatmem.storage.documents.places import ARCHIVE, DAILY, is_document

DEBOUNCE_MS = 1500

# How long one look at the system's queue takes at most; also how long `stop` may have to wait.
_LOOK_MS = 100
_STEP_MS = 50
# A file that is written all the time is reported after so many debounce times.
_PATIENCE = 4
_STOP_S = 5.0

_log = logging.getLogger(__name__)


class DocumentWatcher:
    """Calls `on_change` after documents have changed, in a thread of its own.

    It calls when nothing has changed for `debounce_ms`. Three folders are watched, not the tree:
    the folders of other users below this one cost nothing.
    """

    def __init__(
        self, root: Path, on_change: Callable[[], None], debounce_ms: int = DEBOUNCE_MS
    ) -> None:
        self._root = root.resolve()
        self._on_change = on_change
        self._debounce_s = debounce_ms / 1000
        self._stopped = threading.Event()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, name="chatmem-watcher", daemon=True)
        self.why = "it has not been started"
        """Why changes are not noticed, as a sentence for a person; empty while they are."""

    def start(self) -> None:
        """Begins to watch, in its own time; see `wait_until_ready`."""
        self.why = ""
        self._thread.start()

    def wait_until_ready(self, timeout_s: float = 5.0) -> bool:
        """True once every later change will be noticed; False if that fails or takes longer."""
        return self._ready.wait(timeout_s) and not self.why

    def stop(self) -> None:
        """Ends the thread within a tenth of a second or so; a running `on_change` finishes."""
        self._stopped.set()
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join(_STOP_S)
        self.why = self.why or "it was stopped"

    def _run(self) -> None:
        try:
            self._watch()
        except (OSError, RuntimeError) as error:  # watchfiles raises both
            self._die(str(error))
        finally:
            if failure := sys.exception():
                self._die(repr(failure))
            self._ready.set()

    def _die(self, reason: str) -> None:
        self.why = f"watching {self._root} failed: {reason}; edits are found by the next search"
        _log.error("%s", self.why)

    def _watch(self) -> None:
        folders = [self._root, self._root / DAILY, self._root / ARCHIVE]
        watched = _inodes(folders)
        first_s: float | None = None  # when the first change was seen that is not reported yet
        last_s = 0.0
        looks = watch(
            *folders,
            watch_filter=None,  # it would swallow looks, and with them the end of the debounce
            debounce=_LOOK_MS,
            step=_STEP_MS,
            rust_timeout=_LOOK_MS,
            yield_on_timeout=True,
            stop_event=self._stopped,
            recursive=False,
            raise_interrupt=False,
        )
        for changes in looks:
            self._ready.set()
            now_s = time.monotonic()
            if any(self._is_document(path) for _, path in changes):
                last_s = now_s
                first_s = now_s if first_s is None else first_s
            is_quiet = now_s - last_s >= self._debounce_s
            if first_s is not None and (
                is_quiet or now_s - first_s >= _PATIENCE * self._debounce_s
            ):
                first_s = None
                self._on_change()
            if _inodes(folders) != watched:
                raise OSError("one of its folders was replaced")
        if not self._stopped.is_set():
            raise OSError("the system stopped reporting changes")

    def _is_document(self, path: str) -> bool:
        """False for part-written files, locks, and what editors leave behind."""
        return is_document(os.path.relpath(path, self._root).replace(os.sep, "/"))


def _inodes(folders: list[Path]) -> list[int]:
    """Which folders these are; a folder that was removed and made again is another one."""
    return [folder.stat().st_ino for folder in folders]
