"""Replacing a file whole: a reader, and a crash, find the old bytes or the new ones."""

import os
import secrets
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

TEMPORARY = ".chatmem-tmp"

_NEW_FILE_MODE = 0o666  # less what the umask takes, as any editor would create it
_BINARY = getattr(os, "O_BINARY", 0)  # Windows


def replace_file(target: Path, data: bytes, last_check: Callable[[], None]) -> os.stat_result:
    """Writes beside the target, flushes to disk, renames, flushes the folder; returns its status.

    Mode and, where allowed, owner of an existing file stay. `last_check` runs right before the
    rename and stops it by raising.

    Raises:
        OSError: as the system gave it; the target is as it was and nothing is left beside it.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    temporary = target.with_name(f".{target.name}.{secrets.token_hex(6)}{TEMPORARY}")
    try:
        written = _write(temporary, data, _status(target))
        last_check()
        os.replace(temporary, target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    flush_folder(target.parent)
    # Renaming changes nothing but the time of the last change; if more is different, somebody has
    # written since, and the status before the rename is the one that will not hide it.
    now = target.stat()
    return now if _identity(now) == _identity(written) else written


def _status(target: Path) -> os.stat_result | None:
    try:
        return target.stat()
    except FileNotFoundError:
        return None


def _identity(status: os.stat_result) -> tuple[int, int, int]:
    return status.st_ino, status.st_mtime_ns, status.st_size


def _write(file: Path, data: bytes, like: os.stat_result | None) -> os.stat_result:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY
    descriptor = os.open(file, flags, _NEW_FILE_MODE)
    with open(descriptor, "wb", buffering=0) as out:
        if like is not None:
            if hasattr(os, "fchown"):
                with suppress(PermissionError):  # only root may give a file away
                    os.fchown(descriptor, like.st_uid, like.st_gid)
            file.chmod(like.st_mode & 0o7777)
        left = memoryview(data)
        while left:
            left = left[out.write(left) :]
        os.fsync(descriptor)
        return os.fstat(descriptor)


def flush_folder(folder: Path) -> None:
    """Makes a rename or a removal in it durable, on systems where a folder can be opened."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
