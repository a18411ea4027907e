"""Spans of requests and their stages, where the process has an OpenTelemetry SDK.

A span has a route, a status or a stage; no user, id, requested address or content.
Source: `docs/operation.md`.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext

from chatmem import __version__

try:
    from opentelemetry import propagate, trace
except ImportError:  # the package is not ours to bring
    HAS_API = False
else:
    HAS_API = True

_NAME = "chatmem"
_FAILED = 500


class Spans:
    """Spans of the SDK that is set up in this process; where none is, nothing at all."""

    def __init__(self) -> None:
        provider = trace.get_tracer_provider() if HAS_API else None
        self._tracer = (
            None
            if provider is None or isinstance(provider, trace.ProxyTracerProvider)
            else provider.get_tracer(_NAME, __version__)
        )

    @contextmanager
    def request(
        self, method: str, headers: Mapping[str, str], outcome: Callable[[], tuple[str, int]]
    ) -> Iterator[None]:
        """A server's span around one request, part of the caller's trace where it names one.

        `outcome` gives route and status, 0 for no answer, when the request is over.
        """
        if self._tracer is None:
            yield
            return
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
                yield
            finally:
                route, status = outcome()
                span.update_name(f"{method} {route}")
                span.set_attribute("http.route", route)
                if status:
                    span.set_attribute("http.response.status_code", status)
                if not status or status >= _FAILED:
                    span.set_status(trace.StatusCode.ERROR)

    def stage(self, name: str) -> AbstractContextManager[object]:
        """A span around one stage, inside that of its request."""
        if self._tracer is None:
            return nullcontext()
        return self._tracer.start_as_current_span(
            f"{_NAME}.{name}", record_exception=False, set_status_on_exception=False
        )
