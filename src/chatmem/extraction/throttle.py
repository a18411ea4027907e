"""When a session is due for its next extraction: enough time has passed, and enough was said."""

from datetime import datetime, timedelta

from chatmem.errors import InvalidInputError


def next_extraction(
    extracted_at: datetime | None,
    new_messages: int,
    now: datetime,
    interval_s: float,
    min_new: int,
) -> datetime | None:
    """The moment from which an extraction is due, perhaps past; None if too little was said.

    due = extracted_at + interval_s, or `now` if there was no extraction yet

    It is never later than `now + interval_s`: a clock that was set back must not stop extraction
    until it has caught up.

    Args:
        extracted_at: when the session was last extracted from.
        new_messages: how many messages came after the last that was read. A count of all messages
            would go wrong when messages are deleted, imported, or read by a flush.
        now: the time now, with a time zone if `extracted_at` has one.
        interval_s: the least time between two extractions, in seconds.
        min_new: the least number of new messages; without any, nothing is ever due.

    Raises:
        InvalidInputError: a negative number of messages or seconds.

    Source: S5.4.2, decisions 4.
    """
    given = {"new_messages": new_messages, "interval_s": interval_s, "min_new": min_new}
    for name, number in given.items():
        if not number >= 0:  # NaN as well
            raise InvalidInputError(f"{name}: got {number!r}, takes a number from 0")
    if new_messages < max(1, min_new):
        return None
    return min(extracted_at, now) + timedelta(seconds=interval_s) if extracted_at else now
