"""Users of a place: listed, exported, and deleted until no byte of them is left."""

from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

import psycopg
import pytest
from tests.doors import Chatmem, by_words, client_of
from tests.integration.filled import MESSAGES, fill

from chatmem import MemoryService
from chatmem.errors import InvalidInputError, UserNotFoundError
from chatmem.prompt.receipt import Receipt
from chatmem.storage.documents.places import user_folder
from chatmem.storage.tables.transfer import TABLES
from chatmem.testing import FakeEmbedder

WORD = "Qqxyzzy魑魅魍魉"
CANARIES = ("qqxyzzy", "魑魅", "魍魉")
"""What text, index terms and names of files have of the word, in lower case."""
USER = "user-qqxyzzy"
MADE_AGAIN = {
    *("memory_fts", "memory_code", "packed_posting", "packed_row", "packed_code"),
    *("memory_vector_next", "document_text", "idempotent_answer"),
}
"""Or documents themselves, or what stands for requests of one place."""
NEVER_FILLED = {"memory_vector_next"}
"""Only while the embedder changes."""


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str | Path:
    """A folder, or a database on a server."""
    if request.param == "sqlite":
        return tmp_path / "place"
    address: str = request.getfixturevalue("postgres_address")
    return address


def opened(place: str | Path, user_id: str = "default") -> MemoryService:
    return MemoryService.open(place, user_id, embedder=FakeEmbedder(), background=False)


@pytest.fixture
def memory(place: str | Path) -> Iterator[MemoryService]:
    """The place of an operator, who has a key."""
    with opened(place) as memory:
        memory.keys.create("default", is_admin=True)
        yield memory


def rows(memory: MemoryService, user_id: str | None = None) -> dict[str, str]:
    """Checksums of all rows, or of those of one user, by table."""
    transfer, owners = memory._store.transfer, memory._store.owners
    owner = owners.find(user_id) if user_id else None
    return {table: transfer.checksum(table, owner) for table in TABLES}


def everywhere(place: str | Path) -> Iterator[tuple[str, bytes]]:
    """Each file below the folder, and its name; each row of every table of a server."""
    if isinstance(place, Path):
        for path in place.rglob("*"):
            yield str(path), str(path.relative_to(place)).encode()
            if path.is_file():
                yield str(path), path.read_bytes()
        return
    with psycopg.connect(place, autocommit=True) as connection:
        connection.execute("SET chatmem.acting_for = '*'")
        tables = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
        for (table,) in tables.fetchall():
            for row in connection.execute(f"SELECT t::text FROM {table} t".encode()):
                yield table, str(row).encode()


def canaries(place: str | Path) -> list[str]:
    return sorted(
        {
            f"{one} in {name}"
            for name, data in everywhere(place)
            for one in CANARIES
            if one.encode() in data.lower()
        }
    )


def test_every_table_with_rows_of_users_is_moved_or_made_again(memory: MemoryService) -> None:
    found = memory._store.transfer.owned()

    assert set(found) - {*TABLES, *MADE_AGAIN} == set()
    assert {"owner", "atomic_memory", "memory_access", "session", "speaker"} <= set(found)


def test_nothing_of_a_deleted_user_is_left(memory: MemoryService, place: str | Path) -> None:
    user, other = memory.for_user(USER), memory.for_user("小明")
    fill(other, "Lisbon", 20)
    fill(user, WORD)
    other.people.invite(other.people.circles("group")[0].circle_id, USER)
    if isinstance(place, Path):
        folder = user_folder(place / "prompts" / "memory", USER)
        for name in ("MEMORY.md~", ".MEMORY.md.swp", ".MEMORY.md.01.chatmem-tmp"):
            (folder / name).write_text(WORD)
        (folder / "notes").mkdir()
        (folder / "notes" / "own.md").write_text(WORD)
    assert len(canaries(place)) > 3
    owner = memory._store.owner(USER)
    in_files = {"document_text"} if isinstance(place, Path) else set()
    assert set(memory._store.transfer.counts(owner)) == (
        set(memory._store.transfer.owned()) - NEVER_FILLED - in_files
    )
    before = rows(other, "小明")

    deleted = memory.users.delete(USER)

    assert canaries(place) == []
    assert deleted > 3 * MESSAGES
    assert rows(other, "小明") == before
    assert [one.user_id for one in memory.users.list()] == ["default", "小明"]
    assert [one for one in memory.diagnose() if not one.ok] == []
    memory.close()  # on a server: with a last round of VACUUM
    assert canaries(place) == []
    if isinstance(place, str):
        assert dead_rows(place) == 0


def test_what_a_database_moved_between_pages_is_not_left_there(
    memory: MemoryService, place: str | Path
) -> None:
    users = [memory.for_user(USER), memory.for_user("小明")]
    for number in range(160):  # in turns: rows of one stand among the other's, and are moved
        word = (WORD, "Lisbon")[number % 2]
        text = f"{word} {number} " + "boat 窗户 " * (number * number % 53)
        users[number % 2].save_conversation_turn(text, f"ok {word}", f"s{number % 3}")

    memory.users.delete(USER)

    assert canaries(place) == []


def dead_rows(address: str) -> int:
    """Rows of all tables that are deleted, and still in their pages."""
    told: list[str] = []
    with psycopg.connect(address, autocommit=True) as connection:
        connection.add_notice_handler(lambda notice: told.append(notice.message_primary or ""))
        connection.execute("VACUUM (VERBOSE)")
    lines = [line.split() for text in told if ".public." in text for line in text.splitlines()]
    removed = [int(words[1]) for words in lines if words[:1] == ["tuples:"]]
    assert len(removed) > len(TABLES)
    return sum(removed)


