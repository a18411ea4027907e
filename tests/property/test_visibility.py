"""Whatever people share with whom, nobody ever sees a row that is not for them.

Every example is a world of users, circles, roles, rules and memories. `World.may_see` says in plain
Python who may see what; every public way to read is then walked by every user. Each memory holds a
marker that stands nowhere else, so a leak shows in whatever was returned, errors included.
"""

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias, get_args

import pytest
from httpx2 import Response
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient
from tests.conftest import examples
from tests.doors import client_of
from tests.postgres_server import PostgresServer

from chatmem import ChatContextBuilder, MemoryService, PromptComposer, Settings
from chatmem.engine.search.recall import recall_and_search
from chatmem.engine.settings import StoredSettings
from chatmem.engine.state import Engine
from chatmem.engine.worker import OpenMemory
from chatmem.errors import MemoryNotFoundError, NotOwnerError
from chatmem.model import PROFILES, VISIBILITIES, CircleKind, RoleRule, SearchResults
from chatmem.storage.documents.folder import user_documents
from chatmem.storage.documents.ports import DocumentsOf
from chatmem.storage.postgres.store import PostgresStore
from chatmem.storage.sqlite.store import SqliteStore
from chatmem.storage.tables.people import DocumentRows
from chatmem.storage.tables.store import Store
from chatmem.testing import FakeEmbedder

LEAST_CASES = 10_000
EVERY_SO_MANY = 3
"""Of the worlds, one is walked over HTTP too; all are by `bench/isolation.py`."""
Place: TypeAlias = "Path | str"
Worlds: TypeAlias = "Files | Databases"
Circles: TypeAlias = list[tuple[CircleKind, dict[str, str]]]
Change: TypeAlias = tuple[int, str]
SLOW = settings(
    deadline=None,
    suppress_health_check=list(HealthCheck),
    database=None,
    phases=(Phase.explicit, Phase.generate),  # every world is a database: shrinking takes minutes
)
NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)
USERS = ("ann", "bo", "小明", "dee")
ROLES = ("parent", "child", "guest", "member", "agent", "auditor", "stranger")
"""`auditor` has rules of the example's own, `stranger` none."""
TAGS = ("work", " Finance", "PARENT", "guest", "財務", "财务", "工作", "fun", "Ｗork")
RULE_TAGS = ("*", "work", "fun", "财务", "guest")
TEXTS = (
    "The garden gate key hangs behind the {} lantern",
    "Python and the old piano are in the cellar {}",
    "我喜欢在花园里弹钢琴 {}",
    "我們的密碼寫在廚房的燈籠上 {}",
    "Prefers oolong tea in the garden {}",
    "每天早上跑步五公里 {}",
)
QUERIES = (
    "Where is the key of the garden gate?",
    "Pyth*",
    "花园的钢琴",
    "密码在厨房哪里？",
    "I like tea; what do I prefer in the morning 我喜欢什么",
)
MEMORY = {"scan_interval_seconds": 3_600.0, "rag_top_n": 1_000, "mask_secrets": False}
"""Markers look like secrets."""
CHANGED = ("leaves", "other words", "one more")
JSON_BOTH = {"accept": "application/json, text/event-stream"}
OWN_LISTS = (
    *("/memory/long-term?limit=1000&state=all", "/memory/long-term?limit=1000&state=superseded"),
    *("/api/memory/export", "/api/memory/main", "/api/memory/profile", "/api/memory/household"),
    *("/api/memory/daily", "/api/memory/stats", "/api/sessions?limit=1000", "/memory/working/s0"),
    *("/api/sessions/s0/messages?limit=1000", "/api/sessions/s1/messages?limit=1000", "/metrics"),
)
OF_ITS_OWNER = (
    ("GET", "/api/memory/{id}/history", None),
    ("PATCH", "/api/memory/{id}", {"visibility": "public"}),
    ("POST", "/api/memory/{id}/promote", None),
    ("POST", "/api/memory/{id}/restore", None),
    ("POST", "/api/memory/{id}/supersede", {"by": "01jd6y8c2m4pk"}),
    ("GET", "/memory/long-term/{id}", None),
    ("DELETE", "/memory/long-term/{id}", None),
    ("DELETE", "/api/memory/{id}", None),
)
WAYS = ("fact", "turn", "daily", "edited", "keyed")
FOLDED = {" Finance": "finance", "PARENT": "parent", "財務": "财务", "Ｗork": "work"}


