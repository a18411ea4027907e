"""Proof that what was forgotten is nowhere: whatever would give it away is looked for everywhere.

It is made after the deletion: words and pieces of text that other rows have too prove nothing, and
are left out.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from chatmem.model import AtomicMemoryRecord
from chatmem.storage.documents.places import SKELETONS
from chatmem.storage.tables.dense import encode
from chatmem.storage.tables.memories import EVERYTHING
from chatmem.storage.tables.store import Store
from chatmem.storage.values import Owner, Trace, TraceKind, index_entry
from chatmem.text.normalise import normalise

LEAST_WORD_BYTES: Final = 5
"""Less is found in any file by chance."""
LEAST_PIECE_BYTES: Final = 12
_SCALE_BYTES: Final = 4
_VECTOR_BYTES: Final = 128
"""So much of a vector stands in one page."""
_BREAKS: Final = re.compile(r'["\\\n\r\t]+')
"""Where Markdown or JSON may write a text otherwise."""
_WORD: Final = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Proof:
    """Where it was looked (files by path from the data folder, or TABLE.COLUMN), and what for.

    `looked_for` counts pieces of text, words and vectors; `found` has those of the places that
    still hold one, and of which kinds: it is empty where all is gone.
    """

    looked_in: tuple[str, ...]
    looked_for: Mapping[TraceKind, int]
    found: Mapping[str, tuple[TraceKind, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Forgotten:
    """What `forget` has done.

    `removed` counts memories, messages, lines of the profile. `purged` is False while another
    program's open snapshot keeps deleted text in the write-ahead log: it goes once that ends.
    `proof` is there where it was asked for.
    """

    removed: Mapping[str, int]
    purged: bool
    proof: Proof | None = None


def vectors_of(
    store: Store, owner: Owner, records: Iterable[AtomicMemoryRecord]
) -> dict[str, bytes]:
    """By content the bytes of its vector, where it has one; before the memories are deleted."""
    rows = {one.content: store.memories.row_of(owner, one.id) for one in records}
    found: dict[str, bytes] = {}
    for content, row in rows.items():
        had, vectors = store.dense.vectors(owner, np.array([] if row is None else [row], np.int64))
        if len(had):
            found[content] = encode(vectors)[0][_SCALE_BYTES:][:_VECTOR_BYTES]
    return found


def proof_of(store: Store, texts: Collection[str], vectors: Mapping[str, bytes]) -> Proof:
    """What is left of the texts, and of `vectors`, by text, wherever this store writes."""
    traces = traces_of(store, texts, vectors)
    places = store.search(traces)
    kinds = [one.kind for one in traces]
    return Proof(
        looked_in=tuple(places),
        looked_for={kind: kinds.count(kind) for kind in dict.fromkeys(kinds)},
        found={place: tuple(sorted(held)) for place, held in places.items() if held},
    )


def traces_of(
    store: Store, texts: Collection[str], vectors: Mapping[str, bytes]
) -> Sequence[Trace]:
    """What would give the texts away: what no row of anybody has, nor the tables themselves."""
    owners = store.owners.everybody()
    ours = "\n".join([store.own_text, *SKELETONS.values()]).encode()
    found: dict[tuple[TraceKind, bytes], None] = {}
    for text in texts:
        tokens = list(dict.fromkeys(index_entry(text).tokens))
        live = {
            token
            for owner in owners
            for token, held in zip(tokens, store.lexical.postings(owner, tokens, []), strict=True)
            if len(held.rows)
        }
        words = {*_WORD.findall(text), *_WORD.findall(normalise(text)), *tokens}
        for word in sorted(words):
            data, own = word.lower().encode("utf-8", "replace"), set(index_entry(word).tokens)
            if own and not own & live and len(data) >= LEAST_WORD_BYTES:
                found["word", data] = None
        pieces = [one.strip() for one in _BREAKS.split(text)]
        for piece in pieces:
            data = piece.lower().encode("utf-8", "replace")
            if len(data) >= LEAST_PIECE_BYTES and not any(
                store.pages.count(owner, EVERYTHING, [piece]) for owner in owners
            ):
                found["text", data] = None
                if text in vectors and len(pieces) == 1:
                    found["vector", vectors[text]] = None
    traces = (Trace(kind, data) for kind, data in found)
    return [one for one in traces if one.kind != "word" or not one.is_in(ours)]
