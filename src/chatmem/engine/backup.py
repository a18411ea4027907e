"""A whole place, or all of one user, in one file: written from one snapshot, verified, restored.

The file is a zip. `rows/TABLE.jsonl` has a row a line, a list in the order of the columns;
`documents/USER/PATH` is Markdown as it stands; `manifest.json` names the columns, and says how many
rows each part has, its SHA-256, and one digest over all of them.

Documents are read behind the snapshot. What was written meanwhile is thus in them and not in the
rows, and what was forgotten in the rows and not in them: whoever opens the restored place first
folds that in, as a person's edit.
"""

import base64
import hashlib
import json
import os
import secrets
import struct
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import IO, Any, Final
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile

from chatmem.engine.documents.documents import MemoryDocuments
from chatmem.engine.state import Engine
from chatmem.errors import BackupError, DocumentError, StorageError
from chatmem.model.time import to_text, utc_now
from chatmem.storage.documents.folder import TEMPORARY
from chatmem.storage.documents.places import folder_name, holds_memories
from chatmem.storage.tables.transfer import INDEXES, TABLES, columns
from chatmem.storage.values import MovedRow, Owner

FORMAT: Final = "chatmem backup 1"
Progress = Callable[[int, int], None]
_MANIFEST: Final = "manifest.json"
_PAGE_ROWS: Final = 1_000
_BYTES: Final = "base64"
_CHUNK: Final = 1 << 20
_COMPARED: Final = ("atomic_memory", "conversation", "circle", "api_key", "setting")
"""Rows that nobody may lose: a place that has others is not replaced by a backup."""
_BROKEN: Final = (
    *(BadZipFile, zlib.error, EOFError, struct.error),
    *(LookupError, ValueError, TypeError, NotImplementedError, RuntimeError, OSError),
)
"""What reading a damaged zip raises, or JSON of another shape."""


@dataclass(frozen=True, slots=True)
class BackupReport:
    """What a backup holds: rows by table, documents, and the digest over all of them.

    `left_out` says of documents that could not be read why; their memories are among the rows.
    """

    rows: Mapping[str, int]
    documents: int
    digest: str
    left_out: tuple[str, ...] = ()


@dataclass(slots=True)
class _Writing:
    """A zip that is being written, and what is known of its parts."""

    zip: ZipFile
    parts: dict[str, dict[str, Any]] = field(default_factory=dict)

    def put(self, name: str, lines: Iterator[bytes]) -> None:
        """Add a part."""
        found, count = hashlib.sha256(), 0
        with self.zip.open(name, "w", force_zip64=True) as part:
            for line in lines:
                part.write(line)
                found.update(line)
                count += 1
        self.parts[name] = {"lines": count, "sha256": found.hexdigest()}


