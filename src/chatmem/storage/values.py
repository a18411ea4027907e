"""What goes between the engine and a store: owners, rows, their terms and arrays, messages, jobs.

Rows are counted up from 0 within their owner; arrays of rows hold these numbers. A row's key, which
no other owner's row has, is this number behind that of the owner (`tables/owners.py`). Everything
that writes is called inside `Store.transaction()`. What is done in one transaction, or read in one
snapshot, is done for one user, the first that is named in it, and sees what that user may see.
"""

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, field
from datetime import datetime
from enum import IntFlag
from functools import cached_property, lru_cache
from itertools import chain
from queue import SimpleQueue
from threading import Lock
from typing import Any, Final, Generic, Literal, NamedTuple, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from chatmem.model import Category, MemoryType, WorkingMemory
from chatmem.model.memory import JsonValue
from chatmem.storage.documents.ports import Stamp
from chatmem.text.cues import text_flags
from chatmem.text.languages import stem
from chatmem.text.segment import index_tokens, plain_words, stems

T = TypeVar("T")
Work = TypeVar("Work")
_Number = TypeVar("_Number", np.int64, np.float64)
Rows: TypeAlias = NDArray[np.int64]
Vector: TypeAlias = NDArray[np.float32]
Vectors: TypeAlias = NDArray[np.float32]
MovedRow: TypeAlias = tuple[Any, ...]

ROW_DTYPE = np.dtype(
    [
        ("length", "<u2"),
        ("session", "<i4"),
        ("previous", "<i4"),
        ("speaker", "<i2"),
        ("flags", "u1"),
        ("state", "u1"),
        ("time", "<i8"),
    ]
)
"""What ranking knows of a row: tokens, session number, the row before it in its session (-1: none),
speaker number (-1: none), `TextFlags`, `RowState`, and the time in milliseconds since 1970."""


class RowState(IntFlag):
    """Where a row stands; 0 is a deleted one."""

    LIVE = 1
    LONG_TERM = 2
    SUPERSEDED = 4
    SHARED = 8


BATCH_ITEMS: Final = 50
"""Changes or messages written in one transaction, for which everybody else's writes wait."""
PAUSE_S: Final = 0.001
"""Between two of them: whoever waits for the lock has it before this thread asks again."""
LONG_CHARS: Final = 4_000
_MOST_AT_ONCE_CHARS: Final = 20_000
WHOLE: Final = "="
"""Begins an index term that is a whole word; no word begins so."""


@lru_cache(1 << 15)
def _stems_and_wholes(piece: str) -> tuple[str, ...]:
    """The index terms of one normalised word: its stems, and whole words that are no stems."""
    return stems(piece) + tuple(WHOLE + one for one in plain_words(piece) if stem(one) != one)


def begins(term: str, prefix: str) -> bool:
    """True where an index term stands for a word of which the whole, or the stem, begins so.

    Of the two terms of a word only one counts.
    """
    if not term.startswith(WHOLE):
        return term.startswith(prefix)
    word = term.removeprefix(WHOLE)
    return word.startswith(prefix) and not stem(word).startswith(prefix)


class IndexEntry(NamedTuple):
    """What the index keeps of a text: its tokens in order, and its `TextFlags` as an int."""

    tokens: tuple[str, ...]
    flags: int = 0

    @property
    def length(self) -> int:
        """How many tokens it has; a word and its stem are one."""
        return len(self.tokens) - f" {' '.join(self.tokens)}".count(f" {WHOLE}")


def index_entry(content: str) -> IndexEntry:
    """What the index keeps of a text; who writes asks before the transaction begins."""
    return _short_entry(content) if len(content) < LONG_CHARS else _long_entry(content)


