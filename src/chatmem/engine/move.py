"""A whole memory, or all of one user, brought elsewhere: into another place, a file, and back.

Rows come in one transaction, compared table by table before it ends; documents follow. What was
interrupted has brought no row or all: the same again completes it.

A backup is a zip of a data folder, its database without indexes, and `manifest.json` with a SHA-256
of each file. Its documents are read before the rows. What is written in between they lack, as a
text that an editor saves late, and whoever opens the restored place completes them (ADR 0013).

Source: interfaces.md (`chatmem migrate`, `backup`); decisions 2.
"""

import errno
import glob
import hashlib
import json
import os
import shutil
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from zipfile import ZIP_DEFLATED, ZipFile

from chatmem.config import Settings
from chatmem.engine.factory import open_engine
from chatmem.engine.space import SpacePart
from chatmem.engine.state import Engine
from chatmem.errors import DocumentError, ImportFormatError, InvalidInputError, StorageError
from chatmem.storage.documents.folder import LOCK_FILE, TEMPORARY
from chatmem.storage.documents.places import SKELETONS
from chatmem.storage.documents.ports import DocumentStore
from chatmem.storage.tables.store import Store
from chatmem.storage.tables.transfer import TABLES
from chatmem.storage.values import Owner

FORMAT: Final = "chatmem backup 1"
Progress = Callable[[int, int], None]
_EMPTY_ONE: Final = "choose an empty folder or database; nothing was changed"
_MANIFEST: Final = "manifest.json"


@dataclass(frozen=True, slots=True)
class MoveReport:
    """What was moved: rows by table, and documents; `checksum` is over all of them.

    `left_out` says of documents that a backup could not read why; their memories are in rows.
    """

    rows: dict[str, int]
    documents: int
    checksum: str
    left_out: tuple[str, ...] = ()


class MemoryMover(SpacePart):
    """Moves everything of every user."""

    def move_to(self, place: str | Path, progress: Progress | None = None) -> MoveReport:
        """Everything of every user, copied to another place and compared with it.

        `place` is a folder or a `postgresql://` address with nothing in it yet, or with just this.
        Nobody may write to either meanwhile; this place stays as it is. `progress` gets the rows
        done and the rows in all.

        Raises:
            InvalidInputError: something is kept there already.
            StorageError: the two differ at the end, or one of them cannot be used.
        """
        self._documents.fold_in()
        with _opened(place, self._engine.obey_settings()) as target:
            return _move(self._engine, target, progress)

    def backup(self, file: str | Path, progress: Progress | None = None) -> MoveReport:
        """Everything of every user in one file; others may write meanwhile. See `write_backup`."""
        return write_backup(self._engine, Path(file), progress=progress)


def write_backup(
    engine: Engine, path: Path, owner: Owner | None = None, progress: Progress | None = None
) -> MoveReport:
    """Write everything of everybody, or of one owner, into a file that only its owner can read.

    It is read again before it takes the place of an older one. Raises StorageError.
    """
    engine.accesses.flush(engine.store)
    users = engine.store.users() if owner is None else [owner.user_id]
    with _folder_beside(path, "written") as folder:
        place, archive = folder / "place", folder / "backup.zip"
        with _opened(place, engine.obey_settings()) as target:
            left_out = _copy_documents(engine, target, users)
            with engine.store.snapshot():
                rows, checksum = _move_rows(engine.store, target.store, progress, owner)
            _copy_documents(engine, target, users)  # of days that came meanwhile
            report = MoveReport(rows, *_checked(target, users, checksum), left_out)
        files = [one for one in place.rglob("*") if one.is_file() and one.name != LOCK_FILE]
        parts = {one.relative_to(place).as_posix(): _sha256(one) for one in sorted(files)}
        with ZipFile(archive, "w", ZIP_DEFLATED) as packed:
            for name in parts:
                packed.write(place / name, name)
            packed.writestr(_MANIFEST, json.dumps({"format": FORMAT, "parts": parts}, indent=1))
        archive.chmod(0o600)
        with archive.open("rb+") as file:
            os.fsync(file.fileno())
        with _unpacked(archive):
            pass
        archive.replace(path)
    return report


def restore_backup(
    file: str | Path,
    location: str | Path | None = None,
    *,
    settings: Settings | None = None,
    progress: Progress | None = None,
) -> MoveReport:
    """Bring what is in a backup, or a user's export, into a place that nobody has open.

    It is empty, or holds just that; `location` is as for `MemoryService.open`.

    Raises:
        ImportFormatError: it is no backup, or damaged; nothing was changed.
        InvalidInputError: the place holds something else; nothing was changed.
        StorageError: the file cannot be read, or the place not written.
    """
    chosen = settings or Settings()
    with (
        _unpacked(Path(file)) as folder,
        _opened(folder, chosen) as source,
        _opened(location, chosen) as target,
    ):
        return _move(source, target, progress)