@dataclass(frozen=True)
class Plan:
    """A memory to be made: by whom, seen by whom, in which way."""

    user: str
    visibility: str
    tags: tuple[str, ...]
    text: str
    way: str


@dataclass
class Known:
    """A memory that was made, and words that stand in it alone."""

    id: str
    user: str
    visibility: str
    tags: tuple[str, ...]
    marker: str
    is_turn: bool
    valid: bool = True


@dataclass
class World:
    circles: Circles
    rules: list[RoleRule]
    known: list[Known] = field(default_factory=list)
    secrets: dict[str, str] = field(default_factory=dict)
    """Words that only this user may ever see."""

    def may_see(self, viewer: str, memory: Known) -> bool:
        if memory.user == viewer:
            return True
        tags = {FOLDED.get(tag, tag) for tag in memory.tags} | {"*"}
        meant = [
            (kind, rule.effect)
            for kind, members in self.circles
            if viewer in members and memory.user in members
            for rule in self.rules
            if rule.role == members[viewer] and rule.tag in tags
        ]
        if any(effect == "deny" for _, effect in meant):
            return False
        return memory.visibility == "public" or (memory.visibility, "allow") in meant

    def hidden_words(self, viewer: str) -> list[str]:
        hidden = [one.marker for one in self.known if not self.may_see(viewer, one)]
        return hidden + [word for word, user in self.secrets.items() if user != viewer]


PLANS = st.builds(
    Plan,
    user=st.sampled_from(USERS),
    visibility=st.sampled_from(VISIBILITIES),
    tags=st.lists(st.sampled_from(TAGS), max_size=2, unique=True).map(tuple),
    text=st.sampled_from(TEXTS),
    way=st.sampled_from(WAYS),
)
TALK = st.builds(
    Plan,
    user=st.sampled_from(USERS),
    visibility=st.sampled_from(["private", "public"]),
    tags=st.just(()),
    text=st.sampled_from(TEXTS),
    way=st.sampled_from(["turn", "turn", "fact"]),
)
"""Mostly turns, which have neighbours and sessions of their own."""
CIRCLES = st.lists(
    st.tuples(
        st.sampled_from(get_args(CircleKind)),
        st.dictionaries(st.sampled_from(USERS), st.sampled_from(ROLES), min_size=2),
    ),
    max_size=4,
)
CHANGES = st.lists(
    st.tuples(st.integers(0, 99), st.sampled_from([*VISIBILITIES, *CHANGED])), max_size=6
)
AUDITING = st.lists(
    st.builds(
        RoleRule,
        role=st.just("auditor"),
        effect=st.sampled_from(["allow", "deny"]),
        tag=st.sampled_from(RULE_TAGS),
    ),
    max_size=3,
)

IN_ANY_WORLD = given(
    circles=CIRCLES,
    auditing=AUDITING,
    plans=st.lists(PLANS, min_size=6, max_size=12),
    changes=CHANGES,
)


class Files:
    """Worlds in a folder that is gone afterwards."""

    examples = examples(8)

    @contextmanager
    def new(self) -> Iterator[Place]:
        """A place for one world."""
        with tempfile.TemporaryDirectory() as name:
            yield Path(name)

    def store(self, place: Place, *, full_text: bool = True) -> tuple[Store, DocumentsOf]:
        """The store of a world, and its documents."""
        folder = Path(place)
        store = SqliteStore(folder / "chatmem.db", full_text=full_text, pack_every=8)
        return store, partial(user_documents, folder / "prompts" / "memory")


