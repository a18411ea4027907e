"""What was forgotten is nowhere: every way to write a memory, crossed with every way to delete it.

The product's own checker looks for a word that only the deleted thing has said: while the memory is
open, and after it was closed.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import apsw
import pytest
from tests.conftest import soon
from tests.contract.conftest import STORES
from tests.doors import by_words, client_of

from chatmem import MemoryService, Message
from chatmem.engine.sessions.forget import proof_of
from chatmem.model import MemoryType
from chatmem.storage.sqlite.cipher import search_files
from chatmem.storage.values import Trace

Write = Callable[[MemoryService, str], object]
Delete = Callable[[MemoryService], object]
LATER = timedelta(hours=9)
KINDS: tuple[MemoryType, ...] = ("short_term", "long_term")


def turn(memory: MemoryService, text: str) -> None:
    memory.save_conversation_turn(text, "All right.", "s-turn")


def extracted(memory: MemoryService, text: str) -> None:
    memory.save_conversation_turn(f"My favourite place is {text}.", "I see.", "s-read")
    memory.sessions.end("s-read")
    memory.wait_until_idle()


def archived(memory: MemoryService, text: str) -> None:
    memory.save_conversation_turn(
        f"I want to learn about {text}, I live in {text}.", "Oh.", "s-old"
    )
    memory.working_memory("s-old")
    memory.working_memory("s-old", now=datetime.now(UTC) + LATER)
    memory.wait_until_idle()


def summed_up(memory: MemoryService, text: str) -> None:
    memory.save_conversation_turn(f"{text} is all I talk about.", "Fine.", "s-sum")
    memory.wait_until_idle()
    memory.sessions.end("s-sum")
    memory.wait_until_idle()


def reported(memory: MemoryService, text: str) -> None:
    data = {"role": "user", "content": f"Somebody mentioned {text}"}
    memory.handle_event({"type": "message", "session_id": "s-event", "id": text, "data": data})


def imported(memory: MemoryService, text: str) -> None:
    said = Message(
        role="user",
        content=f"An old chat on {text}",
        session_id="s-import",
        timestamp=datetime(2026, 3, 2, tzinfo=UTC),
        speaker=text,
        source_id="m1",
    )
    memory.save_messages([said])


def by_tool(memory: MemoryService, text: str) -> None:
    data = {"memory_writes": [{"content": f"The tool has seen {text}"}]}
    memory.handle_event({"type": "tool_result", "session_id": "s-tool", "data": data})


def promoted(memory: MemoryService, text: str) -> None:
    saved = memory.save_conversation_turn(f"Mark {text} well", "Marked.", "s-mark")
    memory.promote(saved.user.id)


def in_the_file(memory: MemoryService, text: str) -> None:
    memory.main.write(f"{memory.read_main()}\n- Written by hand: {text}\n")


def over_rest(memory: MemoryService, text: str) -> None:
    with client_of(memory) as client:
        body = {"content": f"Sent twice: {text}"}
        for _ in range(2):
            client.post("/api/memory", json=body, headers={"Idempotency-Key": "once"})


WRITES: dict[str, tuple[str, Write]] = {
    "append": ("fact", lambda memory, text: memory.append_memory(f"Owns a lamp of {text}")),
    "tool": ("fact", by_tool),
    "log": ("note", lambda memory, text: memory.append_daily_log(f"Met {text} today")),
    "promote": ("promoted", promoted),
    "file": ("fact", in_the_file),
    "rest": ("fact", over_rest),
    "turn": ("said", turn),
    "extraction": ("said", extracted),
    "archive": ("said", archived),
    "summary": ("said", summed_up),
    "event": ("said", reported),
    "import": ("said", imported),
    "profile": ("profile", lambda memory, text: memory.update_user_profile(f"Comes from {text}.")),
    "household": (
        "profile",
        lambda memory, text: memory.profiles.write("household", f"A house in {text}."),
    ),
}
"""By name what is written, and how."""


def forget_each(memory: MemoryService, forget: Callable[[str], object]) -> None:
    """Turns before the memories that were made of them: those are to go by themselves."""
    for kind in KINDS:
        for one in memory.list_memories(kind, limit=200, state="all").items:
            forget(one.id)


def over_http(memory: MemoryService, address: str, kinds: Sequence[MemoryType]) -> None:
    with client_of(memory) as client:
        for kind in kinds:
            for one in memory.list_memories(kind, limit=200, state="all").items:
                answer = client.delete(address.format(one.id)).json()
                assert answer.get("purged", True)
                assert "prove" not in address or answer["proof"]["found"] == {}


def delete_all(memory: MemoryService) -> None:
    with client_of(memory) as client:
        assert "purged" not in client.delete("/memory/long-term").json()


def sessions(memory: MemoryService) -> None:
    for one in memory.sessions.list(200).items:
        memory.sessions.delete(one.session_id)


def take_back(memory: MemoryService) -> None:
    for one in memory.sessions.list(200).items:
        while memory.sessions.take_back(one.session_id) is not None:
            pass


def without_bullets(memory: MemoryService) -> None:
    memory.main.write("# Memory\n", forget=True)


def by_hand(memory: MemoryService) -> None:
    """As an editor saves: in the file where there are files, else in the row."""
    folder = memory._documents.folder
    text = "\n".join(line for line in memory.read_main().splitlines() if not line.startswith("- "))
    folder.write("MEMORY.md", f"{text}\n- Something new\n")
    memory._documents.fold_in(accepted=("MEMORY.md",))


def profiles(memory: MemoryService) -> None:
    memory.update_user_profile("Nothing.")
    memory.profiles.write("household", "Nothing.")


def empty_log(memory: MemoryService) -> None:
    for day in memory.daily_logs.days().items:
        assert isinstance(day, date)
        memory.daily_logs.write(day, "# Nothing\n", forget=True)


DELETES: dict[str, tuple[set[str], Delete]] = {
    "forget": ({"fact", "note", "promoted", "said"}, lambda m: forget_each(m, m.forget)),
    "forget_all": ({"fact", "note"}, lambda m: m.forget_all()),
    "session": ({"said", "promoted"}, sessions),
    "take_back": ({"said"}, take_back),
    "put": ({"fact"}, without_bullets),
    "by_hand": ({"fact"}, by_hand),
    "rest_long_term": (
        {"fact", "note"},
        lambda m: over_http(m, "/memory/long-term/{}", ("long_term",)),
    ),
    "rest_all_long_term": ({"fact", "note"}, delete_all),
    "rest_prove": (
        {"fact", "note", "promoted", "said"},
        lambda m: over_http(m, "/api/memory/{}?prove=true", KINDS),
    ),
    "profile": ({"profile"}, profiles),
    "log": ({"note"}, empty_log),
}
"""By name what it deletes, of all that is there, and how."""


@pytest.fixture(params=STORES)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return str(tmp_path / "data")
    address: str = request.getfixturevalue("postgres_address")
    return address


@pytest.fixture
def memory(place: str) -> Iterator[MemoryService]:
    opened = by_words(place, extract_interval_seconds=0.0, min_new_messages=1)
    yield opened
    opened.close()


@pytest.mark.parametrize("way", DELETES)
def test_what_was_deleted_is_nowhere(memory: MemoryService, place: str, way: str) -> None:
    kinds, delete = DELETES[way]
    canaries = {}
    for number, (name, (kind, write)) in enumerate(WRITES.items()):
        if kind in kinds:
            canaries[name] = f"Zanthoria{chr(ord('a') + number) * 3}"
            write(memory, canaries[name])
    assert all(_places(memory, text) for text in canaries.values())

    delete(memory)

    found = {name: proof_of(memory._store, [text], {}) for name, text in canaries.items()}
    assert {name: proof.found for name, proof in found.items() if proof.found} == {}
    assert all(proof.looked_for["word"] for proof in found.values())
    memory.close()
    if "://" not in place:
        traces = [_trace(text) for text in canaries.values()]
        assert not any(search_files(Path(place), traces).values())


def _trace(text: str) -> Trace:
    return Trace("text", text.lower().encode())


def _places(memory: MemoryService, text: str) -> list[str]:
    return [place for place, held in memory._store.search([_trace(text)]).items() if held]


def test_a_backup_that_reads_keeps_nobody_waiting_and_is_told_of(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    with by_words(folder) as memory:
        gone = memory.append_memory("Owns a lamp of Zanthoria")
        reader = apsw.Connection(str(folder / "chatmem.db"))
        reader.execute("BEGIN; SELECT count(*) FROM atomic_memory").fetchall()
        began = time.monotonic()

        done = memory.forget(gone.id, prove=True)

        assert time.monotonic() - began < 5
        assert not done.purged
        assert done.proof is not None
        assert "chatmem.db-wal" in done.proof.found
        assert not memory.health().has("purge")
        assert [one.name for one in memory.diagnose() if not one.ok] == ["purge"]
        reader.close()
        assert all(one.ok for one in memory.diagnose())
        assert memory.health().has("purge")
        assert not _places(memory, "Zanthoria")


def test_a_purge_that_is_due_outlives_the_process_and_is_done_in_the_background(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "data"
    reader = None
    with by_words(folder) as memory:
        gone = memory.append_memory("Owns a lamp of Zanthoria")
        reader = apsw.Connection(str(folder / "chatmem.db"))
        reader.execute("BEGIN; SELECT count(*) FROM atomic_memory").fetchall()
        memory.forget(gone.id)
    with by_words(folder, background=True) as memory:
        assert not memory.health().has("purge")
        assert _places(memory, "Zanthoria")
        reader.close()
        soon(lambda: memory.health().has("purge"))
        assert not _places(memory, "Zanthoria")


def test_what_a_killed_writer_has_left_goes_with_the_next_forgetting(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    with by_words(folder) as memory:
        gone = memory.append_memory("Owns a lamp")
        main = folder / "prompts" / "memory" / "MEMORY.md"
        left = main.with_name(".MEMORY.md.0a1b2c.chatmem-tmp")
        left.write_text("Owns a lamp of Zanthoria")

        memory.forget(gone.id)

        assert not left.exists()


def test_what_another_message_says_too_stays_and_goes_with_that(tmp_path: Path) -> None:
    with by_words(tmp_path / "data", extract_interval_seconds=0.0, min_new_messages=1) as memory:
        first = memory.save_conversation_turn("I live in Zanthoria.", "Nice.", "s1")
        memory.wait_until_idle()
        other = memory.save_conversation_turn("As I said, I live in Zanthoria.", "Yes.", "s2")
        memory.wait_until_idle()
        assert "Zanthoria" in memory.read_main()

        memory.forget(first.user.id)
        assert "Zanthoria" in memory.read_main()
        memory.forget(other.user.id)
        assert "Zanthoria" not in memory.read_main()
        assert not _places(memory, "Zanthoria")


def test_what_a_person_has_written_stays_when_the_message_goes(tmp_path: Path) -> None:
    with by_words(tmp_path / "data", extract_interval_seconds=0.0, min_new_messages=1) as memory:
        said = memory.save_conversation_turn("I live in Zanthoria.", "Nice.", "s1")
        memory.wait_until_idle()
        (known,) = memory.list_memories().items
        memory.update(known.id, content="Lives in the north of Zanthoria")

        memory.forget(said.user.id)

        assert "north of Zanthoria" in memory.read_main()
