"""Working memory: what a running session is about, turn by turn, until it has been idle.

Source: S3.1; S3.3.7; decisions 5.
"""

import hashlib
import logging
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta

from chatmem.analysis.turn import TurnAnalysis
from chatmem.engine.documents.documents import MemoryDocuments
from chatmem.engine.remember.append import append_daily_log
from chatmem.engine.state import Engine
from chatmem.errors import DocumentError
from chatmem.model import WorkingMemory
from chatmem.model.memory import JsonValue
from chatmem.storage.documents.places import daily_document
from chatmem.storage.values import OpenTurn, Owner, StoredMessage
from chatmem.text.language import Language, language_of

MOST_VARIABLES = 20
MOST_WAITING = 40
"""Messages of a session looked at when some wait for their analysis: the newest are what counts."""
ARCHIVED_TAG = "session"
_ARCHIVED_IMPORTANCE = 2
_log = logging.getLogger(__name__)
_NAMES_ZH = {
    "destination": "目的地", "origin": "出发地", "date": "日期", "time": "时间",
    "deadline": "截止时间", "budget": "预算", "amount": "金额", "people": "人数", "name": "姓名",
    "language": "语言", "product": "产品", "version": "版本", "order_number": "订单号",
}  # fmt: skip


def idle_since(engine: Engine, now: datetime) -> datetime:
    """A session that was last active before this has gone idle."""
    return now - timedelta(minutes=engine.settings.memory.working_memory_minutes)


def receive(
    engine: Engine, owner: Owner, session_id: str, message: str, now: datetime
) -> WorkingMemory:
    """Working memory after a user's message has come in, analysed.

    A message that has been counted and not answered yet is not counted again. Source: S3.1.1,
    S3.1.2.
    """
    settle(engine, owner, session_id)
    before = _running(engine, owner, session_id, now)
    found = engine.analyzer.analyse(message, before.working if before else None)
    with engine.store.transaction():
        engine.store.sessions.open(owner, session_id, now)
        known = _running(engine, owner, session_id, now)
        mark = _mark(message)
        if known is not None and known.open_message == mark:
            return known.working
        turn = _counted(known, session_id, now)
        turn = replace(turn, working=_with(turn.working, found), open_message=mark)
        engine.store.working.put(owner, turn)
        return turn.working


def received(engine: Engine, owner: Owner, session_id: str, message: str, now: datetime) -> None:
    """A user's message was saved as it came in: it is counted, and read later (`settle`).

    Inside a transaction.
    """
    known = _running(engine, owner, session_id, now)
    mark = _mark(message)
    if known is None or known.open_message != mark:
        turn = replace(_counted(known, session_id, now), open_message=mark, pending=True)
        engine.store.working.put(owner, turn)


def answer(engine: Engine, owner: Owner, session_id: str, message: str, now: datetime) -> None:
    """A turn was saved: it is counted, unless its message was received; inside a transaction.

    What the message tells is read from it later (`settle`), so that nobody waits for that.
    """
    known = _running(engine, owner, session_id, now)
    if known is not None and known.open_message == _mark(message):
        at = max(now, known.working.updated_at)
        turn = replace(known, working=replace(known.working, updated_at=at), open_message=None)
    else:
        turn = replace(_counted(known, session_id, now), open_message=None, pending=True)
    engine.store.working.put(owner, turn)


def answered(engine: Engine, owner: Owner, session_id: str, now: datetime) -> None:
    """The message that was received has its answer; inside a transaction."""
    known = engine.store.working.get(owner, session_id)
    if known is not None and known.open_message is not None:
        at = max(now, known.working.updated_at)
        closed = replace(known, working=replace(known.working, updated_at=at), open_message=None)
        engine.store.working.put(owner, closed)


def settle(engine: Engine, owner: Owner, session_id: str) -> None:
    """Read the saved messages that wait for it; they are analysed outside of any transaction.

    A job is left for the profile: one of them may say something about the user.
    """
    known = engine.store.working.get(owner, session_id)
    if known is None or not known.pending:
        return
    working, analysed = known.working, known.analysed
    last: datetime | None = None
    for one in engine.store.conversations.window(owner, session_id, MOST_WAITING):
        if one.role != "user" or one.id <= analysed or one.create_time < working.created_at:
            continue
        working = _with(working, engine.analyzer.analyse(one.content, working))
        analysed, last = one.id, one.create_time
    with engine.store.transaction():
        newest = engine.store.working.get(owner, session_id)
        if newest is None or newest.analysed != known.analysed:
            return  # it has ended, or somebody else was faster
        if last is not None:
            engine.store.jobs.put(owner, "profile", session_id, last)
        read = replace(
            newest.working,
            current_topic=working.current_topic,
            context_variables=working.context_variables,
            last_emotion=working.last_emotion,
        )
        waits = newest.working.turn_count != known.working.turn_count
        engine.store.working.put(owner, OpenTurn(read, newest.open_message, analysed, waits))


def topic(engine: Engine, owner: Owner, session_id: str, now: datetime) -> str | None:
    """What the session is about, the last message included; None where nothing runs."""
    found, waits = engine.store.working.topic(owner, session_id, idle_since(engine, now))
    if waits:
        settle(engine, owner, session_id)
        found, _ = engine.store.working.topic(owner, session_id, idle_since(engine, now))
    return found


