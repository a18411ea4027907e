"""A file to import: its text whatever the wrapping, and errors that say where it is broken."""

import codecs
import json
import lzma
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import IO, Literal, TypeAlias
from zipfile import BadZipFile, ZipFile, is_zipfile

from chatmem.engine.importing.dates import read_date
from chatmem.engine.importing.notes import Note
from chatmem.errors import ImportFormatError, StorageError

Broken: TypeAlias = Literal["shape", "empty", "nothing", "unknown", "encoding", "json", "damaged"]
"""How a file cannot be imported; `shape` where a part of it is not as its format says."""
_XZ_MAGIC = b"\xfd7zXZ\x00"
_NOT_UTF8 = "not UTF-8 text; convert it first, for example `iconv -f GB18030 -t UTF-8`"


class SourceFile:
    """One file, read on demand: plain or `.xz`, with or without a byte order mark, or a `.zip`.

    `now` dates what the file does not, and `user_id` is the user it is imported for. Readers leave
    in `notes` what a person should know about the import, each with its number of occurrences.
    """

    def __init__(self, path: Path, *, user_id: str, now: datetime) -> None:
        self.path = path
        self.user_id = user_id
        self.now = now
        self.notes: Counter[str] = Counter()

    def broken(
        self, place: str | None, reason: str, expected: str, *, code: Broken = "shape"
    ) -> ImportFormatError:
        """The error for a file that cannot be imported: file, place, reason, what would do."""
        where = f"{self.path}, {place}" if place else str(self.path)
        error = ImportFormatError(f"{where}: {reason}; expected {expected}")
        return error.coded(code, file=self.path.name, place=place, reason=reason)

    def moment(self, raw: object, fallback: datetime) -> datetime:
        """When a message was sent; `fallback`, and a note, when the file does not say."""
        moment = read_date(raw)
        if moment is None:
            self.notes[Note.UNDATED if raw in (None, "") else Note.BADLY_DATED] += 1
            return fallback
        return moment

    @cached_property
    def is_zip(self) -> bool:
        """True for a zip archive, by its content."""
        with self._readable():
            return is_zipfile(self.path)

    def lines(self) -> Iterator[tuple[int, str]]:
        """Number and text of every line that is not blank, without reading the file at once."""
        number = 0
        with self._readable(), self._open() as stream:
            try:
                for number, line in enumerate(stream, start=1):
                    if line.strip():
                        yield number, line
            except UnicodeDecodeError:
                raise self.broken(
                    f"line {number + 1}", _NOT_UTF8, "UTF-8", code="encoding"
                ) from None

    @cached_property
    def text(self) -> str:
        """The whole text."""
        with self._readable(), self._open() as stream:
            try:
                return stream.read()
            except UnicodeDecodeError as error:
                raise self.broken(
                    f"byte {error.start}", _NOT_UTF8, "UTF-8", code="encoding"
                ) from None

    @cached_property
    def json(self) -> object:
        """The file as one JSON document."""
        return self.parse(self.text, place=None)

    @cached_property
    def is_json_lines(self) -> bool:
        """True when the first line is a whole JSON object and others follow."""
        lines = self.lines()
        first, second = next(lines, None), next(lines, None)
        if first is None or second is None or not first[1].lstrip().startswith("{"):
            return False
        try:
            return isinstance(json.loads(first[1]), dict)
        except (ValueError, RecursionError):
            return False

    def parse(self, text: str, place: str | None) -> object:
        """`text` as JSON.

        Raises:
            ImportFormatError: it is none.
        """
        try:
            return json.loads(text)
        except json.JSONDecodeError as error:
            spot = f"line {error.lineno} column {error.colno}" if place is None else place
            raise self.broken(spot, f"not JSON ({error.msg})", "valid JSON", code="json") from None
        except ValueError as error:  # a number of thousands of digits
            raise self.broken(place, str(error), "valid JSON", code="json") from None
        except RecursionError:
            raise self.broken(
                place, "JSON nested too deep", "an exported chat", code="json"
            ) from None

    def zip_texts(self, prefix: str, suffix: str) -> Iterator[tuple[str, str]]:
        """Name and text of the archive's files called `prefix...suffix`, in order of name."""
        with self._readable(), ZipFile(self.path) as archive:
            for name in sorted(archive.namelist()):
                base = name.rsplit("/", 1)[-1]
                if base.startswith(prefix) and base.endswith(suffix):
                    try:
                        yield name, archive.read(name).decode("utf-8-sig")
                    except UnicodeDecodeError:
                        raise self.broken(name, _NOT_UTF8, "UTF-8", code="encoding") from None

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
        except (lzma.LZMAError, EOFError) as error:
            raise self.broken(
                None, f"damaged ({error})", "a whole .xz file", code="damaged"
            ) from error
        except (BadZipFile, zlib.error, RuntimeError) as error:
            raise self.broken(
                None, f"damaged ({error})", "a whole zip, no password", code="damaged"
            ) from error
        except StorageError:
            raise
        except OSError as error:
            reason = error.strerror or str(error)
            raise StorageError(f"cannot read {self.path}: {reason}") from error
