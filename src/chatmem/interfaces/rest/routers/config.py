"""`/api/memory/config`: settings that stay with the data. Source: S5.8.3, S2.6.1."""

from fastapi import APIRouter

from chatmem.interfaces.rest.current import Current
from chatmem.interfaces.rest.models_config import Config, ConfigChanges
from chatmem.interfaces.rest.models_problems import problems

router = APIRouter(prefix="/api/memory", tags=["settings"])


@router.get("/config", responses=problems())
def read_config(memory: Current) -> Config:
    """The settings in force."""
    return Config.of(memory.config.get())


@router.put("/config", responses=problems(422))
def change_config(changes: ConfigChanges, memory: Current) -> Config:
    """Store settings with the data, all of those given or none; the settings in force then.

    Whatever opens this memory obeys them from its next call on.
    """
    memory.config.set(changes.by_name())
    return Config.of(memory.config.get())