class Databases:
    """Worlds in databases of a PostgreSQL server: fewer, since making one takes a while."""

    examples = examples(4)

    def __init__(self, server: PostgresServer) -> None:
        self._server = server

    @contextmanager
    def new(self) -> Iterator[Place]:
        """A place for one world."""
        address = self._server.fresh()
        try:
            yield address
        finally:
            self._server.drop(address)

    def store(self, place: Place, *, full_text: bool = True) -> tuple[Store, DocumentsOf]:
        """The store of a world, and its documents; full text is never missing here."""
        store = PostgresStore(str(place), pack_every=8)
        return store, partial(DocumentRows, store.database)


@pytest.fixture(params=["sqlite", "postgres"])
def worlds(request: pytest.FixtureRequest) -> Worlds:
    if request.param == "sqlite":
        return Files()
    return Databases(request.getfixturevalue("postgres_server"))


@contextmanager
def opened(
    worlds: Worlds, place: Place, *, full_text: bool = True
) -> Iterator[dict[str, MemoryService]]:
    """One service a user, all on one store."""
    store, documents_of = worlds.store(place, full_text=full_text)
    engine = Engine(
        store=store,
        holder="this test",
        stored_settings=StoredSettings(store, Settings(memory=MEMORY)),
        documents_of=documents_of,
        templates_folder=Path("no templates"),
        embedder=FakeEmbedder(),
    )
    shared = OpenMemory(engine)
    try:
        yield {user: MemoryService(shared, user) for user in USERS}
    finally:
        shared.close()


def make(
    services: dict[str, MemoryService],
    circles: Circles,
    auditing: list[RoleRule],
    plans: list[Plan],
) -> World:
    store = services["ann"]._engine.store
    with store.transaction():
        store.people.set_rules("auditor", auditing)
        for number, (kind, members) in enumerate(circles):
            head, *others = members
            store.people.create(str(number), kind, "c", head, members[head], NOW)
            for user in others:
                store.people.put_member(str(number), user, members[user], NOW)
    world = World(circles, store.people.rules())
    for number, plan in enumerate(plans):
        remember(services[plan.user], world, plan, number)
    services["ann"].wait_until_indexed()
    return world


def remember(memory: MemoryService, world: World, plan: Plan, number: int) -> None:
    """Make the memory in the way the plan says, and note what there is to know of it."""
    marker = f"muk{number}q"  # no id has a u in it
    text = plan.text.format(marker)
    columns = {"visibility": plan.visibility, "tags": plan.tags}
    at = NOW + timedelta(minutes=number)
    if plan.way == "turn":
        said = f"sud{number}q"
        saved = memory.save_conversation_turn(text, f"I see {said}", f"s{number % 2}", now=at)
        memory_id, answer_id = saved.ids
        memory.update(memory_id, now=at, **columns)
        world.known.append(Known(answer_id, plan.user, "private", (), said, is_turn=True))
    elif plan.way == "daily":
        memory_id = memory.append_daily_log(text, now=at).id
        memory.update(memory_id, now=at, **columns)
    elif plan.way == "edited":
        before = f"beu{number}q"
        world.secrets[before] = plan.user
        memory_id = memory.append_memory(plan.text.format(before), now=at).id
        memory.update(memory_id, now=at, content=text, **columns)
    elif plan.way == "keyed":
        memory_id = memory.append_memory(text, "preference", key="place", now=at, **columns).id
        for one in world.known:
            if one.user == plan.user and one.valid and not memory.get(one.id).is_valid:
                one.valid = False
    else:
        memory_id = memory.append_memory(text, "preference", now=at, **columns).id
    world.known.append(
        Known(memory_id, plan.user, plan.visibility, plan.tags, marker, is_turn=plan.way == "turn")
    )


