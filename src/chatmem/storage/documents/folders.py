"""Where the documents of all users of a data folder are, and who notices edits of them."""

from collections.abc import Callable
from pathlib import Path

from chatmem.storage.documents.folder import DocumentFolder
from chatmem.storage.documents.places import user_folder
from chatmem.storage.documents.watcher import DocumentWatcher


class DocumentFolders:
    """Every user's documents as files below one folder. Implements `DocumentPlaces`."""

    def __init__(self, root: Path) -> None:
        """`root` is the default user's folder; those of others are below it."""
        self._root = root

    def of(self, user_id: str) -> DocumentFolder:
        """The user's folder, which need not exist yet."""
        return DocumentFolder(user_folder(self._root, user_id))

    def watcher(self, user_id: str, on_change: Callable[[], None]) -> DocumentWatcher:
        """Who calls when the user's files have changed; not started yet."""
        return DocumentWatcher(self.of(user_id), lambda _: on_change())

    def close(self) -> None:
        """Nothing: files are not held open."""
