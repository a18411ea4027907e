"""The packed index: postings and codes by term and by block of rows.

FTS5 scores every match of a query (33 ms at 100,000 rows) and vec0 sorts as it scans (21 ms). So
they serve the newest rows, and what has gathered past `PACK_EVERY` rows is packed: one blob a term
and block, read in one go by numpy (docs/adr/0003). Packed data is derived: dropping it loses
nothing.
"""

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, groupby
from operator import itemgetter
from threading import Lock
from typing import Any, Generic, Literal, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from chatmem.storage.tables.database import Row, SqlDatabase
from chatmem.storage.tables.owners import OWNER_BITS
from chatmem.storage.values import NO_POSTINGS, ROW_DTYPE, WHOLE, Owner, Postings, Rows, begins

BLOCK_BITS = 13
BLOCK_ROWS = 1 << BLOCK_BITS
PACK_EVERY = 256
"""Rows that gather before they are packed: the most that FTS5 and vec0 have to go through."""
CACHE_BYTES = 48 << 20
"""Arrays in memory: facts and codes of 500,000 rows; those of who came last, however many."""
_COUNT_BITS = 16
_MAX_COUNT = (1 << _COUNT_BITS) - 1
_ENTRY_BYTES = 4
_BYTES_A_TERM = 400
_SAMPLED = 16
_Blocks = Sequence[tuple[int, bytes]]
_Held = TypeVar("_Held")
_Value = TypeVar("_Value")
_Scalar = TypeVar("_Scalar", bound=np.generic)


class VersionCache(Generic[_Held]):
    """Values by key, each of one version of what it was made from; thread-safe.

    Those asked for least lately go first, until the rest is `most` at most: bytes, as `size` tells
    when a value is put, or values without it. So many as `least` stay, whatever their size.
    """

    def __init__(
        self, most: int, size: Callable[[_Held], int] = lambda _: 1, least: int = 0
    ) -> None:
        self._most, self._size, self._least = most, size, least
        self._lock = Lock()
        self._held: OrderedDict[object, tuple[int, _Held, int]] = OrderedDict()
        self._total = 0

    def get(self, key: object, version: int = 0) -> _Held | None:
        """The value of this version, or None."""
        with self._lock:
            known = self._held.get(key)
            if known is None or known[0] != version:
                return None
            self._held.move_to_end(key)
            return known[1]

    def put(self, key: object, version: int, value: _Held) -> None:
        """Insert, or replace whatever version is there; what has grown is put again."""
        size = self._size(value)
        with self._lock:
            self._total += size - self._held.pop(key, (0, None, 0))[2]
            self._held[key] = version, value, size
            while len(self._held) > self._least and self._total > self._most:
                self._total -= self._held.popitem(last=False)[1][2]

    def made(self: "VersionCache[Any]", key: object, make: Callable[[], _Value]) -> _Value:
        """The value of this key, made where there is none."""
        known: _Value | None = self.get(key)
        if known is None:
            known = make()
            self.put(key, 0, known)
        return known


@dataclass(slots=True)
class _Terms:
    """The postings of terms that were asked for, and about how many bytes they take."""

    held: dict[str, Postings] = field(default_factory=dict)
    size: int = 0