def in_batches(items: Iterable[T], content_of: Callable[[T], str]) -> Iterator[list[T]]:
    """The items in lists of which each is written in some 20 ms, in a transaction of its own.

    A long text ends its list, and has been read for the index then.
    """
    batch = list[T]()
    for one in items:
        batch.append(one)
        content = content_of(one)
        if len(content) >= LONG_CHARS:
            index_entry(content)
        if len(content) >= LONG_CHARS or len(batch) == BATCH_ITEMS:
            yield batch
            batch = []
    if batch:
        yield batch


def _index_entry(content: str) -> IndexEntry:
    tokens, end = list[str](), 0
    while end < len(content):  # in parts: while a pattern looks, Python runs no other thread
        place, most = end, end + _MOST_AT_ONCE_CHARS
        if (end := len(content)) > most:  # between words, where there are any
            end = max(content.rfind(" ", place, most), content.rfind("\n", place, most)) + 1 or most
        tokens += index_tokens(content[place:end], _stems_and_wholes)
    return IndexEntry(tuple(tokens), int(text_flags(content[:_MOST_AT_ONCE_CHARS])))


_short_entry = lru_cache(maxsize=2_048)(_index_entry)
"""Of those that are being written, and of the newest rows, as far as they are in no index yet."""
_long_entry = lru_cache(maxsize=8)(_index_entry)
"""Two of a turn, by four threads."""


@dataclass(slots=True, eq=False, repr=False)
class _Waiting(Generic[Work, T]):
    """Work whose thread waits until it is done, or until nobody does any."""

    work: Work
    results: list[T] = field(default_factory=list)
    turn: SimpleQueue[None] = field(default_factory=SimpleQueue)


class Together(Generic[Work, T]):
    """Work that threads bring while one of them is at work is done all at once by the next one."""

    def __init__(self, lock: Callable[[], AbstractContextManager[object]]) -> None:
        self._lock = lock
        self._leading = Lock()
        self._waiting = deque[_Waiting[Work, T]]()

    def __call__(self, work: Work, do_all: Callable[[Sequence[Work]], Sequence[T]]) -> T:
        """The result of this work, or its error, or that of the lock.

        `do_all` gives the results of several works in their order. Where it raises, each is done by
        itself: what was done before must not be done twice.
        """
        mine: _Waiting[Work, T] = _Waiting(work)
        self._waiting.append(mine)
        while not mine.results:
            if not self._leading.acquire(blocking=False):
                mine.turn.get()
                continue
            try:
                if not mine.results:
                    with self._lock():
                        self._do(mine, do_all)
            finally:
                if not mine.results:  # the lock was not to be had, and nobody shall do it
                    with suppress(ValueError):
                        self._waiting.remove(mine)
                self._leading.release()
                with suppress(IndexError):
                    self._waiting[0].turn.put(None)
        return mine.results[0]

    def _do(self, mine: _Waiting[Work, T], do_all: Callable[[Sequence[Work]], Sequence[T]]) -> None:
        waiting = [self._waiting.popleft() for _ in range(len(self._waiting))]
        for group in [mine, *(one for one in waiting if one is not mine)], [mine]:
            try:
                found = do_all([one.work for one in group])
            except BaseException as error:
                self._waiting.extend(group[1:])
                if len(group) == 1 or not isinstance(error, Exception):
                    raise
            else:
                for one, result in zip(group, found, strict=True):
                    one.results.append(result)
                    one.turn.put(None)
                return


class Owner(NamedTuple):
    """A user, and the number that leads the user's row ids."""

    number: int
    user_id: str


class Postings(NamedTuple):
    """The rows that hold a term, ascending, and how often each does."""

    rows: Rows
    counts: NDArray[np.float64]


NO_POSTINGS = Postings(np.empty(0, np.int64), np.empty(0))


