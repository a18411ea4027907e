"""A whole place, or all of one user, in one file: of one state, verified, restored.

The file is a zip: `chatmem.db` has the rows, without indexes; `documents/USER/PATH` is Markdown as
it stands; `manifest.json` has the SHA-256 of each of them.

Documents are read before the rows. What is written in between they lack, as a text that an editor
saves late, and whoever opens the restored place first completes them (ADR 0013).
"""

import glob
import hashlib
import json
import os
import shutil
import struct
import zlib
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile

from chatmem.config import Settings
from chatmem.engine.factory import DATABASE_FILE, open_engine, open_file
from chatmem.engine.move import MoveReport, Progress, copy_rows, differing
from chatmem.engine.state import Engine
from chatmem.errors import BackupError, ChatmemError, DocumentError, StorageError
from chatmem.providers.ports import Embedder
from chatmem.storage.documents.folder import TEMPORARY
from chatmem.storage.documents.places import SKELETONS, folder_name
from chatmem.storage.values import Owner

FORMAT: Final = "chatmem backup 1"
_MANIFEST: Final = "manifest.json"
_DOCUMENTS: Final = "documents"
_BROKEN: Final = (
    *(BadZipFile, zlib.error, EOFError, struct.error),
    *(LookupError, ValueError, TypeError, NotImplementedError, RuntimeError),
)
"""What reading a damaged zip raises, or JSON of another shape."""
_OTHERWISE: Final = "restore it into an empty folder or database; nothing was changed"


def write_backup(
    engine: Engine, path: Path, owner: Owner | None = None, progress: Progress | None = None
) -> MoveReport:
    """Write everything of everybody, or of one owner, into a file that only its owner can read.

    Others may write meanwhile. The file is read again before it takes the place of an older one.

    Raises:
        StorageError: it cannot be written.
    """
    store = engine.store
    engine.accesses.flush(store)
    with _explained(path, "written"), _folder_beside(path) as folder:
        database, archive = folder / DATABASE_FILE, folder / "backup.zip"
        with ZipFile(archive, "w", ZIP_DEFLATED) as packed, closing(open_file(database)) as target:
            documents: dict[str, str] = {}
            left_out = _pack_documents(engine, owner, packed, documents)
            target.transfer.begin(path.name)
            with store.snapshot():
                rows = copy_rows(store, target, owner, progress)
                checksum, tables = differing(store, target, owner)
            if tables:
                raise StorageError(f"{path}: rows of {', '.join(tables)} could not be copied")
            target.transfer.finish()
            target.close()
            _pack_documents(engine, owner, packed, documents)  # of days that came meanwhile
            packed.write(database, DATABASE_FILE)
            whole = hashlib.sha256(repr([checksum, *sorted(documents.items())]).encode())
            report = MoveReport(rows, len(documents), whole.hexdigest(), tuple(left_out))
            manifest = {
                "format": FORMAT,
                "rows": rows,
                "checksum": report.checksum,
                "parts": {**documents, DATABASE_FILE: _sha256(database)},
            }
            packed.writestr(_MANIFEST, json.dumps(manifest, ensure_ascii=False, indent=1))
        archive.chmod(0o600)
        with archive.open("rb+") as file:
            os.fsync(file.fileno())
        with _unpacked(archive):
            archive.replace(path)
    return report


def _pack_documents(
    engine: Engine, owner: Owner | None, packed: ZipFile, done: dict[str, str]
) -> list[str]:
    """Add the documents that are not there yet, and their SHA-256; why some cannot be read."""
    left_out = []
    for user_id in engine.store.users() if owner is None else [owner.user_id]:
        documents = engine.documents_of(user_id)
        for path in sorted(documents.stamps()):
            name = f"{_DOCUMENTS}/{folder_name(user_id)}/{path}"
            try:
                found = documents.read(path) if name not in done else None
            except DocumentError as error:
                left_out.append(str(error))
                continue
            if found is not None:
                data = found.text.encode()
                packed.writestr(name, data)
                done[name] = hashlib.sha256(data).hexdigest()
    return left_out


