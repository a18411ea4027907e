"""The SQLite store: one file, opened, migrated and checked."""

import os
import shutil
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import apsw

from chatmem.errors import DatabaseError
from chatmem.model import Missing
from chatmem.storage.documents.folder import LOCK_FILE, DocumentFolder, flush_folder, user_documents
from chatmem.storage.documents.places import USERS
from chatmem.storage.sqlite.cipher import address, search_files, wipe
from chatmem.storage.sqlite.database import SqliteDatabase
from chatmem.storage.sqlite.migrate import NEWEST, migrate
from chatmem.storage.tables.database import Bindings, Row, to_record
from chatmem.storage.tables.dense import DenseIndex
from chatmem.storage.tables.lexical import LexicalIndex
from chatmem.storage.tables.owners import key_range, row_id
from chatmem.storage.tables.packed_index import PACK_EVERY, PackedIndex
from chatmem.storage.tables.people import DocumentRows
from chatmem.storage.tables.store import PURGE_WAIT_S, Store
from chatmem.storage.values import LONG_CHARS, WHOLE, IndexEntry, Owner, Trace, TraceKind

_REINDEX = "run `chatmem reindex`"
_PURGE_STEP_S = 0.01
MANY = 100
GATHER, MOST_GATHERED = 64, 1_024
"""So many new rows are entered in FTS5 at once; so many wait until who writes has to do it."""
MOST_READ = 512
"""Twice the rows that gather before they are packed."""
_ALONE = "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE; COMMIT"
"""Keeps everybody else out, in other threads and processes."""


