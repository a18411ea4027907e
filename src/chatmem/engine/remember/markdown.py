"""MEMORY.md, the daily logs and the profiles, as texts that a person reads and writes.

What conversations tell is added to USER.md in a section of its own (`notes`). HOUSEHOLD.md is what
the members of a household have in common. A file that cannot be read or written is a DocumentError;
one of a profile does not fail a chat: its last readable text counts, and the notices tell. A
profile of another name is an InvalidInputError.

Source: S2.2, S5.1.2, S5.6.1, S5.8.1, S5.9.1; decisions 2 and 6; interfaces.md (`/api/memory/main`,
`daily`, `profile`, `household`).
"""

import logging
import re
from collections.abc import Callable
from datetime import date, datetime
from typing import NamedTuple

from chatmem.engine.checks import checked_choice, checked_limit
from chatmem.engine.documents.documents import checked_content
from chatmem.engine.documents.noticed import MARK
from chatmem.engine.documents.sync import text_of
from chatmem.engine.people import PARENT
from chatmem.engine.remember.append import MemoryAppender
from chatmem.engine.space import Space, SpacePart
from chatmem.errors import DatabaseError, DocumentError, InvalidInputError, NotOwnerError
from chatmem.model import ANY_TAG, PROFILES, AtomicMemoryRecord, DocumentText, Page, ProfileName
from chatmem.model.time import as_utc, moment_or_now
from chatmem.storage.documents.places import HOUSEHOLD, MAIN, PROFILE, daily_document, document_day
from chatmem.storage.documents.ports import Stamp, StoredDocument
from chatmem.storage.documents.records import clock_moment, noon
from chatmem.text.bullets import annotate, parse, visible_text
from chatmem.text.languages import DEFAULT, LanguageCode
from chatmem.text.tokens import count_tokens

FIRST_YEAR = 1900
"""Before it no clock of a machine can be trusted to know its own zone."""


class MainReach(NamedTuple):
    """How much of a MEMORY.md reaches a prompt.

    `tokens` are the file's without its comments, at most `most` (`memory.main_max_tokens`): what is
    past it moves to the archive. A prompt takes `shown_tokens` of them, at most `most_shown`
    (`memory.main_section_tokens`), with `shown` of `memories`.
    """

    tokens: int
    most: int
    shown_tokens: int
    most_shown: int
    memories: int
    shown: int


class MainDocument(SpacePart):
    """MEMORY.md of one user."""

    def read(self) -> DocumentText:
        """The text as it stands, ids in comments included."""
        return self._documents.read_text(MAIN)

    def write(self, content: str, etag: str | None = None, *, forget: bool = False) -> DocumentText:
        """The document after the writing: `MemoryDocuments.write_text`."""
        return self._documents.write_text(MAIN, content, etag, forget=forget)

    def reach(self, content: str, language: LanguageCode = DEFAULT.code) -> MainReach:
        """How much of this text would reach a prompt, in `language`, if it were MEMORY.md."""
        memory = self._engine.obey_settings().memory
        cap = min(memory.main_section_tokens, memory.memory_section_tokens)
        # New bullets have no id yet; each gets one, so that it is counted.
        named = [
            (one, {**one.attributes, "id": f"b{number}"})
            for number, one in enumerate(parse(content).bullets)
        ]
        from chatmem.prompt.material import prepare_main  # noqa: PLC0415 - 4 ms to load

        taken = prepare_main(annotate(content, named), cap, language)
        return MainReach(
            tokens=count_tokens(visible_text(content)),
            most=memory.main_max_tokens,
            shown_tokens=taken.tokens,
            most_shown=cap,
            memories=len(taken.ids) + len(taken.left_out),
            shown=len(taken.ids),
        )


class DailyLogs(SpacePart):
    """The daily logs of one user; days are those of the machine's zone."""

    def days(self, limit: int = 50, offset: int = 0) -> Page[date]:
        """A page of the days that have a log, the latest first."""
        most = checked_limit(limit)
        found = (document_day(path) for path in self._documents.folder.stamps())
        days = sorted((day for day in found if day is not None), reverse=True)
        start = max(0, offset)
        return Page(tuple(days[start : start + most]), len(days), most, start)

    def read(self, day: date) -> DocumentText:
        """The day's log as it stands, empty where there is none."""
        return self._documents.read_text(daily_document(day))

    def write(
        self, day: date, content: str, etag: str | None = None, *, forget: bool = False
    ) -> DocumentText:
        """The day's log after the writing; one in which nothing is left is removed.

        Raises:
            InvalidInputError: a day that no clock knows; and as `MemoryDocuments.write_text`.
        """
        return self._documents.write_text(_document_of(day), content, etag, forget=forget)

    def append(self, day: date, entry: str, *, now: datetime | None = None) -> AtomicMemoryRecord:
        """The note as it stands in the day's log.

        Today's happened now; another day's at the time that it begins with (`09:30 dentist`), else
        at noon.

        Raises:
            InvalidInputError: empty text, or a day that no clock knows.
        """
        moment = moment_or_now(now)
        at = None if day == moment.astimezone().date() else _moment_of(day, entry)
        return MemoryAppender(self._space).append_daily_log(entry, now=moment, at=at)


