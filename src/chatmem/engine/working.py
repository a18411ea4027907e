"""Working memory: what a running session is about, turn by turn, until it has been idle.

Source: S3.1; S3.3.7; decisions 5.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta

from chatmem.engine.documents import MemoryDocuments
from chatmem.engine.remember import append_daily_log
from chatmem.engine.state import Engine
from chatmem.model import WorkingMemory
from chatmem.model.memory import JsonValue
from chatmem.storage.documents.places import daily_document
from chatmem.storage.ports import Owner
from chatmem.text.language import Language, language_of

MOST_VARIABLES = 20
ARCHIVED_TAG = "session"
_ARCHIVED_IMPORTANCE = 2
_NAMES_ZH = {
    "destination": "目的地", "origin": "出发地", "date": "日期", "time": "时间",
    "deadline": "截止时间", "budget": "预算", "amount": "金额", "people": "人数", "name": "姓名",
    "language": "语言", "product": "产品", "version": "版本", "order_number": "订单号",
}  # fmt: skip


def idle_since(engine: Engine, now: datetime) -> datetime:
    """A session that was last active before this has gone idle."""
    return now - timedelta(minutes=engine.settings.memory.working_memory_minutes)


def touch(
    engine: Engine,
    owner: Owner,
    session_id: str,
    message: str,
    now: datetime,
    *,
    answered: bool = False,
) -> WorkingMemory:
    """Working memory after a user's message: made, or counted up; inside a transaction.

    A message that has been counted and not answered yet is not counted again; `answered` says that
    its answer is there. Source: S3.1.1, S3.1.2.
    """
    known = engine.store.working.get(owner, session_id)
    mark = _mark(message)
    if known is not None and known.working.updated_at < idle_since(engine, now):
        known = None
    if known is not None and known.open_message == mark:
        working = replace(known.working, updated_at=max(now, known.working.updated_at))
        engine.store.working.put(owner, working, None if answered else mark)
        return working
    before = known.working if known else None
    found = engine.analyzer.analyse(message, before)
    working = WorkingMemory(
        session_id=session_id,
        current_topic=found.topic or (before.current_topic if before else None),
        context_variables=_merged(before.context_variables if before else {}, found.variables),
        turn_count=before.turn_count + 1 if before else 1,
        last_emotion=found.emotion,
        created_at=before.created_at if before else now,
        updated_at=max(now, before.updated_at) if before else now,
    )
    engine.store.working.put(owner, working, None if answered else mark)
    return working


def refine(
    engine: Engine,
    owner: Owner,
    session_id: str,
    topic: str | None,
    variables: Mapping[str, JsonValue],
    emotion: str,
) -> None:
    """Bring in what a model found about the last message, beside what the rules did."""
    with engine.store.transaction():
        known = engine.store.working.get(owner, session_id)
        if known is not None:
            better = replace(
                known.working,
                current_topic=topic or known.working.current_topic,
                context_variables=_merged(known.working.context_variables, variables),
                last_emotion=emotion,
            )
            engine.store.working.put(owner, better, known.open_message)


def current(
    engine: Engine, documents: MemoryDocuments, owner: Owner, session_id: str, now: datetime
) -> WorkingMemory | None:
    """The session's working memory; None where it has none, or has been idle too long.

    Source: S3.1.3, S3.5.2.
    """
    known = engine.store.working.get(owner, session_id)
    if known is None:
        return None
    if known.working.updated_at < idle_since(engine, now):
        retire(engine, documents, owner, known.working, now)
        return None
    return known.working


def retire(
    engine: Engine,
    documents: MemoryDocuments,
    owner: Owner,
    working: WorkingMemory,
    now: datetime,
) -> None:
    """Note what mattered in the log of its day, then let working memory go; the session has ended.

    Source: S3.1.3.
    """
    if engine.settings.memory.enabled and engine.settings.memory.archive_working_memory:
        _archive(engine, documents, owner, working)
    with engine.store.transaction():
        known = engine.store.working.get(owner, working.session_id)
        if known is not None and known.working.updated_at == working.updated_at:
            engine.store.working.delete(owner, working.session_id)
            engine.store.sessions.end(owner, working.session_id, working.updated_at)
            engine.store.jobs.put(owner, "summary", working.session_id, now)


def forget_words(engine: Engine, owner: Owner, session_id: str, content: str) -> None:
    """Take out what may have come from a message that was forgotten; inside a transaction."""
    known = engine.store.working.get(owner, session_id)
    if known is None:
        return
    said = content.casefold()
    topic = known.working.current_topic
    words = [word for word in (topic or "").casefold().split() if word in said]
    left = {
        name: value
        for name, value in known.working.context_variables.items()
        if str(value).casefold() not in said
    }
    cleaned = replace(known.working, current_topic=None if words else topic, context_variables=left)
    engine.store.working.put(owner, cleaned, known.open_message)


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


def _merged(before: Mapping[str, JsonValue], new: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """Both, the newest last; the oldest go past the limit."""
    kept = {name: value for name, value in before.items() if name not in new} | dict(new)
    return dict(list(kept.items())[-MOST_VARIABLES:])


def _mark(message: str) -> str:
    data = message.strip().encode("utf-8", "replace")
    return hashlib.blake2b(data, digest_size=16).hexdigest()
