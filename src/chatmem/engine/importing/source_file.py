"""A file to import, what its reader finds in it, and errors that say where it is broken.

Source: interfaces.md, "Command line"; decisions 1 (imports deduplicate by the source's own ids).
"""

import codecs
import json
import lzma
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import IO, Any, Literal, TypeAlias
from zipfile import BadZipFile, ZipFile, is_zipfile

from chatmem.errors import ImportFormatError, StorageError
from chatmem.model import Message, Role
from chatmem.model.memory import MemoryWrite
from chatmem.text.dates import read_date as read_date

Broken: TypeAlias = Literal[
    "shape", "empty", "nothing", "unknown", "encoding", "json", "damaged", "large"
]
"""Why a file cannot be imported; `shape` where a part of it is not as its format says."""
ID_PREFIX = "chatmem:"
"""Before the id that an item of our own export has in the database it came from."""
_MOST_PACKED = 100
_ALWAYS_BYTES = 16 * 1024 * 1024
"""What a packed file may hold, in times of its own size, and however small it is."""
_XZ_MAGIC = b"\xfd7zXZ\x00"
_NOT_UTF8 = "not UTF-8 text; convert it first, for example `iconv -f GB18030 -t UTF-8`"
_ROLES: dict[str, Role] = {
    **dict.fromkeys(("user", "human", "me", "用户", "用戶", "我"), "user"),
    **dict.fromkeys(("assistant", "ai", "bot", "gpt", "chatgpt", "model", "助手"), "assistant"),
    **dict.fromkeys(("system", "developer", "系统", "系統"), "system"),
    **dict.fromkeys(("tool", "function"), "tool"),
}


class Note(StrEnum):
    """A thing that was left out, or guessed; its text is what English readers see."""

    UNDATED = "messages without a date, dated like the one before or now"
    BADLY_DATED = "messages with a date that cannot be read, dated like the one before or now"
    MEMORY_UNDATED = "memories without a readable date, dated now"
    SUPERSEDED = "superseded memories, left out"
    FOREIGN = "memories of other users, left out"
    SYSTEM_PROMPT = "system prompts, left out"
    WITHOUT_TEXT = "messages without text (tool calls, for example), left out"


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedMemory(MemoryWrite):
    """A long-term memory that a file holds; `timestamp` None means that the file does not say.

    `source_tag` is its id in the source (`mem0:8f3a`). It is stored as a tag, so that a second
    import recognises the memory even after an edit.
    """

    timestamp: datetime | None = None
    source_tag: str | None = None


Item: TypeAlias = Message | ImportedMemory


def role_and_speaker(name: str) -> tuple[Role, str | None]:
    """The role that a speaker's name stands for, and the name where it is a person's: a `user`."""
    role = _ROLES.get(name.strip().lower())
    return (role, None) if role is not None else ("user", name.strip() or None)


