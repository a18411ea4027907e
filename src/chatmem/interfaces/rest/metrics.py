"""Numbers for Prometheus: times of requests and stages, what waits, what works.

Each application has a registry of its own. Labels are the routes' paths, without ids and users.
Source: interfaces.md (`/metrics`).
"""

from functools import partial
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from chatmem import __version__
from chatmem.engine.diagnosis import CAPABILITIES
from chatmem.engine.service import MemoryService
from chatmem.engine.state import STAGES as ENGINE_STAGES

CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
STAGES: Final = ("identify", "read_body", "answer", "send", "upstream", *ENGINE_STAGES)
"""Of a request: who asks, its body, up to the first byte of the answer, the rest of it; the wait
for the head of the answer of the model's server; and what the core does (`engine.state`)."""
_BUCKETS: Final = (
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 120.0,
)  # fmt: skip


class Metrics:
    """What one application counts."""

    def __init__(self, memory: MemoryService) -> None:
        self._memory = memory
        self._registry = registry = CollectorRegistry()
        histogram = partial(Histogram, buckets=_BUCKETS, registry=registry)
        gauge = partial(Gauge, registry=registry)
        about = "From a request's head to the end of its answer."
        self._seconds = histogram("chatmem_request_seconds", about, ("method", "route"))
        about = "Requests that were answered."
        labels = ("method", "route", "status")
        self._requests = Counter("chatmem_requests", about, labels, registry=registry)
        self._stages = histogram("chatmem_stage_seconds", "Parts of a request.", ("stage",))
        self.running = gauge("chatmem_requests_running", "Requests that are being answered.")
        gauge("chatmem_build_info", "The version.", ("version",)).labels(__version__).set(1)
        for stage in STAGES:
            self._stages.labels(stage)
        about = "What waits to be done in the background."
        self._depth = gauge("chatmem_queue_depth", about, ("queue",))
        about = "1 where it works as it was set up."
        self._works = gauge("chatmem_capability", about, ("capability",))

    def count(self, method: str, route: str, status: int, seconds: float) -> None:
        """One request that is over."""
        self._seconds.labels(method, route).observe(seconds)
        self._requests.labels(method, route, str(status)).inc()

    def stage(self, name: str, seconds: float) -> None:
        """One stage of a request that is over; `name` is one of `STAGES`."""
        self._stages.labels(name).observe(seconds)

    def text(self) -> bytes:
        """All of it, as Prometheus reads it; the database is asked now."""
        health = self._memory.health()
        self._depth.labels("vectors").set(health.waiting_for_vectors)
        self._depth.labels("jobs").set(health.waiting_jobs)
        self._depth.labels("given_up").set(health.jobs_given_up)
        self._works.labels("database").set(health.can_serve)
        for name in CAPABILITIES:
            self._works.labels(name).set(health.has(name))
        return generate_latest(self._registry)
