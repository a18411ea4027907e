"""One user's part of an open memory: what nearly every use case works on."""

from collections.abc import Callable
from functools import partial, wraps
from typing import Any, NamedTuple, TypeVar, cast

from chatmem.engine.documents.documents import MemoryDocuments
from chatmem.engine.state import Engine
from chatmem.storage.tables.store import Store
from chatmem.storage.values import Owner

Method = TypeVar("Method", bound=Callable[..., Any])


class Space(NamedTuple):
    """The engine that is shared by all, and of one user the rows (`owner`) and the documents."""

    engine: Engine
    owner: Owner
    documents: MemoryDocuments

    @property
    def store(self) -> Store:
        """The engine's store, which takes the owner with every call."""
        return self.engine.store


class SpacePart:
    """What works on one user's part; the façade is made of those that a user can ask."""

    def __init__(self, space: Space) -> None:
        self._space = space
        self._engine = space.engine
        self._store = space.engine.store
        self._owner = space.owner
        self._documents = space.documents


def editing(method: Method) -> Method:
    """The method of a part inside `MemoryDocuments.edit`: run again when an editor saves."""

    @wraps(method)
    def edited(self: SpacePart, *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 - the method's
        return self._documents.edit(partial(method, self, *args, **kwargs))

    return cast("Method", edited)
