"""A user's Markdown documents as files of one folder.

Symbolic links are followed, out of the folder too: the names of files come from this program and
never from a message or a request, so a link can only be there because the folder's owner put it
there (notes kept in a synchronised folder, say). A write goes to the link's target and leaves the
link a link.

Source: decisions 2; S5.1.
"""

import errno
import hashlib
import os
import stat
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from chatmem.errors import DocumentError, InvalidInputError
from chatmem.storage.documents.places import ARCHIVE, DAILY, MAIN, is_document
from chatmem.storage.documents.ports import Document, DocumentChangedError, Stamp
from chatmem.storage.documents.replace_file import TEMPORARY, flush_folder, replace_file

SKELETON = "# Memory\n\n## Preferences\n\n## Facts\n\n## Patterns\n"
LOCK_FILE = ".lock"

_ETAG_CHARS = 32
_POLL_S = 0.005
_FREE = "free some space on that disk, then try again"
_ALLOW = "give chatmem the right to write there, or choose another data folder"
_MOVE = "move away what stands in its place, then try again"
_WHAT_TO_DO = {
    **dict.fromkeys((errno.ENOSPC, errno.EDQUOT, errno.EFBIG), _FREE),
    **dict.fromkeys((errno.EACCES, errno.EPERM, errno.EROFS), _ALLOW),
    **dict.fromkeys((errno.ENOTDIR, errno.EISDIR, errno.EEXIST), _MOVE),
}


