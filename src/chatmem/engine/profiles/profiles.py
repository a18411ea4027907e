"""The profiles: USER.md, and HOUSEHOLD.md, which the members of a household have in common.

Both are documents that a person writes; what conversations tell is added in a section of its own
(`engine.profile_notes`). A file that cannot be read does not fail a chat: what it said last counts,
and the notices tell.

Source: S2.2; decisions 2 and 6.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from chatmem.engine.profiles.file import (
    MAX_BYTES,
    NO_PROFILE,
    cache_profile,
    change_profile,
    checked_content,
)
from chatmem.engine.profiles.notes import (
    Noticed,
    holds_slot,
    mark,
    messages_told,
    shown,
    with_notices,
    without_session,
)
from chatmem.engine.profiles.places import ProfilePlace, ProfilePlaces
from chatmem.engine.profiles.statements import said_of
from chatmem.engine.space import Space
from chatmem.errors import (
    DatabaseError,
    DocumentError,
    NotOwnerError,
    ReaderWeightsError,
    StaleEtagError,
)
from chatmem.extraction.candidate import Candidate
from chatmem.extraction.profile import (
    SINGLE_SLOTS,
    ProfileStatement,
    profile_statement,
    profile_statements,
)
from chatmem.model import ProfileDocument, ProfileName
from chatmem.storage.documents.places import PROFILE
from chatmem.storage.documents.ports import Stamp, StoredDocument

_log = logging.getLogger(__name__)
LOOKED_AT = 40
"""The newest messages of a session that are read for the profile."""


@dataclass(frozen=True, slots=True)
class _Kept:
    """A profile as it was last read, and what a prompt takes of it."""

    stamp: Stamp | None
    document: ProfileDocument
    shown: str


class Profiles:
    """The profiles of one user; `space_of` gives the space of a household's head."""

    def __init__(
        self,
        space: Space,
        space_of: Callable[[str], Space],
    ) -> None:
        self._space = space
        self._space_of = space_of
        self._kept: dict[tuple[str, str], _Kept] = {}
        self._places = ProfilePlaces(space.store.people, space.owner)

    def place(self, name: ProfileName) -> ProfilePlace:
        """Whose file the profile is, and whether this user may read and write it.

        Raises:
            InvalidInputError: no profile has this name.
        """
        return self._places.of(name)

    def read(self, name: ProfileName) -> ProfileDocument:
        """The profile as it stands, comments included: what a person edits.

        A household's is that of its head's folder; who may not read it gets an empty one.

        Raises:
            InvalidInputError: no profile has this name.
            DocumentError: the file cannot be read.
        """
        place = self._places.of(name)
        if not place.reads:
            return NO_PROFILE
        document = self._found(place)
        return ProfileDocument(document.text, document.etag) if document else NO_PROFILE

    def write(self, name: ProfileName, content: str, etag: str | None = None) -> ProfileDocument:
        """The profile as written.

        With an etag, nothing is written over a version that the writer has not read; the etag of a
        profile that nobody wrote yet is "".

        Raises:
            InvalidInputError: no text, too long, or no profile has this name.
            StaleEtagError: it has changed since; has the text as it stands.
            NotOwnerError: a household's, and neither its head nor a parent.
            DocumentError: the file cannot be read or written.
        """
        text = checked_content(content)
        place = self._places.of(name)
        if not place.writes:
            raise NotOwnerError(
                f"{place.path}: only the head of the household, {place.head!r}, or a parent can "
                "change it"
            )

        def change(before: StoredDocument | None) -> str:
            known = before.etag if before else ""
            if etag is not None and etag != known:
                raise StaleEtagError(place.path, etag, known, before.text if before else "")
            return text

        written = change_profile(self._space_for(place).documents, place.path, change)
        return self._keep(place, written).document

    def visible(self, name: ProfileName) -> str:
        """The profile as a prompt takes it: without our comments, "" where there is none.

        It costs one look at the file as long as nothing has changed. A file that cannot be read
        shows what it said last, and the documents' notices tell why.
        """
        place = self._places.of(name)
        if not place.reads:
            return ""
        try:
            stamp = self._space_for(place).documents.stamp(place.path)
            kept = self._kept.get((place.user_id, place.path))
            if kept is None or kept.stamp != stamp:
                kept = self._keep(place, self._found(place))
        except DocumentError as error:
            self._space.documents.note(
                place.path, f"{error} (its last readable text is used until then)"
            )
            cached = self._cached(place)
            return shown(cached.content) if cached else ""
        self._space.documents.note(place.path, None)
        return kept.shown

    def _space_for(self, place: ProfilePlace) -> Space:
        own = place.user_id == self._space.owner.user_id
        return self._space if own else self._space_of(place.user_id)

    def _cached(self, place: ProfilePlace) -> ProfileDocument | None:
        store = self._space.store
        return store.profiles.get(store.owner(place.user_id), place.path)

    def _found(self, place: ProfilePlace) -> StoredDocument | None:
        """The file; one that an older version kept in the database only is written out."""
        documents = self._space_for(place).documents
        found = documents.read(place.path)
        if found is not None:
            return found
        cached = self._cached(place)
        if cached is None or cached.etag or not cached.content.strip():
            return None
        return change_profile(
            documents, place.path, lambda before: before.text if before else cached.content
        )

    def _keep(self, place: ProfilePlace, document: StoredDocument | None) -> _Kept:
        """What was read, in memory and, where it is new, in the table."""
        content = ProfileDocument(document.text, document.etag) if document else NO_PROFILE
        kept = _Kept(document.stamp if document else None, content, shown(content.content))
        self._kept[(place.user_id, place.path)] = kept
        try:
            cache_profile(self._space_for(place), place.path, content)
        except DatabaseError as error:  # a full disk, say: the file has been read all the same
            _log.warning("%s is not cached: %s", place.path, error)
        return kept