def restore_backup(
    file: str | Path,
    location: str | Path | None = None,
    *,
    settings: Settings | None = None,
    embedder: Embedder | None = None,
    progress: Progress | None = None,
) -> MoveReport:
    """Make a place what it was when the backup was written, or what a user's export has.

    `location` and the others are as for `MemoryService.open`. The place is empty, or holds nothing
    that is not in the backup, and nobody has it open. Rows and indexes come in one transaction,
    documents behind it: where that was interrupted, the same again completes it.

    Raises:
        BackupError: it is no backup, or damaged, or the place holds what is not in it; nothing was
            changed.
        StorageError: the file cannot be read, or the place not written.
    """
    path = Path(file)
    with _unpacked(path) as (manifest, folder), ExitStack() as opened:
        engine = open_engine(location, settings or Settings(), embedder)
        for one in (engine.store, *engine.made):
            opened.callback(one.close)
        source = opened.enter_context(closing(open_file(folder / DATABASE_FILE)))
        store = engine.store
        texts = {one: _texts(folder, one) for one in {*source.users(), *store.users()}}
        _refuse_others(engine, path, texts)
        with store.transaction():
            store.transfer.clear()
            rows = copy_rows(source, store, progress=progress)
            _, tables = differing(source, store)
            if tables:
                raise BackupError(
                    f"{path}: this place holds other rows ({', '.join(tables)}) than the backup: "
                    f"{_OTHERWISE}"
                )
            store.transfer.finish()
            store.reindex()
            store.pack()
        for user_id, kept in texts.items():
            documents = engine.documents_of(user_id)
            documents.initialise(skeleton=False)
            with documents.lock():
                for name in documents.stamps().keys() - kept.keys():
                    documents.remove(name)
                for name, text in kept.items():
                    documents.write(name, text)
    return MoveReport(rows, sum(map(len, texts.values())), manifest["checksum"])


def _texts(folder: Path, user_id: str) -> dict[str, str]:
    """The user's documents by path."""
    root = folder / _DOCUMENTS / folder_name(user_id)
    files = (one for one in root.rglob("*") if one.is_file())
    return {one.relative_to(root).as_posix(): one.read_bytes().decode() for one in files}


def _refuse_others(engine: Engine, path: Path, texts: Mapping[str, Mapping[str, str]]) -> None:
    """Raise BackupError where a document of the place has a line that those of its user lack."""
    for user_id, kept in texts.items():
        documents = engine.documents_of(user_id)
        wanted = "\n".join(["", *kept.values(), *SKELETONS.values()])
        known = {line.strip() for line in wanted.splitlines()}
        for name in documents.stamps():
            found = documents.read(name)
            if found and not known.issuperset(map(str.strip, found.text.splitlines())):
                raise BackupError(
                    f"{path}: {name} of {user_id} has lines here that are not in this backup: "
                    f"{_OTHERWISE}"
                )


@contextmanager
def _unpacked(path: Path) -> Iterator[tuple[Mapping[str, Any], Path]]:
    """The manifest, and a folder that has all parts, each as it was written.

    Raises:
        BackupError: it is no backup, or damaged.
        StorageError: it cannot be read.
    """
    with _explained(path, "read"), _folder_beside(path) as folder:
        try:
            with path.open("rb") as file, ZipFile(file) as packed:
                manifest = json.loads(packed.read(_MANIFEST))
                if manifest["format"] != FORMAT:
                    raise ValueError(f"this chatmem reads {FORMAT!r}")
                if {_MANIFEST, *manifest["parts"]} != set(packed.namelist()):
                    raise ValueError("its parts are not those that were written")
                for name, digest in manifest["parts"].items():
                    if _sha256(Path(packed.extract(name, folder))) != digest:
                        raise ValueError(f"{name} is not what was written")
        except _BROKEN as error:
            raise BackupError(
                f"{path}: is no backup of chatmem, or damaged ({error}): take another copy of it; "
                "nothing was changed"
            ) from error
        yield manifest, folder


@contextmanager
def _folder_beside(path: Path) -> Iterator[Path]:
    """A folder for parts, beside the file where possible; what a killed process left goes too."""
    for left in path.parent.glob(f".{glob.escape(path.name)}.*{TEMPORARY}"):
        shutil.rmtree(left)
    parent = path.parent if os.access(path.parent, os.W_OK) else None
    with TemporaryDirectory(TEMPORARY, f".{path.name}.", parent) as folder:
        yield Path(folder)


@contextmanager
def _explained(path: Path, what: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if isinstance(error, ChatmemError):
            raise
        raise StorageError(f"{path}: cannot be {what} ({error.strerror or error})") from error


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
