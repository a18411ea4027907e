"""How often a key may ask: a bucket of requests for each, which fills again evenly.

Source: interfaces.md (Identity); `server.rate_per_minute`.
"""

import math
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from starlette.types import ASGIApp, Receive, Scope, Send

from chatmem.interfaces.rest.problems import Problem, refuse

_MOST_BUCKETS: Final = 10_000


@dataclass(slots=True)
class Bucket:
    """What is left of a key's requests, and when that was so, by the monotonic clock."""

    left: float
    at_s: float


class Buckets:
    """A bucket for each key: it holds a minute's requests, which may be used all at once."""

    def __init__(self, per_minute: int) -> None:
        self._size = float(per_minute)
        self._per_second = per_minute / 60
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, key: str, now_s: float) -> float:
        """Seconds until the key may ask again; 0 where it may now, and has used one request."""
        bucket = self._buckets.setdefault(key, Bucket(self._size, now_s))
        self._buckets.move_to_end(key)
        if len(self._buckets) > _MOST_BUCKETS:
            self._buckets.popitem(last=False)
        refilled = bucket.left + max(0.0, now_s - bucket.at_s) * self._per_second
        bucket.left, bucket.at_s = min(self._size, refilled), now_s
        if bucket.left >= 1:
            bucket.left -= 1
            return 0.0
        return (1 - bucket.left) / self._per_second


class LimitRate:
    """Refuses a key's requests past the rate, 429; without a key there is no limit."""

    def __init__(
        self, app: ASGIApp, per_minute: int, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._app = app
        self._buckets = Buckets(per_minute) if per_minute else None
        self._clock = clock

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request; `identity` has said by which key."""
        key_id = scope.get("state", {}).get("key_id")
        if self._buckets is not None and key_id is not None:
            wait_s = self._buckets.take(key_id, self._clock())
            if wait_s > 0:
                after = str(math.ceil(wait_s))
                busy = Problem(
                    429, f"this key asks too often: {after} s", headers={"retry-after": after}
                )
                await refuse(busy, scope, receive, send)
                return
        await self._app(scope, receive, send)
