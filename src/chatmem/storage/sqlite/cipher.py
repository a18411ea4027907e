"""An encrypted SQLite file: whether it is one, which key fits, how it is opened, searched, wiped.

The cipher is AEGIS-256 of SQLite3 Multiple Ciphers, over every page of the file and of its log. A
key is raw: 64 hexadecimal digits. The first bytes of the file, where SQLite's name would be, are a
salt whose second half the key makes, so that a wrong key is told apart from a damaged file.
"""

import hmac
import os
import secrets
import stat
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from pathlib import Path

import apsw

from chatmem.errors import DatabaseError, DataKeyError
from chatmem.storage.values import Trace, TraceKind

_FLAGS = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE | apsw.SQLITE_OPEN_URI
_RAW = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_MAIN_DB
_RAW_WRITE = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_MAIN_DB
_MAGIC = b"SQLite format 3\0"
_FRACTIONS = bytes((64, 32, 32))
"""Bytes 21 to 23 of every SQLite file, encrypted or not."""
_HALF_SALT = 8
_WIPED_BYTES = 1 << 20
_HEADS = {2: 12, 5: 12, 10: 8, 13: 8}
"""Length of the head of a page, by its kind: of indexes and tables, with pages below and without.

An overflow page begins with a page's number of four bytes, which is no kind below 256 GiB.
"""
_CLEARED_PAGES = 4_096
"""At a time, while others wait to write: some 15 ms."""


def is_encrypted(path: Path) -> bool:
    """True for an encrypted database; False for a plain one, a missing one, and other files."""
    head = _head(path)
    return head[21:24] == _FRACTIONS and not head.startswith(_MAGIC)


def fits(path: Path, key: str) -> bool:
    """True when the file is encrypted with this key, also where its salt or all else is damaged."""
    salt = _head(path)[: 2 * _HALF_SALT]
    with closing(opened(path, key)) as connection, suppress(apsw.NotADBError):
        return salt == _salt(key, salt[:_HALF_SALT]) or connection.pragma("user_version") >= 0
    return False


def address(path: Path, key: str | None) -> str:
    """The file as SQLite takes it, with its key if it has one; a new file gets a salt, too."""
    if key is None:
        return f"{path.absolute().as_uri()}?key="
    salt = b"" if path.exists() and path.stat().st_size else _salt(key)
    return f"{path.absolute().as_uri()}?cipher=aegis&key=raw:{key}{salt.hex()}"


def opened(path: Path, key: str | None, cached_statements: int = 1) -> apsw.Connection:
    """A connection to the file, which is made if it is missing."""
    if key is not None and "multipleciphers" not in apsw.vfs_names()[0]:
        raise DataKeyError("SQLite cannot encrypt: install apsw-sqlite3mc in place of apsw")
    name = str(path) if key is None else address(path, key)
    return apsw.Connection(name, flags=_FLAGS, statementcachesize=cached_statements)


def chunks(path: Path, size: int = 1 << 22) -> Iterator[bytes]:
    """The bytes of a file as they stand, nothing where there is none.

    Read through SQLite: to open and close a database's file otherwise drops this process's locks.
    """
    try:
        file = apsw.VFSFile("", str(path.absolute()), [_RAW, 0])
    except apsw.CantOpenError as error:
        if path.exists():
            raise DatabaseError(f"{path} cannot be read: check its rights") from error
        return
    end = file.xFileSize()
    for start in range(0, end, size):
        yield file.xRead(min(size, end - start), start)


def search_files(folder: Path, traces: Sequence[Trace]) -> dict[str, set[TraceKind]]:
    """Every file below the folder, by its path from there, and what was found in it."""
    # Not SQLite's `-shm`, of numbers: whoever reads it drops the locks in it.
    files = sorted(one for one in folder.rglob("*") if one.is_file() and "-shm" not in one.suffix)
    return {one.relative_to(folder).as_posix(): _found_in(one, traces) for one in files}


def _found_in(file: Path, traces: Sequence[Trace]) -> set[TraceKind]:
    overlap = max((len(one.data) for one in traces), default=0) + 1
    found: set[TraceKind] = set()
    kept = b""
    for data in chunks(file):  # none of a temporary file that was renamed meanwhile
        kept = kept[-overlap:] + data
        found |= {one.kind for one in traces if one.is_in(kept)}
    return found


def clear_unused(path: Path, first: int) -> int:
    """Overwrites what pages from `first` on, counted from 0, keep beside their rows.

    SQLite leaves copies there of rows that it has moved; `secure_delete` knows the last place only.
    Nobody may write meanwhile, and the log must be empty. The page to go on from, 0 at the end.
    Source: sqlite.org/fileformat2.html, 1.6: rows fill a page from its end, their places from its
    head.
    """
    file = apsw.VFSFile("", str(path.absolute()), [_RAW_WRITE, 0])
    size = int.from_bytes(file.xRead(2, 16), "big")
    size = 1 << 16 if size == 1 else size
    end = min(file.xFileSize() // size, first + _CLEARED_PAGES)
    for page in range(first, end):
        data = file.xRead(size, page * size)
        if head := _HEADS.get(data[0]):
            places = head + 2 * int.from_bytes(data[3:5], "big")
            rows = int.from_bytes(data[5:7], "big") or 1 << 16
            unused = data[places:rows]
            if unused.strip(b"\0"):
                file.xWrite(bytes(len(unused)), page * size + places)
    file.xSync(apsw.SQLITE_SYNC_NORMAL)
    return end if (end + 1) * size <= file.xFileSize() else 0


def wipe(file: Path) -> None:
    """Overwrites a file with zeros and removes it; one that is not there is no error.

    Of a file with other names, or a link, only the name goes. What the disk keeps of older versions
    is out of reach.
    """
    with suppress(FileNotFoundError):
        status = file.lstat()
        if stat.S_ISREG(status.st_mode) and status.st_nlink == 1:
            with file.open("r+b", buffering=0) as data:
                for start in range(0, status.st_size, _WIPED_BYTES):
                    data.write(bytes(min(_WIPED_BYTES, status.st_size - start)))
                os.fsync(data.fileno())
        file.unlink()


def _head(path: Path) -> bytes:
    return next(chunks(path, 24), b"") if path.is_file() else b""


def _salt(key: str, drawn: bytes = b"") -> bytes:
    """An encrypted file's first bytes: half are drawn, half say which key fits."""
    drawn = drawn or secrets.token_bytes(_HALF_SALT)
    return drawn + hmac.digest(bytes.fromhex(key), drawn, "sha256")[:_HALF_SALT]
