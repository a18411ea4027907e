"""Stages of a call, for whoever wants to know how long they take.

    with listening(listener):          # a server, around a request
        memory.search_memories("tea")  # calls listener("embed"), listener("lexical"), ...

A listener gives a context manager for each stage. A request's listener hears what runs for it in
threads of anyio's; nobody hears background work, or anything by default.
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from typing import Final

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

Listener = Callable[[str], AbstractContextManager[object]]
_listener: ContextVar[Listener | None] = ContextVar("chatmem_stage_listener", default=None)
_nobody: Final = nullcontext()


def stage(name: str) -> AbstractContextManager[object]:
    """Something to enter for the length of the stage."""
    listener = _listener.get()
    return _nobody if listener is None else listener(name)


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Tell this listener of the stages inside, of this thread or task and what it starts."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)
