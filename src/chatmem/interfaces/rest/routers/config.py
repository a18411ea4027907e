"""`/api/memory/config`: settings that stay with the data. Source: S5.8.3, S2.6.1."""

from fastapi import APIRouter

from chatmem.interfaces.rest.current import Current, ForOperators
from chatmem.interfaces.rest.models_config import Config, ConfigChanges
from chatmem.interfaces.rest.models_problems import problems
from chatmem.interfaces.rest.threaded import Threaded

router = APIRouter(prefix="/api/memory", tags=["settings"], route_class=Threaded)


@router.get("/config", responses=problems())
def read_config(memory: Current) -> Config:
    """The settings in force."""
    return Config.of(memory.config.get())


@router.put("/config", responses=problems(403, 422), dependencies=[ForOperators])
def change_config(changes: ConfigChanges, memory: Current) -> Config:
    """Store settings with the data, all of those given or none; the settings in force then.

    Whatever opens this memory obeys them from its next call on, for every user: where there are
    keys, it takes an admin's.
    """
    memory.config.set(changes.by_name())
    return Config.of(memory.config.get())
