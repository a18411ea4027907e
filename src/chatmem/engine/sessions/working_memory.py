"""What is made of a running session: its working memory, turn by turn, and its summary.

A message that is saved is counted at once and analysed later (`settle`), so that nobody waits.
Summaries are written from what was said, by rules or by the model that is configured.

Source: S2.3; S3.1; S3.3.7; decisions 5.
"""

import logging
from dataclasses import replace
from datetime import datetime, timedelta

from chatmem.analysis.summary import ExtractiveSummarizer, Summarizer
from chatmem.analysis.turn import Analyzer, RuleAnalyzer, TurnAnalysis
from chatmem.engine.remember.append import MemoryAppender
from chatmem.engine.space import Space
from chatmem.engine.state import Engine
from chatmem.errors import DocumentError, ProviderError
from chatmem.extraction.reader.reading import MOST_CHARS
from chatmem.extraction.redact import without_marks
from chatmem.model import SessionSummary, WorkingMemory
from chatmem.storage.values import OpenTurn, StoredMessage
from chatmem.text.languages import language_of

MOST_VARIABLES = 20
MOST_WAITING = 40
"""Newest messages of a session that are looked at for those that wait to be analysed."""
ARCHIVED_TAG = "session"
_ARCHIVED_IMPORTANCE = 2
_PASSING = frozenset({"time", "people", "language", "version", "name"})
"""Variables of the task at hand, or, as the name, of memories: not worth a line in the log."""
_ANALYZER = RuleAnalyzer()
_log = logging.getLogger(__name__)


def idle_since(engine: Engine, now: datetime) -> datetime:
    """A session that was last active before this is idle."""
    return now - timedelta(minutes=engine.settings.memory.working_memory_minutes)


def analyse(
    engine: Engine, message: str, topic: str | None, analyzer: Analyzer = _ANALYZER
) -> TurnAnalysis:
    """What the message is about, read without its secrets. Source: decisions 4.

    They are masked before, not after: a topic may have lost the word that gives one away. Of a
    long message the beginning is read, some 60 ms of work at most.
    """
    own = engine.without_secrets(message[:MOST_CHARS])
    return analyzer.analyse(without_marks(own), topic)


def receive(space: Space, session_id: str, message: str, now: datetime) -> WorkingMemory:
    """Working memory after a user's message has come in, analysed.

    A message that was counted and has no answer yet is not counted again. Source: S3.1.1, S3.1.2.
    """
    settle(space, session_id)
    about = space.store.working.topic(space.owner, session_id, idle_since(space.engine, now))[0]
    found = analyse(space.engine, message, about)
    table = space.store.working
    with space.store.transaction():
        space.store.sessions.open(space.owner, session_id, now)
        known = table.get(space.owner, session_id)
        table.count(space.owner, session_id, message, now, is_open=True)
        turn = table.get(space.owner, session_id)
        assert turn is not None
        if turn != known:
            waits = known is not None and known.pending
            turn = replace(turn, working=_with(turn.working, found), pending=waits)
            table.put(space.owner, turn)
        return turn.working


def settle(space: Space, session_id: str) -> None:
    """Analyse the saved messages that wait for it, outside of any transaction.

    Leaves a job for the profile: one of them may say something about the user.
    """
    known = space.store.working.get(space.owner, session_id)
    if known is None or not known.pending:
        return
    working, analysed = known.working, known.analysed
    last: datetime | None = None
    for one in space.store.conversations.window(space.owner, session_id, MOST_WAITING):
        if one.role != "user" or one.id <= analysed or one.create_time < working.created_at:
            continue
        space.engine.callers.make_way()
        working = _with(working, analyse(space.engine, one.content, working.current_topic))
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
    since = idle_since(space.engine, now)
    found, waits = space.store.working.topic(space.owner, session_id, since)
    if waits:
        settle(space, session_id)
        found, _ = space.store.working.topic(space.owner, session_id, since)
    return found


def set_topic(space: Space, session_id: str, about: str | None, now: datetime) -> None:
    """The application says what the session is about; the next message may change it."""
    settle(space, session_id)
    with space.store.transaction():
        space.store.working.set_topic(space.owner, session_id, about, now)


def refine(space: Space, message: StoredMessage, found: TurnAnalysis) -> None:
    """Add what a model found in a message, unless that was forgotten meanwhile."""
    session_id = message.session_id
    with space.store.transaction():
        window = space.store.conversations.window(space.owner, session_id, MOST_WAITING)
        known = space.store.working.get(space.owner, session_id)
        if known is not None and any(one.id == message.id for one in window):
            refined = replace(known, working=_with(known.working, found))
            space.store.working.put(space.owner, refined)


def current(space: Space, session_id: str, now: datetime) -> WorkingMemory | None:
    """The session's working memory; None where it has none, or has been idle too long.

    Source: S3.1.3, S3.5.2.
    """
    retire_if_idle(space, session_id, now)
    settle(space, session_id)
    known = space.store.working.get(space.owner, session_id)
    return known.working if known else None


