"""The façade for event loops: nothing of the synchronous one is missing, and calls run at once."""

import asyncio
import inspect
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from tests.contract.given import said

from chatmem import AsyncMemoryService, ChatContextBuilder, MemoryService, Settings
from chatmem.errors import InvalidInputError, MemoryNotFoundError

pytestmark = pytest.mark.anyio
SETTINGS = Settings(embedder={"name": "none"})


def public(kind: type) -> set[str]:
    return {name for name in dir(kind) if not name.startswith("_")}


def methods(kind: type) -> set[str]:
    return {name for name in public(kind) if callable(getattr(kind, name))}


@asynccontextmanager
async def opened(folder: Path) -> AsyncIterator[AsyncMemoryService]:
    memory = await AsyncMemoryService.open(folder, settings=SETTINGS, background=False)
    async with memory:
        yield memory


def test_every_part_of_the_memory_is_awaited(tmp_path: Path) -> None:
    with MemoryService.open(tmp_path, settings=SETTINGS, background=False) as memory:
        behind = AsyncMemoryService(memory)
        assert {name for name in dir(behind) if name[0] != "_"} - {"call"} == (
            {name for name in dir(memory) if name[0] != "_"}
        )
        parts = {name: part for name, part in vars(memory).items() if not name.startswith("_")}
        pairs = {name: (part, getattr(behind, name)) for name, part in parts.items()}
        pairs |= {"memory": (memory, behind)}
        for part, awaited in pairs.values():
            assert public(type(part)) <= set(dir(awaited))
            for name in methods(type(part)):
                own = inspect.signature(getattr(awaited, name)).parameters
                assert own == inspect.signature(getattr(part, name)).parameters


async def test_what_is_written_is_found(tmp_path: Path) -> None:
    fact, question = "对花生过敏", "花生"
    async with opened(tmp_path) as memory:
        await memory.append_memory(fact, importance=5)
        hits = await memory.search_memories(question, limit=3)
        session = await memory.new_session()
        await memory.save_conversation_turn("hi", "hello", session)
        listed = await memory.sessions.list()
        prompt = await memory.call(lambda it: ChatContextBuilder(it).build_messages(question))

    assert [hit.memory.content for hit in hits] == [fact]
    assert fact in prompt[0]["content"]
    assert [one.session_id for one in listed.items].count(session) == 1


async def test_errors_come_as_they_are(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        with pytest.raises(MemoryNotFoundError):
            await memory.get("nowhere")
        with pytest.raises(InvalidInputError, match="append_memory"):
            await memory.append_memory("a fact", colour="blue")


async def test_calls_run_in_threads_at_the_same_time(tmp_path: Path) -> None:
    """Both wait for each other inside the core: one after the other would never end."""
    both = threading.Barrier(2, timeout=20)

    def meet(memory: MemoryService) -> int:
        both.wait()
        return threading.get_ident()

    async with opened(tmp_path) as memory:
        threads = await asyncio.gather(memory.call(meet), memory.call(meet))
    assert len({*threads, threading.get_ident()}) == 3


async def test_an_export_comes_record_by_record(tmp_path: Path) -> None:
    lines = [f"line {number}" for number in range(1_100)]
    async with opened(tmp_path) as memory:
        await memory.save_messages(said(line) for line in lines)
        assert [one.content async for one in memory.export_records()] == lines


async def test_a_cancelled_program_closes_the_memory(tmp_path: Path) -> None:
    before = set(threading.enumerate())
    memory = await AsyncMemoryService.open(tmp_path, settings=SETTINGS)
    entered = asyncio.Event()

    async def program() -> None:
        async with memory:
            entered.set()
            await asyncio.sleep(60)

    task = asyncio.create_task(program())
    await entered.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert not [one.name for one in set(threading.enumerate()) - before if "chatmem" in one.name]
