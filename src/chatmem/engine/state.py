"""What every use case works with: one open store and what stands beside it; the stages of a call.

    with listening(listener):          # a server, around a request
        memory.search_memories("tea")  # calls listener("embed"), listener("lexical"), ...

A listener gives a context manager for each stage. A request's listener hears what runs for it in
threads of anyio's; nobody hears background work, or anything by default.
"""

import hashlib
import logging
import secrets
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from chatmem.config import Settings
from chatmem.engine.corpus import CorpusCache
from chatmem.engine.settings import StoredSettings
from chatmem.errors import ChatmemError, ReaderWeightsError
from chatmem.model import Missing
from chatmem.providers.embedding import Closes, Embedder, Recent, Vector, query_vectors
from chatmem.storage.documents.ports import DocumentsOf
from chatmem.storage.tables.packed_index import VersionCache
from chatmem.storage.tables.store import Store
from chatmem.storage.values import Owner

if TYPE_CHECKING:
    from chatmem.analysis.summary import Summarizer
    from chatmem.analysis.turn import ModelAnalyzer
    from chatmem.extraction.model_extraction import ModelExtractor

EMBED: Final = "embed"
"""The message's vectors are made."""
LEXICAL: Final = "lexical"
"""The postings of its terms are read."""
DENSE: Final = "dense"
"""The nearest rows are picked, and their vectors compared."""
RECALL: Final = "recall"
"""All of the ranking: the three above, scores, and reading what was found."""
COMPOSE: Final = "compose"
"""What was gathered becomes a prompt."""
STAGES: Final = (EMBED, LEXICAL, DENSE, RECALL, COMPOSE)

Listener = Callable[[str], AbstractContextManager[object]]
_listener: ContextVar[Listener | None] = ContextVar("chatmem_stage_listener", default=None)
_nobody: Final = nullcontext()


def stage(name: str) -> AbstractContextManager[object]:
    """Something to enter for the length of the stage."""
    listener = _listener.get()
    return _nobody if listener is None else listener(name)


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Tell this listener of the stages inside, of this thread or task and what it starts."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


QUIET_S: Final = 0.05
"""Background work goes on once no caller was seen for so long."""
MOST_WAIT_S: Final = 1.0
"""The longest that a step of background work waits for callers."""
_LOOK_S: Final = 0.005
_MOST_PAUSE_S: Final = 0.3
_IN_VAIN_S: Final = 30.0
"""A caller lets the background work for so long, and not again so soon after it was in vain."""
_MOST_SESSIONS: Final = 10_000
"""Sessions whose last counted turn is known."""
_MOST_CACHED: Final = 2_000
_ID_ALPHABET: Final = "0123456789abcdefghjkmnpqrstvwxyz"
_ID_CHARS: Final = 13
"""13 of 32 characters are 65 bits: ids stay short enough to read in a Markdown file."""
_PAIRS: Final = [first + second for second in _ID_ALPHABET for first in _ID_ALPHABET]
_PLACES: Final = range(0, 5 * _ID_CHARS, 10)
_ids: Final = count(secrets.randbits(5 * _ID_CHARS - 32))
_log = logging.getLogger(__name__)
_stop: ContextVar[threading.Event | None] = ContextVar("chatmem_background_stop", default=None)


class Callers:
    """Background work waits while a caller is here: Python runs one thread at a time.

    A thread of the background says so once (`work_behind`) and asks between its steps whether it
    may go on (`make_way`); what it calls itself does not count as a caller.
    """

    _seen_s = _in_vain_s = float("-inf")

    def note(self) -> None:
        """A caller is here, unless this thread works in the background."""
        if _stop.get() is None:
            self._seen_s = time.monotonic()

    def make_way(self) -> None:
        """Wait until callers are done, `MOST_WAIT_S` at most; nothing in a caller's own thread.

        Hold nothing meanwhile that a caller may need: no lock, no transaction.
        """
        stop = _stop.get()
        if stop is None:
            return
        until = time.monotonic() + MOST_WAIT_S
        while time.monotonic() < until and not stop.is_set():
            quiet = self._seen_s + QUIET_S - time.monotonic()
            if quiet <= 0:
                return
            stop.wait(min(quiet, _LOOK_S))

    def let_work(self, is_done: Callable[[], bool]) -> bool:
        """True once the background has done it; waits briefly, and while nobody else is here.

        After waiting in vain nobody waits for a while.
        """
        began = time.monotonic()
        if _stop.get() is None and began > self._in_vain_s + _IN_VAIN_S:
            self._seen_s = nobody = float("-inf")
            while self._seen_s == nobody and not is_done():
                if time.monotonic() > began + _MOST_PAUSE_S:
                    self._in_vain_s = began
                    return False
                time.sleep(_LOOK_S)
        return is_done()

    @property
    def must_stop(self) -> bool:
        """True in a background thread that is to end: long work ends between two steps."""
        stop = _stop.get()
        return stop is not None and stop.is_set()

    def work_behind(self, stop: threading.Event) -> None:
        """This thread works in the background from here on; `stop` ends its waiting."""
        _stop.set(stop)


