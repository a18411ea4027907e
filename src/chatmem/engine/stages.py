"""Stages of a call, for whoever wants to know how long they take.

    with listening(listener):          # a server, around a request
        memory.search_memories("tea")  # calls listener("embed"), listener("lexical"), ...

The core says where a stage begins and ends; a listener gives something to enter for it. Nobody
listens by default, and then a stage is nothing. What runs in a thread of anyio's for a request is
heard by that request's listener; background work is heard by nobody.
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from functools import wraps
from typing import Final, ParamSpec, TypeVar

EMBED: Final = "embed"
"""The message's vectors are made."""
LEXICAL: Final = "lexical"
"""The postings of its terms are read."""
DENSE: Final = "dense"
"""The nearest rows are picked, and their vectors compared."""
RECALL: Final = "recall"
"""All of the ranking: the three above, scores, and reading what was found."""
COMPOSE: Final = "compose"
"""What was gathered becomes a prompt."""
STAGES: Final = (EMBED, LEXICAL, DENSE, RECALL, COMPOSE)

P = ParamSpec("P")
T = TypeVar("T")
Listener = Callable[[str], AbstractContextManager[object]]
_listener: ContextVar[Listener | None] = ContextVar("chatmem_stage_listener", default=None)
_nobody: Final = nullcontext()


def stage(name: str) -> AbstractContextManager[object]:
    """Something to enter for the length of the stage."""
    listener = _listener.get()
    return _nobody if listener is None else listener(name)


def staged(name: str) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Make the whole of a function a stage."""

    def around(function: Callable[P, T]) -> Callable[P, T]:
        @wraps(function)
        def call(*args: P.args, **kwargs: P.kwargs) -> T:
            with stage(name):
                return function(*args, **kwargs)

        return call

    return around


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Tell this listener of the stages inside, of this thread or task and what it starts."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)
