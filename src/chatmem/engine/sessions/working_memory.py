"""Working memory: what a running session is about, turn by turn, until it has been idle.

Source: S3.1; S3.3.7; decisions 5.
"""

import hashlib
import logging
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta

from chatmem.analysis.turn import TurnAnalysis
from chatmem.engine.remember.append import append_daily_log
from chatmem.engine.space import Space
from chatmem.engine.state import Engine
from chatmem.errors import DocumentError
from chatmem.model import WorkingMemory
from chatmem.model.memory import JsonValue
from chatmem.storage.documents.places import daily_document
from chatmem.storage.values import OpenTurn, StoredMessage
from chatmem.text.languages import Language, language_of

MOST_VARIABLES = 20
MOST_WAITING = 40
"""Messages of a session looked at when some wait for their analysis: the newest are what counts."""
ARCHIVED_TAG = "session"
_ARCHIVED_IMPORTANCE = 2
_log = logging.getLogger(__name__)


def idle_since(engine: Engine, now: datetime) -> datetime:
    """A session that was last active before this has gone idle."""
    return now - timedelta(minutes=engine.settings.memory.working_memory_minutes)


def receive(space: Space, session_id: str, message: str, now: datetime) -> WorkingMemory:
    """Working memory after a user's message has come in, analysed.

    A message that has been counted and not answered yet is not counted again. Source: S3.1.1,
    S3.1.2.
    """
    settle(space, session_id)
    before = _running(space, session_id, now)
    found = space.engine.analyzer.analyse(message, before.working if before else None)
    with space.store.transaction():
        space.store.sessions.open(space.owner, session_id, now)
        known = _running(space, session_id, now)
        mark = _mark(message)
        if known is not None and known.open_message == mark:
            return known.working
        turn = _counted(known, session_id, now)
        turn = replace(turn, working=_with(turn.working, found), open_message=mark)
        space.store.working.put(space.owner, turn)
        return turn.working


def received(space: Space, session_id: str, message: str, now: datetime) -> None:
    """A user's message was saved as it came in: it is counted, and read later (`settle`).

    Inside a transaction.
    """
    known = _running(space, session_id, now)
    mark = _mark(message)
    if known is None or known.open_message != mark:
        turn = replace(_counted(known, session_id, now), open_message=mark, pending=True)
        space.store.working.put(space.owner, turn)


def answer(space: Space, session_id: str, message: str, now: datetime) -> None:
    """A turn was saved: it is counted, unless its message was received; inside a transaction.

    What the message tells is read from it later (`settle`), so that nobody waits for that.
    """
    known = _running(space, session_id, now)
    if known is not None and known.open_message == _mark(message):
        at = max(now, known.working.updated_at)
        turn = replace(known, working=replace(known.working, updated_at=at), open_message=None)
    else:
        turn = replace(_counted(known, session_id, now), open_message=None, pending=True)
    space.store.working.put(space.owner, turn)


def answered(space: Space, session_id: str, now: datetime) -> None:
    """The message that was received has its answer; inside a transaction."""
    known = space.store.working.get(space.owner, session_id)
    if known is not None and known.open_message is not None:
        at = max(now, known.working.updated_at)
        closed = replace(known, working=replace(known.working, updated_at=at), open_message=None)
        space.store.working.put(space.owner, closed)


def settle(space: Space, session_id: str) -> None:
    """Read the saved messages that wait for it; they are analysed outside of any transaction.

    A job is left for the profile: one of them may say something about the user.
    """
    known = space.store.working.get(space.owner, session_id)
    if known is None or not known.pending:
        return
    working, analysed = known.working, known.analysed
    last: datetime | None = None
    for one in space.store.conversations.window(space.owner, session_id, MOST_WAITING):
        if one.role != "user" or one.id <= analysed or one.create_time < working.created_at:
            continue
        working = _with(working, space.engine.analyzer.analyse(one.content, working))
        analysed, last = one.id, one.create_time
    with space.store.transaction():
        newest = space.store.working.get(space.owner, session_id)
        if newest is None or newest.analysed != known.analysed:
            return  # it has ended, or somebody else was faster
        if last is not None:
            space.store.jobs.put(space.owner, "profile", session_id, last)
        read = replace(
            newest.working,
            current_topic=working.current_topic,
            context_variables=working.context_variables,
            last_emotion=working.last_emotion,
        )
        waits = newest.working.turn_count != known.working.turn_count
        space.store.working.put(space.owner, OpenTurn(read, newest.open_message, analysed, waits))


def topic(space: Space, session_id: str, now: datetime) -> str | None:
    """What the session is about, the last message included; None where nothing runs."""
    found, waits = space.store.working.topic(space.owner, session_id, idle_since(space.engine, now))
    if waits:
        settle(space, session_id)
        found, _ = space.store.working.topic(space.owner, session_id, idle_since(space.engine, now))
    return found


def set_topic(space: Space, session_id: str, about: str | None, now: datetime) -> None:
    """The application says what the session is about; the next message may change it."""
    settle(space, session_id)
    with space.store.transaction():
        space.store.working.set_topic(space.owner, session_id, about, now)


def refine(space: Space, read: StoredMessage, found: TurnAnalysis) -> None:
    """Bring in what a model found about a message, beside what the rules did.

    Nothing where the message was forgotten while the model read it.
    """
    session_id = read.session_id
    with space.store.transaction():
        window = space.store.conversations.window(space.owner, session_id, MOST_WAITING)
        known = space.store.working.get(space.owner, session_id)
        if known is not None and any(one.id == read.id for one in window):
            better = _with(known.working, found)
            space.store.working.put(space.owner, replace(known, working=better))


