"""What the tables ask of a database, whichever dialect it speaks, and how SQL files are read.

What both dialects understand stands in `storage/sql/`, once; what differs stands in `sqlite/sql/`
and `postgres/sql/` under the same names. A statement's header has its name and who it acts for:

    -- name: by_sources, for a user    whom the caller passes (`SqlDatabase.rows`)
    -- name: due, for everybody        sees and changes the rows of all users
    -- name: version, for nobody       reads no table that has rows of users
    -- name: create, for everybody, locks the circle
    -- name: if_kind, part             a piece of another statement

PostgreSQL obeys it: inside a transaction a statement that is passed a user locks that user's row in
`owner`, one that locks the circle the row of `:circle_id`, until the transaction ends. SQLite has
one writer and nobody to hide rows from.

A mark in braces stands for text of the dialect, or of the code that calls `filled`; the last word
of a longer mark may be put into that text:

    {visible}          the visibility predicate (`storage/visibility.py`)
    {memory}           the columns of `AtomicMemoryRecord`, its access counters included
    {memory columns}   the columns of `atomic_memory`; {bound memory columns} what is bound to them
    {memory changes}   what is written over them when a memory changes
    {message}          the columns of `StoredMessage`
    {with counters}    the join that has the counters
    {like}             a comparison that disregards the case of ASCII letters
    {in texts ids}     one of the texts in the JSON list `:ids`
    {in numbers keys}  one of the whole numbers in the JSON list `:keys`
    {owner}            the column that leads a table of the index, and the binding's name
    {row}              the row of the bindings `:user_id` and `:row_id`
    {of user}          the condition of a table that the user leads, and AND
    {row key}          the columns of a row's key; {bound row key} what is bound to them
    {joined table}     the bytes of the table's `data` and, behind them, those that are inserted
    {next version}     a number that no version of a document has had
    {passed}           plus the changes of embedder, each of which makes all that is kept stale
"""

import json
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from dataclasses import fields
from datetime import datetime
from functools import cache
from importlib.resources import files
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Final,
    Literal,
    NamedTuple,
    TypeAlias,
    TypeVar,
    cast,
    get_args,
)

from chatmem.errors import InvalidInputError, SchemaVersionError
from chatmem.model import AtomicMemoryRecord, Message, Missing
from chatmem.model.memory import JsonValue
from chatmem.model.time import from_text, to_text, utc_now
from chatmem.storage.values import Owner, StoredMessage
from chatmem.text.normalise import tag_form

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Row: TypeAlias = tuple[Any, ...]
Bindings: TypeAlias = Mapping[str, Any]
Given: TypeAlias = Bindings | list[Bindings]
NONE: Bindings = {}
OF_OWNER: Final = len(("user_id", "viewer", "owner"))
"""So many are bound by a statement that is asked of an owner alone."""
T = TypeVar("T")
_Record = TypeVar("_Record", bound="DataclassInstance")
_Convert: TypeAlias = Callable[[Any], Any]
ActsFor: TypeAlias = Literal["for a user", "for everybody", "for nobody", "part"]
LOCKS_CIRCLE: Final = "locks the circle"
COUNTERS: Final = {
    "last_accessed": "a.last_accessed",
    "access_count": "coalesce(a.access_count, 0)",
}
"""Columns of `memory_access`, which has no row before the first access."""
_MARK = re.compile(r"\{([a-z_ ]+)\}")
_COMMENT = re.compile(r"^[^\S\n]*+--.*\n", re.MULTILINE)
_encoded = json.JSONEncoder(ensure_ascii=False, default=to_text).encode
_MIGRATION = re.compile(r"(\d{4})\.sql")


class SqlStatement(NamedTuple):
    """SQL with parameters `:name`, who it acts for, and whether it locks the circle."""

    text: str
    acts_for: ActsFor = "for nobody"
    locks_circle: bool = False

    def filled(self, **marks: str) -> "SqlStatement":
        """The statement with these marks filled."""
        return self._replace(text=fill(self.text, marks))


