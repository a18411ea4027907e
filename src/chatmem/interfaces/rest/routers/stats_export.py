"""`/api/memory/stats` and `/api/memory/export`."""

import json
from collections.abc import Iterator
from itertools import islice

from fastapi import APIRouter
from fastapi.responses import StreamingResponse

from chatmem.engine.importing import as_json
from chatmem.engine.service import MemoryService
from chatmem.interfaces.rest.current import Current
from chatmem.interfaces.rest.models_problems import problems
from chatmem.interfaces.rest.models_search import StatsAnswer

router = APIRouter(prefix="/api/memory", tags=["stats and export"])

JSON_LINES = "application/x-ndjson"
_PIECE = 200


@router.get("/stats", responses=problems())
def read_stats(memory: Current) -> StatsAnswer:
    """Counts of this user, and how the place is."""
    return StatsAnswer.model_validate(memory.stats())


@router.get(
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


def _lines(memory: MemoryService) -> Iterator[str]:
    """Many lines at a time: each piece is made in a thread, and getting there costs."""
    records = memory.export_records()
    while piece := list(islice(records, _PIECE)):
        yield "".join(json.dumps(as_json(one), ensure_ascii=False) + "\n" for one in piece)
