"""MEMORY.md as a whole: read with the mark of its version, and written over that version only.

What a person writes here wins, as in an editor: bullets without an id become memories, changed ones
keep theirs, and those that are gone are forgotten.

Source: S5.8.1, S5.9.1; decisions 2; interfaces.md (`/api/memory/main`).
"""

from typing import NamedTuple

from chatmem.engine.documents import MemoryDocuments
from chatmem.errors import InvalidInputError, StaleEtagError
from chatmem.storage.documents.places import MAIN
from chatmem.text.clean import clean_text


class DocumentText(NamedTuple):
    """A document's text, comments included, and its etag; both "" where there is none."""

    content: str
    etag: str


class MainDocument:
    """MEMORY.md of one user."""

    def __init__(self, documents: MemoryDocuments) -> None:
        self._documents = documents

    def read(self) -> DocumentText:
        """The text as it stands, ids in comments included.

        What was edited outside is folded in first: it gives new bullets their ids, and an etag from
        before that would be stale at once.

        Raises:
            DocumentError: the file cannot be read.
        """
        self._documents.fold_in()
        return self._found()

    def write(self, content: str, etag: str | None = None) -> DocumentText:
        """The document as it stands after the writing, with the ids of new bullets.

        With an etag, nothing is written over a version that the writer has not read. Memories that
        an accident outside had taken from the file are put back: the writer never saw them go.

        Raises:
            InvalidInputError: no text.
            StaleEtagError: it has changed since; has the text as it stands.
            DocumentError: the file cannot be read or written; nothing was changed.
        """
        text = _checked(content)

        def write() -> DocumentText:
            before = self._documents.read(MAIN)
            known = before.etag if before else ""
            if etag is not None and etag != known:
                raise StaleEtagError(MAIN, etag, known, before.text if before else "")
            whole = self._documents.with_lost(MAIN, text)
            if before is None or before.text != whole:
                self._documents.folder.write(MAIN, whole, over=before)
                self._documents.fold_in(accepted=(MAIN,))
            return self._found()

        return self._documents.edit(write)

    def _found(self) -> DocumentText:
        document = self._documents.read(MAIN)
        return DocumentText(document.text, document.etag) if document else DocumentText("", "")


def _checked(content: object) -> str:
    if not isinstance(content, str):
        raise InvalidInputError(f"content: got {type(content).__name__}, takes text")
    cleaned = clean_text(content)
    return f"{cleaned}\n" if cleaned else ""
