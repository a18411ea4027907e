"""The indexer: gives rows their vectors, and packs them, in the background.

Rows are searchable by keyword the moment they are saved; this thread brings the vectors after. It
owns nothing: the queue is a table, so a killed process goes on where it stopped.
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
"""Texts embedded between two looks for callers: 10 ms of work."""
_RETRY_S = 30.0
_AWAY_S = 2.0
_LOOK_S = 20.0
"""Nobody wakes this process for what another has taken from the queue and will never finish."""
_log = logging.getLogger(__name__)

Progress = Callable[[int, int], None]


class Indexer:
    """A daemon thread that empties the queue whenever the engine wakes it."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._working = threading.Lock()
        self.failure: str | None = None

    def start(self) -> None:
        """Begin; rows left over from an earlier process are taken up at once."""
        self._thread = threading.Thread(target=self._run, name="chatmem-indexer", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End after the batch at hand; what is left stays on the queue."""
        self._stop.set()
        self._engine.wake.set()
        if self._thread is not None:
            self._thread.join()

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

    def _run(self) -> None:
        with self._engine.callers.work_behind(self._stop):
            self._work()

    def _work(self) -> None:
        while not self._stop.is_set():
            self._engine.wake.clear()
            try:
                while not self._stop.is_set() and self._batch():
                    pass
                self.failure = None
            except ChatmemError as error:
                self.failure = str(error)
                _log.warning("vectors are waiting: %s", error)
                self._stop.wait(_AWAY_S if isinstance(error, DatabaseAwayError) else _RETRY_S)
                continue
            self._engine.wake.wait(_LOOK_S)

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
        """Embed each distinct text that has no vector yet; take the others from the index."""
        known = self._engine.store.dense.cached(hashes)
        fresh = {
            text_hash: text
            for text_hash, text in zip(hashes, texts, strict=True)
            if text_hash not in known
        }
        found = dict(known)
        if fresh:
            waiting = list(fresh.items())
            for start in range(0, len(waiting), STEP_ROWS):
                self._engine.callers.make_way()
                step = waiting[start : start + STEP_ROWS]
                made = embedder.embed([text for _, text in step])
                found.update(zip((text_hash for text_hash, _ in step), made, strict=True))
        return np.stack([found[text_hash] for text_hash in hashes]).astype(np.float32)


def _text_hash(text: str) -> int:
    """A signed 64-bit hash of the text, as SQLite stores integers."""
    digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little", signed=True)
