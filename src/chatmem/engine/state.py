"""What every use case works with: one open store and what stands beside it."""

import logging
import secrets
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from chatmem.analysis.summary import ExtractiveSummarizer, Summarizer
from chatmem.analysis.turn import Analyzer, RuleAnalyzer, TurnAnalysis
from chatmem.config import Settings
from chatmem.engine.accesses import Accesses
from chatmem.engine.callers import Callers
from chatmem.engine.corpus import CorpusCache
from chatmem.engine.leases import UnderWay
from chatmem.engine.settings import StoredSettings
from chatmem.extraction.model_extraction import ModelExtractor
from chatmem.extraction.redact import mask_secrets, without_marks
from chatmem.model import AtomicMemoryRecord, Missing, WorkingMemory
from chatmem.providers.ports import Closes, Embedder
from chatmem.storage.documents.ports import DocumentPlaces
from chatmem.storage.tables.store import Store
from chatmem.text.segment import IndexEntry, index_entry

_log = logging.getLogger(__name__)
_ID_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_ID_CHARS = 13
"""13 of 32 characters are 65 random bits: ids stay short enough to read in a Markdown file."""


@dataclass(frozen=True, slots=True)
class MaskedAnalyzer:
    """An analyzer that never sees a secret; `without_secrets` is the engine's.

    A message is masked before it is read, not what was read from it: a topic or a summary has
    lost the word that gave its secret away. Source: decisions 4.
    """

    analyzer: Analyzer
    without_secrets: Callable[[str], str]

    def analyse(self, message: str, previous: WorkingMemory | None) -> TurnAnalysis:
        """What the message tells beside its secrets; raises what the analyzer raises."""
        return self.analyzer.analyse(without_marks(self.without_secrets(message)), previous)


@dataclass(slots=True)
class Engine:
    """One open store, its embedder and its settings, shared by all users of it.

    `wake` is set whenever rows wait for the indexer, `jobs_wake` whenever jobs wait for the worker.
    `analyzer` reads every message while its caller waits; `model_analyzer` reads it again in the
    background where a model is configured. Background work makes way for `callers`.
    `in_background` is true while threads work beside the callers. `places` are the documents of
    all users; in `templates_folder` are personas and scenarios of this memory's own. `embedder` is
    None for keyword search only, and `no_embedder` then says why. `made` keeps connections of its
    own, and is closed with the engine. `unread` counts the messages of this process that were too
    long to be read for memories.
    """

    store: Store
    stored_settings: StoredSettings
    places: DocumentPlaces
    templates_folder: Path
    embedder: Embedder | None
    no_embedder: str | None = None
    wake: threading.Event = field(default_factory=threading.Event)
    corpora: CorpusCache = field(default_factory=CorpusCache)
    accesses: Accesses = field(default_factory=Accesses)
    jobs_wake: threading.Event = field(default_factory=threading.Event)
    analyzer: Analyzer = field(default_factory=RuleAnalyzer)
    model_analyzer: Analyzer | None = None
    summarizer: Summarizer = field(default_factory=ExtractiveSummarizer)
    model_extractor: ModelExtractor | None = None
    in_background: bool = False
    made: tuple[Closes, ...] = ()
    callers: Callers = field(default_factory=Callers)
    under_way: UnderWay = field(default_factory=UnderWay)
    unread: int = 0

    def __post_init__(self) -> None:
        """Keep secrets from the analyzer."""
        self.analyzer = MaskedAnalyzer(self.analyzer, self.without_secrets)

    @property
    def settings(self) -> Settings:
        """The settings in force, as of the last call of anybody."""
        return self.stored_settings.in_force

    def note_caller(self) -> None:
        """A caller is here: the background waits a moment, and changed settings count from now."""
        self.callers.note()
        self.obey_settings()

    def note_unread(self, message: int) -> None:
        """A message is too long to be read for memories: it is kept and found, and counted here."""
        self.unread += 1
        _log.warning("message %d is too long to be read for memories", message)

    def without_secrets(self, text: str) -> str:
        """`text` as whatever is made of it may quote it: masked, unless the settings say not to."""
        if not self.settings.memory.mask_secrets:
            return text
        return mask_secrets(text, reading=True).text

    def obey_settings(self) -> Settings:
        """The settings in force, read again if somebody has changed one, in whatever process."""
        return self.stored_settings.refresh()

    def missing(self) -> tuple[Missing, ...]:
        """What this engine cannot do, and why."""
        found = self.store.missing()
        if self.embedder is None:
            why = self.no_embedder or "none is configured; keywords only"
            found += (Missing("embedder", why, "off"),)
        return found


def new_id() -> str:
    """A new memory's id: 13 characters, random."""
    return _id_text(secrets.randbits(5 * _ID_CHARS))


def id_of(digest: bytes) -> str:
    """The id that follows from a digest of 9 bytes or more: the same for the same memory."""
    return _id_text(int.from_bytes(digest[:9], "big") & (1 << 5 * _ID_CHARS) - 1)


def _id_text(number: int) -> str:
    return "".join(_ID_ALPHABET[number >> 5 * place & 31] for place in range(_ID_CHARS))


def entry_of(record: AtomicMemoryRecord, speaker: str | None = None) -> IndexEntry:
    """What the index keeps of a memory besides its vector."""
    return index_entry(record.content, speaker)
