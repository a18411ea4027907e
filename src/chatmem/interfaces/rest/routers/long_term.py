"""`/memory`: long-term memories, and what a running session is about.

Source: S3.5.1, S3.5.2, S3.4.3, S3.4.4, S3.1.
"""

from fastapi import APIRouter

from chatmem.engine.service import MemoryService
from chatmem.errors import MemoryNotFoundError, SessionNotFoundError
from chatmem.interfaces.rest.current import Current
from chatmem.interfaces.rest.models import Deleted, DeletedCount, Memory, MemoryPage
from chatmem.interfaces.rest.models_problems import problems
from chatmem.interfaces.rest.models_sessions import WorkingState
from chatmem.interfaces.rest.routers.paging import Limit, Offset
from chatmem.interfaces.rest.threaded import Threaded
from chatmem.model import AtomicMemoryRecord

router = APIRouter(prefix="/memory", tags=["long-term memory"], route_class=Threaded)


@router.get("/long-term", responses=problems(422))
def list_long_term(memory: Current, limit: Limit = 50, offset: Offset = 0) -> MemoryPage:
    """A page of this user's long-term memories, newest first."""
    return MemoryPage.model_validate(memory.list_memories("long_term", limit, offset))


@router.delete("/long-term", responses=problems())
def delete_all_long_term(memory: Current) -> DeletedCount:
    """Delete all long-term memories for good; working memory and turns stay."""
    return DeletedCount(deleted=memory.forget_all())


@router.get("/long-term/{memory_id}", responses=problems(404, 422))
def read_long_term(memory_id: str, memory: Current) -> Memory:
    """One long-term memory."""
    return Memory.model_validate(_long_term(memory, memory_id))


@router.delete("/long-term/{memory_id}", responses=problems(404, 422))
def delete_long_term(memory_id: str, memory: Current) -> Deleted:
    """Delete a long-term memory for good."""
    found = _long_term(memory, memory_id)
    memory.forget(found.id)
    return Deleted(id=found.id)


@router.get("/working/{session_id:path}", responses=problems(404, 422))
def read_working(session_id: str, memory: Current) -> WorkingState:
    """What a running session is about."""
    found = memory.working_memory(session_id) if session_id else None
    if found is None:
        raise SessionNotFoundError(session_id)
    return WorkingState.model_validate(found)


def _long_term(memory: MemoryService, memory_id: str) -> AtomicMemoryRecord:
    found = memory.get(memory_id)
    if found.memory_type != "long_term":
        raise MemoryNotFoundError(memory_id)
    return found
