"""Session summaries: written from what was said, by rules or by the model that is configured.

Source: S2.3; decisions 5.
"""

from datetime import datetime

from chatmem.analysis.summary import ExtractiveSummarizer, Summarizer
from chatmem.engine.space import Space
from chatmem.engine.state import Engine
from chatmem.errors import ProviderError
from chatmem.model import SessionSummary
from chatmem.storage.values import StoredMessage

_RULES = ExtractiveSummarizer()
_SPEAKERS = ("user", "assistant")


def summarise(space: Space, session_id: str, now: datetime) -> None:
    """Write the session's summary; where the model fails, by rules, and the error is told.

    Raises:
        ProviderError: the model failed; the summary is by rules until it is made again.
    """
    try:
        _write(space, session_id, now, space.engine.summarizer)
    except ProviderError:
        _write(space, session_id, now, _RULES)
        raise


def renew_without_model(space: Space, session_id: str, now: datetime) -> None:
    """Write an existing summary again at once: something that it may quote was forgotten."""
    if space.store.summaries.of_session(space.owner, session_id) is not None:
        _write(space, session_id, now, _RULES)


def _write(space: Space, session_id: str, now: datetime, summarizer: Summarizer) -> None:
    said = _said(space, session_id)
    told = summarizer.summarise(_texts(space.engine, said))
    with space.store.transaction():
        session = space.store.sessions.get(space.owner, session_id)
        if session is None:
            return  # deleted while it was being summed up
        left = _said(space, session_id)
        if not {one.id for one in said} <= {one.id for one in left}:
            # A message was forgotten meanwhile: what was told may have its words.
            said, summarizer = left, _RULES
            told = summarizer.summarise(_texts(space.engine, said))
        if not (told.title or told.snippet):
            space.store.summaries.delete(space.owner, session_id)
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
        space.store.summaries.put(space.owner, summary)


def _texts(engine: Engine, said: list[StoredMessage]) -> list[tuple[str, str]]:
    """What a summary may quote: no secrets, since it enters later prompts."""
    return [(one.role, engine.without_secrets(one.content)) for one in said]


def _said(space: Space, session_id: str) -> list[StoredMessage]:
    found = space.store.conversations.of_session(space.owner, session_id)
    return [one for one in found if one.role in _SPEAKERS]
