"""A user's Markdown documents as files of a folder.

Symbolic links are followed, out of the folder too: names of files never come from a message or a
request, so only the folder's owner can have put a link there. A write goes to the link's target. A
file is replaced whole: a reader, and a crash, find the old bytes or the new ones.

Source: decisions 2; S5.1.
"""

import errno
import os
import secrets
import shutil
import stat
import sys
import threading
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from io import FileIO
from pathlib import Path
from typing import ClassVar

from chatmem.errors import DocumentError
from chatmem.storage.documents.places import (
    ARCHIVE,
    DAILY,
    MAIN,
    SKELETONS,
    USERS,
    is_document,
    require_document,
    user_folder,
)
from chatmem.storage.documents.ports import (
    DocumentBusyError,
    DocumentChangedError,
    Stamp,
    StoredDocument,
    encoded,
    etag_of,
)
from chatmem.text.bullets import parse

if sys.platform == "win32":
    import msvcrt

    _LOCK, _UNLOCK = msvcrt.LK_NBLCK, msvcrt.LK_UNLCK

    def _locking(descriptor: int, how: int) -> None:
        msvcrt.locking(descriptor, how, 1)
else:
    import fcntl

    _LOCK, _UNLOCK = fcntl.LOCK_EX | fcntl.LOCK_NB, fcntl.LOCK_UN
    _locking = fcntl.flock

LOCK_FILE = ".lock"
TEMPORARY = ".chatmem-tmp"
_POLL_S = 0.005
_FREE = "free some space on that disk, then try again"
_ALLOW = "give chatmem the right to write there, or choose another data folder"
_MOVE = "move away what stands in its place, then try again"
_WHAT_TO_DO = {
    **dict.fromkeys((errno.ENOSPC, errno.EDQUOT, errno.EFBIG), _FREE),
    **dict.fromkeys((errno.EACCES, errno.EPERM, errno.EROFS), _ALLOW),
    **dict.fromkeys((errno.ENOTDIR, errno.EISDIR, errno.EEXIST), _MOVE),
}
_LATE_S = 10.0
"""How long a replaced file is watched for writes of who had opened it before."""
_MOST_REPLACED = 32
_MOST_CHARS = 1 << 20
"""Of a file beside the documents."""


@dataclass(slots=True)
class _Replaced:
    """An open file that another has replaced: who had opened it to append appends to it still."""

    file: Path
    old: StoredDocument
    descriptor: int
    at_s: float

    def __del__(self, close: Callable[[int], None] = os.close) -> None:
        """Not before the last thread that looks is done: the number may be another file's then."""
        close(self.descriptor)

    def late(self) -> bool:
        """True when somebody has written to it since it was last read."""
        status, known = os.fstat(self.descriptor), self.old.stamp
        return (status.st_mtime_ns, status.st_size) != (known.modified_ns, known.size)

    def brought_over(self, text: str) -> str:
        """The text of the present file with the whole lines appended to this one since.

        A file that does not begin as it did was saved whole: that text is the one to go on with.
        """
        status = os.fstat(self.descriptor)
        now = os.pread(self.descriptor, status.st_size, 0).decode(errors="replace")
        if not now.endswith("\n"):
            return text  # somebody is still writing
        before = self.old.text
        self.old = StoredDocument(self.old.path, now, "", _stamp(status))
        return text + now[len(before) :] if now.startswith(before) else now


def user_documents(root: Path, user_id: str) -> "DocumentFolder":
    """The user's documents; `root` is the default user's folder, and above those of others."""
    return DocumentFolder(user_folder(root, user_id))


