from collections.abc import Iterator
from contextlib import contextmanager, suppress

from anyio import run
from anyio.to_thread import run_sync

from chatmem import MemoryService
from chatmem.engine.state import COMPOSE, EMBED, LEXICAL, listening, stage


class Heard:
    """Notes what begins and ends."""

    def __init__(self) -> None:
        self.told: list[str] = []

    @contextmanager
    def __call__(self, name: str) -> Iterator[None]:
        self.told.append(name)
        try:
            yield
        finally:
            self.told.append(f"/{name}")


def test_a_stage_that_fails_ends_all_the_same() -> None:
    heard = Heard()
    with listening(heard), suppress(ValueError), stage(EMBED):
        raise ValueError("no")
    assert heard.told == ["embed", "/embed"]


def test_a_thread_is_heard_by_the_task_that_began_it_alone() -> None:
    first, second = Heard(), Heard()

    def work(name: str) -> None:
        with stage(name):
            pass

    async def both() -> None:
        with listening(first):
            await run_sync(work, EMBED)
        with listening(second):
            await run_sync(work, COMPOSE)

    run(both)
    assert (first.told, second.told) == (["embed", "/embed"], ["compose", "/compose"])


def test_words_alone_need_no_vectors(memory: MemoryService) -> None:
    memory.append_memory("Drinks oolong without sugar")
    heard = Heard()
    with listening(heard):
        memory.search_memories("oolong")
    assert heard.told[0] == "recall"
    assert LEXICAL in heard.told
    assert EMBED not in heard.told
