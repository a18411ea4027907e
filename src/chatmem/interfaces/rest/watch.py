"""The outermost layer: a request's id, time, span, line in the log, and safe headers; metrics.

Logs are lines of JSON, without keys, prompts or memories: of an address the query is left out; of
an exception, whose text may quote what it could not use, all but its kind and place. Each
application has a registry of its own; labels are the routes' paths, without ids and users.

Uncaught errors end here, without a traceback. Spans are OpenTelemetry's, of the SDK that is set up
in this process, if any; they hold no user, id, requested address or content. Source: interfaces.md
(REST, Operation, `/metrics`); `docs/security.md`, `docs/operation.md`.
"""

import json
import logging
import re
import secrets
import time
import traceback
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache, partial
from typing import Any, Final

from opentelemetry import propagate, trace
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from chatmem import __version__
from chatmem.engine.diagnosis import CAPABILITIES
from chatmem.engine.service import MemoryService
from chatmem.engine.state import STAGES as ENGINE_STAGES
from chatmem.engine.state import listening
from chatmem.errors import StorageError
from chatmem.interfaces.problems import problem_of
from chatmem.interfaces.rest.identity import is_page
from chatmem.model.time import to_text

request_id: Final[ContextVar[str | None]] = ContextVar("request_id", default=None)
"""Of the request at hand; threads that work for it know it too."""
_MOST_CHARS: Final = 500
_FRAMES: Final = 8
CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
STAGES: Final = ("identify", "read_body", "answer", "send", "upstream", *ENGINE_STAGES)
"""Of a request: who asks, its body, up to the first byte of the answer, the rest of it; the wait
for the head of the answer of the model's server; and what the core does (`engine.state`)."""
_BUCKETS: Final = (
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 120.0,
)  # fmt: skip
_ID_HEADER: Final = b"x-request-id"
_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_SAFE_HEADERS: Final = {
    b"x-content-type-options": b"nosniff",
    b"x-frame-options": b"DENY",
    b"referrer-policy": b"no-referrer",
    b"cross-origin-resource-policy": b"same-origin",
    b"content-security-policy": b"default-src 'none'; frame-ancestors 'none'",
    b"cache-control": b"no-store",
}
"""Set where the answer does not set them itself."""
_PAGE_HEADERS: Final = {
    **_SAFE_HEADERS,
    b"referrer-policy": b"same-origin",  # else browsers post the form with `Origin: null`
    b"content-security-policy": b"default-src 'self'; script-src 'self' 'unsafe-inline' "
    b"'unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
    b"font-src 'self' data:; connect-src 'self' ws: wss:; object-src 'none'; base-uri 'self'; "
    b"frame-ancestors 'none'",
}
"""The page's components compile their templates in the browser; nothing comes from elsewhere."""
_METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_PLAIN_ROUTES: Final = frozenset({"/mcp", "/healthz", "/readyz", "/metrics", "/openapi.json"})
_NO_TEXTS: Final[dict[str, Any]] = {"record_exception": False, "set_status_on_exception": False}
"""Of exceptions in spans: they may hold what somebody remembers."""
_log = logging.getLogger(__name__)


