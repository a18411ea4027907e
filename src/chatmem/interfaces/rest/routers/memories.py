"""`/api/memory` and `/memory`: memories one by one, listed, and searched; working memory.

Source: S1.5.2, S2.7.1, S3.1, S3.4.3, S3.4.4, S3.5.1, S3.5.2, S5.2.1, S5.8.1, S5.8.2; interfaces.md.
"""

import re
from datetime import UTC, date, datetime, time
from typing import Annotated, TypeAlias

from fastapi import APIRouter, Query, status

from chatmem.engine import importing
from chatmem.engine.service import MemoryService
from chatmem.errors import InvalidInputError, MemoryNotFoundError, SessionNotFoundError
from chatmem.interfaces.rest import answers, requests
from chatmem.interfaces.rest.answers import Memory
from chatmem.interfaces.rest.openapi import problems
from chatmem.interfaces.rest.requests import Current, Limit, Offset, ThreadedRoute
from chatmem.model import AtomicMemoryRecord, MemoryState
from chatmem.model.time import from_text

_DATE_CHARS = len("2026-11-21")
_LOST_PLUS = re.compile(r" (?=[0-9]{2}:?[0-9]{2}$)")
"""In an address a `+` that is not escaped means a blank."""
_TIME_EXAMPLES = ["2026-11-21", "2026-11-21T09:30:00Z"]

Time: TypeAlias = Annotated[
    str | None,
    Query(description="ISO 8601; a date is the whole day, without a zone it is UTC.",
          examples=_TIME_EXAMPLES),
]  # fmt: skip
KeepBoth: TypeAlias = Annotated[
    bool,
    Query(
        description="Of a memory that another one has replaced: both are valid then. Otherwise "
        "the two change places. `other` in the answer is that other one, as it is then."
    ),
]
Prove: TypeAlias = Annotated[
    bool, Query(description="Search everything that is stored for what is left of it.")
]
State: TypeAlias = Annotated[
    MemoryState, Query(description="`superseded`: what another one replaced, or was evicted.")
]

long_term = APIRouter(prefix="/memory", tags=["long-term memory"], route_class=ThreadedRoute)
searches = APIRouter(prefix="/api/memory", tags=["search"], route_class=ThreadedRoute)
router = APIRouter(prefix="/api/memory", tags=["memories"], route_class=ThreadedRoute)


@long_term.get("/long-term", responses=problems(422))
def list_long_term(
    memory: Current, limit: Limit = 50, offset: Offset = 0, state: State = "valid"
) -> answers.MemoryPage:
    """A page of this user's long-term memories, newest first."""
    found = memory.list_memories("long_term", limit, offset, state=state)
    return answers.MemoryPage.model_validate(found)


@long_term.delete("/long-term", responses=problems(), response_model_exclude_none=True)
def delete_all_long_term(memory: Current) -> answers.DeletedCount:
    """Delete all long-term memories for good; working memory and turns stay."""
    count = memory.forget_all()
    purged = None if memory.health().has("purge") else False
    return answers.DeletedCount(deleted=count, purged=purged)


@long_term.get("/long-term/{memory_id}", responses=problems(404, 422))
def read_long_term(memory_id: str, memory: Current) -> Memory:
    """One long-term memory."""
    return Memory.model_validate(_long_term(memory, memory_id))


@long_term.delete(
    "/long-term/{memory_id}", responses=problems(404, 422), response_model_exclude_none=True
)
def delete_long_term(memory_id: str, memory: Current, prove: Prove = False) -> answers.Deleted:
    """Delete a long-term memory for good."""
    return _forget(memory, _long_term(memory, memory_id).id, prove)


@long_term.get("/working/{session_id:path}", responses=problems(404, 422))
def read_working(session_id: str, memory: Current) -> answers.WorkingState:
    """What a running session is about."""
    found = memory.working_memory(session_id) if session_id else None
    if found is None:
        raise SessionNotFoundError(session_id)
    return answers.WorkingState.model_validate(found)


