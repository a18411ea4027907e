"""Work of a page that may take long, in threads that hold up nobody's search."""

from collections.abc import Callable
from typing import ParamSpec, TypeVar

from chatmem.interfaces.web.visit import Visit

P = ParamSpec("P")
T = TypeVar("T")


async def away_for_long(visit: Visit, call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """What the call returns, as `visit.away_for_long` gives it.

    Raises:
        SignedOutError: the key that this page was opened with was revoked.
        ChatmemError: whatever the call raises.
    """
    return await visit.away_for_long(call, *args, **kwargs)
