"""`/api/memory`: one memory written, read, changed, forgotten, brought back.

Source: S5.8.1, S1.5.2, S3.4.3; interfaces.md.
"""

from typing import Annotated, TypeAlias

from fastapi import APIRouter, Query, status

from chatmem.interfaces.rest.current import Current
from chatmem.interfaces.rest.models import (
    Deleted,
    History,
    Memory,
    MemoryChanges,
    MemoryDraft,
    Step,
    Successor,
)
from chatmem.interfaces.rest.models_problems import problems
from chatmem.interfaces.rest.threaded import Threaded

KeepBoth: TypeAlias = Annotated[
    bool,
    Query(
        description="Of a memory that another one has replaced: both are valid then. Otherwise "
        "that other one is retired."
    ),
]

router = APIRouter(prefix="/api/memory", tags=["memories"], route_class=Threaded)


@router.post("", status_code=status.HTTP_201_CREATED, responses=problems(422))
def write_memory(draft: MemoryDraft, memory: Current) -> Memory:
    """Write a memory down, into MEMORY.md."""
    columns = draft.model_dump(exclude={"content", "category"})
    return Memory.model_validate(memory.append_memory(draft.content, draft.category, **columns))


@router.get("/{memory_id}", responses=problems(404, 422))
def read_memory(memory_id: str, memory: Current) -> Memory:
    """One memory, a turn of a conversation too."""
    return Memory.model_validate(memory.get(memory_id))


@router.patch("/{memory_id}", responses=problems(404, 422))
def change_memory(memory_id: str, changes: MemoryChanges, memory: Current) -> Memory:
    """Change some columns of a memory, in its document too."""
    columns = changes.model_dump(exclude_unset=True)
    return Memory.model_validate(memory.update(memory_id, **columns))


@router.delete("/{memory_id}", responses=problems(404, 422))
def delete_memory(memory_id: str, memory: Current) -> Deleted:
    """Forget a memory for good, everywhere."""
    memory.forget(memory_id)
    return Deleted(id=memory_id)


@router.post("/{memory_id}/promote", responses=problems(404, 422))
def promote_memory(memory_id: str, memory: Current) -> Memory:
    """Make a turn of a conversation a long-term memory."""
    return Memory.model_validate(memory.promote(memory_id))


@router.post("/{memory_id}/restore", responses=problems(404, 409, 422))
def restore_memory(memory_id: str, memory: Current, keep_both: KeepBoth = False) -> Memory:
    """Undo the memory's last change; what was forgotten stays forgotten."""
    return Memory.model_validate(memory.restore(memory_id, keep_both=keep_both))


@router.post("/{memory_id}/supersede", responses=problems(404, 422))
def supersede_memory(memory_id: str, newer: Successor, memory: Current) -> Memory:
    """Say that a memory is out of date: another one takes its place. `restore` undoes it."""
    return Memory.model_validate(memory.supersede(memory_id, newer.by))


@router.get("/{memory_id}/history", responses=problems(404, 422))
def read_history(memory_id: str, memory: Current) -> History:
    """What happened to a memory, oldest first; its owner's only."""
    steps = [Step.model_validate(one) for one in memory.history(memory_id)]
    return History(items=steps, total=len(steps))