class Metrics:
    """What one application counts."""

    def __init__(self, memory: MemoryService) -> None:
        self._memory = memory
        self._registry = registry = CollectorRegistry()
        histogram = partial(Histogram, buckets=_BUCKETS, registry=registry)
        gauge = partial(Gauge, registry=registry, multiprocess_mode="mostrecent")
        about = "From a request's head to the end of its answer."
        seconds = histogram("chatmem_request_seconds", about, ("method", "route"))
        about = "Requests that were answered."
        labels = ("method", "route", "status")
        requests = Counter("chatmem_requests", about, labels, registry=registry)
        self._of = lru_cache(lambda *of: (seconds.labels(*of[:2]), requests.labels(*of)))
        stages = histogram("chatmem_stage_seconds", "Parts of a request.", ("stage",))
        self.stages: Mapping[str, Histogram] = {name: stages.labels(name) for name in STAGES}
        about = "Requests that are being answered."
        self.running = gauge("chatmem_requests_running", about, multiprocess_mode="sum")
        gauge("chatmem_build_info", "The version.", ("version",)).labels(__version__).set(1)
        about = "What waits to be done in the background."
        self._depth = gauge("chatmem_queue_depth", about, ("queue",))
        about = "1 where it works as it was set up."
        self._works = gauge("chatmem_capability", about, ("capability",))

    def count(self, method: str, route: str, status: int, seconds: float) -> None:
        """One request that is over."""
        time_taken, requests = self._of(method, route, status)
        time_taken.observe(seconds)
        requests.inc()

    def text(self) -> bytes:
        """All of it, as Prometheus reads it; the database is asked now."""
        health = self._memory.health()
        self._depth.labels("vectors").set(health.waiting_for_vectors)
        self._depth.labels("jobs").set(health.waiting_jobs)
        self._depth.labels("given_up").set(health.jobs_given_up)
        self._works.labels("database").set(health.can_serve)
        for name in CAPABILITIES:
            self._works.labels(name).set(health.has(name))
        registry = CollectorRegistry()
        with suppress(ValueError):  # there is one process
            MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
            return generate_latest(registry)
        return generate_latest(self._registry)


class Watch:
    """Accompanies each request from its head to the end of its answer."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics
        self._tracer = trace.get_tracer("chatmem", __version__)
        # Where nobody collects them, no spans are made.
        self._has_spans = not isinstance(trace.get_tracer_provider(), trace.ProxyTracerProvider)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass one request on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        given = dict(scope["headers"]).get(_ID_HEADER, b"").decode("latin-1")
        name = given if _ID.fullmatch(given) else secrets.token_hex(8)
        scope.setdefault("state", {})["request_id"] = name
        request_id.set(name)  # of this task, which is the request's
        answer = _Answer(send, name, _PAGE_HEADERS if is_page(scope["path"]) else _SAFE_HEADERS)
        running = self._metrics.running.track_inprogress()
        span = self._span(scope, answer) if self._has_spans else nullcontext()
        try:
            with running, span, listening(self._stage):
                await self._app(scope, receive, answer.send)
        except Exception as error:  # noqa: BLE001 - no traceback leaves the server
            fields = {"error": type(error).__name__, "at": places_of(error)}
            _log.error("a request failed", extra={"fields": fields})
            if not answer.status:
                await problem_of(error)(scope, receive, answer.send)
        finally:
            self._note(scope, answer)

    @contextmanager
    def _span(self, scope: Scope, answer: "_Answer") -> Iterator[None]:
        """A server's span around one request, part of the caller's trace where it names one."""
        method = _method(scope)
        with self._tracer.start_as_current_span(
            method,
            context=propagate.extract(Headers(scope=scope)),
            kind=trace.SpanKind.SERVER,
            attributes={"http.request.method": method},
            **_NO_TEXTS,
        ) as span:
            try:
                yield
            finally:
                route = _route(scope)
                span.update_name(f"{method} {route}")
                span.set_attribute("http.route", route)
                if answer.status:
                    span.set_attribute("http.response.status_code", answer.status)
                if not answer.status or answer.status >= 500:
                    span.set_status(trace.StatusCode.ERROR)

    def _stage(self, name: str) -> AbstractContextManager[object]:
        timer = self._metrics.stages[name].time()
        return self._in_span(f"chatmem.{name}", timer) if self._has_spans else timer

    @contextmanager
    def _in_span(self, name: str, timer: AbstractContextManager[object]) -> Iterator[None]:
        with timer, self._tracer.start_as_current_span(name, **_NO_TEXTS):
            yield

    def _note(self, scope: Scope, answer: "_Answer") -> None:
        now_s = time.perf_counter()
        method, route = _method(scope), _route(scope)
        seconds = now_s - answer.began_s
        self._metrics.count(method, route, answer.status, seconds)
        if answer.started_s:
            self._metrics.stages["answer"].observe(answer.started_s - answer.began_s)
            self._metrics.stages["send"].observe(now_s - answer.started_s)
        fields: dict[str, Any] = {
            "method": method,
            "route": route,
            "status": answer.status or None,
            "milliseconds": round(seconds * 1000, 1),
            "bytes": answer.size,
        }
        if (key_id := scope["state"].get("key_id")) is not None:
            fields["key_id"] = key_id
        _log.info("request", extra={"fields": fields})


@dataclass(slots=True)
class _Answer:
    """The answer as it goes out: with its headers, counted. `status` is 0 until it has begun."""

    pass_on: Send
    request_id: str
    safe_headers: Mapping[bytes, bytes]
    status: int = 0
    size: int = 0
    began_s: float = field(default_factory=time.perf_counter)
    started_s: float = 0.0

    async def send(self, message: Message) -> None:
        """Send a part of it."""
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.started_s = time.perf_counter()
            own = [one for one in message["headers"] if one[0] != _ID_HEADER]
            names = {name.lower() for name, _ in own}
            safe = [one for one in self.safe_headers.items() if one[0] not in names]
            message["headers"] = [*own, *safe, (_ID_HEADER, self.request_id.encode())]
        else:
            self.size += len(message.get("body", b""))
        await self.pass_on(message)


def _method(scope: Scope) -> str:
    return scope["method"] if scope["method"] in _METHODS else "other"


def _route(scope: Scope) -> str:
    """The route's path; one label for all unknown addresses, so that labels stay few."""
    path = getattr(scope.get("route"), "path", None)
    if isinstance(path, str):
        return path
    return scope["path"] if scope["path"] in _PLAIN_ROUTES else "other"