class SqliteStore(Store):
    """Everything that is kept, in one SQLite file."""

    _db: SqliteDatabase
    database: SqliteDatabase
    lexical: "SqliteLexicalIndex"
    _put_off = 0
    """How often a purge could not be done at once."""

    def __init__(
        self,
        path: Path,
        *,
        key: str | None = None,
        extensions: bool = True,
        full_text: bool = True,
        pack_every: int = PACK_EVERY,
    ) -> None:
        """Open the file, or make it, as `SqliteDatabase` does, which raises the same.

        Without `extensions` there is no vector search, without `full_text` no FTS5, as on a SQLite
        that has neither.
        """
        self.path = path
        database = SqliteDatabase(path, key=key, extensions=extensions, full_text=full_text)
        self.encrypted = key is not None
        packed = PackedIndex(database)
        dense = DenseIndex(database, packed)
        lexical = SqliteLexicalIndex(database, packed)
        super().__init__(database, packed, lexical, dense, pack_every)
        try:
            self._prepare()
            self.purge_due = database.row("index.purge_mark") is not None
        except BaseException:
            self._db.close()
            raise

    def reindex(self) -> int:
        """Make terms, codes and packed blocks again from the rows, all in one transaction."""
        with self._db.transaction():
            self.lexical.make()
            self.dense.clear_codes()
            return super().reindex()

    def erase(self, owner: Owner) -> int:
        """As `Store.erase`; FTS5, which takes 3 ms a row, writes its index anew without many."""
        many = not self.lexical.missing() and self.transfer.count("atomic_memory", owner) > MANY
        if many:
            self._db.run("index.secure_full_text", secure=0)
        rows = super().erase(owner)
        if many:
            self._db.run("index.merge_full_text")
            self._db.run("index.secure_full_text", secure=1)
        return rows

    def purge(self, wait_s: float = PURGE_WAIT_S) -> bool:
        """True when neither the write-ahead log nor unused parts of pages hold deleted text.

        Another's open snapshot or transaction keeps it, and so does the caller's own: then the
        purge is due, and a mark that outlives this process says so. No lock is held meanwhile.
        """
        until, done = time.monotonic() + wait_s, False
        was_due, put_off = self.purge_due, self._put_off
        while not self._db.writing:
            with suppress(DatabaseError):  # what was deleted is, all the same
                done = self._db.checkpoint() if self.encrypted else self._db.clear_unused()
            if done or time.monotonic() >= until:
                break
            time.sleep(_PURGE_STEP_S)
        self._put_off += not done
        self.purge_due = self._put_off > put_off  # also what was deleted meanwhile
        if self.purge_due or was_due:
            with suppress(DatabaseError), self._db.at_once(), self._db.transaction():
                self._db.run("index.mark_purge" if self.purge_due else "index.unmark_purge")
        return done

    def close(self) -> None:
        """Let go of every connection; a purge that is due is tried once more."""
        with suppress(DatabaseError):
            if keys := self.lexical.gathered:
                with self._db.transaction():
                    self.lexical.enter_whole(keys)
            if self.purge_due:
                self.purge()
        super().close()

    def search(self, traces: Sequence[Trace]) -> Mapping[str, set[TraceKind]]:
        """Every file of the data folder: database, logs, documents, what was left beside them.

        Folders of users are one place: their names are nobody else's business. Of an encrypted
        database it is every column, in place of its files.
        """
        files, found = search_files(self.path.parent, traces), dict[str, set[TraceKind]]()
        if self.encrypted:
            found = dict(super().search(traces))
            for one in ("", "-wal"):
                files.pop(f"{self.path.name}{one}", None)
        for place, held in files.items():
            above, users, _ = place.partition(f"/{USERS}/")
            found.setdefault(above + users, set()).update(held)
        return found

    def facts(self) -> Mapping[str, Any]:
        """Path, versions, sizes."""
        files = self.path, self.path.with_name(f"{self.path.name}-wal")
        return {
            **super().facts(),
            "database_bytes": sum(one.stat().st_size for one in files if one.exists()),
            "backend": f"SQLite {apsw.sqlite_lib_version()}" + ", encrypted" * self.encrypted,
            "schema_version": self._db.execute("PRAGMA user_version")[0][0],
        }

    def check(self) -> list[str]:
        """Damage found by SQLite's and FTS5's own integrity checks, a sentence each."""
        try:
            found = [f"{self.path}: {one}" for one in self._db.integrity() if one != "ok"]
        except DatabaseError as error:
            found = [str(error)]
        return found + super().check()

    def pack(self, pause: Callable[[], object] = object) -> int:
        """As `Store.pack`, and FTS5 has what has gathered, and the file what the log holds."""
        while len(keys := self.lexical.gathered[:GATHER]) == GATHER:
            self._db.rows("index.read_contents", keys=keys)
            with self._db.transaction():
                self.lexical.enter_whole(keys)
        done = super().pack(pause)
        with suppress(DatabaseError):  # this thread reads one
            self._db.execute("PRAGMA wal_checkpoint(PASSIVE)")
        return done

    def _pack(self, owner: Owner, first: int, end: int) -> int:
        self.lexical.enter_whole(range(row_id(owner, first), row_id(owner, end)))
        return super()._pack(owner, first, end)

    def _prepare(self) -> None:
        """Migrate and complete the indexes in one transaction, if there is anything to do.

        Else whoever opens the file would wait for whoever writes to it.
        """
        if self._db.writer.pragma("user_version") == NEWEST and self.lexical.is_made():
            return
        with self._db.transaction():
            upgraded = migrate(self._db.writer, self.path)
            has_rows = bool(self._db.value("index.has_rows"))
            self.lexical.prepare(has_rows=has_rows and not upgraded)
            if not upgraded:
                return
            for row in self._db.rows("index.unindexed"):
                record = to_record(row)
                owner = self.owners.owner(record.user_id)
                # A turn's speaker is its role, as far as older versions know.
                self.memories.enter(owner, [(row[0], record, record.role)])