@searches.get("/search", responses=problems(422))
def search(
    memory: Current,
    q: Annotated[str, Query(description="Words to look for; `Pyth*` finds what begins so.")],
    limit: Limit = 10,
    time_from: Time = None,
    time_to: Time = None,
) -> answers.SearchAnswer:
    """What matches, turns of conversations included, best first."""
    begin = _moment(time_from, "time_from", time.min)
    end = _moment(time_to, "time_to", time.max)
    return answers.SearchAnswer.model_validate(memory.search_memories(q, (begin, end), limit))


@router.post("", status_code=status.HTTP_201_CREATED, responses=problems(422))
def write_memory(draft: requests.MemoryDraft, memory: Current) -> Memory:
    """Write a memory down, into MEMORY.md; what is episodic, into the log of the day."""
    columns = draft.model_dump(exclude={"content", "category"}, exclude_unset=True)
    return Memory.model_validate(memory.append_memory(draft.content, draft.category, **columns))


@router.get("/{memory_id}", responses=problems(404, 422))
def read_memory(memory_id: str, memory: Current) -> Memory:
    """One memory, a turn of a conversation too."""
    return Memory.model_validate(memory.get(memory_id))


@router.patch("/{memory_id}", responses=problems(404, 422))
def change_memory(memory_id: str, changes: requests.MemoryChanges, memory: Current) -> Memory:
    """Change some columns of a memory, in its document too."""
    columns = changes.model_dump(exclude_unset=True)
    return Memory.model_validate(memory.update(memory_id, **columns))


@router.delete("/{memory_id}", responses=problems(404, 422), response_model_exclude_none=True)
def delete_memory(memory_id: str, memory: Current, prove: Prove = False) -> answers.Deleted:
    """Forget a memory for good, everywhere."""
    return _forget(memory, memory_id, prove)


@router.post("/{memory_id}/promote", responses=problems(404, 422))
def promote_memory(memory_id: str, memory: Current) -> Memory:
    """Make a turn of a conversation a long-term memory."""
    return Memory.model_validate(memory.promote(memory_id))


@router.post("/{memory_id}/restore", responses=problems(404, 409, 422))
def restore_memory(
    memory_id: str, memory: Current, keep_both: KeepBoth = False
) -> answers.RestoredMemory:
    """Undo the memory's last change; what was forgotten stays forgotten."""
    other = memory.undoable(memory_id).other
    columns = importing.as_json(memory.restore(memory_id, keep_both=keep_both))
    after = None if other is None else importing.as_json(memory.get(other.id))
    return answers.RestoredMemory.model_validate({**columns, "other": after})


@router.post("/{memory_id}/supersede", responses=problems(404, 422))
def supersede_memory(memory_id: str, newer: requests.Successor, memory: Current) -> Memory:
    """Say that a memory is out of date: another one takes its place. `restore` undoes it."""
    return Memory.model_validate(memory.supersede(memory_id, newer.by))


@router.get("/{memory_id}/history", responses=problems(404, 422))
def read_history(memory_id: str, memory: Current) -> answers.History:
    """What happened to a memory, oldest first; its owner's only."""
    steps = memory.history(memory_id)
    return answers.History.model_validate({"items": steps, "total": len(steps)})


def _forget(memory: MemoryService, memory_id: str, prove: bool) -> answers.Deleted:
    gone = memory.forget(memory_id, prove=prove)
    columns = {"removed": gone.removed, "proof": gone.proof} if prove else {}
    purged = gone.purged if prove or not gone.purged else None
    return answers.Deleted.model_validate({"id": memory_id, "purged": purged, **columns})


def _long_term(memory: MemoryService, memory_id: str) -> AtomicMemoryRecord:
    found = memory.get(memory_id)
    if found.memory_type != "long_term":
        raise MemoryNotFoundError(memory_id)
    return found


def _moment(text: str | None, name: str, of_day: time) -> datetime | None:
    if text is None or not text.strip():
        return None
    written = text.strip()
    try:
        if len(written) == _DATE_CHARS:
            return datetime.combine(date.fromisoformat(written), of_day, UTC)
        return from_text(_LOST_PLUS.sub("+", written) if "T" in written else written)
    except (ValueError, OverflowError) as error:
        raise InvalidInputError(
            f"{name}: got {text!r}, takes an ISO 8601 time such as {' or '.join(_TIME_EXAMPLES)}"
        ) from error