Statement: TypeAlias = SqlStatement | str
"""A statement, or its name or its text."""


_FIELDS: Final = [one.name for one in fields(AtomicMemoryRecord)]
_COLUMNS: Final = [name for name in _FIELDS if name not in COUNTERS]
_ONCE: Final = ("id", "user_id", "create_time", "session_id", "app_type", "role")
"""Columns of a memory that never change."""
_MARKS: Final = {
    "memory": ", ".join(COUNTERS.get(name, f"m.{name}") for name in _FIELDS),
    "memory columns": ", ".join(("row_id", *_COLUMNS)),
    "bound memory columns": ", ".join(f":{name}" for name in ("row_id", *_COLUMNS)),
    "memory changes": ", ".join(f"{name} = :{name}" for name in _COLUMNS if name not in _ONCE),
    "message": ", ".join(one.name for one in fields(StoredMessage)),
}


class SqlDatabase(ABC):
    """Statements in, rows out; transactions and snapshots belong to the thread that opens them.

    A statement is named as `file.name`, and acts for the owner that is passed. Where many processes
    write, one transaction at a time reads and writes an owner's rows, from the first statement on
    that is passed the owner. A transaction or a snapshot sees no more than the owner of its first
    statement may see, unless `acting_for` says otherwise.
    """

    name: str
    """What a sentence for a person calls it: its path, or its address without the password."""
    package: ClassVar[str]
    """The package whose folder `sql` has the dialect's own statements."""
    marks: ClassVar[Mapping[str, str]]
    """What the dialect's marks stand for."""
    no_vectors: str | None = None
    """Why there is no vector search here, None where there is."""

    def rows(self, name: Statement, owner: Owner | None = None, /, **bindings: object) -> list[Row]:
        """All rows of a statement for the owner, whose name and number are bound as well."""
        statement = self.statement(name)
        if owner is None:
            assert statement.acts_for != "for a user", name
            return self.execute(statement, bindings)
        try:
            return self.execute(statement, bound(owner, bindings), owner.user_id)
        except UnicodeEncodeError as error:
            raise InvalidInputError(
                f"a name or text has half a character ({error.reason})"
            ) from error

    def row(self, name: Statement, owner: Owner | None = None, /, **bindings: object) -> Row | None:
        """The first row of a statement, or None."""
        found = self.rows(name, owner, **bindings)
        return found[0] if found else None

    def value(self, name: Statement, owner: Owner | None = None, /, **bindings: object) -> Any:  # noqa: ANN401 - a column of whatever type
        """The first column of the first row, or None."""
        found = self.rows(name, owner, **bindings)
        return found[0][0] if found else None

    def run(self, name: Statement, owner: Owner | None = None, /, **bindings: object) -> None:
        """A statement whose rows nobody reads."""
        self.rows(name, owner, **bindings)

    def record(
        self, kind: type[_Record], name: str, owner: Owner | None = None, /, **bindings: object
    ) -> _Record | None:
        """The first row as a record, or None."""
        found = self.row(name, owner, **bindings)
        return from_row(kind, found) if found else None

    def records(
        self, kind: type[_Record], name: str, owner: Owner | None = None, /, **bindings: object
    ) -> list[_Record]:
        """All rows as records, whose fields are the columns in their order."""
        return [from_row(kind, row) for row in self.rows(name, owner, **bindings)]

    def many(self, name: Statement, owner: Owner | None, bindings: Iterable[Bindings]) -> None:
        """A statement for each of many bindings, inside the open transaction."""
        every = [bound(owner, one) if owner else one for one in bindings]
        if every:
            self.execute(self.statement(name), every, owner.user_id if owner else None)

    @classmethod
    @cache
    def statement(cls, name: Statement) -> SqlStatement:
        """The statement of a name `file.name`, as this database understands it."""
        if isinstance(name, SqlStatement):
            return name
        file, _, title = name.partition(".")
        return cls.statements(file)[title]

    @classmethod
    @cache
    def statements(cls, file: str) -> Mapping[str, SqlStatement]:
        """The statements of `<file>.sql`, the shared ones and the dialect's, by name.

        Raises:
            ValueError: a header that does not say who its statement acts for.
        """
        found: dict[str, SqlStatement] = {}
        for folder in ("chatmem.storage", cls.package):
            path = files(folder) / "sql" / f"{file}.sql"
            parts = path.read_text("utf-8").split("-- name: ")[1:] if path.is_file() else ()
            for part in parts:
                header, _, body = part.partition("\n")
                title, acts_for, *locks = header.split(", ")
                if acts_for not in get_args(ActsFor) or locks not in ([], [LOCKS_CIRCLE]):
                    raise ValueError(f"{path}: cannot read the header {header!r}")
                text = fill(_COMMENT.sub("", body).strip(), {**_MARKS, **cls.marks})
                found[title] = SqlStatement(text, cast(ActsFor, acts_for), bool(locks))
        return found

    @property
    @abstractmethod
    def writing(self) -> bool:
        """True inside this thread's open transaction."""

    @property
    def has_failed(self) -> bool:
        """True in a transaction that has failed: what is undone in it goes with all the rest."""
        return False

    @abstractmethod
    def execute(
        self, statement: Statement, bindings: Given = NONE, user_id: str | None = None
    ) -> list[Row]:
        """All rows of a statement for the user; none where a list has the bindings of many."""

    @abstractmethod
    def acting_for(self, user_id: str) -> AbstractContextManager[None]:
        """Every statement of this thread inside sees what this user may see."""

    @abstractmethod
    def transaction(self) -> AbstractContextManager[None]:
        """Everything executed by this thread inside is written together, or not at all."""

    def together(self, work: Callable[[], T]) -> T:
        """What the work gives, in a transaction that may be others' too: it may be done again."""
        with self.transaction():
            return work()

    @abstractmethod
    def snapshot(self) -> AbstractContextManager[None]:
        """Everything read by this thread inside sees one state of the database."""

    def assume(self, name: str, owner: Owner, row: Row) -> None:  # noqa: B027 - nothing here
        """In the snapshot that begins, the statement has this row; a server says if it has not."""

    @abstractmethod
    def missing(self) -> tuple[Missing, ...]:
        """What this database cannot do here, and why."""

    @abstractmethod
    def close(self) -> None:
        """Let go of every connection."""


