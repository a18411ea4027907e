"""Memories as bullets, bullets as memories, and documents with bullets put in or taken out.

Nothing that a row of the database holds is lost.

Only what differs from the document's defaults is written:

    kind        episodic in daily/, semantic elsewhere
    category    what the heading says (fact under any other, and in daily/)
    confidence  0.9      source  user_stated      importance  3      visibility  private

The time of a memory is `at`, in UTC; a daily entry shows it as local time before its text:

    - 14:05 Called the dentist <!-- id=m3 at=2026-11-21T14:05:31+08:00 -->

The shown time is compared with `at` in `at`'s own offset, so that moving to another time zone edits
nothing. Text that begins with that very time itself has `time=own`.

Source: decisions 1 and 2; S5.1.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, tzinfo
from typing import Any

from chatmem.model.memory import (
    CATEGORIES,
    DEFAULT_CONFIDENCE,
    KINDS,
    NEUTRAL_IMPORTANCE,
    SOURCES,
    VISIBILITIES,
    AtomicMemoryRecord,
    Category,
    JsonValue,
    Kind,
    Source,
    Visibility,
)
from chatmem.storage.documents.attributes import (
    AttributeReader,
    clock_moment,
    clock_text,
    confidence_of,
    importance_of,
    moment_of,
    moment_text,
    noon,
    one_of,
    tags_of,
    tags_text,
    utc_of,
    utc_text,
    value_of,
    value_text,
    with_clock,
    without_clock,
)
from chatmem.storage.documents.places import category_of, document_day, headings_for, kind_of
from chatmem.text.bullets import Bullet, append, newline_of, parse, plain_title, remove, replace
from chatmem.text.clean import clean_text
from chatmem.text.outline import CLOSE, OPEN

_OWN_TIME = "own"
_COLUMNS: Mapping[str, tuple[Callable[[Any], str], Callable[[str], Any], Any]] = {
    "key": (str, str, None),
    "value": (value_text, value_of, None),
    "confidence": (str, confidence_of, DEFAULT_CONFIDENCE),
    "source": (str, one_of(SOURCES, "user_stated"), "user_stated"),
    "importance": (str, importance_of, NEUTRAL_IMPORTANCE),
    "visibility": (str, one_of(VISIBILITIES, "private"), "private"),
    "tags": (tags_text, tags_of, ()),
    "session_id": (str, str, None),
    "app_type": (str, str, None),
    "role": (str, str, None),
    "valid_from": (utc_text, utc_of, None),
    "valid_to": (utc_text, utc_of, None),
    "superseded_by": (str, str, None),
}
"""Columns with one default for every document: how each is written, how read, the default."""
NAMES = frozenset(("id", "at", "created", "time", "kind", "category", *_COLUMNS))


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryFields:
    """What a bullet says of its memory, with the names of the columns.

    `timestamp` and `create_time` are None where the bullet does not tell. `warnings` are sentences
    about attributes that could not be read and were taken as their defaults.
    """

    id: str | None
    content: str
    timestamp: datetime | None
    create_time: datetime | None
    tags: tuple[str, ...]
    session_id: str | None
    app_type: str | None
    role: str | None
    kind: Kind | None
    category: Category | None
    key: str | None
    value: JsonValue
    confidence: float
    source: Source
    importance: int
    visibility: Visibility
    valid_from: datetime | None
    valid_to: datetime | None
    superseded_by: str | None
    warnings: tuple[str, ...] = ()


def record_to_bullet(
    record: AtomicMemoryRecord,
    document: str,
    zone: tzinfo | None = None,
    others: Mapping[str, str] | None = None,
) -> Bullet:
    """The bullet of a memory for this document.

    `zone` is where daily entries show their time (the machine's own when None); `others` are the
    attributes of its present bullet, of which those that are not ours are kept.
    """
    day = document_day(document)
    default: Category | None = "fact" if day else record.category or "fact"
    at = record.timestamp.astimezone(zone if day else UTC)
    attributes = {"id": record.id, "at": moment_text(at)}
    content = record.content
    if day:
        if without_clock(content, clock_text(at)) is None:
            content = with_clock(content, clock_text(at))
        else:
            attributes["time"] = _OWN_TIME
    if record.create_time != record.timestamp:
        attributes["created"] = utc_text(record.create_time)
    if record.kind != kind_of(document):
        attributes["kind"] = record.kind or ""
    if record.category != default:
        attributes["category"] = record.category or ""
    for name, (write, _, unwritten) in _COLUMNS.items():
        if (value := getattr(record, name)) != unwritten:
            attributes[name] = write(value)
    attributes |= {name: text for name, text in (others or {}).items() if name not in NAMES}
    return Bullet(content, attributes, None if day else headings_for(record.category)[0])


def bullet_to_fields(bullet: Bullet, document: str, zone: tzinfo | None = None) -> MemoryFields:
    """What a bullet of this document says. Never fails: what it cannot read is in `warnings`.

    A hand-written daily entry happened at the time that it begins with, else at noon, in `zone`.
    """
    reader = AttributeReader(bullet.attributes, f"{document}, {bullet.id or bullet.content[:30]!r}")
    day = document_day(document)
    at = reader.read("at", moment_of, None)
    content = bullet.content
    if day:
        content, at = _daily(bullet, day, at, zone)
    created = reader.read("created", utc_of, None) or at
    heading: Category = "fact" if day else category_of(bullet.heading)
    columns = {
        name: reader.read(name, read, default) for name, (_, read, default) in _COLUMNS.items()
    }
    return MemoryFields(
        id=bullet.id,
        content=clean_text(content),
        timestamp=at and at.astimezone(UTC),
        create_time=created and created.astimezone(UTC),
        kind=reader.read("kind", one_of(KINDS, None), kind_of(document)),
        category=reader.read("category", one_of(CATEGORIES, None), heading),
        **columns,
        warnings=tuple(reader.warnings),
    )


def place_bullets(
    text: str, path: str, put: Iterable[AtomicMemoryRecord], gone: Collection[str]
) -> str:
    """The document `path` with these memories in it and without those whose ids are `gone`.

    A memory that stands there already is replaced where it stands, or moves to the section of its
    new category.
    """
    if gone:
        text = remove(text, gone)
    for record in put:
        text = _placed(text, path, record)
    return text


def without_cut_line(text: str) -> str:
    """The document without a last line that ends inside one of our comments; whole lines only."""
    if not text or text.endswith("\n"):
        return text
    start = text.rfind("\n") + 1
    if text.rfind(OPEN) >= start and text.rfind(OPEN) > text.rfind(CLOSE):
        return text[:start]
    return text + newline_of(text)


def _daily(
    bullet: Bullet, day: date, at: datetime | None, zone: tzinfo | None
) -> tuple[str, datetime]:
    """Content and time of a daily entry; the time that is shown wins over `at`."""
    if at is None:
        return bullet.content, clock_moment(bullet.content, day, zone) or noon(day, zone)
    told = without_clock(bullet.content, clock_text(at))
    if told is not None:
        return bullet.content if bullet.attributes.get("time") == _OWN_TIME else told, at
    return bullet.content, clock_moment(bullet.content, at.date(), at.tzinfo) or at


def _placed(text: str, path: str, record: AtomicMemoryRecord) -> str:
    titles = () if document_day(path) else tuple(headings_for(record.category))
    there: tuple[Bullet, ...] = ()
    if record.id in text:  # parsing is only worth it when the id occurs at all
        there = parse(text).with_id(record.id)
    if not there:
        return append(text, record_to_bullet(record, path), titles)
    bullet = record_to_bullet(record, path, others=there[0].attributes)
    wanted = {plain_title(title) for title in titles}
    if not titles or plain_title(there[0].heading or "") in wanted:
        return replace(text, there[0], bullet)
    return append(remove(text, [record.id]), bullet, titles)
