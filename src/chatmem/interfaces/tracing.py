"""Spans of requests and their stages, for OpenTelemetry, where somebody has set it up.

Nothing is sent by itself: without an SDK, set up by whoever runs the server (`opentelemetry-
instrument chatmem serve`), there are no spans. A span has routes, status and the names of stages;
never a user, an id, an address as it was asked for, or anything that somebody said.

Source: `docs/operation.md`.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from chatmem import __version__

try:
    from opentelemetry import propagate, trace
except ImportError:  # the package is not ours to bring
    HAS_API = False
else:
    HAS_API = True

_NAME = "chatmem"
_FAILED = 500


@dataclass(slots=True)
class Answered:
    """What a request came to, filled in when it is over."""

    route: str = ""
    status: int = 0


class Tracing:
    """Spans of one provider."""

    def __init__(self, provider: "trace.TracerProvider") -> None:
        self._tracer = provider.get_tracer(_NAME, __version__)

    @contextmanager
    def request(self, method: str, headers: Mapping[str, str]) -> Iterator[Answered]:
        """A server's span around one request, part of the caller's trace where it names one."""
        answered = Answered()
        with self._tracer.start_as_current_span(
            method,
            context=propagate.extract(headers),
            kind=trace.SpanKind.SERVER,
            attributes={"http.request.method": method},
            # An exception's text may hold what somebody remembers.
            record_exception=False,
            set_status_on_exception=False,
        ) as span:
            try:
                yield answered
            finally:
                if answered.route:
                    span.update_name(f"{method} {answered.route}")
                    span.set_attribute("http.route", answered.route)
                if answered.status:
                    span.set_attribute("http.response.status_code", answered.status)
                if not answered.status or answered.status >= _FAILED:
                    span.set_status(trace.StatusCode.ERROR)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """A span around one stage, inside that of its request."""
        with self._tracer.start_as_current_span(
            f"{_NAME}.{name}", record_exception=False, set_status_on_exception=False
        ):
            yield


def find_tracing() -> Tracing | None:
    """Spans, where an SDK is set up in this process; else None, and requests cost nothing more."""
    if not HAS_API:
        return None
    provider = trace.get_tracer_provider()
    return None if isinstance(provider, trace.ProxyTracerProvider) else Tracing(provider)
