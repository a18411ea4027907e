"""Transfer a whole memory from one place to another: every user, message, memory, document and key.

A move that was interrupted goes on where it stopped. At its end both sides are compared: by counts,
and by a checksum over every row and document.

Source: interfaces.md (`chatmem migrate`); decisions 2.
"""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from chatmem.engine.factory import open_engine
from chatmem.engine.space import SpacePart
from chatmem.engine.state import Engine
from chatmem.errors import InvalidInputError, StorageError
from chatmem.storage.documents.ports import DocumentStore
from chatmem.storage.tables.store import Store
from chatmem.storage.tables.transfer import PAGE_ROWS, TABLES, Transfer
from chatmem.storage.values import Owner

Progress = Callable[[int, int], None]


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

        `place` is a folder or a `postgresql://` address with nothing in it yet, or one into which
        a move from here was interrupted. Nobody may write to either meanwhile; this place stays
        as it is. `progress` gets the rows done and the rows in all.

        Raises:
            InvalidInputError: something is kept there already.
            StorageError: the two differ at the end, or one of them cannot be used.
        """
        self._documents.fold_in()
        source = self._engine
        target = open_engine(place, source.obey_settings(), source.embedder)
        try:
            return _move(source, target, progress)
        finally:
            target.store.close()


def _move(source: Engine, target: Engine, progress: Progress | None) -> MoveReport:
    _begin(str(source.store.facts()["database"]), target.store.transfer)
    counts = copy_rows(source.store, target.store, progress=progress)
    documents = _move_documents(source, target)
    target.store.reindex()
    target.store.pack()
    checksum = _compared(source, target)
    target.store.transfer.finish()
    if progress is not None:
        total = sum(counts.values())
        progress(total, total)
    return MoveReport(counts, documents, checksum)


def copy_rows(
    source: Store, target: Store, owner: Owner | None = None, progress: Progress | None = None
) -> dict[str, int]:
    """Bring the rows of every table, or of one owner, into another store; how many, by table.

    What is there already stays as it is. A move that was begun goes on behind what it has brought.
    """
    origin, into = source.transfer, target.transfer
    counts = {table: origin.count(table, owner) for table in TABLES}
    total, done = sum(counts.values()), 0
    goes_on = into.begun() is not None
    for table in TABLES:
        after = into.last(table) if goes_on else None
        for page in origin.pages(table, PAGE_ROWS, after, owner):
            with target.transaction():
                into.put(table, page)
            done += len(page)
            if progress is not None:
                progress(min(done, total), total)
    identity = source.dense.identity()
    if identity is not None:
        target.dense.use(identity, source.dense.dimension())
    return counts


def differing(source: Store, target: Store, owner: Owner | None = None) -> tuple[str, list[str]]:
    """A checksum over all rows of the source, or of one owner, and the tables that differ."""
    tables = list(TABLES)
    here = [source.transfer.checksum(table, owner) for table in tables]
    there = [target.transfer.checksum(table) for table in tables]
    whole = hashlib.sha256(repr(here).encode()).hexdigest()
    return whole, [one for one, a, b in zip(tables, here, there, strict=True) if a != b]


def _begin(origin: str, into: Transfer) -> None:
    begun = into.begun()
    if begun is None:
        if not into.is_empty():
            raise InvalidInputError(
                "to: this place already holds memories; choose an empty folder or database"
            )
        into.begin(origin)
    elif begun != origin:
        raise InvalidInputError(
            f"to: a move from {begun} was begun into this place; finish that one, or choose an "
            "empty folder or database"
        )


def _move_documents(source: Engine, target: Engine) -> int:
    """How many documents were written; the next to open one looks at it anew."""
    count = 0
    for user_id in source.store.users():
        there, here = source.documents_of(user_id), target.documents_of(user_id)
        here.initialise(skeleton=False)
        with here.lock():
            for path, text in _texts(there).items():
                here.write(path, text)
                count += 1
    return count


def _texts(documents: DocumentStore) -> dict[str, str]:
    read = map(documents.read, sorted(documents.stamps()))
    return {one.path: one.text for one in read if one is not None}


def _compared(source: Engine, target: Engine) -> str:
    """The checksum of both sides; raises StorageError where they differ."""
    stop = "stop what writes to either place, then move into an empty one"
    checksum, tables = differing(source.store, target.store)
    if tables:
        raise StorageError(f"{', '.join(tables)}: rows there and here are not the same; {stop}")
    whole = hashlib.sha256(checksum.encode())
    for user_id in source.store.users():
        texts, others = (_texts(one.documents_of(user_id)) for one in (source, target))
        if texts != others:
            differ = sorted(path for path in texts if texts[path] != others.get(path))
            names = ", ".join(differ) or "more here"
            raise StorageError(f"documents of {user_id} differ ({names}); {stop}")
        whole.update(repr(sorted(texts.items())).encode())
    return whole.hexdigest()