class PackedIndex:
    """Postings, row facts and codes of the rows below an owner's `packed_rows`.

    What is read is kept for the `version` of it that is given, the owner's `packed_version`.
    """

    def __init__(self, database: SqlDatabase) -> None:
        self._db = database
        self._arrays = VersionCache[NDArray[Any]](CACHE_BYTES, lambda one: one.nbytes, least=2)
        self._terms = VersionCache[_Terms](CACHE_BYTES, lambda one: one.size)

    def postings(self, owner: Owner, version: int, terms: Sequence[str]) -> list[Postings]:
        """Rows with each of the terms, ascending."""
        known = _Terms()
        if not self._db.writing:  # what is read inside a transaction may yet be rolled back
            known = self._terms.get(owner.number, version) or known
        if new := [term for term in terms if term not in known.held]:
            found = self._db.rows("packed_index.postings", owner, terms=new)
            every, first = _decode(found), 0
            known.held |= dict.fromkeys(new, NO_POSTINGS)
            for term, blocks in groupby(found, key=itemgetter(0)):
                end = first + sum(len(data) for *_, data in blocks) // _ENTRY_BYTES
                known.held[term] = Postings(every.rows[first:end], every.counts[first:end])
                first = end
            known.size += _BYTES_A_TERM * len(new) + 2 * every.rows.nbytes
            if not self._db.writing:
                self._terms.put(owner.number, version, known)
        return [known.held[term] for term in terms]

    def prefix_postings(self, owner: Owner, prefix: str) -> Postings:
        """Rows with any word that begins so; counts of a row's words are added."""
        found: list[Row] = []
        for low in (prefix, WHOLE + prefix):
            between = {"low": low, "high": low + "\U0010ffff"}
            terms = self._db.rows("packed_index.prefix_postings", owner, **between)
            found += [one for one in terms if begins(one[0], prefix)]
        both = _decode(found)
        rows, inverse = np.unique(both.rows, return_inverse=True)
        return Postings(rows, np.bincount(inverse, both.counts, len(rows)).astype(np.float64))

    def rows(self, owner: Owner, version: int) -> NDArray[np.void]:
        """Row facts from row 0 on; read-only."""
        return self._read(
            "rows",
            owner,
            version,
            lambda found: np.frombuffer(b"".join(data for _, data in found), ROW_DTYPE),
        )

    def codes(self, owner: Owner, version: int, width: int) -> NDArray[np.uint64]:
        """Sign codes, (width, rows) with `width` words of 64 bits a row, from row 0 on; read-only.

        Rows without a vector have the code 0.
        """
        return self._read("codes", owner, version, partial(_by_word, width))

    def _read(
        self, what: str, owner: Owner, version: int, decode: Callable[[_Blocks], NDArray[_Scalar]]
    ) -> NDArray[_Scalar]:
        """A whole array, kept until the owner's packed rows change."""
        known = self._arrays.get((owner.number, what), version)
        if known is not None:
            return known
        made = decode([(row[0], row[1]) for row in self._db.rows(f"packed_index.{what}", owner)])
        if not self._db.writing:  # what is read inside a transaction may yet be rolled back
            self._arrays.put((owner.number, what), version, made)
        return made

    def append(
        self, owner: Owner, first: int, facts: NDArray[np.void], tokens: Sequence[Sequence[str]]
    ) -> None:
        """Pack rows `first`.. : their facts, and each one's tokens."""
        self.put("row", owner, [(row, one.tobytes()) for row, one in enumerate(facts, first)])
        words = list(chain.from_iterable(tokens))
        terms = sorted(set(words))  # neighbours in the table together
        places = {term: place for place, term in enumerate(terms)}
        keys = np.fromiter(map(places.__getitem__, words), np.int64, len(words)) << OWNER_BITS
        keys |= np.repeat(np.arange(first, first + len(facts)), list(map(len, tokens)))
        keys, counts = np.unique(keys, return_counts=True)
        data = _entries(keys, counts).tobytes()
        blocks, starts = np.unique(keys >> BLOCK_BITS, return_index=True)
        ends = [*starts[1:].tolist(), len(keys)]
        postings = []
        for one, start, end in zip(blocks.tolist(), starts.tolist(), ends, strict=False):
            place, block = divmod(one, 1 << OWNER_BITS - BLOCK_BITS)
            held = data[4 * start : 4 * end]
            postings.append({"term": terms[place], "block": block, "data": held})
        self._db.many("packed_index.append_postings", owner, postings)

    def put(
        self, what: Literal["row", "code"], owner: Owner, data: Sequence[tuple[int, bytes]]
    ) -> None:
        """Write facts or codes of packed rows; a block grows as far as its last row."""
        if data:
            self._db.run("packed_index.touch", owner)
        by_block = sorted((row >> BLOCK_BITS, row, one) for row, one in data)
        for block, group in groupby(by_block, key=itemgetter(0)):
            found = self._db.value(f"packed_index.{what}_block", owner, block=block)
            whole = bytearray(found or b"")
            for _, row, one in group:
                start = (row - (block << BLOCK_BITS)) * len(one)
                whole.extend(bytes(max(0, start + len(one) - len(whole))))
                whole[start : start + len(one)] = one
            self._db.run(f"packed_index.put_{what}", owner, block=block, data=bytes(whole))

    def clear(self, owner: Owner) -> None:
        """Drop everything packed of the owner: all rows are new again."""
        self.clear_codes(owner)
        for name in ("clear_postings", "clear_rows", "unpack"):
            self._db.run(f"packed_index.{name}", owner)

    def clear_codes(self, owner: Owner) -> None:
        """Drop the owner's codes: they belong to an embedder that is no longer used."""
        self._db.run("packed_index.clear_codes", owner)
        self._db.run("packed_index.touch", owner)

    def put_tokens(self, owner: Owner, row: int, counts: Mapping[str, int]) -> None:
        """Write how often one packed row has each of the tokens; with 0 it leaves their blobs."""
        block = row >> BLOCK_BITS
        for term, count in counts.items():
            key = {"term": term, "block": block}
            found = self._db.value("packed_index.posting_block", owner, **key)
            entries = np.frombuffer(found or b"", "<u4")
            entries = entries[entries >> _COUNT_BITS != row - (block << BLOCK_BITS)]
            if count:
                entries = np.sort(np.append(entries, _entries(row, count)))
            if len(entries):
                data = entries.astype("<u4").tobytes()
                self._db.run("packed_index.put_posting", owner, **key, data=data)
            else:
                self._db.run("packed_index.delete_posting", owner, **key)