def update_from_session(space: Space, session_id: str, now: datetime) -> int:
    """How many lines the user's profile gained from what they said in a session.

    Where a model is configured, its extraction does this (`update_from_candidates`), and here
    nothing is done. Safe to repeat: a statement is written once, whatever a person does with it
    afterwards.

    Raises:
        DocumentError: the file cannot be read or written.

    Source: S2.2.2.
    """
    if space.engine.model_extractor is not None:
        return 0
    noticed: dict[tuple[str, str], Noticed] = {}
    messages = space.store.conversations.window(space.owner, session_id, LOOKED_AT)
    try:
        for said in said_of(space, messages):
            for one in profile_statements(said):
                key = (one.slot, "" if one.slot in SINGLE_SLOTS else one.text)
                noticed[key] = Noticed(one, session_id, said.number)
    except ReaderWeightsError as error:
        _log.warning("nothing is noticed for the profile: %s", error)
    return _update(space, list(noticed.values()), now)


def update_from_candidates(
    space: Space,
    session_id: str,
    candidates: Sequence[Candidate],
    now: datetime,
) -> int:
    """How many lines the user's profile gained from what was extracted from a session.

    Safe to repeat, though a model may use other words the next time: of a message that a line is
    from nothing more is taken.

    Raises:
        DocumentError: the file cannot be read or written.

    Source: S2.2.2.
    """
    lines = [(one, line) for one in candidates if (line := profile_statement(one)) is not None]
    before = space.documents.read(PROFILE) if lines else None
    told = messages_told(before.text, session_id) if before else frozenset()
    noticed: dict[tuple[str, str], Noticed] = {}
    for one, line in lines:
        if one.said_in in told or not _is_there(space, session_id, one):
            continue  # or the message was forgotten while it was read
        key = (line.slot, "" if line.slot in SINGLE_SLOTS else line.text)
        noticed[key] = Noticed(line, session_id, one.said_in)
    return _update(space, list(noticed.values()), now)


def _is_there(space: Space, session_id: str, candidate: Candidate) -> bool:
    number = candidate.said_in
    found = space.store.conversations.after(space.owner, session_id, number - 1, 1)
    return bool(found) and found[0].id == number


def forget_session(space: Space, session_id: str) -> int:
    """How many lines that a session had told are gone from the user's profile.

    Lines that a person has edited since are theirs and stay; what is gone may be said again.

    Raises:
        DocumentError: the file cannot be read or written.
    """
    if space.documents.stamp(PROFILE) is None:
        return 0
    gone: dict[str, str] = {}

    def change(before: StoredDocument | None) -> str | None:
        gone.clear()
        if before is None:
            return None
        text, bullets = without_session(before.text, session_id)
        gone.update({one.content: one.attributes.get("slot", "") for one in bullets})
        return text if bullets else None

    written = change_profile(space.documents, PROFILE, change)
    if gone and written is not None:
        with space.store.transaction():
            for content, slot in gone.items():
                space.store.history.unbury(space.owner, mark(slot, content))
            cache_profile(space, PROFILE, ProfileDocument(written.text, written.etag))
    return len(gone)


def _update(
    space: Space,
    noticed: list[Noticed],
    now: datetime,
) -> int:
    memory = space.engine.obey_settings().memory
    if not (noticed and memory.enabled and memory.auto_extract and memory.enable_user_profile):
        return 0
    added: list[Noticed] = []

    def is_wanted(text: str, one: ProfileStatement) -> bool:
        """False for what was written before: where it is gone, a person has taken it out."""
        known = space.store.history.is_buried(space.owner, mark(one.slot, one.text))
        return not known or holds_slot(text, one.slot)

    def change(before: StoredDocument | None) -> str | None:
        added.clear()
        text = before.text if before else ""
        for one in noticed:
            if is_wanted(text, one.statement):
                text, new = with_notices(text, [one])
                added.extend(new)
        if len(text.encode()) > MAX_BYTES:
            added.clear()
        return text if added else None

    written = change_profile(space.documents, PROFILE, change)
    if added and written is not None:
        with space.store.transaction():
            for one in added:
                space.store.history.bury(
                    space.owner, mark(one.statement.slot, one.statement.text), now
                )
            cache_profile(space, PROFILE, ProfileDocument(written.text, written.etag))
    return len(added)
