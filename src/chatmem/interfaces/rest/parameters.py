"""What routes share: whose memory, which page of a list, which version, in which thread.

Source: interfaces.md (Identity; "PUT takes `If-Match`"); RFC 9110, 8.8.3 and 13.1.1.
"""

import re
from collections.abc import Callable
from functools import wraps
from inspect import iscoroutinefunction
from typing import Annotated, Any, Final, TypeAlias

from fastapi import Depends, Header, HTTPException, Path, Query, Request
from fastapi.routing import APIRoute

from chatmem.engine.service import MemoryService
from chatmem.interfaces.threads import run_reading, run_writing

MOST_ITEMS: Final = 1_000
_FAR: Final = 1 << 53
_READING: Final = frozenset({"GET", "HEAD"})
_TAG: Final = re.compile(r'(?:W/)?"([^"]*)"')


async def current_memory(request: Request) -> MemoryService:
    """The memory of the request's user; a coroutine, since a function would cost a thread."""
    memory: MemoryService = request.state.memory
    return memory


async def check_operator(request: Request) -> None:
    """Refuse (403) everybody who does not run the server: no admin's key, where there are keys."""
    if not request.state.is_operator:
        raise HTTPException(403, "this concerns everybody on the server: it takes an admin's key")


Current: TypeAlias = Annotated[MemoryService, Depends(current_memory)]
ForOperators: Final = Depends(check_operator)
Limit: TypeAlias = Annotated[int, Query(ge=1, le=MOST_ITEMS, description="How many at most.")]
Offset: TypeAlias = Annotated[int, Query(ge=0, le=_FAR, description="How many to skip.")]
UserName: TypeAlias = Annotated[str, Path(min_length=1, description="A user of this place.")]
IfMatch: TypeAlias = Annotated[
    str | None,
    Header(
        description="The etag of the version that was read, or `*` for any. Without it a profile "
        "is replaced, and what holds memories answers 428."
    ),
]
Forget: TypeAlias = Annotated[
    bool, Query(description="Forget memories that the text lacks, though they are more than three.")
]


def matched_etag(header: str | None, current: str) -> str | None:
    """The etag that `If-Match` asks for, of several the current one; None where any is good.

    Weak etags, and those without quotation marks, count.
    """
    if header is None or header.strip() == "*":
        return None
    tags = _TAG.findall(header) or [header.strip()]
    return current if current in tags else str(tags[0])


class ThreadedRoute(APIRoute):
    """A route whose handler runs in its user's turn; one that may write may wait for a lock."""

    def __init__(
        self,
        path: str,
        endpoint: Callable[..., Any],
        **given: Any,  # noqa: ANN401 - FastAPI's, passed on
    ) -> None:
        may_write = not set(given.get("methods") or _READING) <= _READING
        if not iscoroutinefunction(endpoint):
            endpoint = _in_turn(endpoint, run_writing if may_write else run_reading)
        super().__init__(path, endpoint, **given)


def _in_turn(handler: Callable[..., Any], run: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(handler)
    async def handle(*args: Any, **kwargs: Any) -> Any:  # noqa: ANN401
        return await run(handler, *args, **kwargs)

    return handle