class JsonLines(logging.Formatter):
    """One object a line: time, level, logger, message, and the fields of `extra["fields"]`."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        line: dict[str, Any] = {
            "time": to_text(datetime.fromtimestamp(record.created, UTC)),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": _message(record),
        }
        if (current := request_id.get()) is not None:
            line["request_id"] = current
        if isinstance(fields := getattr(record, "fields", None), Mapping):
            line.update(fields)
        if record.exc_info and record.exc_info[0] is not None:
            line["error"] = record.exc_info[0].__name__
            line["at"] = places_of(record.exc_info[1])
        return json.dumps(line, ensure_ascii=False, default=str)


def log_as_json(handler: logging.Handler) -> None:
    """Everything that the process logs goes through this handler from now on, in this form."""
    handler.setFormatter(JsonLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    for name in ("chatmem", "uvicorn"):
        logging.getLogger(name).setLevel(logging.INFO)
    # It writes addresses with their queries, which are what people search for.
    logging.getLogger("uvicorn.access").disabled = True


def places_of(error: BaseException | None) -> list[str]:
    """Where an error came from, the innermost last: files and lines, no values."""
    frames = traceback.extract_tb(error.__traceback__ if error else None)[-_FRAMES:]
    return [f"{'/'.join(one.filename.split('/')[-2:])}:{one.lineno}" for one in frames]


def _message(record: logging.LogRecord) -> str:
    arguments = record.args
    if isinstance(arguments, tuple):
        arguments = tuple(_harmless(one) for one in arguments)
    try:
        text = str(record.msg) % arguments if arguments else str(record.msg)
    except (TypeError, ValueError):
        text = str(record.msg)
    return " ".join(text.split())[:_MOST_CHARS]


def _harmless(argument: object) -> object:
    """Only the kind of an exception, but the whole of a storage error."""
    if isinstance(argument, StorageError) or not isinstance(argument, BaseException):
        return argument
    return type(argument).__name__