class DocumentFolder:
    """One user's documents below `root`; thread-safe. Implements `DocumentStore`.

    What goes wrong with a file is a DocumentError with its path and what to do.
    """

    _replaced: ClassVar[dict[int, _Replaced]] = {}
    """Of all folders by descriptor, the newest last."""

    def __init__(self, root: Path, lock_timeout_s: float = 10.0) -> None:
        self.root = root.absolute()
        self._folders = (self.root, self.root / DAILY, self.root / ARCHIVE)
        self._timeout_s = lock_timeout_s
        self._threads = threading.RLock()
        self._lock_file: FileIO | None = None

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Keeps other writers out, in this process and in others; may be nested in a thread."""
        if not self._threads.acquire(timeout=self._timeout_s):
            raise self._busy()
        try:
            if self._lock_file is not None:
                yield
                return
            with self._locked_file() as self._lock_file:
                try:
                    yield
                finally:  # a process that was forked meanwhile has it open, too
                    _locking(self._lock_file.fileno(), _UNLOCK)
                    self._lock_file = None
        finally:
            self._threads.release()

    def _locked_file(self) -> FileIO:
        """The lock file, which the system has locked until it is closed."""
        until_s = time.monotonic() + self._timeout_s
        with _explained("lock", self.root / LOCK_FILE):
            if not os.path.isdir(self.root):
                self.root.mkdir(parents=True, exist_ok=True)
            while True:
                file = FileIO(self.root / LOCK_FILE, "a")
                with suppress(BlockingIOError, PermissionError):  # others have it
                    _locking(file.fileno(), _LOCK)
                    if os.fstat(file.fileno()).st_nlink:  # else it was deleted meanwhile
                        return file
                file.close()
                if time.monotonic() > until_s:
                    raise self._busy()
                time.sleep(_POLL_S)

    def initialise(self, *, skeleton: bool = True) -> None:
        """Creates the folders, and an empty MEMORY.md if there is none; clears old part-writes.

        Without `skeleton` while the index still holds memories of MEMORY.md: that it is missing is
        then an accident, which an empty file would cover up. Source: S5.1.3.
        """
        for folder in self._folders:
            with _explained("create the folder", folder):
                folder.mkdir(parents=True, exist_ok=True)
        if not self._part_writes() and not (skeleton and self.read(MAIN) is None):
            return  # without the lock: whoever opens waits for no writer
        with self.lock():
            for left in self._part_writes():
                left.unlink(missing_ok=True)
            if skeleton and self.read(MAIN) is None:
                self.write(MAIN, SKELETONS[MAIN])

    def _part_writes(self) -> list[Path]:
        return [one for folder in self._folders for one in folder.glob(f".*{TEMPORARY}")]

    def stamps(self) -> dict[str, Stamp]:
        """Every document there is, by relative path: under 1 ms for 400 files."""
        self._bring_over([*self._replaced.values()])
        return self._stamps(is_document)

    def copies(self) -> dict[str, frozenset[str]]:
        """By relative path, the ids in Markdown files that are none of the documents."""
        others = self._stamps(lambda path: path.endswith(".md") and not is_document(path))
        return {path: _ids_in(self.root / path, stamp) for path, stamp in others.items()}

    def _stamps(self, wanted: Callable[[str], bool]) -> dict[str, Stamp]:
        found: dict[str, Stamp] = {}
        for folder in ("", f"{DAILY}/", f"{ARCHIVE}/"):
            with (
                suppress(FileNotFoundError),
                _explained("list", self.root / folder, but_missing=True),
                os.scandir(self.root / folder) as entries,
            ):
                for entry in entries:
                    path = folder + entry.name
                    if wanted(path):
                        with suppress(FileNotFoundError):  # a broken link, or gone in this moment
                            found[path] = _stamp(entry.stat())
        return found

    def stamp(self, path: str) -> Stamp | None:
        """One document's entry of `stamps`, or None when there is no such file."""
        file = _file(self.root, path)
        with suppress(FileNotFoundError), _explained("look at", file, but_missing=True):
            return _stamp(file.stat())
        return None

    def read(self, path: str, known: StoredDocument | None = None) -> StoredDocument | None:
        """The document, byte order mark included, or None; what is `known` if it looks the same."""
        file = _file(self.root, path)
        try:
            with _explained("read", file, but_missing=True):
                status = file.stat()
                if not stat.S_ISREG(status.st_mode):
                    raise DocumentError(
                        f"{file} is no file (a folder, perhaps); move it away, chatmem keeps text "
                        "there"
                    )
                if known is not None and known.stamp == _stamp(status):
                    return known
                data = file.read_bytes()
        except FileNotFoundError as error:
            if file.is_symlink():
                raise DocumentError(
                    f"{file} is a link to nothing; restore what it points to, or remove the link"
                ) from error
            return None
        try:
            text = data.decode()
        except UnicodeDecodeError as error:
            raise DocumentError(
                f"{file} is not UTF-8 text: byte {error.start} is 0x{data[error.start]:02x}; "
                "save it as UTF-8, or restore it from a copy"
            ) from error
        return StoredDocument(path, text, etag_of(data), _stamp(status))

    def write(self, path: str, text: str, over: StoredDocument | None = None) -> StoredDocument:
        """Stores the text; `over`, which it was made from, is compared right before the rename.

        Raises:
            DocumentChangedError: the file is no longer what `over` says.
            DocumentError: the disk is full, the folder read-only, ...; the old file is intact.
            InvalidInputError: text that UTF-8 cannot carry.
        """
        oldest = [*self._replaced.values()][: 1 - _MOST_REPLACED]
        self._bring_over(oldest)  # before they are let go
        file, data = _file(self.root, path), encoded(path, text)
        with _explained("write", file):
            # Of a link the target is what is replaced.
            target = Path(os.path.realpath(file, strict=True)) if file.is_symlink() else file
            old = os.open(target, os.O_RDONLY) if over and hasattr(os, "pread") else None
            try:
                status = _replace(target, data, lambda: over and self.stamp(path) != over.stamp)
            finally:
                if old is not None and over is not None:
                    self._replaced[old] = _Replaced(file, over, old, time.monotonic())
                    for one in oldest:
                        self._replaced.pop(one.descriptor, None)
        return StoredDocument(path, text, etag_of(data), _stamp(status))

    def remove(self, path: str) -> None:
        """Removes the file (of a link, the link); one that is not there is no error."""
        file = _file(self.root, path)
        with _explained("remove", file):
            file.unlink(missing_ok=True)
            if file.parent.exists():
                flush_folder(file.parent)

    def _bring_over(self, among: Collection[_Replaced]) -> None:
        """Write what was written to files that were replaced meanwhile into the present ones."""
        for one in [one for one in among if one.file == _file(self.root, one.old.path)]:
            if one.late():
                with self.lock():
                    document = self.read(one.old.path)
                    if document and (text := one.brought_over(document.text)) != document.text:
                        self.write(document.path, text, over=document)
            if time.monotonic() > one.at_s + _LATE_S:
                self._replaced.pop(one.descriptor, None)

    def close(self) -> None:
        """Let go of the files that were replaced."""
        for one in [*self._replaced.values()]:
            if self.root in one.file.parents:
                self._replaced.pop(one.descriptor, None)

    def erase(self) -> None:
        """Removes all that is in the folder but folders of others.

        Of links to documents and their folders what they lead to as well, of any other the link.
        """
        with self.lock(), _explained("remove", self.root):
            for folder in self._folders[::-1]:
                for one in [one for one in folder.iterdir() if one.name != USERS]:
                    is_ours = one in self._folders or (one.suffix == ".md" and one.is_file())
                    real = Path(os.path.realpath(one)) if is_ours else one
                    if real.is_dir() and not real.is_symlink():
                        shutil.rmtree(real)
                    real.unlink(missing_ok=True)
                    one.unlink(missing_ok=True)
            if not any(self.root.iterdir()):
                self.root.rmdir()

    def _busy(self) -> DocumentBusyError:
        return DocumentBusyError(
            f"{self.root / LOCK_FILE} has been held by another writer for {self._timeout_s:g} s; "
            "wait for it, or end the chatmem process that hangs"
        )