def current(space: Space, session_id: str, now: datetime) -> WorkingMemory | None:
    """The session's working memory; None where it has none, or has been idle too long.

    Source: S3.1.3, S3.5.2.
    """
    retire_if_idle(space, session_id, now)
    known = space.store.working.get(space.owner, session_id)
    if known is None:
        return None
    if known.pending:
        settle(space, session_id)
        known = space.store.working.get(space.owner, session_id)
    return known.working if known else None


def retire_if_idle(space: Space, session_id: str, now: datetime) -> None:
    """Let working memory go that has been idle too long: a turn is about to begin anew.

    Where the daily log cannot be written it goes without a note there: the messages themselves are
    kept, and the caller's turn must not fail for it.
    """
    known = space.store.working.get(space.owner, session_id)
    if known is None or known.working.updated_at >= idle_since(space.engine, now):
        return
    try:
        retire(space, session_id, now)
    except DocumentError as error:
        _log.warning("session %s went idle and is not in the daily log: %s", session_id, error)
        _let_go(space, session_id, known.working.updated_at, now)


def retire(space: Space, session_id: str, now: datetime) -> None:
    """Note what mattered in the log of its day, then let working memory go; the session has ended.

    Source: S3.1.3.
    """
    store = space.store
    settle(space, session_id)
    known = store.working.get(space.owner, session_id)
    if known is None:
        return
    if space.engine.settings.memory.enabled and space.engine.settings.memory.archive_working_memory:
        _archive(space, known.working)
    _let_go(space, session_id, known.working.updated_at, now)


def _let_go(space: Space, session_id: str, last_active: datetime, now: datetime) -> None:
    """Working memory goes and the session ends, unless something was said there meanwhile."""
    store = space.store
    with store.transaction():
        left = store.working.get(space.owner, session_id)
        if left is not None and left.working.updated_at == last_active:
            store.working.delete(space.owner, session_id)
            store.sessions.end(space.owner, session_id, last_active)
            store.jobs.put(space.owner, "summary", session_id, now)
            store.jobs.put(space.owner, "session_end", session_id, now)


def forget_words(space: Space, session_id: str, content: str) -> None:
    """Take out what may have come from a message that was forgotten; inside a transaction."""
    known = space.store.working.get(space.owner, session_id)
    if known is None:
        return
    said = content.casefold()
    about = known.working.current_topic
    left = {
        name: value
        for name, value in known.working.context_variables.items()
        if str(value).casefold() not in said
    }
    told = any(word in said for word in (about or "").casefold().split())
    cleaned = replace(known.working, current_topic=None if told else about, context_variables=left)
    space.store.working.put(space.owner, replace(known, working=cleaned))


def _archive(space: Space, working: WorkingMemory) -> None:
    """One entry of the daily log, if the user stated anything; a crash does not make it two."""
    if not working.context_variables:
        return
    at = working.updated_at
    text = archived_text(working)
    day = daily_document(at.astimezone().date())
    for known in space.store.memories.of_document(space.owner, day):
        if known.session_id == working.session_id and known.content == text:
            return
    append_daily_log(
        space, text, at,
        session_id=working.session_id, importance=_ARCHIVED_IMPORTANCE, source="system",
        tags=(ARCHIVED_TAG,),
    )  # fmt: skip


def archived_text(working: WorkingMemory) -> str:
    """Topic and variables of a session as one line, in the language that it was held in."""
    values = " ".join(str(value) for value in working.context_variables.values())
    language = language_of(f"{working.current_topic or ''} {values}")
    slots = language.phrases["session.between"].join(
        f"{_slot_name(name, language)} {value}" for name, value in working.context_variables.items()
    )
    phrase = language.phrases["session.topic" if working.current_topic else "session.no_topic"]
    return phrase.format(topic=working.current_topic, slots=slots)


def _slot_name(name: str, language: Language) -> str:
    bare = name.replace("_", " ") if language.spaced else name
    return language.phrases.get(f"slot.{name}", bare)


def _running(space: Space, session_id: str, now: datetime) -> OpenTurn | None:
    known = space.store.working.get(space.owner, session_id)
    if known is not None and known.working.updated_at < idle_since(space.engine, now):
        return None
    return known


def _counted(known: OpenTurn | None, session_id: str, now: datetime) -> OpenTurn:
    """One turn more, or the first."""
    if known is None:
        return OpenTurn(WorkingMemory(session_id=session_id, created_at=now, updated_at=now))
    working = known.working
    at = max(now, working.updated_at)
    counted = replace(working, turn_count=working.turn_count + 1, updated_at=at)
    return replace(known, working=counted)


def _with(working: WorkingMemory, found: TurnAnalysis) -> WorkingMemory:
    return replace(
        working,
        current_topic=found.topic or working.current_topic,
        context_variables=_merged(working.context_variables, found.variables),
        last_emotion=found.emotion,
    )


def _merged(before: Mapping[str, JsonValue], new: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """Both, the newest last; the oldest go past the limit."""
    kept = {name: value for name, value in before.items() if name not in new} | dict(new)
    return dict(list(kept.items())[-MOST_VARIABLES:])


def _mark(message: str) -> str:
    data = message.strip().encode("utf-8", "replace")
    return hashlib.blake2b(data, digest_size=16).hexdigest()