class SqliteLexicalIndex(LexicalIndex):
    """The table `memory_fts`: the tokens of every row, and which rows hold a term.

    Where it is damaged, or rows were written while FTS5 was missing, a mark in `index_identity`
    says so: writing goes on, tokens are made again from what the rows say, `LIKE` finds a term in
    them, and `chatmem reindex` makes the table again.
    """

    _db: SqliteDatabase
    later_below = LONG_CHARS
    gathered: tuple[int, ...] = ()

    def prepare(self, *, has_rows: bool) -> None:
        """Make the table where it is missing; rows that it should hold already leave a mark."""
        if self.is_made():
            return
        self.make()
        if has_rows:
            self._db.run("index.mark_full_text", why="it was missing and has been made empty")

    def is_made(self) -> bool:
        """True where the table is there, or cannot be."""
        return bool(self._db.no_full_text or self._db.row("index.has_full_text"))

    def make(self) -> None:
        """Make the table anew and empty, without a mark."""
        if self._db.no_full_text:
            return
        for step in ("drop", "create", "unmark"):
            self._db.run(f"index.{step}_full_text")
        self._db.run("index.secure_full_text", secure=1)
        self._db.full_text_damage = None

    def enter(self, owner: Owner, rows: Sequence[Bindings]) -> None:
        """Enter new rows; in FTS5, and what reading finds, only when many have gathered.

        Until then that is made of their contents, as of those of a process that was killed.
        """
        super().enter(owner, rows)
        self.gathered += tuple([row["row_id"] for row in rows])
        if len(self.gathered) >= MOST_GATHERED:
            self.enter_whole(self.gathered[:GATHER])

    def enter_whole(self, keys: Iterable[int]) -> None:
        """Enter what waits of these rows; in a transaction."""
        entered = frozenset(keys)
        self.gathered = tuple(key for key in self.gathered if key not in entered)
        self._write("enter_tokens", None, keys=entered)
        self._db.run("index.enter_facts", keys=entered)

    def put(self, owner: Owner, key: int, entry: IndexEntry) -> None:
        """Write the row's tokens, `length` and `flags` over those that stand there."""
        self._write("delete_tokens", owner, row_id=key)
        self._write("insert_tokens", owner, row_id=key, tokens=" ".join(entry.tokens))
        super().put(owner, key, entry)

    def remove(self, owner: Owner, row: int) -> None:
        """Take the row out, its tokens from every page of the file."""
        super().remove(owner, row)
        self._write("delete_tokens", owner, row_id=row_id(owner, row))

    def missing(self) -> tuple[Missing, ...]:
        """Why `LIKE` is used; empty where FTS5 serves."""
        why, cure = self._db.no_full_text, ""
        if why is None and (why := self._marked()):
            cure = f": {_REINDEX}"
        return (Missing("full_text", f"FTS5: {why}; LIKE is used instead{cure}"),) if why else ()

    def check(self) -> list[str]:
        """What is wrong with the table, a sentence each."""
        if self._db.no_full_text:
            return []
        if (why := self._marked()) is None:
            with self._db.transaction():
                if self._tried("check_full_text") is None:
                    why = self._db.full_text_damage
                elif missing := self._db.value("index.count_without_tokens"):
                    why = f"{missing} rows are not in it"
        told = f"{self._db.path}: the full-text index cannot be used ({why}): {_REINDEX}"
        return [told] if why else []

    def _tokens_of(self, owner: Owner, keys: Sequence[int]) -> list[Row]:
        found = None if self.missing() else self._tried("tokens_of", owner, keys=keys)
        return self._db.rows("index.contents_of", owner, keys=keys) if found is None else found

    def _newest(
        self, owner: Owner, first: int, terms: Sequence[str], prefixes: Sequence[str]
    ) -> tuple[list[Row], bool]:
        """Keys and tokens of the rows from `first` on; of very many, only those that match.

        To read some hundred rows whole takes a quarter of what FTS5 takes to match them.
        """
        between = {**key_range(owner, first), "limit": MOST_READ + 1}
        found = None if self.missing() else self._tried("newest", owner, **between)
        if found is not None and len(found) <= MOST_READ:
            return found, True
        if found is not None:
            beginnings = [f'"{one}" * OR "{WHOLE}{one}" *' for one in prefixes]
            query = " OR ".join([*(f'"{term}"' for term in terms), *beginnings])
            found = self._tried("match", owner, **between, query=query)
        if found is None:
            found = self._db.rows("index.like", owner, **between, asked=[*terms, *prefixes])
        return found, False

    def _write(self, name: str, owner: Owner | None, **bindings: object) -> None:
        """Do it, or leave a mark that the table lacks it."""
        why = "rows were written while FTS5 was missing" if self._db.no_full_text else None
        if why is None and self._db.full_text_damage is None:
            self._tried(name, owner, **bindings)
        if why := why or self._db.full_text_damage:
            self._db.run("index.mark_full_text", why=why)

    def _tried(self, name: str, owner: Owner | None = None, **bindings: object) -> list[Row] | None:
        """The statement's rows; None where FTS5 rejects a query, or the table is damaged."""
        try:
            return self._db.rows(f"index.{name}", owner, **bindings)
        except DatabaseError as error:
            cause = error.__cause__
            if not isinstance(cause, apsw.SQLError | apsw.CorruptError):
                raise
            if name != "match" or isinstance(cause, apsw.CorruptError):
                self._db.full_text_damage = str(cause)
            return None

    def _marked(self) -> str | None:
        known: dict[str, str] = dict(self._db.rows("vectors.identities"))
        return known.get("full_text", self._db.full_text_damage)


