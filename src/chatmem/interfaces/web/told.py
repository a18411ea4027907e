"""What the log leaves out: errors that the page has told whoever looks at it.

The library writes every exception of a page into the log as an error of the server. One of ours is
an answer (a stale etag, a value that does not fit), and the frame shows it; what nobody expected
stays in the log.
"""

import logging

from chatmem.errors import ChatmemError
from chatmem.interfaces.web.visit import SignedOutError

LOGGER = "nicegui"


class _Untold(logging.Filter):
    def filter(self, record: logging.LogRecord) -> bool:
        """False for an exception that the frame explains."""
        error = record.exc_info[1] if record.exc_info else record.msg
        return not isinstance(error, (ChatmemError, SignedOutError))


_untold = _Untold()


def leave_out_told() -> None:
    """Keep what a page tells out of the library's log; a second call changes nothing."""
    logging.getLogger(LOGGER).addFilter(_untold)