@lru_cache(maxsize=1024)
def _file(root: Path, path: str) -> Path:
    return root / require_document(path)


@lru_cache(maxsize=64)
def _ids_in(file: Path, stamp: Stamp) -> frozenset[str]:
    with suppress(OSError), file.open(encoding="utf-8", errors="replace") as text:
        return frozenset(one.id for one in parse(text.read(_MOST_CHARS)).bullets if one.id)
    return frozenset()


@contextmanager
def _explained(action: str, file: Path, *, but_missing: bool = False) -> Iterator[None]:
    """Turn the system's errors into ours, with what to do; `but_missing` leaves a missing file."""
    try:
        yield
    except OSError as error:
        if isinstance(error, DocumentError) or (
            but_missing and isinstance(error, FileNotFoundError)
        ):
            raise
        reason = error.strerror or str(error)
        advice = _WHAT_TO_DO.get(error.errno or 0, "see what is wrong with it, then try again")
        raise DocumentError(f"cannot {action} {file}: {reason}; {advice}") from error


def _replace(target: Path, data: bytes, is_changed: Callable[[], object]) -> os.stat_result:
    """Writes beside the target, flushes to disk, renames, flushes the folder; returns its status.

    Mode and, where allowed, owner of an existing file stay. Where `is_changed`, right before the
    rename, the target stays as it is, and nothing is left beside it.
    """
    folder, name = os.path.split(target)
    temporary = os.path.join(folder, f".{name}.{secrets.token_hex(6)}{TEMPORARY}")
    before = None
    try:
        before = os.stat(target)
    except FileNotFoundError:
        os.makedirs(folder, exist_ok=True)
    try:
        with open(temporary, "xb") as out:
            if before is not None:
                with suppress(PermissionError, AttributeError):  # only root may give a file away
                    os.fchown(out.fileno(), before.st_uid, before.st_gid)
                os.chmod(temporary, before.st_mode & 0o7777)
            out.write(data)
            out.flush()
            os.fsync(out.fileno())
            written = os.fstat(out.fileno())
        if is_changed():
            raise DocumentChangedError(f"{target} was changed by somebody else; read it again")
        os.replace(temporary, target)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
    flush_folder(folder)
    # Renaming changes nothing but the time of the last change; if more is different, somebody has
    # written since, and the status before the rename is the one that will not hide it.
    now = os.stat(target)
    same = _stamp(now)._replace(changed_ns=0) == _stamp(written)._replace(changed_ns=0)
    return now if same else written


def flush_folder(folder: Path | str) -> None:
    """Makes a rename or a removal in it durable, on systems where a folder can be opened."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _stamp(status: os.stat_result) -> Stamp:
    return Stamp(status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino)