@dataclass
class Walk:
    """One user's reading in a world; every (viewer, memory, way to read) is a case."""

    world: World
    viewer: str
    memory: MemoryService
    cases: int = 0

    def check_listed(self, found: object, ids: set[str], way: str, *, own: bool = False) -> None:
        """Nothing hidden is among the ids, nor do its words stand in what was returned."""
        text = repr(found)
        for word in self.world.hidden_words(self.viewer):
            assert word not in text, f"{way} showed {word} to {self.viewer}"
        for one in self.world.known:
            self.cases += 1
            allowed = one.user == self.viewer if own else self.world.may_see(self.viewer, one)
            assert allowed or one.id not in ids, f"{way} showed {one} to {self.viewer}"

    def search(self, memory: MemoryService, way: str) -> None:
        markers = " ".join(one.marker for one in self.world.known)
        for query in (*QUERIES, markers):
            found = memory.search_memories(query, limit=1_000)
            self.check_listed(found, ids_of(found), f"{way} search {query}")
            if query == markers:
                self.check_all_found(found, way)
            recalled = memory.get_relevant_memories(query, 1_000, session_id="s0", now=NOW)
            self.check_listed(recalled, ids_of(recalled), f"{way} recall {query}")
            then = NOW + timedelta(minutes=5)
            past = memory.get_relevant_memories(query, 1_000, now=NOW, as_of=then)
            self.check_listed(past, ids_of(past), f"{way} recall as of {query}")

    def check_all_found(self, found: SearchResults, way: str) -> None:
        """What is shared is really found: a search that shows nothing leaks nothing, either."""
        for one in self.world.known:
            if one.valid and self.world.may_see(self.viewer, one):
                assert one.id in ids_of(found), f"{way} search hid {one} from {self.viewer}"

    def whole_lists(self) -> None:
        listed = self.memory.list_memories(None, 1_000, state="all")
        self.check_listed(listed, {one.id for one in listed.items}, "list", own=True)
        exported = list(self.memory.export_records())
        self.check_listed(exported, {one.id for one in exported}, "export", own=True)
        self.check_listed(self.memory.read_main(), set(), "read_main")
        stats = self.memory.stats()
        self.check_listed(stats, set(), "stats")
        assert stats.short_term + stats.long_term == len(exported) == listed.total
        self.check_listed(self.memory.diagnose(), set(), "diagnose")

    def both_at_once(self) -> None:
        space = self.memory._space
        asked: dict[str, Any] = {"session_id": "s0", "now": NOW}
        for query in QUERIES:
            state = space.documents.refresh()
            recalled, found = recall_and_search(space, state, query, search_limit=1_000, **asked)
            assert recalled == self.memory.get_relevant_memories(query, 1_000, **asked)
            alone = self.memory.search_memories(query, limit=1_000)
            assert [one.memory for one in found] == [one.memory for one in alone]
            assert [one.score for one in found] == [one.score for one in alone]
            assert len(found.nearest) == len(alone.nearest)

    def prompts(self) -> None:
        """Messages and flat text, receipts included; the prompts of one's own sessions too."""
        builder, composer = ChatContextBuilder(self.memory), PromptComposer(self.memory)
        room = {"memory_tokens": 100_000, "max_entries": 1_000, "total_tokens": 1_000_000}
        sessions = [None, *(one.session_id for one in self.memory.sessions.list().items)]
        for query in QUERIES:
            for session in sessions[:3]:
                wishes: dict[str, Any] = {"budget": room, "counts_access": False, "now": NOW}
                built = builder.build_messages(query, session, **wishes)
                text = composer.compose(query, session, **wishes)
                for found in (built, text):
                    shown = {item for one in found.receipt.sections for item in one.items}
                    shown |= {one.id for one in found.receipt.left_out}
                    whole = (list(found), str(found), found.receipt)
                    self.check_listed(whole, shown, f"prompt {query}")

    def sessions_and_profiles(self) -> None:
        self.memory.wait_until_idle()
        sessions = self.memory.sessions
        listed = sessions.list(1_000).items
        self.check_listed(listed, set(), "sessions")
        for one in listed:
            messages = sessions.messages(one.session_id)
            ids = {message.memory_id for message in messages if message.memory_id}
            self.check_listed(messages, ids, "messages", own=True)
            self.check_listed(sessions.summary(one.session_id), set(), "summary")
            self.check_listed(self.memory.working_memory(one.session_id), set(), "working memory")
        self.check_listed(sessions.collected(), set(), "collected")
        self.check_listed(self.memory.get_recent_session_summaries(1_000), set(), "summaries")
        for name in PROFILES:
            self.check_listed(self.memory.profiles.read(name), set(), f"profile {name}")

    def one_by_one(self) -> None:
        for one in self.world.known:
            mine, visible = one.user == self.viewer, self.world.may_see(self.viewer, one)
            self.check_one(one, self.memory.get, None if visible else MemoryNotFoundError)
            if mine:
                assert self.memory.history(one.id) is not None
                continue
            refused = NotOwnerError if visible else MemoryNotFoundError
            calls: list[Callable[[str], object]] = [
                self.memory.history,
                self.memory.promote,
                self.memory.forget,
                self.memory.restore,
                lambda memory_id: self.memory.update(memory_id, visibility="public"),
                lambda memory_id: self.memory.supersede(memory_id, memory_id),
            ]
            for call in calls:
                self.check_one(one, call, refused)

    def over_http(self, http: TestClient) -> None:
        """REST and MCP, with the viewer's own key: lists, searches, prompts, and each by its id."""
        key, _ = self.memory.keys.create(self.viewer)
        ask = partial(http.request, headers={**JSON_BOTH, "authorization": f"Bearer {key}"})
        for path in OWN_LISTS:
            self.check_answer(ask("GET", path), path, own=True)
        for uri in ("memory://main", "memory://profile", "memory://household"):
            body = call_of("resources/read", uri=uri)
            self.check_answer(ask("POST", "/mcp", json=body), uri, own=True)
        markers = " ".join(one.marker for one in self.world.known)
        for query in (*QUERIES, markers):
            found = ask("GET", "/api/memory/search", params={"q": query, "limit": 1_000})
            self.check_answer(found, f"REST search {query}")
            if query == markers:
                told = found.json()
                ids = {one["id"] for one in (*told["results"], *told["nearest"])}
                for one in self.world.known:
                    shown = one.valid and self.world.may_see(self.viewer, one)
                    assert not shown or one.id in ids, f"REST hid {one} from {self.viewer}"
            body = call_of("tools/call", name="search_memory", arguments={"query": query})
            self.check_answer(ask("POST", "/mcp", json=body), f"MCP search {query}")
            body = call_of("prompts/get", name="recall", arguments={"message": query})
            self.check_answer(ask("POST", "/mcp", json=body), f"MCP recall {query}", said=query)
            for form in ("messages", "text"):
                wish = {"message": query, "format": form}
                made = ask("POST", "/api/sessions/s0/context", json=wish)
                self.check_answer(made, f"REST prompt {query}", said=query)
        for one in self.world.known:
            self.by_id_over_http(one, ask)

    def by_id_over_http(self, one: Known, ask: Callable[..., Response]) -> None:
        """It is read by whom it is for; everything else is answered as if it were not there."""
        readable = self.world.may_see(self.viewer, one)
        answer = ask("GET", f"/api/memory/{one.id}")
        assert answer.status_code == (200 if readable else 404), f"{one} for {self.viewer}"
        self.check_answer(answer, f"REST {one.id}")
        if one.user == self.viewer:
            return
        for method, path, body in OF_ITS_OWNER:
            path = path.format(id=one.id)
            answer = ask(method, path, json=body)
            if not (method == "GET" and readable and not one.is_turn and "long-term" in path):
                assert answer.status_code == 404, f"{method} {path} of {one} for {self.viewer}"
            self.check_answer(answer, f"{method} {path}")

    def check_answer(
        self, answer: Response, way: str, *, own: bool = False, said: str = ""
    ) -> None:
        """Nothing hidden stands in the answer, whatever it is, beside what the viewer said."""
        assert answer.status_code < 500, f"{way}: {answer.text}"
        text = answer.text.replace(said, "") if said else answer.text
        ids = {one.id for one in self.world.known if one.id in text and one.id not in way}
        self.check_listed(text, ids, way, own=own)

    def check_one(
        self, one: Known, call: Callable[[str], object], refused: type[Exception] | None
    ) -> None:
        """The call answers, or it is refused; what is hidden exactly like what is not there."""
        self.cases += 1
        try:
            answer = repr(call(one.id))
        except (MemoryNotFoundError, NotOwnerError) as error:
            assert type(error) is refused, f"{call} of {one} for {self.viewer}: {error!r}"
            answer = str(error)
            if refused is MemoryNotFoundError:
                assert answer == str(MemoryNotFoundError(one.id))
        else:
            assert refused is None, f"{call} of {one} answered {self.viewer}"
        answer = answer.replace(one.id, "")  # drawn at random, it may hold a short word
        for word in self.world.hidden_words(self.viewer):
            assert word not in answer