@contextmanager
def _opened(place: str | Path | None, settings: Settings) -> Iterator[Engine]:
    engine = open_engine(place, settings)
    try:
        yield engine
    finally:
        for one in (engine.store, *engine.made):
            one.close()


def _move(source: Engine, target: Engine, progress: Progress | None) -> MoveReport:
    users = source.store.users()
    for user_id in users:
        texts = _texts(source.documents_of(user_id))
        for path, text in _texts(target.documents_of(user_id)).items():
            if text.strip() and text not in (texts.get(path), SKELETONS.get(path)):
                raise InvalidInputError(
                    f"this place already holds another {path} of {user_id}: {_EMPTY_ONE}"
                )
    with target.store.transaction():
        rows, checksum = _move_rows(source.store, target.store, progress)
        target.store.reindex()
        target.store.pack()
    _copy_documents(source, target, users)
    return MoveReport(rows, *_checked(target, users, checksum))


def _move_rows(
    source: Store, target: Store, progress: Progress | None, owner: Owner | None = None
) -> tuple[dict[str, int], str]:
    """By table how many rows there are, and a checksum over them; the target has them then."""
    origin, into = source.transfer, target.transfer
    counts = {table: origin.count(table, owner) for table in TABLES}
    total, done = sum(counts.values()), 0
    with target.transaction():
        was_empty = into.is_empty()
        if was_empty:
            into.begin()
        for table in TABLES:
            for page in origin.pages(table, owner):
                into.put(table, page)
                done += len(page)
                if progress is not None:
                    progress(min(done, total), total)
        whole = {table: origin.checksum(table, owner) for table in TABLES}
        differ = ", ".join(one for one in TABLES if into.checksum(one) != whole[one])
        if differ and not was_empty:
            raise InvalidInputError(f"this place already holds others ({differ}): {_EMPTY_ONE}")
        if differ:
            raise StorageError(
                f"{differ}: not the same rows there and here: stop what writes to either place, "
                "then move into an empty one"
            )
        identity = source.dense.identity()
        if identity is not None:
            target.dense.use(identity, source.dense.dimension())
        into.finish()
    return counts, hashlib.sha256(repr(whole).encode()).hexdigest()


def _copy_documents(source: Engine, target: Engine, users: Collection[str]) -> tuple[str, ...]:
    """Write the documents that are not there yet; why some cannot be read."""
    left_out = list[str]()
    for user_id in users:
        there, here = source.documents_of(user_id), target.documents_of(user_id)
        here.initialise(skeleton=False)
        with here.lock():
            known = _texts(here)
            for path in there.stamps():
                if known.get(path, "") not in ("", SKELETONS.get(path)):
                    continue
                try:
                    found = there.read(path)
                except DocumentError as error:
                    left_out.append(str(error))
                    continue
                if found is not None:
                    here.write(path, found.text)
    return tuple(left_out)


def _checked(target: Engine, users: Collection[str], checksum: str) -> tuple[int, str]:
    """How many documents the users have there, and a checksum over them and the rows'."""
    texts = [(one, _texts(target.documents_of(one))) for one in sorted(users)]
    whole = hashlib.sha256(repr((checksum, texts)).encode()).hexdigest()
    return sum(len(found) for _, found in texts), whole


def _texts(documents: DocumentStore) -> dict[str, str]:
    read = map(documents.read, sorted(documents.stamps()))
    return {one.path: one.text for one in read if one is not None}


@contextmanager
def _unpacked(path: Path) -> Iterator[Path]:
    """A folder that has all parts of a backup, each as it was written."""
    with _folder_beside(path, "read") as folder:
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
        except Exception as error:  # whatever a damaged zip makes its reader raise
            if isinstance(error, OSError) and error.errno != errno.EINVAL:
                raise
            raise ImportFormatError(
                f"{path}: is no backup of chatmem, or damaged ({error}): take another copy of it; "
                "nothing was changed"
            ) from error
        yield folder


@contextmanager
def _folder_beside(path: Path, what: str) -> Iterator[Path]:
    """A folder beside the file, where possible; what a killed process left goes too."""
    try:
        for left in path.parent.glob(f".{glob.escape(path.name)}.*{TEMPORARY}"):
            shutil.rmtree(left)
        parent = path.parent if os.access(path.parent, os.W_OK) else None
        with TemporaryDirectory(TEMPORARY, f".{path.name}.", parent) as folder:
            yield Path(folder)
    except OSError as error:
        if isinstance(error, StorageError):
            raise
        raise StorageError(f"{path}: cannot be {what} ({error.strerror or error})") from error


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