class Table:
    """A table, or a few that belong together, of a database."""

    def __init__(self, database: SqlDatabase) -> None:
        self._db = database


def bound(owner: Owner, bindings: Bindings) -> Bindings:
    """What is bound, and the owner as owner and as viewer."""
    return {"user_id": owner.user_id, "viewer": owner.user_id, "owner": owner.number, **bindings}


def bindable(value: object) -> Any:  # noqa: ANN401 - whatever a column takes
    """The value as a column takes it: a time as text, a list as JSON."""
    if isinstance(value, datetime):
        return to_text(value)
    return json.dumps(list(value)) if isinstance(value, list | tuple | frozenset) else value


def fill(text: str, marks: Mapping[str, str]) -> str:
    """The text with what the marks stand for; those that are not given stay."""

    def meaning(match: re.Match[str]) -> str:
        stem, _, argument = match[1].rpartition(" ")
        if match[1] in marks:
            return marks[match[1]]
        return marks[stem].replace("{}", argument) if stem in marks else match[0]

    return _MARK.sub(meaning, text)


def read_migrations(package: str) -> dict[int, str]:
    """The package's migration scripts by the version that each leads to."""
    folder = files(package) / "migrations"
    return {
        int(match[1]): entry.read_text("utf-8")
        for entry in sorted(folder.iterdir(), key=lambda entry: entry.name)
        if (match := _MIGRATION.fullmatch(entry.name))
    }


