"""A document of memories as a whole: read with the mark of its version, written over that only.

What a person writes here wins, as in an editor: bullets without an id become memories, changed ones
keep theirs, and those that are gone are forgotten.

Source: S5.8.1, S5.9.1; decisions 2.
"""

from typing import NamedTuple

from chatmem.engine.documents.documents import MemoryDocuments
from chatmem.errors import InvalidInputError, StaleEtagError
from chatmem.storage.documents.places import MAIN
from chatmem.text.clean import clean_text


class DocumentText(NamedTuple):
    """A document's text, comments included, and its etag; both "" where there is none."""

    content: str
    etag: str


def read_whole(documents: MemoryDocuments, path: str) -> DocumentText:
    """The text as it stands, ids in comments included.

    What was edited outside is folded in first: it gives new bullets their ids, and an etag from
    before that would be stale at once.

    Raises:
        DocumentError: the file cannot be read.
    """
    documents.fold_in()
    return _found(documents, path)


def write_whole(
    documents: MemoryDocuments, path: str, content: str, etag: str | None = None
) -> DocumentText:
    """The document as it stands after the writing, with the ids of new bullets.

    With an etag, nothing is written over a version that the writer has not read. Memories that
    an accident outside had taken from the file are put back: the writer never saw them go. A log
    in which nothing is left is removed; MEMORY.md always stays.

    Raises:
        InvalidInputError: no text.
        StaleEtagError: it has changed since; has the text as it stands.
        DocumentError: the file cannot be read or written; nothing was changed.
    """
    text = _checked(content)

    def write() -> DocumentText:
        before = documents.read(path)
        known = before.etag if before else ""
        if etag is not None and etag != known:
            raise StaleEtagError(path, etag, known, before.text if before else "")
        whole = documents.with_lost(path, text)
        if path != MAIN and not whole:
            documents.folder.remove(path)
            documents.fold_in(accepted=(path,))
        elif before is None or before.text != whole:
            documents.folder.write(path, whole, over=before)
            documents.fold_in(accepted=(path,))
        return _found(documents, path)

    return documents.edit(write)


def _found(documents: MemoryDocuments, path: str) -> DocumentText:
    document = documents.read(path)
    return DocumentText(document.text, document.etag) if document else DocumentText("", "")


def _checked(content: object) -> str:
    if not isinstance(content, str):
        raise InvalidInputError(f"content: got {type(content).__name__}, takes text")
    cleaned = clean_text(content)
    return f"{cleaned}\n" if cleaned else ""