def set_topic(
    engine: Engine, owner: Owner, session_id: str, about: str | None, now: datetime
) -> None:
    """The application says what the session is about; the next message may change it."""
    settle(engine, owner, session_id)
    with engine.store.transaction():
        engine.store.working.set_topic(owner, session_id, about, now)


def refine(engine: Engine, owner: Owner, read: StoredMessage, found: TurnAnalysis) -> None:
    """Bring in what a model found about a message, beside what the rules did.

    Nothing where the message was forgotten while the model read it.
    """
    session_id = read.session_id
    with engine.store.transaction():
        window = engine.store.conversations.window(owner, session_id, MOST_WAITING)
        known = engine.store.working.get(owner, session_id)
        if known is not None and any(one.id == read.id for one in window):
            better = _with(known.working, found)
            engine.store.working.put(owner, replace(known, working=better))


def current(
    engine: Engine, documents: MemoryDocuments, owner: Owner, session_id: str, now: datetime
) -> WorkingMemory | None:
    """The session's working memory; None where it has none, or has been idle too long.

    Source: S3.1.3, S3.5.2.
    """
    retire_if_idle(engine, documents, owner, session_id, now)
    known = engine.store.working.get(owner, session_id)
    if known is None:
        return None
    if known.pending:
        settle(engine, owner, session_id)
        known = engine.store.working.get(owner, session_id)
    return known.working if known else None


def retire_if_idle(
    engine: Engine, documents: MemoryDocuments, owner: Owner, session_id: str, now: datetime
) -> None:
    """Let working memory go that has been idle too long: a turn is about to begin anew.

    Where the daily log cannot be written it goes without a note there: the messages themselves are
    kept, and the caller's turn must not fail for it.
    """
    known = engine.store.working.get(owner, session_id)
    if known is None or known.working.updated_at >= idle_since(engine, now):
        return
    try:
        retire(engine, documents, owner, session_id, now)
    except DocumentError as error:
        _log.warning("session %s went idle and is not in the daily log: %s", session_id, error)
        _let_go(engine, owner, session_id, known.working.updated_at, now)


def retire(
    engine: Engine, documents: MemoryDocuments, owner: Owner, session_id: str, now: datetime
) -> None:
    """Note what mattered in the log of its day, then let working memory go; the session has ended.

    Source: S3.1.3.
    """
    store = engine.store
    settle(engine, owner, session_id)
    known = store.working.get(owner, session_id)
    if known is None:
        return
    if engine.settings.memory.enabled and engine.settings.memory.archive_working_memory:
        _archive(engine, documents, owner, known.working)
    _let_go(engine, owner, session_id, known.working.updated_at, now)


def _let_go(
    engine: Engine, owner: Owner, session_id: str, last_active: datetime, now: datetime
) -> None:
    """Working memory goes and the session ends, unless something was said there meanwhile."""
    store = engine.store
    with store.transaction():
        left = store.working.get(owner, session_id)
        if left is not None and left.working.updated_at == last_active:
            store.working.delete(owner, session_id)
            store.sessions.end(owner, session_id, last_active)
            store.jobs.put(owner, "summary", session_id, now)
            store.jobs.put(owner, "session_end", session_id, now)


def forget_words(engine: Engine, owner: Owner, session_id: str, content: str) -> None:
    """Take out what may have come from a message that was forgotten; inside a transaction."""
    known = engine.store.working.get(owner, session_id)
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
    engine.store.working.put(owner, replace(known, working=cleaned))


def _archive(
    engine: Engine, documents: MemoryDocuments, owner: Owner, working: WorkingMemory
) -> None:
    """One entry of the daily log, if the user stated anything; a crash does not make it two."""
    if not working.context_variables:
        return
    at = working.updated_at
    text = archived_text(working)
    day = daily_document(at.astimezone().date())
    for known in engine.store.memories.of_document(owner, day):
        if known.session_id == working.session_id and known.content == text:
            return
    append_daily_log(
        engine, documents, owner, text, at,
        session_id=working.session_id, importance=_ARCHIVED_IMPORTANCE, source="system",
        tags=(ARCHIVED_TAG,),
    )  # fmt: skip


def archived_text(working: WorkingMemory) -> str:
    """Topic and variables of a session as one line, in the language that it was held in."""
    values = " ".join(str(value) for value in working.context_variables.values())
    language = language_of(f"{working.current_topic or ''} {values}")
    told = "；" if language == "zh" else "; "
    slots = told.join(
        _slot(name, value, language) for name, value in working.context_variables.items()
    )
    topic = working.current_topic
    if language == "zh":
        return f"谈到{topic}：{slots}" if topic else f"谈话要点：{slots}"
    return f"Talked about {topic}: {slots}" if topic else f"From a conversation: {slots}"


def _slot(name: str, value: JsonValue, language: Language) -> str:
    if language == "zh":
        return f"{_NAMES_ZH.get(name, name)} {value}"
    return f"{name.replace('_', ' ')} {value}"


def _running(engine: Engine, owner: Owner, session_id: str, now: datetime) -> OpenTurn | None:
    known = engine.store.working.get(owner, session_id)
    if known is not None and known.working.updated_at < idle_since(engine, now):
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