def convert(path: Path, root: Path, key: str | None, wanted: str | None) -> list[Path]:
    """Encrypt a database with another key, or make it plain without one, documents too.

    Those of a plain one are files below `root`, of an encrypted one rows. A copy takes its place in
    one step: killed at any moment it is what it was or what it was to be, and the same call
    finishes. What comes back are files that are left plain: they say something else than the rows,
    are links, or nobody's.

    Raises:
        OSError: somebody else has it open, the disk is full, the copy is damaged (StorageError), a
            file cannot be written. Nothing is lost.
    """
    path = path.resolve()
    new, old = (path.with_name(f"{path.name}.{ending}") for ending in ("new", "old"))
    with closing(SqliteDatabase(path, key=key)) as source, source.errors():
        source.writer.execute(_ALONE).fetchall()
        for part in (old, *path.parent.glob(f"{new.name}*")):  # of one that was killed
            wipe(part)
        if key != wanted:
            new.touch(0o600)
            source.writer.execute("VACUUM INTO ?", (address(new, wanted),))
            _move_documents(new, root, key, wanted)
            _replace(path, new, old, source)
    if wanted is None:
        return []
    with closing(SqliteStore(path, key=wanted)) as store:
        for files, rows in _documents(store, root):
            for one in filter(None, map(files.read, files.stamps())):
                file, row = files.root / one.path, rows.read(one.path)
                if row and row.text == one.text and not file.is_symlink():
                    wipe(file)
    left = sorted(one for one in root.rglob("*") if not one.is_dir() and one.name != LOCK_FILE)
    if not left:  # names of folders are names of users
        shutil.rmtree(root, ignore_errors=True)
    return left


def _documents(store: SqliteStore, root: Path) -> Iterator[tuple[DocumentFolder, DocumentRows]]:
    """Of every user."""
    for user_id in store.users():
        yield user_documents(root, user_id), DocumentRows(store.database, user_id)


def _move_documents(new: Path, root: Path, key: str | None, wanted: str | None) -> None:
    """Between files and rows of the copy, which is closed then."""
    with closing(SqliteStore(new, key=wanted)) as copy:
        for files, rows in _documents(copy, root) if None in (key, wanted) else ():
            source, target = (files, rows) if key is None else (rows, files)
            target.initialise(skeleton=False)
            for one in filter(None, map(source.read, source.stamps())):
                target.write(one.path, one.text)
            if wanted is None:
                rows.erase()
        if damage := copy.check():
            raise DatabaseError(f"{damage[0]}; nothing was changed")
    if new.with_name(f"{new.name}-wal").exists():
        raise DatabaseError(f"{new} was not closed to its end: try again")


def _replace(path: Path, new: Path, old: Path, source: SqliteDatabase) -> None:
    """Put the copy in the file's place, and wipe that file: who waits to open it finds nothing."""
    shutil.copymode(path, new)
    with new.open("r+b") as copied:
        os.fsync(copied.fileno())
    with suppress(OSError):  # some file systems have no second names
        os.link(path, old)
    if os.name == "nt":
        source.close()  # no open file can be replaced there
    os.replace(new, path)
    flush_folder(path.parent)
    wipe(old)
