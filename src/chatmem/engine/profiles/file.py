"""One profile's file, changed under its lock, and the copy of it in the table.

Source: S2.2; decisions 2.
"""

from collections.abc import Callable
from typing import Final

from chatmem.engine.documents.documents import MemoryDocuments
from chatmem.engine.space import Space
from chatmem.errors import InvalidInputError
from chatmem.model import ProfileDocument
from chatmem.storage.documents.ports import DocumentChangedError, StoredDocument
from chatmem.text.clean import clean_text

MAX_BYTES: Final = 256 * 1024
NO_PROFILE: Final = ProfileDocument("", "")
_ATTEMPTS: Final = 5


def change_profile(
    documents: MemoryDocuments, path: str, change: Callable[[StoredDocument | None], str | None]
) -> StoredDocument | None:
    """The document after `change`, which gives its new text, or None to leave it.

    An editor does not know our lock: when it saves in between, all is done again.

    Raises:
        DocumentError: the file cannot be read or written.
    """
    folder = documents.folder
    for attempt in range(_ATTEMPTS):
        with folder.lock():
            before = folder.read(path)
            text = change(before)
            if text is None or (before is not None and before.text == text):
                return before
            try:
                return folder.write(path, text, over=before)
            except DocumentChangedError:
                if attempt == _ATTEMPTS - 1:
                    raise
    raise AssertionError("unreachable")


def cache_profile(space: Space, path: str, document: ProfileDocument) -> None:
    """Bring the table up to what the file says, where it is not."""
    if (space.store.profiles.get(space.owner, path) or NO_PROFILE) != document:
        space.store.profiles.put(space.owner, path, document)


def checked_content(content: object) -> str:
    """The text as a file keeps it: cleaned, and ended by a line end.

    Raises:
        InvalidInputError: no text, or more than a profile may be.
    """
    if not isinstance(content, str):
        raise InvalidInputError(f"content: got {type(content).__name__}, takes text")
    cleaned = clean_text(content)
    text = f"{cleaned}\n" if cleaned else ""
    size = len(text.encode())
    if size > MAX_BYTES:
        raise InvalidInputError(
            f"content: got {size:,} bytes, takes at most {MAX_BYTES:,}; a profile stands in every "
            "prompt, so keep it short"
        ).coded("long", most=MAX_BYTES)
    return text
