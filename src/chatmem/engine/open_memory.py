"""An opened memory: the engine, its background threads, and the documents of each user."""

import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from chatmem.config import Settings
from chatmem.engine.background.indexer import Indexer
from chatmem.engine.background.worker import Worker
from chatmem.engine.checks import checked_user
from chatmem.engine.documents.documents import MemoryDocuments
from chatmem.engine.factory import open_engine
from chatmem.engine.prompt.compose import ContextCache
from chatmem.engine.space import Space
from chatmem.engine.state import Engine
from chatmem.errors import ProviderError
from chatmem.providers.ports import Embedder
from chatmem.retrieval.query import read_query
from chatmem.storage.documents.ports import Watching

MOST_WATCHED = 64
"""Users whose files are watched, the last that came: a system has few watches to give (128 on many
Linux systems). Edits of others are found by the look before their next search."""


@dataclass(slots=True)
class Opened:
    """What the users of one data folder share."""

    engine: Engine
    indexer: Indexer
    background: bool
    context_cache: ContextCache = field(default_factory=ContextCache)
    worker: Worker = field(init=False)
    _spaces: dict[str, Space] = field(default_factory=dict)
    _watchers: dict[str, Watching] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _closed: bool = False

    def __post_init__(self) -> None:
        """Hand the worker what it works with."""
        self.worker = Worker(self.engine, self.space)

    def space(self, user_id: str) -> Space:
        """The user's space; the first call makes the folders and heals what a crash left.

        Raises:
            InvalidInputError: an id that no user can have.
        """
        owner = self.engine.store.owner(checked_user(user_id))
        with self._lock:
            if user_id not in self._spaces:
                places = self.engine.places
                documents = MemoryDocuments(self.engine, owner, places.of(user_id))
                documents.initialise()
                self._spaces[user_id] = Space(self.engine, owner, documents)
                if self.background:
                    watcher = places.watcher(user_id, documents.notice)
                    watcher.start()
                    self._watchers[user_id] = watcher
                    if len(self._watchers) > MOST_WATCHED:
                        self._watchers.pop(next(iter(self._watchers))).stop()
            return self._spaces[user_id]

    def watchers(self) -> dict[str, Watching]:
        """The running watchers, by user."""
        return dict(self._watchers)

    def close(self) -> None:
        """Stop everything; a second call does nothing."""
        self.worker.stop()  # before the lock: its job at hand may ask for documents
        with self._lock:
            for watcher in self._watchers.values():
                watcher.stop()
            self._watchers.clear()
            self.indexer.stop()
            if not self._closed:
                self.engine.accesses.flush(self.engine.store)
            self._closed = True
            self.engine.places.close()
            self.engine.store.close()
            for one in self.engine.made:
                one.close()


def open_memory(
    location: str | Path | None,
    settings: Settings,
    embedder: Embedder | None,
    *,
    background: bool,
) -> Opened:
    """The memory at a location, with its background threads if they are wanted."""
    engine = open_engine(location, settings, embedder)
    opened = Opened(engine, Indexer(engine), background)
    engine.in_background = background
    if background:
        opened.indexer.start()
        opened.worker.start()
    return opened


_WORDS: Final = "warm up, 你好世界"


def warm_up(engine: Engine) -> None:
    """Load the dictionary and the embedder's weights, where they are of this process.

    An embedder behind an address is not asked: nothing is sent that nobody wants.
    """
    read_query(_WORDS)
    if engine.embedder is None or engine.settings.embedder.name.startswith("openai:"):
        return
    try:
        engine.embedder.embed_query(_WORDS)
    except ProviderError:
        return  # the first question will say so