def refuse_newer(name: object, found: int, newest: int) -> None:
    """Refuse a database of a schema version that is not known yet.

    Raises:
        SchemaVersionError: it was written by a newer chatmem.
    """
    if found > newest:
        raise SchemaVersionError(
            f"{name} has schema version {found}, this chatmem knows up to {newest}: "
            "use the newer chatmem that wrote it; nothing was changed"
        )


def from_row(kind: type[_Record], row: Row) -> _Record:
    """The record, a dataclass with slots, whose fields are the row's columns, in their order."""
    # By its slots: a frozen one's constructor takes twice as long, and a prompt reads a hundred.
    record = kind.__new__(kind)
    for (_, put, read, _), value in zip(_layout(kind), row, strict=True):
        put(record, value if read is None or value is None else read(value))
    return record


def to_bindings(record: "DataclassInstance") -> dict[str, Any]:
    """The record's fields by name, as the columns of a row."""
    return {
        name: getattr(record, name) if write is None else write(getattr(record, name))
        for name, _, _, write in _layout(type(record))
    }


def to_record(row: Row) -> AtomicMemoryRecord:
    """The record of a row selected as `m.row_id, {memory}`."""
    return from_row(AtomicMemoryRecord, row[1:])


def memory_bindings(key: int, record: AtomicMemoryRecord) -> dict[str, Any]:
    """Named parameters for `memories.insert` and `memories.update`."""
    bindings = to_bindings(record)
    bindings.update(row_id=key, tag_forms=[tag_form(tag) for tag in record.tags])
    return bindings


def turn_bindings(key: int, said: Message, memory_id: str, at: datetime) -> dict[str, Any]:
    """The same, but for the owner's, of a memory that is no more than a message."""
    return {**_only_said(), **to_bindings(said), "row_id": key, "id": memory_id, "create_time": at}


@cache
def _only_said() -> dict[str, Any]:
    now = utc_now()
    record = AtomicMemoryRecord(id="", user_id="", timestamp=now, create_time=now, content="")
    return {name: one for name, one in memory_bindings(0, record).items() if name != "user_id"}


def to_json(record: AtomicMemoryRecord) -> str:
    """The memory as a JSON object with the names of the columns."""
    return _encoded({one.name: getattr(record, one.name) for one in fields(record)})


def from_json(text: str) -> AtomicMemoryRecord:
    """The memory that `to_json` wrote, in this version or an older one."""
    values = json.loads(text)
    for name, _, read, _ in _layout(AtomicMemoryRecord):
        if read is from_text and values.get(name) is not None:
            values[name] = read(values[name])
    return AtomicMemoryRecord(**values | {"tags": tuple(values["tags"])})


def _json(value: object) -> str:
    if value is None or value == ():
        return "[]" if value == () else "null"
    return _encoded(dict(value) if isinstance(value, Mapping) else value)


_TIME: Final = (from_text, lambda moment: moment and to_text(moment))
_CONVERTERS: Final[Mapping[object, tuple[_Convert, _Convert]]] = {
    datetime: _TIME,
    datetime | None: _TIME,
    bool: (bool, int),
    tuple[str, ...]: (lambda text: tuple(json.loads(text)) if text != "[]" else (), _json),
    JsonValue: (lambda text: json.loads(text) if text != "null" else None, _json),
    Mapping[str, JsonValue]: (lambda text: json.loads(text) if text != "{}" else {}, _json),
    AtomicMemoryRecord: (from_json, to_json),
    AtomicMemoryRecord | None: (from_json, lambda record: record and to_json(record)),
}
"""Types of fields whose columns are text or numbers: how each is read, and how it is written."""


@cache
def _layout(
    kind: type["DataclassInstance"],
) -> list[tuple[str, Callable[..., None], _Convert | None, _Convert | None]]:
    """Of each field its name, what sets it, and how it is read and written, None: as it is."""
    return [
        (one.name, getattr(kind, one.name).__set__, *_CONVERTERS.get(one.type, (None, None)))
        for one in fields(kind)
    ]
