"""`/api/memory/search`: everything of this user that matches, and what others share with them.

Source: S5.8.2, S5.2.1, S2.7.1.
"""

import re
from datetime import UTC, date, datetime, time
from typing import Annotated, TypeAlias

from fastapi import APIRouter, Query

from chatmem.errors import InvalidInputError
from chatmem.interfaces.rest.answers import SearchAnswer
from chatmem.interfaces.rest.openapi import problems
from chatmem.interfaces.rest.routes import Current, Limit

router = APIRouter(prefix="/api/memory", tags=["search"])

_DATE_CHARS = len("2026-11-21")
_LOST_PLUS = re.compile(r" (?=[0-9]{2}:?[0-9]{2}$)")
"""In an address a `+` that is not escaped means a blank."""
_TIME_EXAMPLES = ["2026-11-21", "2026-11-21T09:30:00Z"]

Time: TypeAlias = Annotated[
    str | None,
    Query(description="ISO 8601; a date is the whole day, without a zone it is UTC.",
          examples=_TIME_EXAMPLES),
]  # fmt: skip


@router.get("/search", responses=problems(422))
def search(
    memory: Current,
    q: Annotated[str, Query(description="Words to look for; `Pyth*` finds what begins so.")],
    limit: Limit = 10,
    time_from: Time = None,
    time_to: Time = None,
) -> SearchAnswer:
    """What matches, turns of conversations included, best first."""
    begin = _moment(time_from, "time_from", time.min)
    end = _moment(time_to, "time_to", time.max)
    found = memory.search_memories(q, (begin, end) if begin or end else None, limit)
    return SearchAnswer.model_validate(found)


def _moment(text: str | None, name: str, of_day: time) -> datetime | None:
    if text is None or not text.strip():
        return None
    written = text.strip()
    try:
        if len(written) == _DATE_CHARS:
            return datetime.combine(date.fromisoformat(written), of_day, UTC)
        moment = datetime.fromisoformat(_LOST_PLUS.sub("+", written) if "T" in written else written)
        return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    except (ValueError, OverflowError) as error:
        raise InvalidInputError(
            f"{name}: got {text!r}, takes an ISO 8601 time such as {' or '.join(_TIME_EXAMPLES)}"
        ) from error