class DocumentFolder:
    """Reads and writes the documents below `root`; thread-safe. Implements `DocumentStore`."""

    def __init__(self, root: Path, lock_timeout_s: float = 10.0) -> None:
        self.root = root.absolute()
        self._timeout_s = lock_timeout_s
        self._threads = threading.RLock()
        self._processes = FileLock(
            self.root / LOCK_FILE, timeout=lock_timeout_s, poll_interval=_POLL_S
        )

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Keeps other writers out, in this process and in others; may be nested in a thread."""
        if not self._threads.acquire(timeout=self._timeout_s):
            raise self._busy()
        try:
            self._acquire_file()
            try:
                yield
            finally:
                self._processes.release()
        finally:
            self._threads.release()

    def initialise(self, *, skeleton: bool = True) -> None:
        """Creates the folders, and an empty MEMORY.md if there is none; clears old part-writes.

        Pass `skeleton=False` while the index still holds memories of MEMORY.md: that it is missing
        is then an accident, which `difference` recognises and an empty file would cover up.
        Source: S5.1.3.

        Raises:
            DocumentError: a folder or file cannot be created.
        """
        for folder in (self.root, self.root / DAILY, self.root / ARCHIVE):
            try:
                folder.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise _failed("create the folder", folder, error) from error
        with self.lock():
            for folder in (self.root, self.root / DAILY, self.root / ARCHIVE):
                for left in folder.glob(f".*{TEMPORARY}"):
                    left.unlink(missing_ok=True)
            if skeleton and self.read(MAIN) is None:
                self.write(MAIN, SKELETON)

    def stamps(self) -> dict[str, Stamp]:
        """Every document there is, by relative path: under 1 ms for 400 files.

        Raises:
            DocumentError: a folder is there and cannot be listed.
        """
        found: dict[str, Stamp] = {}
        for folder in ("", f"{DAILY}/", f"{ARCHIVE}/"):
            self._scan(folder, found)
        return found

    def stamp(self, path: str) -> Stamp | None:
        """One document's entry of `stamps`, or None when there is no such file.

        Raises:
            DocumentError: it cannot be looked at.
        """
        file = self._file(path)
        try:
            return _stamp(file.stat())
        except FileNotFoundError:
            return None
        except OSError as error:
            raise _failed("look at", file, error) from error

    def read(self, path: str) -> Document | None:
        """The document, or None when there is none. A byte order mark stays in the text.

        Raises:
            DocumentError: it is no regular file, cannot be read, or is not UTF-8.
        """
        file = self._file(path)
        try:
            status = file.stat()
            if not stat.S_ISREG(status.st_mode):
                raise DocumentError(
                    f"{file} is no file (a folder, perhaps); move it away, chatmem keeps text there"
                )
            data = file.read_bytes()
        except FileNotFoundError as error:
            if file.is_symlink():
                raise DocumentError(
                    f"{file} is a link to nothing; restore what it points to, or remove the link"
                ) from error
            return None
        except OSError as error:
            if isinstance(error, DocumentError):
                raise
            raise _failed("read", file, error) from error
        return Document(path, _decoded(file, data), etag_of(data), _stamp(status))

    def write(self, path: str, text: str, over: Document | None = None) -> Document:
        """Stores the text: written beside the file, flushed to disk, then renamed over it.

        `over` is the document that the text was made from; an editor does not know our lock, so
        this is checked again right before the rename.

        Raises:
            DocumentChangedError: the file is no longer what `over` says.
            DocumentError: the disk is full, the folder read-only, ...; the old file is intact.
            InvalidInputError: text that UTF-8 cannot carry.
        """
        file = self._file(path)
        try:
            data = text.encode()
        except UnicodeEncodeError as error:
            raise InvalidInputError(f"{path}: the text holds a lone surrogate; clean it") from error

        def ensure_unchanged() -> None:
            if over is not None and self.stamp(path) != over.stamp:
                raise DocumentChangedError(f"{file} was changed by somebody else; read it again")

        try:
            # `realpath`, so that a link stays a link and its target is what is replaced.
            target = Path(os.path.realpath(file, strict=file.is_symlink()))
            status = replace_file(target, data, ensure_unchanged)
        except OSError as error:
            if isinstance(error, DocumentError):
                raise
            raise _failed("write", file, error) from error
        return Document(path, text, etag_of(data), _stamp(status))

    def remove(self, path: str) -> None:
        """Removes the file (of a link, the link); one that is not there is no error.

        Raises:
            DocumentError: it cannot be removed.
        """
        file = self._file(path)
        try:
            file.unlink(missing_ok=True)
            if file.parent.exists():
                flush_folder(file.parent)
        except OSError as error:
            raise _failed("remove", file, error) from error

    def _file(self, path: str) -> Path:
        if not is_document(path):
            raise InvalidInputError(
                f"{path!r} is no memory document; takes MEMORY.md, USER.md, HOUSEHOLD.md, "
                "daily/YYYY-MM-DD.md or archive/YYYY-MM.md"
            )
        return self.root / path

    def _scan(self, folder: str, found: dict[str, Stamp]) -> None:
        try:
            with os.scandir(self.root / folder) as entries:
                for entry in entries:
                    path = folder + entry.name
                    if not is_document(path):
                        continue
                    try:
                        found[path] = _stamp(entry.stat())
                    except FileNotFoundError:  # a broken link, or gone in this moment
                        continue
        except FileNotFoundError:
            return
        except OSError as error:
            raise _failed("list", self.root / folder, error) from error

    def _acquire_file(self) -> None:
        try:
            self._processes.acquire()
        except Timeout as error:
            raise self._busy() from error
        except OSError as error:
            raise _failed("lock", self.root / LOCK_FILE, error) from error

    def _busy(self) -> DocumentError:
        return DocumentError(
            f"{self.root / LOCK_FILE} has been held by another writer for {self._timeout_s:g} s; "
            "wait for it, or end the chatmem process that hangs"
        )


def etag_of(data: bytes) -> str:
    """A hash of a document's bytes: 32 hexadecimal digits of SHA-256."""
    return hashlib.sha256(data).hexdigest()[:_ETAG_CHARS]


def _stamp(status: os.stat_result) -> Stamp:
    return Stamp(status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino)


def _decoded(file: Path, data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise DocumentError(
            f"{file} is not UTF-8 text: byte {error.start} is 0x{data[error.start]:02x}; "
            "save it as UTF-8, or restore it from a copy"
        ) from error


def _failed(action: str, file: Path, error: OSError) -> DocumentError:
    reason = error.strerror or str(error)
    todo = _WHAT_TO_DO.get(error.errno or 0, "see what is wrong with it, then try again")
    return DocumentError(f"cannot {action} {file}: {reason}; {todo}")
