"""A document as a whole text: read with its etag, and written over that version only.

What a person writes here wins, as in an editor: in a document of memories, bullets without an id
become memories, changed ones keep theirs, and those that are gone are forgotten.

Source: S2.2, S5.8.1, S5.9.1; decisions 2.
"""

from collections.abc import Callable
from typing import NamedTuple

from chatmem.engine.documents.documents import MemoryDocuments
from chatmem.errors import InvalidInputError, StaleEtagError
from chatmem.storage.documents.places import document_day, holds_memories
from chatmem.storage.documents.ports import StoredDocument
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
    return _text_of(documents.read(path))


def write_whole(
    documents: MemoryDocuments, path: str, content: str, etag: str | None = None
) -> DocumentText:
    """The document of memories as it stands after the writing, with the ids of new bullets.

    Memories that an accident outside had taken from the file are put back: the writer never saw
    them go.

    Raises:
        InvalidInputError: no text.
        StaleEtagError: it has changed since it had this etag; has the text as it stands.
        DocumentError: the file cannot be read or written; nothing was changed.
    """
    text = checked_content(content)
    return _text_of(change_whole(documents, path, lambda _: documents.with_lost(path, text), etag))


def _text_of(document: StoredDocument | None) -> DocumentText:
    return DocumentText(document.text, document.etag) if document else DocumentText("", "")


def change_whole(
    documents: MemoryDocuments,
    path: str,
    change: Callable[[StoredDocument | None], str | None],
    etag: str | None = None,
) -> StoredDocument | None:
    """The document after `change`, which gives its new text, or None to leave it.

    `change` is repeated when an editor saves in between. A log in which nothing is left is removed.

    Raises:
        StaleEtagError: the document, whose etag is "" where there is none, has another.
        DocumentError: the file cannot be read or written; nothing was changed.
    """

    def write() -> StoredDocument | None:
        before = documents.read(path)
        known = before.etag if before else ""
        if etag is not None and etag != known:
            raise StaleEtagError(path, etag, known, before.text if before else "")
        text = change(before)
        is_over = text == "" and document_day(path) is not None
        if text is None or (before is not None and before.text == text and not is_over):
            return before
        written = None
        if is_over:
            documents.folder.remove(path)
        else:
            written = documents.folder.write(path, text, over=before)
        if not holds_memories(path):
            return written
        documents.fold_in(accepted=(path,))
        return documents.read(path)

    return documents.edit(write)


def checked_content(content: object, most_bytes: int | None = None) -> str:
    """The text as a file has it: cleaned, and ended by a line end.

    Raises:
        InvalidInputError: no text, or more than `most_bytes`.
    """
    if not isinstance(content, str):
        raise InvalidInputError(f"content: got {type(content).__name__}, takes text")
    cleaned = clean_text(content)
    text = f"{cleaned}\n" if cleaned else ""
    size = len(text.encode())
    if most_bytes is not None and size > most_bytes:
        raise InvalidInputError(
            f"content: got {size:,} bytes, takes at most {most_bytes:,}; a profile stands in every "
            "prompt, so keep it short"
        ).coded("long", most=most_bytes)
    return text