class Occurrences:
    """Where some terms occur: for each of some parts of the rows the postings of every term.

    `frequency` has one entry a term: how many rows hold it.
    """

    def __init__(self, *parts: Sequence[Postings]) -> None:
        self.parts = parts
        self.terms = len(parts[0])
        self._held = np.array([len(one.rows) for one in chain(*parts)], np.int64)
        self.frequency = self._held.reshape(len(parts), -1).sum(axis=0).astype(np.float64)

    def among(self, places: list[int]) -> "Occurrences":
        """Those of the terms at these places, whose places they are from here on."""
        if places == list(range(self.terms)):
            return self
        return Occurrences(*([part[place] for place in places] for part in self.parts))

    @cached_property
    def rows(self) -> Rows:
        """The rows that hold a term, those of one postings after the other."""
        return np.concatenate([NO_POSTINGS.rows, *[one.rows for one in chain(*self.parts)]])

    @cached_property
    def counts(self) -> NDArray[np.float64]:
        """How often each of `rows` holds it."""
        return np.concatenate([NO_POSTINGS.counts, *[one.counts for one in chain(*self.parts)]])

    def spread(self, values: NDArray[_Number]) -> NDArray[_Number]:
        """For each of `rows` the value of its term."""
        return np.repeat(np.concatenate([values] * len(self.parts)), self._held)


class KnownDocument(NamedTuple):
    """A Markdown file as it was when it was last folded in; `held` says why a change was not."""

    path: str
    etag: str
    stamp: Stamp
    held: str | None = None


@dataclass(frozen=True, slots=True)
class Added:
    """How many memories of a type and category were stored within one minute."""

    minute: datetime
    memory_type: MemoryType
    category: Category | None
    count: int


class SharedRows(NamedTuple):
    """Rows of another owner that a viewer may see, ascending, and the category of each.

    `version` is the owner's (`Owners.extent`).
    """

    owner: Owner
    version: int
    rows: Rows
    categories: tuple[Category | None, ...]


@dataclass(frozen=True, slots=True)
class StoredAnswer:
    """What was answered to a write.

    `status` is None while it is being done; `body` then, and when it was let go.
    """

    request: str
    status: int | None
    body: str | None


@dataclass(frozen=True, slots=True)
class StoredMessage:
    """A row of `conversation`. Source: S2.4."""

    id: int
    session_id: str
    role: str
    content: str
    create_time: datetime
    is_collected: bool
    memory_id: str | None
    speaker: str | None = None


@dataclass(frozen=True, slots=True)
class Job:
    """Work for the background: at most one of a kind for a session."""

    number: int
    owner: Owner
    kind: str
    session_id: str
    due_at: datetime
    attempts: int
    asked: int
    """How often it was asked for: work that was asked for again while it was done is not done."""


@dataclass(frozen=True, slots=True)
class Extraction:
    """How far a session's messages were read for memories.

    `extracted_to` is the number of the last one, 0 before the first; `flush` is the state of
    `extraction/flush.py`.
    """

    extracted_to: int = 0
    extracted_at: datetime | None = None
    flush: Mapping[str, JsonValue] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class OpenTurn:
    """Working memory, and how far it has come.

    `open_message` is the hash of a message not answered yet; `analysed` the number of the last
    message whose analysis is in it, and `pending` whether newer ones wait.
    """

    working: WorkingMemory
    open_message: str | None = None
    analysed: int = 0
    pending: bool = False


TraceKind: TypeAlias = Literal["text", "word", "vector"]


class Trace(NamedTuple):
    """Bytes by which something deleted would be known; those of words and text in lower case.

    Letters are compared without ASCII case. A word counts where no other letter, digit or `_`
    stands beside it; pieces of text and vectors count wherever their bytes stand.
    """

    kind: TraceKind
    data: bytes

    def is_in(self, data: bytes) -> bool:
        """True where the bytes hold it."""
        pattern = re.escape(self.data)
        if self.kind == "word":
            pattern = rb"(?<!\w)" + pattern + rb"(?!\w)"
        flags = 0 if self.kind == "vector" else re.IGNORECASE
        return re.search(pattern, data, flags) is not None
