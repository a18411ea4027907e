"""`/healthz`, `/readyz`, `/metrics`: for whoever keeps the server running.

Source: interfaces.md (`/healthz`, `/readyz`, `/metrics`).
"""

from typing import Literal

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, Field

from chatmem import __version__
from chatmem.engine.service import MemoryService
from chatmem.interfaces.rest.metrics import CONTENT_TYPE, Metrics
from chatmem.interfaces.threads import run_watching

router = APIRouter(tags=["operation"])


class Alive(BaseModel):
    """The process answers."""

    status: Literal["ok"] = "ok"
    version: str = Field(examples=[__version__])


class Degraded(BaseModel):
    """Something that was wanted and is not there."""

    name: str = Field(examples=["embedder"])
    detail: str = Field(examples=["none is configured; keywords only"])


class Ready(BaseModel):
    """Whether requests can be served, and how well."""

    status: Literal["ready", "degraded", "unavailable"]
    degraded: list[Degraded] = []
    waiting_for_vectors: int = 0
    waiting_jobs: int = 0


@router.get("/healthz")
async def is_alive() -> Alive:
    """Say that the process runs; nothing is looked at."""
    return Alive(version=__version__)


@router.get("/readyz", responses={503: {"model": Ready, "description": "It cannot serve."}})
async def is_ready(request: Request, response: Response) -> Ready:
    """Say whether the database answers, and what is degraded."""
    memory: MemoryService = request.app.state.memory
    health = await run_watching(memory.health)
    if not health.can_serve:
        response.status_code = 503
        return Ready(status="unavailable")
    return Ready(
        status="degraded" if health.degraded else "ready",
        degraded=[Degraded(name=one.what, detail=one.why) for one in health.degraded],
        waiting_for_vectors=health.waiting_for_vectors,
        waiting_jobs=health.waiting_jobs,
    )


@router.get("/metrics", response_class=Response, responses={200: {"content": {"text/plain": {}}}})
async def read_metrics(request: Request) -> Response:
    """Give the numbers of this process for Prometheus; with keys, any key may read them."""
    metrics: Metrics = request.app.state.metrics
    return Response(await run_watching(metrics.text), media_type=CONTENT_TYPE)
