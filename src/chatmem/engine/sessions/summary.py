"""Session summaries: written from what was said, by rules or by the model that is configured.

Source: S2.3; decisions 5.
"""

from datetime import datetime

from chatmem.analysis.summary import ExtractiveSummarizer, Summarizer
from chatmem.engine.space import Space
from chatmem.errors import ProviderError
from chatmem.model import SessionSummary
from chatmem.storage.values import StoredMessage

_RULES = ExtractiveSummarizer()
_SPEAKERS = ("user", "assistant")


def summarise(space: Space, session_id: str, now: datetime) -> None:
    """Write the session's summary.

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
    messages = _messages(space, session_id)
    found = summarizer.summarise(_texts(space, messages))
    with space.store.transaction():
        session = space.store.sessions.get(space.owner, session_id)
        if session is None:
            return  # deleted while it was being summed up
        left = _messages(space, session_id)
        if not {one.id for one in messages} <= {one.id for one in left}:
            # A message was forgotten meanwhile, whose words the summary may have.
            messages, summarizer = left, _RULES
            found = summarizer.summarise(_texts(space, messages))
        if not (found.title or found.snippet):
            space.store.summaries.delete(space.owner, session_id)
            return
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


def _texts(space: Space, messages: list[StoredMessage]) -> list[tuple[str, str]]:
    """What a summary may quote: no secrets, since it enters later prompts."""
    return [(one.role, space.engine.without_secrets(one.content)) for one in messages]


def _messages(space: Space, session_id: str) -> list[StoredMessage]:
    found = space.store.conversations.of_session(space.owner, session_id)
    return [one for one in found if one.role in _SPEAKERS]
