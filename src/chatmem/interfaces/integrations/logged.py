"""A host goes on when memory cannot: what went wrong is in the log."""

import logging

_log = logging.getLogger("chatmem.integrations")


def logged(what: str, session_id: str, error: Exception) -> None:
    """Writes a warning."""
    _log.warning("%s in session %s: %s", what, session_id, error)