def _moment_of(day: date, entry: object) -> datetime:
    _document_of(day)
    try:
        begins = clock_moment(entry.strip(), day, None) if isinstance(entry, str) else None
        return as_utc(begins or noon(day, None))
    except (ValueError, OverflowError, OSError) as error:
        raise _no_such_day(day, str(error)) from error


def _document_of(day: date) -> str:
    if day.year < FIRST_YEAR:
        raise _no_such_day(day, f"it is before {FIRST_YEAR}")
    return daily_document(day)


def _no_such_day(day: date, why: str) -> InvalidInputError:
    return InvalidInputError(
        f"date: got {day.isoformat()}, takes a day from {FIRST_YEAR} on ({why})"
    )


_log = logging.getLogger(__name__)
MAX_BYTES = 256 * 1024
_VISIBLE_MARK = re.compile(rf"(?<![ \t])[ \t]*+{MARK}")


class ProfilePlace(NamedTuple):
    """Whose file a profile is, and what this user may do with it."""

    user_id: str
    path: str
    reads: bool = True
    writes: bool = True
    head: str | None = None


class Profiles(SpacePart):
    """The profiles of one user; `space_of` gives anybody's space. Thread-safe."""

    def __init__(self, space: Space, space_of: Callable[[str], Space]) -> None:
        super().__init__(space)
        self._space_of = space_of
        self._cache: dict[tuple[str, str], tuple[Stamp | None, str]] = {}

    def place(self, name: ProfileName) -> ProfilePlace:
        """Whose file the profile is, and whether this user may read and write it.

        A household's is its head's, or this user's own where they live in none.
        """
        user, people = self._owner.user_id, self._store.people
        if checked_choice(name, "profile", PROFILES) == "user":
            return ProfilePlace(user, PROFILE)
        circle = next(iter(people.circles_of(user, "household")), None)
        if circle is None or circle.head == user:
            return ProfilePlace(user, HOUSEHOLD)
        role = next((one.role for one in circle.members if one.user_id == user), None)
        rules = people.rules(role) if role is not None else []
        reads = any(rule.effect == "allow" and rule.tag == ANY_TAG for rule in rules)
        writes = reads and role == PARENT
        return ProfilePlace(circle.head, HOUSEHOLD, reads=reads, writes=writes, head=circle.head)

    def read(self, name: ProfileName) -> DocumentText:
        """The profile as it stands, comments included: what a person edits.

        A household's is that of its head's folder; who may not read it gets an empty one.
        """
        place = self.place(name)
        return text_of(self._found(place) if place.reads else None)

    def write(self, name: ProfileName, content: str, etag: str | None = None) -> DocumentText:
        """The profile as written; the etag of a profile that nobody wrote yet is "".

        Raises:
            InvalidInputError: no text, or too long.
            StaleEtagError: it has changed since it had this etag; has the text as it stands.
            NotOwnerError: a household's, and neither its head nor a parent.
        """
        text = checked_content(content, MAX_BYTES)
        place = self.place(name)
        if not place.writes:
            raise NotOwnerError(
                f"{place.path}: only the head of the household, {place.head!r}, or a parent can "
                "change it"
            )
        written = self._space_of(place.user_id).documents.rewrite(place.path, lambda _: text, etag)
        self._remember(place, written)
        if self._store.purge_due:
            self._store.purge()
        return text_of(written)

    def visible(self, name: ProfileName) -> str:
        """The profile as a prompt takes it: without our comments, "" where there is none.

        It costs one look at the file as long as nothing has changed.
        """
        place = self.place(name)
        if not place.reads:
            return ""
        try:
            stamp = self._space_of(place.user_id).documents.folder.stamp(place.path)
            cached = self._cache.get((place.user_id, place.path))
            if cached is not None and cached[0] == stamp:
                visible = cached[1]
            else:
                visible = self._remember(place, self._found(place))
        except DocumentError as error:
            self._documents.note(place.path, f"{error} (its last readable text is used until then)")
            stored = self._store.profiles.get(self._store.owner(place.user_id), place.path)
            return visible_profile(stored.content) if stored else ""
        self._documents.note(place.path, None)
        return visible

    def _found(self, place: ProfilePlace) -> StoredDocument | None:
        """The file; one that an older version had in the database only is written out."""
        documents = self._space_of(place.user_id).documents
        found = documents.folder.read(place.path)
        if found is not None:
            return found
        stored = self._store.profiles.get(self._store.owner(place.user_id), place.path)
        if stored is None or stored.etag or not stored.content.strip():
            return None
        text = stored.content
        return documents.rewrite(place.path, lambda before: before.text if before else text)

    def _remember(self, place: ProfilePlace, document: StoredDocument | None) -> str:
        """What a prompt takes of the profile, from now on in memory and in the table."""
        visible = visible_profile(document.text) if document else ""
        stamp = document.stamp if document else None
        self._cache[(place.user_id, place.path)] = (stamp, visible)
        try:
            self._space_of(place.user_id).documents.store_profile(place.path, document)
        except DatabaseError as error:  # a full disk, say: the file has been read all the same
            _log.warning("%s is not cached: %s", place.path, error)
        return visible


def visible_profile(text: str) -> str:
    """The profile as a prompt takes it: without our comments."""
    return _VISIBLE_MARK.sub("", visible_text(text)).strip()