def call_of(method: str, **given: object) -> dict[str, object]:
    """A request of MCP."""
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": given}


def ids_of(found: SearchResults) -> set[str]:
    return {hit.memory.id for hit in (*found, *found.nearest)}


def change(services: dict[str, MemoryService], world: World, number: int, what: str) -> None:
    """Share a memory with others than before, edit it, make one, or let somebody leave a circle."""
    one, user = world.known[number % len(world.known)], USERS[number % len(USERS)]
    if what == "other words":
        world.secrets[one.marker] = one.user
        one.marker = f"edu{number}n{len(world.secrets)}q"
        services[one.user].update(one.id, content=TEXTS[number % len(TEXTS)].format(one.marker))
    elif what == "one more":
        plan = Plan(user, "public", (), TEXTS[number % len(TEXTS)], "fact")
        remember(services[user], world, plan, len(world.known))
    elif what == "leaves" and world.circles:
        place, store = number % len(world.circles), services["ann"]._engine.store
        world.circles[place][1].pop(user, None)
        with store.transaction():
            store.people.remove_member(str(place), user)
    elif what in VISIBILITIES:
        services[one.user].update(one.id, visibility=what)
        one.visibility = what


def check_accesses(services: dict[str, MemoryService], world: World) -> None:
    """Everybody counts an access of everything; it counts for what they may see."""
    for user in USERS:
        services[user].count_access([one.id for one in world.known])
    for one in world.known:
        viewers = [user for user in USERS if world.may_see(user, one)]
        assert services[one.user].get(one.id).access_count == len(viewers)