class SourceFile:
    """One file, read on demand: plain or `.xz`, with or without a byte order mark, or a `.zip`.

    `now` dates what the file does not, and `user_id` is the user it is imported for. `notes` counts
    what was left out or guessed; errors name what is `expected`, and `place` was checked last.
    """

    def __init__(self, path: Path, *, user_id: str, now: datetime) -> None:
        self.path = path
        self.user_id = user_id
        self.now = now
        self.notes: Counter[str] = Counter()
        self.expected = ""
        self.place: str | None = None

    def broken(
        self, place: str | None, reason: str, expected: str = "", *, code: Broken = "shape"
    ) -> ImportFormatError:
        """The error for a file that cannot be imported: file, place, reason, what would do."""
        where = f"{self.path}, {place}" if place else str(self.path)
        error = ImportFormatError(f"{where}: {reason}; expected {expected or self.expected}")
        return error.coded(code, file=self.path.name, place=place, reason=reason)

    def checked(
        self, value: object, place: str, expected: str = "", **types: type | tuple[type, ...]
    ) -> dict[str, Any]:
        """The value, a JSON object that has these fields, each of its type.

        Raises:
            ImportFormatError: it is no object, or a field is missing or of another type.
        """
        self.place = place
        if not isinstance(value, dict):
            raise self.broken(place, "not an object", expected)
        for name, kind in types.items():
            if not isinstance(value.get(name), kind):
                raise self.broken(place, f"no `{name}`", expected)
        return value

    def moment(self, raw: object, fallback: datetime) -> datetime:
        """When a message was sent; `fallback`, and a note, when the file does not say."""
        moment = read_date(raw)
        if moment is None:
            self.notes[Note.UNDATED if raw in (None, "") else Note.BADLY_DATED] += 1
        return moment or fallback

    @cached_property
    def is_zip(self) -> bool:
        """True for a zip archive, by its content."""
        with self._readable():
            return is_zipfile(self.path)

    def lines(self) -> Iterator[tuple[int, str]]:
        """Number and text of every line that is not blank, without reading the file at once."""
        number, left = 0, self._most_chars
        with self._readable(), self._open() as stream:
            try:
                while line := stream.readline(left + 1):
                    number, left = number + 1, self._left(left - len(line))
                    if line.strip():
                        yield number, line
            except UnicodeDecodeError:
                raise self._not_utf8(f"line {number + 1}") from None

    @cached_property
    def text(self) -> str:
        """The whole text."""
        with self._readable(), self._open() as stream:
            try:
                text = stream.read(self._most_chars + 1)
            except UnicodeDecodeError as error:
                raise self._not_utf8(f"byte {error.start}") from None
        self._left(self._most_chars - len(text))
        return text

    @cached_property
    def _most_chars(self) -> int:
        """What is read of the file: no text that is packed well has more."""
        with self._readable():
            return max(_ALWAYS_BYTES, _MOST_PACKED * self.path.stat().st_size)

    def _left(self, chars: int) -> int:
        """What may still be read, which is at least 0; else an ImportFormatError."""
        if chars < 0:
            reason = f"unpacked, it is more than {_MOST_PACKED} times as large as before"
            raise self.broken(None, reason, "a text, or an export of chats", code="large")
        return chars

    @cached_property
    def json(self) -> object:
        """The file as one JSON document."""
        return self.parse(self.text, place=None)

    @property
    def json_list(self) -> list[object]:
        """The file as a JSON list; another document is a list of one."""
        return self.json if isinstance(self.json, list) else [self.json]

    @cached_property
    def is_json_lines(self) -> bool:
        """True when the first line is a whole JSON object and others follow."""
        lines = self.lines()
        first, second = next(lines, None), next(lines, None)
        if first and second and first[1].lstrip().startswith("{"):
            with suppress(ValueError, RecursionError):
                return isinstance(json.loads(first[1]), dict)
        return False

    def parse(self, text: str, place: str | None) -> object:
        """`text` as JSON.

        Raises:
            ImportFormatError: it is none.
        """
        try:
            return json.loads(text)
        except json.JSONDecodeError as error:
            place = place or f"line {error.lineno} column {error.colno}"
            reason, expected = f"not JSON ({error.msg})", "valid JSON"
        except ValueError as error:  # a number of thousands of digits
            reason, expected = str(error), "valid JSON"
        except RecursionError:
            reason, expected = "JSON nested too deep", "an exported chat"
        raise self.broken(place, reason, expected, code="json")

    def zip_texts(self, prefix: str, suffix: str) -> Iterator[tuple[str, str]]:
        """Name and text of the archive's files called `prefix...suffix`, in order of name.

        Raises:
            ImportFormatError: there is none.
        """
        left, names = self._most_chars, list[str]()
        with self._readable(), ZipFile(self.path) as archive:
            for member in sorted(archive.infolist(), key=lambda one: one.filename):
                name = member.filename
                base = name.rsplit("/", 1)[-1]
                if base.startswith(prefix) and base.endswith(suffix):
                    left = self._left(left - member.file_size)
                    names.append(name)
                    try:
                        yield name, archive.read(member).decode("utf-8-sig")
                    except UnicodeDecodeError:
                        raise self._not_utf8(name) from None
        if not names:
            raise self.broken(None, f"a zip without {prefix}{suffix}", "a ChatGPT export")

    def _not_utf8(self, place: str) -> ImportFormatError:
        return self.broken(place, _NOT_UTF8, code="encoding")

    def _open(self) -> IO[str]:
        with self.path.open("rb") as raw:
            head = raw.read(len(_XZ_MAGIC))
        if head == _XZ_MAGIC:
            return lzma.open(self.path, "rt", encoding="utf-8-sig")
        wide = head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
        return self.path.open(encoding="utf-16" if wide else "utf-8-sig")

    @contextmanager
    def _readable(self) -> Iterator[None]:
        """Turns what the system says about an unreadable file into an error of ours."""
        try:
            yield
        except StorageError:
            raise
        except (lzma.LZMAError, EOFError, BadZipFile, zlib.error, RuntimeError) as error:
            is_xz = isinstance(error, lzma.LZMAError | EOFError)
            expected = "a whole .xz file" if is_xz else "a whole zip, no password"
            raise self.broken(None, f"damaged ({error})", expected, code="damaged") from error
        except OSError as error:
            reason = error.strerror or str(error)
            raise StorageError(f"cannot read {self.path}: {reason}") from error