def _entries(rows: ArrayLike, counts: ArrayLike) -> NDArray[np.uint32]:
    """Rows of a block and how often they hold the term, as one number each."""
    places = np.bitwise_and(rows, BLOCK_ROWS - 1) << _COUNT_BITS
    return (places | np.minimum(counts, _MAX_COUNT)).astype("<u4")


def _by_word(width: int, found: _Blocks) -> NDArray[np.uint64]:
    """One word of the codes after the other: distances are then summed over contiguous memory."""
    parts = [(block << BLOCK_BITS, np.frombuffer(data, np.uint64)) for block, data in found]
    count = max((first + len(words) // width for first, words in parts), default=0)
    codes = np.zeros((width, count), np.uint64)
    for first, words in parts:
        codes[:, first : first + len(words) // width] = words.reshape(-1, width).T
    return codes


def _decode(found: Sequence[Row]) -> Postings:
    """All postings of rows with a term, a block and data, one after the other."""
    entries = np.frombuffer(b"".join([data for *_, data in found]), "<u4")
    firsts = np.array([block for _, block, _ in found], np.int64) << BLOCK_BITS
    sizes = np.array([len(data) for *_, data in found], np.int64) // _ENTRY_BYTES
    rows = np.repeat(firsts, sizes) + (entries >> _COUNT_BITS)
    return Postings(rows, (entries & _MAX_COUNT).astype(np.float64))


def code_distances(codes: NDArray[np.uint64], code: bytes) -> NDArray[np.uint16]:
    """In how many bits each of the codes differs from this one; `codes` has a row for each word."""
    distance, words = np.zeros(codes.shape[1], np.uint16), np.frombuffer(code, np.uint64)[:, None]
    for first in range(0, len(words), 3):  # so many words' bits are counted in a byte
        some = slice(first, first + 3)
        differing = np.bitwise_count(codes[some] ^ words[some])
        distance += np.add.reduce(differing, axis=0, dtype=np.uint8)
    return distance


def nearest(distance: NDArray[np.uint16], limit: int, eligible: NDArray[np.bool_]) -> Rows:
    """Indices of the `limit` least distances that are eligible, and of those as far as the last."""
    # Some rows tell how far the nearest may reach; all are looked at where they do not.
    some = distance[::_SAMPLED][eligible[::_SAMPLED]]
    most = 2 * (limit // _SAMPLED + _SAMPLED)
    reach = np.partition(some, most)[most] if len(some) > most else distance.max(initial=0)
    near = np.flatnonzero((distance <= reach) & eligible)
    if len(near) < limit:
        near = np.flatnonzero(eligible)
    if len(near) > limit:
        own = distance[near]
        near = near[own <= np.partition(own, limit - 1)[limit - 1]]
    return near