def walk_world(
    worlds: Worlds,
    circles: Circles,
    auditing: list[RoleRule],
    plans: list[Plan],
    changes: list[Change],
    *,
    over_http: bool = True,
) -> int:
    """Every way to read of every user in one world; how many cases that were."""
    with worlds.new() as place:
        with opened(worlds, place) as services:
            world = make(services, circles, auditing, plans)
            walks = [Walk(world, user, services[user]) for user in USERS]
            before = {user: list(services[user].export_records()) for user in USERS}
            for walk in walks:
                walk.one_by_one()
                walk.whole_lists()
                walk.search(walk.memory, "full-text")
                walk.both_at_once()
                walk.prompts()
            after = {user: list(services[user].export_records()) for user in USERS}
            assert after == before
            for walk in walks:
                walk.sessions_and_profiles()
            for number, what in changes:
                change(services, world, number, what)
            for walk in walks:
                walk.one_by_one()
                walk.search(walk.memory, "changed")
            check_accesses(services, world)
        with opened(worlds, place, full_text=False) as services:
            for walk in walks:
                walk.search(services[walk.viewer], "LIKE")
            with client_of(services["ann"]) as http:
                for walk in walks if over_http else ():
                    walk.memory = services[walk.viewer]
                    walk.over_http(http)
    return sum(walk.cases for walk in walks)


