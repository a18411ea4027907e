"""Making the index again from the documents and the rows."""

from dataclasses import dataclass

from chatmem.engine.documents.documents import MemoryDocuments
from chatmem.engine.state import Engine, entry_of
from chatmem.errors import InvalidInputError
from chatmem.storage.documents.places import is_document


@dataclass(frozen=True, slots=True, kw_only=True)
class ReindexReport:
    """What a reindex found and did."""

    rows: int
    added: int
    changed: int
    moved: int
    removed: int
    restored: tuple[str, ...]
    held: tuple[str, ...]


def reindex(
    engine: Engine, documents: MemoryDocuments, accept: tuple[str, ...] = ()
) -> ReindexReport:
    """Read every document, write those that were lost again, and make terms and codes anew.

    `accept` names documents whose change looked like an accident and is meant.

    Raises:
        InvalidInputError: `accept` names something that is no memory document.
    """
    for path in accept:
        if not is_document(path):
            raise InvalidInputError(
                f"accept: got {path!r}, takes a memory document such as MEMORY.md, "
                "daily/2026-11-21.md or archive/2026-11.md"
            )
    documents.fold_in()  # what is missing is known only after a look
    restored = [] if accept else documents.restore_missing()
    found = documents.fold_in(everything=True, accepted=accept)
    rows = engine.store.reindex(entry_of)
    engine.store.pack()
    engine.wake.set()
    return ReindexReport(
        rows=rows,
        added=len(found.added),
        changed=len(found.changed),
        moved=len(found.moved),
        removed=len(found.removed),
        restored=tuple(restored),
        held=tuple(notice.why for notice in documents.notices()),
    )