def test_a_user_of_the_same_name_is_a_new_one(memory: MemoryService, place: str | Path) -> None:
    memory.for_user("mei").append_memory("Lives in Porto")
    with opened(place, "mei") as elsewhere:  # as another server has it
        memory.users.delete("mei")
        tom = memory.for_user("tom")
        tom.save_conversation_turn("Hello", "Hi", "tom's")

        for late in (
            lambda: elsewhere.append_memory("Came late"),
            lambda: elsewhere.save_conversation_turn("Came late", "OK", "s1"),
            elsewhere.new_session,
        ):
            with pytest.raises(UserNotFoundError, match="no user 'mei' here"):
                late()
        assert elsewhere.sessions.list().items == ()
        new = memory.for_user("mei")
        new.append_memory("Lives in Faro")

        assert [one.content for one in new.export_records()] == ["Lives in Faro"]
        assert [one.session_id for one in tom.sessions.list().items] == ["tom's"]
        with pytest.raises(UserNotFoundError):
            elsewhere.append_memory("Came later still")


def test_what_came_too_late_goes_with_a_second_deletion(memory: MemoryService) -> None:
    fill(memory.for_user("mei"), "Lisbon", 4)
    late = memory.for_user("mei")
    memory.users.delete("mei")
    late.receipts.put(Receipt("late", (), (), 0))

    assert [one.user_id for one in memory.users.list()] == ["default"]
    assert memory.users.delete("mei") == 1
    with pytest.raises(UserNotFoundError):
        memory.users.delete("mei")


def test_deleting_whoever_has_the_only_keys_does_not_open_the_place(memory: MemoryService) -> None:
    memory.for_user("mei")
    with pytest.raises(InvalidInputError, match="keys create USER"):
        memory.users.delete("default")
    memory.users.delete("mei")

    assert memory.keys.are_needed()


def test_an_export_is_a_place_with_all_that_a_user_has(
    memory: MemoryService, tmp_path: Path
) -> None:
    fill(memory.for_user("mei"), "Lisbon", 20)
    fill(memory.for_user("tom"), "Vilnius", 20)
    memory.users.export("mei", tmp_path / "mei.zip")

    MemoryService.restore_backup(tmp_path / "mei.zip", tmp_path / "hers")

    assert b"vilnius" not in b"".join(data for _, data in everywhere(tmp_path / "hers")).lower()
    with opened(tmp_path / "hers", "mei") as mei:
        assert [one.user_id for one in mei.users.list()] == ["mei"]
        assert list(mei.export_records()) == list(memory.for_user("mei").export_records())
        assert mei.get_user_profile() == "# Me\nA Lisbon"
        assert {one.name for one in mei.people.circles()} == {"Lisbon group", "Lisbon home"}


def test_commands_list_export_and_delete(chatmem: Chatmem, data: Path, tmp_path: Path) -> None:
    with by_words(data, "mei") as memory:
        memory.append_memory("Lives in Porto")
    listed = chatmem("users", "list", "--json")
    mei = {"user_id": "mei", "messages": 0, "memories": 1, "keys": 0, "circles": 0}
    assert mei in listed.json

    asked = chatmem("users", "delete", "mei")
    assert asked.code == 2
    assert "users export mei FILE" in asked.err
    assert chatmem("users", "export", "mei", str(tmp_path / "mei.zip")).code == 0
    assert chatmem("users", "delete", "mei", "--yes").out.startswith("mei: deleted, ")

    gone = chatmem("users", "delete", "mei", "--yes")
    assert (gone.code, "no user 'mei' here" in gone.err) == (1, True)
    assert ZipFile(tmp_path / "mei.zip").testzip() is None
    for wrong in (["list", "mei"], ["delete"], ["export", "mei"], ["delete", "mei", "f"]):
        assert chatmem("users", *wrong).code == 2


def test_operators_list_export_and_delete_over_http(memory: MemoryService) -> None:
    admin, _ = memory.keys.create("root", is_admin=True)
    key, _ = memory.keys.create("mei")
    memory.for_user("a/b 小").append_memory("Lives in Porto")
    with client_of(memory, key) as http:
        assert http.get("/api/users").status_code == 403
        assert http.delete("/api/users/root").status_code == 403
        assert http.get("/api/users/mei/export").status_code == 403
    with client_of(memory, admin) as http:
        of_user = {"X-Chatmem-User": "a%2Fb%20%E5%B0%8F"}
        assert http.get("/api/memory/main", headers=of_user).status_code == 200
        names = [one["user_id"] for one in http.get("/api/users").json()]
        assert names == ["a/b 小", "default", "mei", "root"]
        assert http.get("/api/users/a%2Fb 小/export").content.startswith(b"PK")
        deleted = http.delete("/api/users/a%2Fb 小")
        assert deleted.json()["deleted"] > 5
        assert http.delete("/api/users/a%2Fb 小").status_code == 404
        assert http.get("/api/users/nobody/export").json()["title"] == "Not Found"
        written = {"content": "Is somebody else"}
        assert http.post("/api/memory", json=written, headers=of_user).status_code == 201
        assert http.get("/api/memory/stats", headers=of_user).json()["long_term"] == 1
