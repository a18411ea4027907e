"""The indexer: gives rows their vectors, and packs them, in the background.

Rows are found by keyword as soon as they are saved; vectors follow. The queue is a table, so a
killed process goes on where it stopped.
"""

import hashlib
import logging
import threading
from collections.abc import Callable

import numpy as np

from chatmem.engine.state import Engine
from chatmem.errors import ChatmemError, DatabaseAwayError
from chatmem.providers.ports import Embedder
from chatmem.storage.values import Vectors

BATCH_ROWS = 256
STEP_ROWS = 4
"""Texts embedded between two pauses for callers: 10 ms of work."""
_RETRY_S = 30.0
_AWAY_S = 2.0
_LOOK_S = 20.0
"""Nobody wakes this process for what another has queued and does not embed."""
_log = logging.getLogger(__name__)

Progress = Callable[[int, int], None]


class BackgroundThread:
    """A daemon thread that works in steps until it is stopped, and makes way for callers."""

    name: str

    def __init__(self, engine: Engine, wake: threading.Event) -> None:
        self._engine = engine
        self._wake = wake
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name=self.name, daemon=True)
        self._working = threading.Lock()

    def start(self) -> None:
        """Begin; what an earlier process has left is taken up at once."""
        self._thread.start()

    def stop(self) -> None:
        """End after the step at hand; what is left stays in its table."""
        self._stop.set()
        self._wake.set()
        if self._thread.ident is not None:
            self._thread.join()

    def step(self) -> None:
        """Do what is due, then wait for more."""
        raise NotImplementedError

    def _run(self) -> None:
        with self._engine.callers.work_behind(self._stop):
            self._wake.clear()
            while not self._stop.is_set():
                self.step()
                self._wake.clear()


class Indexer(BackgroundThread):
    """Empties the queue of vectors; `failure` says why the last attempt failed, None if not."""

    name = "chatmem-indexer"

    def __init__(self, engine: Engine) -> None:
        super().__init__(engine, engine.wake)
        self.failure: str | None = None

    def drain(self, progress: Progress | None = None) -> None:
        """Work in the caller's thread until no row waits.

        Raises:
            ProviderError: the embedder failed; the rows stay on the queue.
        """
        total = self._engine.store.dense.queue_length()
        done = 0
        while count := self._batch():
            done += count
            if progress is not None:
                progress(min(done, total), total)

    def step(self) -> None:
        """Empty the queue; after a failure wait before the next attempt."""
        try:
            while not self._stop.is_set() and self._batch():
                pass
            self.failure = None
        except ChatmemError as error:
            self.failure = str(error)
            _log.warning("vectors are waiting: %s", error)
            self._stop.wait(_AWAY_S if isinstance(error, DatabaseAwayError) else _RETRY_S)
        else:
            self._wake.wait(_LOOK_S)

    def _batch(self) -> int:
        """Embed and pack one batch; how many rows it was."""
        with self._working:
            store, embedder = self._engine.store, self._engine.embedder
            store.pack()
            if embedder is None or any(one.what == "vectors" for one in store.missing()):
                return 0
            store.dense.use(embedder.identity, embedder.dimension)
            queued = store.dense.queued(BATCH_ROWS)
            if not queued:
                store.dense.finish()
                return 0
            texts = [text for _, text in queued]
            hashes = [_text_hash(text) for text in texts]
            vectors = self._vectors(embedder, texts, hashes)
            with store.transaction():
                store.dense.put(queued, hashes, vectors)
            return len(queued)

    def _vectors(self, embedder: Embedder, texts: list[str], hashes: list[int]) -> Vectors:
        """A vector a text, (n, dimension); equal texts are embedded once, known ones not at all."""
        found = dict(self._engine.store.dense.cached(hashes))
        by_hash = dict(zip(hashes, texts, strict=True))
        fresh = [(one, text) for one, text in by_hash.items() if one not in found]
        for start in range(0, len(fresh), STEP_ROWS):
            self._engine.callers.make_way()
            step = fresh[start : start + STEP_ROWS]
            made = embedder.embed([text for _, text in step])
            found.update(zip((text_hash for text_hash, _ in step), made, strict=True))
        return np.stack([found[text_hash] for text_hash in hashes]).astype(np.float32)


def _text_hash(text: str) -> int:
    """A signed 64-bit hash of the text, as SQLite stores integers."""
    digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little", signed=True)