def write_file(
    engine: Engine, path: Path, owner: Owner | None = None, progress: Progress | None = None
) -> BackupReport:
    """Write what `write_archive` writes into a file that only its owner can read.

    It is read again before it takes the place of an older one: one that stands there is whole.

    Raises:
        StorageError: it cannot be written.
    """
    partial = path.with_name(f".{path.name}.{secrets.token_hex(6)}{TEMPORARY}")
    try:
        for left in path.parent.glob(f".{path.name}.*{TEMPORARY}"):
            left.unlink(missing_ok=True)  # of one that was killed
        descriptor = os.open(partial, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            report = write_archive(engine, file, owner, progress)
            file.flush()
            os.fsync(file.fileno())
        Archive(partial)
        os.replace(partial, path)
    except OSError as error:
        reason = error.strerror or str(error)
        raise StorageError(f"{path}: the backup cannot be written ({reason})") from error
    finally:
        partial.unlink(missing_ok=True)
    return report


def write_archive(
    engine: Engine, file: IO[bytes], owner: Owner | None = None, progress: Progress | None = None
) -> BackupReport:
    """Write everything of everybody, or of one owner what a person has a use for.

    Others may write meanwhile.
    """
    store, transfer = engine.store, engine.store.transfer
    engine.accesses.flush(store)
    with ZipFile(file, "w", ZIP_DEFLATED) as packed:
        writing = _Writing(packed)
        with store.snapshot():
            tables = list(TABLES) if owner is None else _tables_of_user(transfer.owned())
            embedder = (store.dense.identity(), store.dense.dimension())
            users = store.users() if owner is None else [owner.user_id]
            total, done = sum(map(transfer.count, tables)), 0
            for table in tables:
                pages = transfer.pages(table, _PAGE_ROWS, owner=owner)
                writing.put(_rows_of(table), (_line(row) for page in pages for row in page))
                done += transfer.count(table)
                if progress is not None:
                    progress(done, total)
        places, left_out = _put_documents(engine, writing, users)
        manifest: dict[str, Any] = {
            "format": FORMAT,
            "user": None if owner is None else owner.user_id,
            "embedder": embedder,
            "columns": {table: columns(table) for table in tables},
            "documents": places,
            "parts": writing.parts,
        }
        manifest |= {"digest": _digest(manifest), "created_at": to_text(utc_now())}
        packed.writestr(_MANIFEST, json.dumps(manifest, ensure_ascii=False, indent=1))
    return _report(manifest, left_out)


def _tables_of_user(owned: Mapping[str, str]) -> list[str]:
    """Those of one user's rows, and of the circles that the user is in."""
    return [one for one in TABLES if (one in owned and one not in INDEXES) or one == "circle"]


def _put_documents(
    engine: Engine, writing: _Writing, users: list[str]
) -> tuple[list[tuple[str, str, str]], list[str]]:
    """Whose each document is, its path and its part; and why some could not be read."""
    places, left_out = list[tuple[str, str, str]](), list[str]()
    for user_id in users:
        documents = engine.documents_of(user_id)
        for path in sorted(documents.stamps()):
            try:
                found = documents.read(path)
            except DocumentError as error:
                left_out.append(str(error))
                continue
            if found is not None:
                name = f"documents/{folder_name(user_id)}/{path}"
                writing.put(name, iter([found.text.encode()]))
                places.append((user_id, path, name))
    return places, left_out


class Archive:
    """A file that `write_archive` wrote; `manifest` says what is in it.

    All of it is read, and compared with the digest, when it is opened.

    Raises:
        BackupError: it is none, or damaged, or of a version of chatmem with other tables.
        StorageError: it cannot be read.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        with self._opened() as packed:
            self.manifest: Mapping[str, Any] = json.loads(packed.read(_MANIFEST))
            parts = self.manifest["parts"]
            if self.manifest["format"] != FORMAT:
                raise ValueError(f"this chatmem reads {FORMAT!r}")
            if _digest(self.manifest) != self.manifest["digest"] or (
                {_MANIFEST, *parts} != set(packed.namelist())
            ):
                raise ValueError("its parts are not those that were written")
            for name, part in parts.items():
                found = hashlib.sha256()
                with packed.open(name) as stream:
                    while chunk := stream.read(_CHUNK):
                        found.update(chunk)
                if found.hexdigest() != part["sha256"]:
                    raise ValueError(f"{name} is not what was written")
        written = self.manifest["columns"]
        if written != {table: columns(table) for table in TABLES if table in written}:
            raise BackupError(
                f"{path}: was written by a chatmem with other tables than this: restore it with "
                "that version, then open the place with this one; nothing was changed"
            )

    def lines(self, table: str) -> Iterator[bytes]:
        """The rows of a table as they were written, each with its line end."""
        with self._opened() as packed, packed.open(_rows_of(table)) as stream:
            yield from stream

    def pages(self, table: str) -> Iterator[list[MovedRow]]:
        """The rows of a table, some at a time."""
        lines = self.lines(table)
        while page := [_row(line) for line in islice(lines, _PAGE_ROWS)]:
            yield page

    def texts(self) -> dict[str, dict[str, str]]:
        """By user the documents, by path."""
        found: dict[str, dict[str, str]] = {}
        with self._opened() as packed:
            for user_id, path, name in self.manifest["documents"]:
                found.setdefault(user_id, {})[path] = packed.read(name).decode()
        return found

    @contextmanager
    def _opened(self) -> Iterator[ZipFile]:
        try:
            file = self.path.open("rb")
        except OSError as error:
            raise StorageError(f"{self.path}: cannot be read ({error.strerror})") from error
        try:
            with file, ZipFile(file) as packed:
                yield packed
        except _BROKEN as error:
            raise BackupError(
                f"{self.path}: is no backup of chatmem, or damaged ({error}): take another copy of "
                "it; nothing was changed"
            ) from error


def restore_backup(engine: Engine, path: Path, progress: Progress | None = None) -> BackupReport:
    """Make the place what it was when the backup was written; what it holds has to be in there.

    Rows and indexes come in one transaction, documents behind it: where that was interrupted, the
    same again completes it. Nobody else may have the place open meanwhile.

    Raises:
        BackupError: the file, as `Archive` says, or the place holds what is not in it; nothing was
            changed.
        StorageError: the file cannot be read, or the place not written.
    """
    archive = Archive(path)
    store, transfer, report = engine.store, engine.store.transfer, _report(archive.manifest)
    if archive.manifest["user"] is not None:
        raise BackupError(f"{path}: is what one user has, no backup of a place")
    texts = archive.texts()
    _fold_in(engine)
    total, done = sum(report.rows.values()), 0
    with store.transaction():
        _refuse_others(engine, archive, texts)
        passed = transfer.clear()
        for table in report.rows:
            for page in archive.pages(table):
                transfer.put(table, page)
                done += len(page)
                if progress is not None:
                    progress(done, total)
            if transfer.count(table) != report.rows[table]:
                raise StorageError(f"{table}: not all rows of {path} fit in; nothing was changed")
        identity, dimension = archive.manifest["embedder"]
        if identity is not None:
            store.dense.use(identity, dimension)
        transfer.finish(passed)
        store.reindex()
        store.pack()
    for user_id in store.users():
        _write_documents(engine, user_id, texts.get(user_id, {}))
    return report


def _fold_in(engine: Engine) -> None:
    """Bring into the rows what people have changed in documents of the place."""
    for owner in engine.store.owners.everybody():
        documents = MemoryDocuments(engine, owner, engine.documents_of(owner.user_id))
        documents.folder.initialise(skeleton=False)
        documents.fold_in()


def _refuse_others(
    engine: Engine, archive: Archive, texts: Mapping[str, Mapping[str, str]]
) -> None:
    """Raise BackupError where the place holds what the backup has not."""
    transfer, others = engine.store.transfer, 0
    for table in _COMPARED:
        if transfer.count(table):
            known = {_mark(line) for line in archive.lines(table)}
            pages = transfer.pages(table, _PAGE_ROWS)
            others += sum(_mark(_line(row)) not in known for page in pages for row in page)
    for user_id in engine.store.users():
        documents, kept = engine.documents_of(user_id), texts.get(user_id, {})
        for profile in (one for one in documents.stamps() if not holds_memories(one)):
            with suppress(DocumentError):  # what cannot be read is lost already
                found = documents.read(profile)
                others += bool(found and found.text.strip() and found.text != kept.get(profile))
    if others:
        raise BackupError(
            f"{archive.path}: this place holds {others} memories, messages, circles, keys, "
            "settings or profiles that are not so in this backup: restore it into an empty folder "
            "or database; nothing was changed"
        )


def _write_documents(engine: Engine, user_id: str, texts: Mapping[str, str]) -> None:
    """Make a user's documents these; they are looked at when the user is opened."""
    documents = engine.documents_of(user_id)
    documents.initialise(skeleton=False)
    with documents.lock():
        for path in documents.stamps():
            if path not in texts:
                documents.remove(path)
        for path, text in texts.items():
            documents.write(path, text)


def _digest(manifest: Mapping[str, Any]) -> str:
    """SHA-256 over all that a restored place is made from, in hexadecimal digits."""
    names = ("format", "user", "embedder", "columns", "documents", "parts")
    made_from = json.dumps({name: manifest[name] for name in names}, sort_keys=True)
    return hashlib.sha256(made_from.encode()).hexdigest()


def _report(manifest: Mapping[str, Any], left_out: Sequence[str] = ()) -> BackupReport:
    parts, tables = manifest["parts"], manifest["columns"]
    rows = {table: parts[_rows_of(table)]["lines"] for table in tables}
    return BackupReport(rows, len(manifest["documents"]), manifest["digest"], tuple(left_out))


def _rows_of(table: str) -> str:
    return f"rows/{table}.jsonl"


def _line(row: MovedRow) -> bytes:
    return json.dumps(row, ensure_ascii=False, default=_encoded).encode() + b"\n"


def _encoded(value: bytes) -> dict[str, str]:
    return {_BYTES: base64.b64encode(value).decode()}


def _row(line: bytes) -> MovedRow:
    return tuple(
        base64.b64decode(one[_BYTES]) if isinstance(one, dict) else one for one in json.loads(line)
    )


def _mark(line: bytes) -> bytes:
    return hashlib.blake2b(line, digest_size=16).digest()
