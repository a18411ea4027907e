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
from chatmem.storage.tables.transfer import TABLES, Transfer

PAGE_ROWS = 1_000
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class MoveReport:
    """What was moved: rows by table, and documents; `checksum` is over all of them."""

    rows: dict[str, int]
    documents: int
    checksum: str


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
    origin, into = source.store.transfer, target.store.transfer
    _begin(str(source.store.facts()["database"]), into)
    counts = {table: origin.count(table) for table in TABLES}
    total = sum(counts.values())
    done = 0
    for table in TABLES:
        for page in origin.pages(table, PAGE_ROWS, into.last(table)):
            with target.store.transaction():
                into.put(table, page)
            done += len(page)
            if progress is not None:
                progress(min(done, total), total)
    documents = _move_documents(source, target)
    identity = source.store.dense.identity()
    if identity is not None:
        target.store.dense.use(identity, source.store.dense.dimension())
    target.store.reindex()
    target.store.pack()
    checksum = _compared(source, target, counts)
    into.finish()
    if progress is not None:
        progress(total, total)
    return MoveReport(counts, documents, checksum)


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


def _compared(source: Engine, target: Engine, counts: dict[str, int]) -> str:
    """The checksum of both sides; raises StorageError where they differ."""
    stop = "stop what writes to either place, then move into an empty one"
    whole = hashlib.sha256()
    for table, count in counts.items():
        here, there = (_checksum(one.store.transfer, table) for one in (source, target))
        moved = target.store.transfer.count(table)
        if here != there or moved != count:
            raise StorageError(
                f"{table}: {count} rows there, {moved} here, and they are not the same; {stop}"
            )
        whole.update(here)
    for user_id in source.store.users():
        texts, others = (_texts(one.documents_of(user_id)) for one in (source, target))
        if texts != others:
            differing = sorted(path for path in texts if texts[path] != others.get(path))
            names = ", ".join(differing) or "more here"
            raise StorageError(f"documents of {user_id} differ ({names}); {stop}")
        whole.update(repr(sorted(texts.items())).encode())
    return whole.hexdigest()


def _checksum(transfer: Transfer, table: str) -> bytes:
    found = hashlib.sha256()
    for page in transfer.pages(table, PAGE_ROWS):
        for row in page:
            found.update(repr(row).encode())
    return found.digest()
