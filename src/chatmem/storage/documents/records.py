"""Memories as bullets and back, without loss, and documents with bullets put in or taken out.

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

import dataclasses
import json
from collections.abc import Callable, Collection, Mapping
from datetime import UTC, date, datetime, time, tzinfo
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
)
from chatmem.storage.documents.places import category_of, document_day, headings_for, kind_of
from chatmem.text.bullets import Bullet, append, newline_of, parse, plain_title, remove, replace
from chatmem.text.clean import clean_text
from chatmem.text.languages import expression
from chatmem.text.outline import CLOSE, LIST_MARKER, OPEN

_TAG_SIGNS = expression("[,，、]")
_CLOCK = expression(r"(?P<hour>[01]?[0-9]|2[0-3])[:：](?P<minute>[0-5][0-9])(?=\s|$)")
_NOON = time(12)
# What must begin its line to be what it is: a fence, a quote, a heading, a table, a list.
_BLOCK = expression(rf"```|~~~|>|#|\||{LIST_MARKER}(?:\s|$)")


def _one_of(choices: Collection[str], empty: str | None) -> Callable[[str], Any]:
    """What reads one of the choices; an empty text stands for `empty`."""

    def read(text: str) -> str | None:
        if text and text not in choices:
            raise ValueError
        return text or empty

    return read


def _between(number: Callable[[str], float], low: int, high: int) -> Callable[[str], Any]:
    """What reads a number from `low` to `high`."""

    def read(text: str) -> float:
        found = number(text)
        if not low <= found <= high:
            raise ValueError
        return found

    return read


def tags_text(tags: tuple[str, ...]) -> str:
    """Tags with commas between them, or as a JSON list where that would not bring them back."""
    text = ",".join(tags)
    plain = not text.startswith("[") and tags_of(text) == tags
    return text if plain else json.dumps(tags, ensure_ascii=False)


def tags_of(text: str) -> tuple[str, ...]:
    """The tags of such a text, Chinese commas included; ValueError for a list of other things."""
    if text.startswith("["):
        tags = json.loads(text)
        if not all(isinstance(tag, str) for tag in tags):
            raise ValueError
        return tuple(tags)
    return tuple(tag.strip() for tag in _TAG_SIGNS.split(text) if tag.strip())


def value_text(value: JsonValue) -> str:
    """JSON, or the bare text of a string that is no JSON by itself: `value=tea`."""
    if isinstance(value, str) and value_of(value) == value:
        return value
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def value_of(text: str) -> JsonValue:
    """The JSON value, or the text itself where it is no JSON."""
    try:
        value: JsonValue = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return value


def _moment_text(moment: datetime) -> str:
    """The moment in its own offset, as short as nothing is lost: `2026-11-21T06:05:31Z`."""
    if moment.microsecond == 0:
        precision = "seconds"
    else:
        precision = "microseconds" if moment.microsecond % 1000 else "milliseconds"
    return moment.isoformat(timespec=precision).replace("+00:00", "Z")


def _moment_of(text: str) -> datetime:
    """The moment in the offset that the text gives; without one it is local time.

    Raises:
        ValueError: no ISO 8601 time.
        OverflowError: a time outside the years that can be kept.
    """
    moment = datetime.fromisoformat(text)
    aware = moment if moment.tzinfo else moment.astimezone()
    aware.astimezone(UTC)
    return aware


def _utc_text(moment: datetime) -> str:
    return _moment_text(moment.astimezone(UTC))


def _utc_of(text: str) -> datetime:
    return _moment_of(text).astimezone(UTC)


def _without_clock(content: str, clock: str) -> str | None:
    """What stands behind this very time; None when the content does not begin with it."""
    if not content.startswith(clock):
        return None
    rest = content[len(clock) :]
    return rest.strip() if rest[:1].isspace() or not rest else None


def clock_moment(content: str, day: date, zone: tzinfo | None) -> datetime | None:
    """The moment that an entry of this day begins with (`09:30 dentist`), or None."""
    clock = _CLOCK.match(content)
    return clock and _local(day, time(int(clock["hour"]), int(clock["minute"])), zone)


def noon(day: date, zone: tzinfo | None) -> datetime:
    """Noon of this day: the time of an entry that tells none."""
    return _local(day, _NOON, zone)


def _local(day: date, clock: time, zone: tzinfo | None) -> datetime:
    moment = datetime.combine(day, clock, zone)
    return moment if zone else moment.astimezone()


_OWN_TIME = "own"
_COLUMNS: Mapping[str, tuple[Callable[[Any], str], Callable[[str], Any], Any]] = {
    "key": (str, str, None),
    "value": (value_text, value_of, None),
    "confidence": (str, _between(float, 0, 1), DEFAULT_CONFIDENCE),
    "source": (str, _one_of(SOURCES, "user_stated"), "user_stated"),
    "importance": (str, _between(int, 1, 5), NEUTRAL_IMPORTANCE),
    "visibility": (str, _one_of(VISIBILITIES, "private"), "private"),
    "tags": (tags_text, tags_of, ()),
    "session_id": (str, str, None),
    "app_type": (str, str, None),
    "role": (str, str, None),
    "valid_from": (_utc_text, _utc_of, None),
    "valid_to": (_utc_text, _utc_of, None),
    "superseded_by": (str, str, None),
}
"""Columns with one default for every document: how each is written, how read, the default."""
_IF_STATED = ("timestamp", "create_time", "valid_from")
"""Columns that stay as they are where a bullet does not state them."""
_OURS = frozenset(("id", "at", "created", "time", "kind", "category", *_COLUMNS))


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
    attributes = {"id": record.id, "at": _moment_text(at)}
    content = record.content
    if day:
        if _without_clock(content, f"{at:%H:%M}") is None:
            gap = "\n" if _BLOCK.match(content) else " "
            content = f"{at:%H:%M}{gap}{content}"
        else:
            attributes["time"] = _OWN_TIME
    if record.create_time != record.timestamp:
        attributes["created"] = _utc_text(record.create_time)
    if record.kind != kind_of(document):
        attributes["kind"] = record.kind or ""
    if record.category != default:
        attributes["category"] = record.category or ""
    for name, (write, _, unwritten) in _COLUMNS.items():
        if (value := getattr(record, name)) != unwritten:
            attributes[name] = write(value)
    attributes |= {name: text for name, text in (others or {}).items() if name not in _OURS}
    return Bullet(content, attributes, None if day else headings_for(record.category)[0])


def stated_columns(
    bullet: Bullet, document: str, zone: tzinfo | None = None
) -> tuple[dict[str, Any], list[str]]:
    """The columns of a memory that a bullet of this document states, and warnings; never fails.

    `timestamp` and `create_time` are None where the bullet does not tell. A warning is a sentence
    about an attribute that could not be read and was taken as its default.
    A hand-written daily entry happened at the time that it begins with, else at noon, in `zone`.
    """
    warnings = []

    def read(name: str, meaning: Callable[[str], Any], default: object = None) -> Any:  # noqa: ANN401
        text = bullet.attributes.get(name)
        if text is None:
            return default
        try:
            return meaning(text)
        except (ValueError, OverflowError, RecursionError):
            where = f"{document}, {bullet.id or bullet.content[:30]!r}"
            warnings.append(f"{where}: {name}={text!r} cannot be read; took the default")
            return default

    day = document_day(document)
    at = read("at", _moment_of)
    content = bullet.content
    if day:
        content, at = _daily(bullet, day, at, zone)
    created = read("created", _utc_of) or at
    heading: Category = "fact" if day else category_of(bullet.heading)
    columns = {
        "content": clean_text(content),
        "timestamp": at and at.astimezone(UTC),
        "create_time": created and created.astimezone(UTC),
        "kind": read("kind", _one_of(KINDS, None), kind_of(document)),
        "category": read("category", _one_of(CATEGORIES, None), heading),
        **{name: read(name, of, default) for name, (_, of, default) in _COLUMNS.items()},
    }
    return columns, warnings


def restated(known: AtomicMemoryRecord, bullet: Bullet, document: str) -> AtomicMemoryRecord:
    """The memory as a bullet of this document states it, on top of what is known of it."""
    columns = {
        name: value
        for name, value in stated_columns(bullet, document)[0].items()
        if value is not None or name not in _IF_STATED
    }
    return dataclasses.replace(known, memory_type="long_term", document=document, **columns)


def place_bullets(
    text: str, path: str, put: Collection[AtomicMemoryRecord], gone: Collection[str]
) -> str:
    """The document `path` with these memories in it and without those whose ids are `gone`.

    A memory that stands there already is replaced where it stands, or moves to the section of its
    new category.
    """
    if gone:
        text = remove(text, gone)
    new: dict[tuple[str, ...], list[Bullet]] = {}
    stand = {one.id for one in parse(text, [one.id for one in put]).bullets}
    for record in put:
        titles = () if document_day(path) else tuple(headings_for(record.category))
        there = parse(text, [record.id]).with_id(record.id) if record.id in stand else ()
        bullet = record_to_bullet(record, path, others=there[0].attributes if there else None)
        if not there:
            new.setdefault(titles, []).append(bullet)
        elif not titles or plain_title(there[0].heading or "") in map(plain_title, titles):
            text = replace(text, there[0], bullet)
        else:
            text = remove(text, [record.id])
            new.setdefault(titles, []).append(bullet)
    for titles, (first, *others) in new.items():
        text = append(text, first, titles, *others)
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
    entry = _without_clock(bullet.content, f"{at:%H:%M}")
    if entry is not None:
        return bullet.content if bullet.attributes.get("time") == _OWN_TIME else entry, at
    return bullet.content, clock_moment(bullet.content, at.date(), at.tzinfo) or at
