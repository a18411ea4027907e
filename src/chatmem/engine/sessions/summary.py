"""Session summaries: written from what was said, by rules or by the model that is configured.

Source: S2.3; decisions 5.
"""

from datetime import datetime

from chatmem.analysis.summary import ExtractiveSummarizer, Summarizer
from chatmem.engine.state import Engine
from chatmem.errors import ProviderError
from chatmem.model import SessionSummary
from chatmem.storage.values import Owner, StoredMessage

_RULES = ExtractiveSummarizer()
_SPEAKERS = ("user", "assistant")


def summarise(engine: Engine, owner: Owner, session_id: str, now: datetime) -> None:
    """Write the session's summary; where the model fails, by rules, and the error is told.

    Raises:
        ProviderError: the model failed; the summary is by rules until it is made again.
    """
    try:
        _write(engine, owner, session_id, now, engine.summarizer)
    except ProviderError:
        _write(engine, owner, session_id, now, _RULES)
        raise


def renew_without_model(engine: Engine, owner: Owner, session_id: str, now: datetime) -> None:
    """Write an existing summary again at once: something that it may quote was forgotten."""
    if engine.store.summaries.of_session(owner, session_id) is not None:
        _write(engine, owner, session_id, now, _RULES)


def _write(
    engine: Engine, owner: Owner, session_id: str, now: datetime, summarizer: Summarizer
) -> None:
    said = _said(engine, owner, session_id)
    told = summarizer.summarise(_texts(engine, said))
    with engine.store.transaction():
        session = engine.store.sessions.get(owner, session_id)
        if session is None:
            return  # deleted while it was being summed up
        left = _said(engine, owner, session_id)
        if not {one.id for one in said} <= {one.id for one in left}:
            # A message was forgotten meanwhile: what was told may have its words.
            said, summarizer = left, _RULES
            told = summarizer.summarise(_texts(engine, said))
        if not (told.title or told.snippet):
            engine.store.summaries.delete(owner, session_id)
            return
        summary = SessionSummary(
            session_id=session_id,
            title=told.title,
            snippet=told.snippet,
            created_at=now,
            updated_at=session.updated_at,  # what is recent is the session, not its summary
            message_count=len(said),
            made_by=summarizer.name,
        )
        engine.store.summaries.put(owner, summary)


def _texts(engine: Engine, said: list[StoredMessage]) -> list[tuple[str, str]]:
    """What a summary may quote: no secrets, since it enters later prompts."""
    return [(one.role, engine.without_secrets(one.content)) for one in said]


def _said(engine: Engine, owner: Owner, session_id: str) -> list[StoredMessage]:
    found = engine.store.conversations.of_session(owner, session_id)
    return [one for one in found if one.role in _SPEAKERS]