class Accesses:
    """Memories that were put into a prompt and are not counted yet, once a turn; thread-safe.

    A prompt does not wait for a writer: the counters follow with the turn that is saved, or from
    the background. Source: S3.2.3; decisions 3 ("access is counted once per turn").
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._uncounted: list[tuple[Owner, Sequence[str], datetime]] = []
        self._last_turns = VersionCache[bytes](_MOST_SESSIONS)

    def note(
        self,
        owner: Owner,
        session_id: str | None,
        message: str,
        memory_ids: Sequence[str],
        at: datetime,
    ) -> None:
        """Remember what went into the message's prompt; a second prompt for it is the same turn."""
        turn = hashlib.blake2b(message.encode("utf-8", "replace"), digest_size=16).digest()
        session = (owner, session_id)
        with self._lock:
            if self._last_turns.get(session) == turn:
                return
            self._last_turns.put(session, 0, turn)
            if memory_ids:
                self._uncounted.append((owner, memory_ids, at))

    def next_turn(self, owner: Owner, session_id: str) -> None:
        """A turn was saved: the same words said again are another turn."""
        self._last_turns.put((owner, session_id), 0, b"")

    def flush(self, store: Store) -> None:
        """Count what waits, inside the caller's transaction or one of its own."""
        if not self._uncounted:
            return
        with store.transaction():
            with self._lock:
                waiting, self._uncounted = self._uncounted, []
            try:
                for owner, memory_ids, at in waiting:
                    store.memories.count_access(owner, memory_ids, at)
            except ChatmemError:
                with self._lock:
                    self._uncounted = waiting + self._uncounted
                raise


@dataclass(slots=True)
class Engine:
    """One open store, its embedder and its settings, shared by all users of it.

    `holder` names this engine in leases and `under_way` holds the user and key of requests that it
    carries out. `documents_of` gives those of a user; `templates_folder` has this memory's own
    personas and scenarios. `embedder` is None for keyword search only. `cache` has what is the same
    for two prompts of a session: MEMORY.md as it is taken, the session's language; templates.
    `wake` is set when rows wait for the indexer, `jobs_wake` when jobs wait for the worker;
    `in_background` is whether they work in threads of their own. `model_analyzer`, `summarizer` and
    `model_extractor` use the configured model, if any, in the background. `made` is closed with the
    engine. `unread` counts messages of this process that were too long to be read.
    """

    store: Store
    holder: str
    stored_settings: StoredSettings
    documents_of: DocumentsOf
    templates_folder: Path
    embedder: Embedder | None
    wake: threading.Event = field(default_factory=threading.Event)
    corpora: CorpusCache = field(default_factory=CorpusCache)
    query_vectors: Recent[str, Vector] = field(init=False)
    accesses: Accesses = field(default_factory=Accesses)
    cache: VersionCache[Any] = field(default_factory=lambda: VersionCache(_MOST_CACHED))
    jobs_wake: threading.Event = field(default_factory=threading.Event)
    model_analyzer: "ModelAnalyzer | None" = None
    summarizer: "Summarizer | None" = None
    model_extractor: "ModelExtractor | None" = None
    in_background: bool = False
    made: tuple[Closes, ...] = ()
    callers: Callers = field(default_factory=Callers)
    under_way: set[tuple[str, str]] = field(default_factory=set)
    unread: int = 0

    def __post_init__(self) -> None:
        if self.embedder is not None:
            self.query_vectors = query_vectors(self.embedder)

    @property
    def settings(self) -> Settings:
        """The settings in force, as of the last call of anybody."""
        return self.stored_settings.in_force

    def obey_settings(self, version: int | None = None) -> Settings:
        """The settings in force, read again if any process has changed one since this version."""
        return self.stored_settings.refresh(version)

    def note_caller(self, version: int | None = None) -> None:
        """A caller is here: the background waits a moment, and changed settings count from now."""
        self.callers.note()
        self.obey_settings(version)

    def note_unread(self, message: int) -> None:
        """Count a message that is too long to be read for memories; it is kept and found."""
        self.unread += 1
        _log.warning("message %d is too long to be read for memories", message)

    def without_secrets(self, text: str) -> str:
        """The text as what is made of it may quote it: masked, if `memory.mask_secrets`."""
        return self.all_without_secrets([text])[0]

    def all_without_secrets(self, texts: Sequence[str]) -> list[str]:
        """The same of several texts, which is cheaper together."""
        if not self.settings.memory.mask_secrets:
            return list(texts)
        # Imported here: a search loads nothing that learns.
        from chatmem.extraction.reader.reading import SUSPECTED  # noqa: PLC0415
        from chatmem.extraction.redact import mask_secrets  # noqa: PLC0415

        with suppress(ReaderWeightsError):  # `doctor` tells of it
            SUSPECTED.of(texts)
        return [mask_secrets(one, reading=True).text for one in texts]

    def missing(self) -> tuple[Missing, ...]:
        """What this engine cannot do, and why."""
        found = self.store.missing()
        if self.embedder is None:
            why = "the setting `embedder` is none; keywords only"
            found += (Missing("embedder", why, "off"),)
        return found


def new_id() -> str:
    """A new memory's id: 13 characters, half of them random.

    Those of a process follow one another: an index of them grows at one place.
    """
    return _id_text(next(_ids) << 32 | int.from_bytes(secrets.token_bytes(4)))[::-1]


def id_of(mark: str) -> str:
    """The id that follows from a text: the same for the same memory."""
    digest = hashlib.blake2b(mark.encode()).digest()[:9]
    return _id_text(int.from_bytes(digest, "big") & (1 << 5 * _ID_CHARS) - 1)


def text_hash(text: str) -> int:
    """A signed 64-bit hash of the text, as SQLite stores integers."""
    digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little", signed=True)


def _id_text(number: int) -> str:
    return "".join([_PAIRS[number >> place & 1023] for place in _PLACES])[:_ID_CHARS]