def test_no_read_path_shows_a_row_that_is_not_for_the_reader(worlds: Worlds) -> None:
    cases = number = 0

    @settings(SLOW, max_examples=worlds.examples)
    @IN_ANY_WORLD
    def walk_every_world(
        circles: Circles, auditing: list[RoleRule], plans: list[Plan], changes: list[Change]
    ) -> None:
        nonlocal cases, number
        over_http = number % EVERY_SO_MANY == 0  # it takes most of the time
        cases += walk_world(worlds, circles, auditing, plans, changes, over_http=over_http)
        number += 1

    walk_every_world()
    assert cases >= LEAST_CASES


def test_a_statement_for_every_row_gets_those_of_the_world(postgres_server: PostgresServer) -> None:
    """Row-level security alone, without the predicate: neither more nor less than it shows."""
    worlds = Databases(postgres_server)

    @settings(SLOW, max_examples=worlds.examples)
    @IN_ANY_WORLD
    def ask_every_world(
        circles: Circles, auditing: list[RoleRule], plans: list[Plan], changes: list[Change]
    ) -> None:
        with worlds.new() as place, opened(worlds, place) as services:
            world = make(services, circles, auditing, plans)
            check_rows(services, world)
            for number, what in changes:
                change(services, world, number, what)
            check_rows(services, world)

    ask_every_world()


def check_rows(services: dict[str, MemoryService], world: World) -> None:
    store = services["ann"]._engine.store
    assert isinstance(store, PostgresStore)
    for viewer in USERS:
        with store.database.acting_for(viewer):
            shown = {row[0] for row in store.database.execute("SELECT id FROM atomic_memory")}
            for beside in ("memory_index", "memory_vector"):
                found = store.database.execute(
                    f"SELECT m.id FROM {beside} b LEFT JOIN atomic_memory m USING (user_id, row_id)"
                )
                assert {row[0] for row in found} <= shown
        own = {one.id for one in services[viewer].export_records()}
        seen = {one.id for one in world.known if world.may_see(viewer, one)}
        assert shown == own | seen, viewer


@settings(SLOW, max_examples=examples(6))
@given(
    circles=CIRCLES,
    plans=st.lists(TALK, min_size=6, max_size=10),
    hidden=st.lists(st.tuples(st.sampled_from(USERS), st.sampled_from(TEXTS)), min_size=1),
)
def test_what_others_keep_private_changes_no_score(
    worlds: Worlds, circles: Circles, plans: list[Plan], hidden: list[tuple[str, str]]
) -> None:
    """Two worlds, one of them with more private rows: to everybody else they are the same."""
    with worlds.new() as place, worlds.new() as other:
        with opened(worlds, place) as services:
            make(services, circles, [], plans)
            expected = {user: scores(services[user]) for user in USERS}
            keep_private(services, hidden)  # beside what was read already
            beside = {user: scores(services[user]) for user in USERS}
        with opened(worlds, other) as services:
            keep_private(services, hidden)  # before everything else
            make(services, circles, [], plans)
            fresh = {user: scores(services[user]) for user in USERS}

    for user in {*USERS} - {user for user, _ in hidden}:
        assert beside[user] == expected[user]
        assert fresh[user] == expected[user]


def keep_private(services: dict[str, MemoryService], hidden: list[tuple[str, str]]) -> None:
    for number, (user, text) in enumerate(hidden):
        said = f"{number} {text}"
        services[user].append_memory(said.format("secret"), "preference", now=NOW)
        services[user].save_conversation_turn(said.format("secret"), "好的", f"h{number}", now=NOW)
    services["ann"].wait_until_indexed()


def scores(memory: MemoryService) -> list[object]:
    """Everything that a search and a recall say, to the last digit."""
    return [
        [(hit.memory.content, hit.score, hit.parts) for hit in found]
        for query in QUERIES
        for found in (
            memory.search_memories(query, limit=1_000),
            memory.get_relevant_memories(query, 1_000, now=NOW),
        )
    ]
