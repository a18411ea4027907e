"""Reading memories: one, a page of those that a filter wants, and where each came from.

Source: S2.6, S3.5.1, S5.9.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime, time, timedelta

from chatmem.engine.checks import checked_choice, checked_filter, checked_limit, checked_number
from chatmem.engine.remember.extract import extracted_id
from chatmem.engine.remember.lifecycle import find, find_own
from chatmem.engine.space import SpacePart
from chatmem.extraction.settle import EXTRACTED
from chatmem.model import (
    MEMORY_SORTS,
    AtomicMemoryRecord,
    Category,
    GrowthDay,
    HistoryEntry,
    MemoryFilter,
    MemorySort,
    MemoryState,
    MemoryType,
    Page,
)
from chatmem.model.time import moment_or_now
from chatmem.storage.values import StoredMessage

MOST_DAYS = 3_660


class MemoryReader(SpacePart):
    """Reads memories, without ranking them.

    Methods that name a memory raise `MemoryNotFoundError` where this user may see none of that id,
    and, `get` apart, `NotOwnerError` where another user shares it.
    """

    def get(self, memory_id: str) -> AtomicMemoryRecord:
        """The memory, one that others share with this user too."""
        self._documents.refresh()
        return find(self._space, memory_id)

    def list_memories(
        self,
        memory_type: MemoryType | None = "long_term",
        limit: int = 50,
        offset: int = 0,
        *,
        state: MemoryState = "valid",
    ) -> Page[AtomicMemoryRecord]:
        """A page of memories, newest first; `superseded` are the evicted, too. Source: S3.5.1."""
        wanted = MemoryFilter(memory_type=memory_type, state=state)
        return self.browse(wanted, limit=limit, offset=offset)

    def browse(
        self,
        wanted: MemoryFilter = MemoryFilter(),  # noqa: B008 - frozen
        *,
        sort: MemorySort = "timestamp",
        descending: bool = True,
        limit: int = 50,
        offset: int = 0,
        shared: bool = False,
    ) -> Page[AtomicMemoryRecord]:
        """A page of this user's own memories that pass the filter, and how many do.

        With `shared`, of those that others let this user see. Source: S2.6, S5.9.
        """
        self._documents.refresh()
        most, start = checked_limit(limit), max(0, offset)
        checked = checked_filter(wanted)
        order, bounds = (checked_choice(sort, "sort", MEMORY_SORTS), descending), (most, start)
        with self._store.snapshot():
            items, total = self._store.pages.page(
                self._owner, checked, bounds, order=order, shared=shared
            )
        return Page(tuple(items), total, most, start)

    def origin(self, memory_id: str) -> list[StoredMessage]:
        """The messages that a memory is, or was extracted from, oldest first; empty if unknown."""
        store, owner = self._store, self._owner
        memory = find_own(self._space, memory_id)
        said = store.conversations.of_memory(owner, memory.id)
        if said or memory.app_type != EXTRACTED or memory.session_id is None:
            return said
        history = store.history.of_memory(owner, memory.id)
        first = history[0].after if history else memory
        messages = store.conversations.of_session(owner, memory.session_id)
        # An extracted memory's id follows from the number of its message.
        session, key, content = memory.session_id, first.key, first.content
        found = [
            one
            for one in messages
            if extracted_id(owner, session, one.id, key, content) == memory.id
        ]
        return found or [
            one for one in messages if one.role == "user" and one.create_time == first.timestamp
        ]

    def viewers(self, memory_id: str) -> list[str]:
        """The others in this user's households and groups who may see the memory, by name.

        A public one is seen by everybody else too, as far as no role forbids it.
        """
        store, user = self._store, self._owner.user_id
        memory = find_own(self._space, memory_id)
        circles = store.people.circles_of(user, None)
        others = {one.user_id for circle in circles for one in circle.members} - {user}
        return [
            name
            for name in sorted(others)
            if store.memories.seen(store.owner(name), memory.id) is not None
        ]

    def history(self, memory_id: str) -> list[HistoryEntry]:
        """What happened to the memory, oldest first; it may hold private text."""
        find_own(self._space, memory_id)
        return self._store.history.of_memory(self._owner, memory_id)

    def growth(self, days: int = 90, *, now: datetime | None = None) -> list[GrowthDay]:
        """What was stored on each of the last days (1 to 3,660), today included, oldest first."""
        count = int(checked_number(days, "days", 1, MOST_DAYS, whole=True))
        first = moment_or_now(now).astimezone().date() - timedelta(days=count - 1)
        dates = [first + timedelta(days=number) for number in range(count)]
        turns, by_category = Counter[date](), {day: Counter[Category | None]() for day in dates}
        begin = datetime.combine(first, time.min).astimezone(UTC)  # of the local calendar
        for added in self._store.pages.added(self._owner, begin):
            day = added.minute.astimezone().date()
            if added.memory_type == "short_term":
                turns[day] += added.count
            elif day in by_category:
                by_category[day][added.category] += added.count
        return [GrowthDay(day=day, turns=turns[day], by_category=by_category[day]) for day in dates]

    def count_access(self, memory_ids: Iterable[str], *, now: datetime | None = None) -> None:
        """Count one access of memories that were put into a prompt. Source: S3.2.3."""
        counted, moment = list(memory_ids), moment_or_now(now)
        with self._store.transaction():
            self._store.memories.count_access(self._owner, counted, moment)

    def export_records(self) -> Iterator[AtomicMemoryRecord]:
        """Every memory of this user, turns included, oldest first."""
        return self._store.memories.export(self._owner)
