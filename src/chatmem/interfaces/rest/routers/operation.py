"""Whether the server works, its numbers, what is in it, its users, and the settings of the place.

Source: S5.8.3, S2.6.1; interfaces.md (`/healthz`, `/readyz`, `/metrics`, `/api/memory/config`).
"""

import json
from collections.abc import Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Final

from fastapi import APIRouter, Request, Response
from fastapi.responses import StreamingResponse

from chatmem import __version__
from chatmem.engine.importing import as_json
from chatmem.engine.service import MemoryService
from chatmem.interfaces.rest import answers, requests
from chatmem.interfaces.rest.answers import Alive, Config, Degraded, Ready, StatsAnswer
from chatmem.interfaces.rest.openapi import problems
from chatmem.interfaces.rest.requests import Current, ForOperators, ThreadedRoute, UserName
from chatmem.interfaces.rest.watch import CONTENT_TYPE, Metrics
from chatmem.interfaces.rest.wire import SETTINGS
from chatmem.interfaces.threads import run_watching

JSON_LINES: Final = "application/x-ndjson"
ZIP: Final = "application/zip"
_CHUNK: Final = 1 << 16
_LINES_AT_ONCE: Final = 200

router = APIRouter(tags=["operation"])
settings = APIRouter(prefix="/api/memory", tags=["settings"], route_class=ThreadedRoute)
contents = APIRouter(prefix="/api/memory", tags=["stats and export"], route_class=ThreadedRoute)
users = APIRouter(
    prefix="/api/users", tags=["users"], route_class=ThreadedRoute, dependencies=[ForOperators]
)


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


@settings.get("/config", responses=problems())
def read_config(memory: Current) -> Config:
    """The settings in force."""
    return _config(memory)


@settings.put("/config", responses=problems(403, 422), dependencies=[ForOperators])
def change_config(changes: requests.ConfigChanges, memory: Current) -> Config:
    """Store settings with the data, all of those given or none; the settings in force then.

    Whatever opens this memory obeys them from its next call on, for every user: where there are
    keys, it takes an admin's.
    """
    memory.config.set(changes.model_dump(exclude_unset=True))
    return _config(memory)


@contents.get("/stats", responses=problems())
def read_stats(memory: Current) -> StatsAnswer:
    """Counts of this user, and how the place is."""
    return StatsAnswer.model_validate(memory.stats())


@contents.get(
    "/export",
    response_class=StreamingResponse,
    responses={
        200: {
            "description": "JSON Lines: a memory a line, with every column, oldest first.",
            "content": {JSON_LINES: {"schema": {"type": "string"}}},
        },
        **problems(),
    },
)
def export(memory: Current) -> StreamingResponse:
    """Everything of this user, turns included, as `chatmem import` reads it back."""
    headers = {"Content-Disposition": 'attachment; filename="chatmem.jsonl"'}
    return StreamingResponse(_lines(memory), media_type=JSON_LINES, headers=headers)


@users.get("", responses=problems(403))
def list_users(memory: Current) -> list[answers.UserCountsAnswer]:
    """Everybody in this place, by name; where there are keys, it takes an admin's."""
    return [answers.UserCountsAnswer.model_validate(one) for one in memory.users.list()]


@users.get(
    "/{user:path}/export",
    response_class=StreamingResponse,
    responses={200: {"content": {ZIP: {}}}, **problems(403, 404, 422)},
)
def export_user(user: UserName, memory: Current) -> StreamingResponse:
    """Everything that a user has, as a backup; where there are keys, it takes an admin's."""
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        path = Path(folder) / "user.zip"
        memory.users.export(user, path)
        file = path.open("rb")  # read when it has no name any more
    headers = {"Content-Disposition": 'attachment; filename="user.zip"'}
    return StreamingResponse(_pieces(file), media_type=ZIP, headers=headers)


@users.delete("/{user:path}", responses=problems(403, 404, 422))
def delete_user(user: UserName, memory: Current) -> answers.DeletedCount:
    """Delete a user for good; the rows are counted. Where there are keys, it takes an admin's."""
    return answers.DeletedCount(deleted=memory.users.delete(user))


def _pieces(file: IO[bytes]) -> Iterator[bytes]:
    with file:
        yield from iter(partial(file.read, _CHUNK), b"")


def _lines(memory: MemoryService) -> Iterator[str]:
    """Many lines at a time, since each piece is made in a thread."""
    records = memory.export_records()
    while piece := list(islice(records, _LINES_AT_ONCE)):
        yield "".join(json.dumps(as_json(one), ensure_ascii=False) + "\n" for one in piece)


def _config(memory: MemoryService) -> Config:
    found = memory.config.get()
    return Config.model_validate({name: found[f"memory.{name}"] for name in SETTINGS})
