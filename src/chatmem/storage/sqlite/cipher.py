"""An encrypted SQLite file: whether it is one, which key fits, how it is opened.

The cipher is AEGIS-256 of SQLite3 Multiple Ciphers, over every page of the file and of its log. A
key is raw: 64 hexadecimal digits. The first bytes of the file, where SQLite's name would be, are a
salt whose second half the key makes, so that a wrong key is told apart from a damaged file.
"""

import contextlib
import hmac
import secrets
from pathlib import Path

import apsw

from chatmem.errors import DataKeyError

_CIPHER = "aegis"
_FLAGS = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE | apsw.SQLITE_OPEN_URI
_MAGIC = b"SQLite format 3\0"
_FRACTIONS = bytes((64, 32, 32))
"""Bytes 21 to 23 of every SQLite file, encrypted or not."""
_HALF_SALT = 8


def is_encrypted(path: Path) -> bool:
    """True for an encrypted database; False for a plain one, a missing one, and other files."""
    head = _head(path)
    return head[21:24] == _FRACTIONS and not head.startswith(_MAGIC)


def fits(path: Path, key: str) -> bool:
    """True when the file is encrypted with this key, also where it is damaged behind its salt."""
    salt = _head(path)[: 2 * _HALF_SALT]
    if salt == _salt(key, salt[:_HALF_SALT]):
        return True
    try:
        with contextlib.closing(opened(path, key)) as connection:
            connection.execute("SELECT count(*) FROM sqlite_master").fetchall()
    except apsw.NotADBError:
        return False
    return True


def address_of_new(path: Path, key: str | None) -> str:
    """The file as `VACUUM INTO` takes it, to be encrypted with the key, or plain without one."""
    how = f"cipher={_CIPHER}&key=raw:{key}{_salt(key).hex()}" if key else "key="
    return f"{path.absolute().as_uri()}?{how}"


def _head(path: Path) -> bytes:
    with contextlib.suppress(FileNotFoundError), path.open("rb") as file:
        return file.read(24)
    return b""


def _salt(key: str, drawn: bytes = b"") -> bytes:
    """An encrypted file's first bytes: half are drawn, half say which key fits."""
    drawn = drawn or secrets.token_bytes(_HALF_SALT)
    return drawn + hmac.digest(bytes.fromhex(key), drawn, "sha256")[:_HALF_SALT]


def opened(path: Path, key: str | None, cached_statements: int = 1) -> apsw.Connection:
    """A connection to the file, which is made if it is missing, with its key if it has one.

    Raises:
        DataKeyError: this SQLite cannot encrypt.
    """
    connection = apsw.Connection(
        str(path.absolute()), flags=_FLAGS, statementcachesize=cached_statements
    )
    if key is None:
        return connection
    # Plain SQLite knows no such pragma, and is silent.
    if not connection.execute(f"PRAGMA cipher = '{_CIPHER}'").fetchall():
        raise DataKeyError("SQLite cannot encrypt: install apsw-sqlite3mc in place of apsw")
    salt = _head(path)[: 2 * _HALF_SALT] or _salt(key)
    connection.execute(f"PRAGMA key = 'raw:{key}{salt.hex()}'").fetchall()
    return connection
