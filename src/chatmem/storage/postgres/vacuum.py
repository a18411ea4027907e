"""What was deleted leaves the tables soon, and not when the server would come by.

A deleted row stays in its page until VACUUM frees it. The server's own rounds go by how many rows
are dead: one forgotten memory among a million would wait for weeks. So a deletion asks for a round
over the tables that hold what people said, in the background; several deletions share one.

What stays in logs, replicas and backups is said in docs/scale.md.
"""

import logging
import threading
import time

import psycopg

from chatmem.storage.postgres.advice import LOCK_WAIT_S, WAIT_S, display_address, explained

TABLES = (
    *("atomic_memory", "memory_history", "memory_index", "memory_vector", "conversation"),
    *("packed_posting", "packed_row", "packed_code", "session", "session_summary"),
    *("working_memory", "document_text", "user_profile", "idempotent_answer", "receipt"),
)
"""What holds words of people, or what is made of them; partitions are done with their table."""
CALM_S = 2.0
"""After a deletion: mostly another one follows."""
LEAST_APART_S = 30.0
SHARE = 10
"""A round that took a second is followed by none for ten."""
LONGEST_S = 6 * 3600.0
LAST_S = 5.0
"""For one table of the round at the end of a process."""
_SETTINGS = f"SET lock_timeout = '{LOCK_WAIT_S}s'; SET vacuum_cost_delay = '2ms'"
"""As slow as the server's own rounds."""
_log = logging.getLogger(__name__)


class Vacuum:
    """Rounds on request, by a thread that is there only while one is wanted."""

    def __init__(self, address: str, *, calm_s: float = CALM_S) -> None:
        self._address = address
        self._calm_s = calm_s
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._wanted = False
        self._not_before = 0.0
        self.rounds = 0
        """How many have ended."""

    def ask(self) -> None:
        """See that a round begins after this call, soon."""
        with self._lock:
            self._wanted = True
            if self._thread is None and not self._stop.is_set():
                self._thread = threading.Thread(
                    target=self._run, name="chatmem-vacuum", daemon=True
                )
                self._thread.start()

    def close(self) -> None:
        """End, with a last round where one is still wanted: a command deletes, and is over."""
        self._stop.set()
        with self._lock:
            thread = self._thread
        if thread is not None:
            thread.join()
        if self._wanted:
            self._wanted = False
            self._round(LAST_S)

    def _run(self) -> None:
        while not self._stop.wait(max(self._calm_s, self._not_before - time.monotonic())):
            with self._lock:
                if not self._wanted:
                    self._thread = None
                    return
                self._wanted = False
            began = time.monotonic()
            self._round(LONGEST_S)
            took = time.monotonic() - began
            self._not_before = time.monotonic() + max(LEAST_APART_S, SHARE * took)

    def _round(self, longest_s: float) -> None:
        """VACUUM, as the role that connects; what it may not do it says, and is left undone."""
        settings = f"{_SETTINGS}; SET statement_timeout = '{longest_s:.0f}s'"
        try:
            with psycopg.connect(
                self._address, autocommit=True, connect_timeout=WAIT_S
            ) as connection:
                connection.execute(settings.encode())
                for table in TABLES:
                    if self._stop.is_set() and longest_s > LAST_S:
                        self._wanted = True  # the last one, when this closes
                        return
                    connection.execute(f"VACUUM {table}".encode())
        except psycopg.Error as error:
            why = explained(display_address(self._address), error)
            _log.warning("deleted rows are not vacuumed yet: %s", why)
        else:
            self.rounds += 1