def retire_if_idle(space: Space, session_id: str, now: datetime) -> None:
    """Retire working memory that has been idle too long: a turn is about to begin anew.

    Where the daily log cannot be written it goes without a note there: the messages are kept, and
    the caller's turn must not fail for it.
    """
    known = space.store.working.get(space.owner, session_id)
    if known is None or known.working.updated_at >= idle_since(space.engine, now):
        return
    try:
        retire(space, session_id, now)
    except DocumentError as error:
        _log.warning("session %s went idle and is not in the daily log: %s", session_id, error)
        _end(space, session_id, known.working.updated_at, now)


def retire(space: Space, session_id: str, now: datetime) -> None:
    """Archive working memory in the log of its day, then delete it; the session has ended.

    Source: S3.1.3.
    """
    settle(space, session_id)
    known = space.store.working.get(space.owner, session_id)
    if known is None:
        return
    memory = space.engine.settings.memory
    if memory.enabled and memory.archive_working_memory:
        _archive(space, known.working)
    _end(space, session_id, known.working.updated_at, now)


def _end(space: Space, session_id: str, last_active: datetime, now: datetime) -> None:
    """Delete working memory and end the session, unless something was said there meanwhile."""
    store = space.store
    with store.transaction():
        left = store.working.get(space.owner, session_id)
        if left is not None and left.working.updated_at == last_active:
            store.working.delete(space.owner, session_id)
            store.sessions.end(space.owner, session_id, last_active)
            store.jobs.put(space.owner, "summary", session_id, now, "session_end")


def read_again(space: Space, session_id: str) -> None:
    """Make it anew of the messages that are left: one was forgotten; inside a transaction."""
    known = space.store.working.get(space.owner, session_id)
    if known is not None:
        empty = replace(known.working, current_topic=None, context_variables={}, last_emotion=None)
        space.store.working.put(space.owner, OpenTurn(empty, None, pending=True))


def _archive(space: Space, working: WorkingMemory) -> None:
    """Write one line of the daily log: what lasts, and stands in no memory of the session yet.

    It has the topic and variables, in the language that the session was held in.
    """
    of_session = space.store.memories.of_session(space.owner, working.session_id)
    kept = [one.content for one in of_session if one.memory_type == "long_term"]
    lasting = {
        name: value
        for name, value in working.context_variables.items()
        if name not in _PASSING and not any(str(value) in text for text in kept)
    }
    if not lasting:
        return
    about = working.current_topic
    language = language_of(" ".join([about or "", *map(str, lasting.values())]))
    phrases, spaced = language.phrases, language.spaced
    slots = phrases["session.between"].join(
        f"{phrases.get(f'slot.{name}', name.replace('_', ' ') if spaced else name)} {value}"
        for name, value in lasting.items()
    )
    phrase = phrases["session.topic" if about else "session.no_topic"]
    MemoryAppender(space).append_daily_log(
        phrase.format(topic=about, slots=slots),
        now=working.updated_at,
        session_id=working.session_id,
        importance=_ARCHIVED_IMPORTANCE,
        source="system",
        tags=(ARCHIVED_TAG,),
    )


def _with(working: WorkingMemory, found: TurnAnalysis) -> WorkingMemory:
    """With what was found: the newest variables last; the oldest go past the limit."""
    new = found.variables
    old = {name: value for name, value in working.context_variables.items() if name not in new}
    return replace(
        working,
        current_topic=found.topic or working.current_topic,
        context_variables=dict([*old.items(), *new.items()][-MOST_VARIABLES:]),
        last_emotion=found.emotion,
    )


_RULES = ExtractiveSummarizer()
_SPEAKERS = ("user", "assistant")


def summarise(space: Space, session_id: str, now: datetime) -> None:
    """Write the session's summary.

    Raises:
        ProviderError: the model failed; the summary is by rules until it is made again.
    """
    try:
        _write(space, session_id, now, space.engine.summarizer or _RULES)
    except ProviderError:
        _write(space, session_id, now, _RULES)
        raise


def renew_without_model(space: Space, session_id: str, now: datetime) -> None:
    """Write an existing summary again at once: something that it may quote was forgotten."""
    if space.store.summaries.of_session(space.owner, session_id) is not None:
        _write(space, session_id, now, _RULES)


def _write(space: Space, session_id: str, now: datetime, summarizer: Summarizer) -> None:
    messages = _messages(space, session_id)
    read = [(one.role, one.content[:MOST_CHARS]) for one in messages]
    # It enters prompts.
    found = summarizer.summarise(read, space.engine.all_without_secrets)
    with space.store.transaction():
        session = space.store.sessions.get(space.owner, session_id)
        if session is None:
            return  # deleted while it was being summed up
        left = {one.id for one in _messages(space, session_id)}
        is_stale = not left.issuperset(one.id for one in messages)
        if is_stale or not (found.title or found.snippet):
            space.store.summaries.delete(space.owner, session_id)
        else:
            summary = SessionSummary(
                session_id=session_id,
                title=found.title,
                snippet=found.snippet,
                created_at=now,
                updated_at=session.updated_at,  # what is recent is the session, not its summary
                message_count=len(messages),
                made_by=summarizer.name,
            )
            space.store.summaries.put(space.owner, summary)
    if is_stale:  # a message was forgotten meanwhile, whose words it might have had
        _write(space, session_id, now, _RULES)


def _messages(space: Space, session_id: str) -> list[StoredMessage]:
    found = space.store.conversations.of_session(space.owner, session_id)
    return [one for one in found if one.role in _SPEAKERS]
