"""Notices edits of files soon after they happen; a convenience that nothing depends on.

Freshness rests on the look at all stamps before a search; a watcher only makes an edit show up
before somebody asks. It looks at the same stamps, so it sees what a search would see, also behind
links, and takes nothing of the system: no thread, no descriptor.

Source: S5.2.2; decisions 2; lessons.md (a watcher that dies silently or eats descriptors).
"""

import time
from collections.abc import Callable, Mapping
from math import inf

from chatmem.errors import StorageError
from chatmem.storage.documents.ports import DocumentStore, Stamp

DEBOUNCE_S = 1.5
_LOOK_S = 0.5
# A file that is written all the time is reported after so many debounce times.
_PATIENCE = 4


class DocumentWatcher:
    """Calls `on_change` after documents have changed, when none has for `debounce_s`."""

    def __init__(
        self,
        folder: DocumentStore,
        on_change: Callable[[], None],
        debounce_s: float = DEBOUNCE_S,
    ) -> None:
        self._folder = folder
        self._on_change = on_change
        self._debounce_s = debounce_s
        self._seen: Mapping[str, Stamp] = {}
        self._looked_s = -inf
        self._first_s = self._last_s = inf  # when the changes were seen that are not reported yet
        self.why = ""
        """Why changes are not noticed, as a sentence for a person; empty while they are."""

    def look(self) -> None:
        """Look at all stamps, at most every half second; to be called again and again."""
        now_s = time.monotonic()
        if now_s - self._looked_s < min(_LOOK_S, self._debounce_s):
            return
        self._looked_s = now_s
        try:
            stamps = self._folder.stamps()
        except StorageError as error:
            self.why = f"{error}; edits are found by the next search"
            return
        self.why = ""
        if stamps != self._seen:
            self._seen, self._last_s = stamps, now_s
            self._first_s = min(self._first_s, now_s)
        is_quiet = now_s - self._last_s >= self._debounce_s
        if is_quiet or now_s - self._first_s >= _PATIENCE * self._debounce_s:
            self._first_s = self._last_s = inf
            self._on_change()
