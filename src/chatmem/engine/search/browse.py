"""Looking through memories: what is there, since when, and where each came from.

Source: S2.6, S5.9.
"""

from dataclasses import replace
from datetime import UTC, datetime, time, timedelta

from chatmem.engine.checks import checked_choice, checked_number
from chatmem.engine.remember.lifecycle import find_own
from chatmem.engine.remember.nearness import EXTRACTED
from chatmem.engine.remember.settle import extracted_id
from chatmem.engine.space import Space
from chatmem.errors import InvalidInputError
from chatmem.model import (
    CATEGORIES,
    KINDS,
    MEMORY_SORTS,
    MEMORY_STATES,
    MEMORY_TYPES,
    SOURCES,
    VISIBILITIES,
    AtomicMemoryRecord,
    GrowthDay,
    MemoryFilter,
    MemorySort,
    Page,
    ScoreInputs,
)
from chatmem.model.time import as_utc
from chatmem.storage.values import StoredMessage
from chatmem.text.clean import clean_text
from chatmem.text.languages import spellings

MOST_DAYS = 3_660
_CHOICES: dict[str, tuple[str, ...]] = {
    "memory_type": MEMORY_TYPES,
    "kind": KINDS,
    "category": CATEGORIES,
    "source": SOURCES,
    "visibility": VISIBILITIES,
}


def checked_filter(wanted: MemoryFilter) -> MemoryFilter:
    """The filter with its text cleaned, and its times in UTC.

    Raises:
        InvalidInputError: a value that a memory's column never has.
    """
    checked_choice(wanted.state, "state", MEMORY_STATES)
    for name, choices in _CHOICES.items():
        value = getattr(wanted, name)
        if value is not None:
            checked_choice(value, name, choices)
    return replace(
        wanted,
        text=clean_text(wanted.text or "") or None,
        time_from=_moment(wanted.time_from, "time_from"),
        time_to=_moment(wanted.time_to, "time_to"),
        as_of=_moment(wanted.as_of, "as_of"),
    )


def browse(
    space: Space,
    wanted: MemoryFilter,
    order: tuple[MemorySort, bool],
    bounds: tuple[int, int],
    *,
    shared: bool = False,
) -> Page[AtomicMemoryRecord]:
    """A page of the user's own memories that are wanted; `order` is a sort and whether descending.

    With `shared`, of those that others let this user see.

    Raises:
        InvalidInputError: a filter, or a sort, that there is not.
    """
    checked = checked_filter(wanted)
    checked_choice(order[0], "sort", MEMORY_SORTS)
    pages, texts = space.store.pages, _texts(checked)
    with space.store.snapshot():
        items, total = pages.page(space.owner, checked, texts, order, bounds, shared=shared)
    return Page(items=tuple(items), total=total, limit=bounds[0], offset=bounds[1])


def wanted_rows(space: Space, checked: MemoryFilter) -> list[int]:
    """The user's own rows that a checked filter wants."""
    return space.store.pages.rows(space.owner, checked, _texts(checked))


def is_wanted(memory: AtomicMemoryRecord, checked: MemoryFilter) -> bool:
    """True when a checked filter wants the memory: as the store decides, for what others share."""
    for name in (*_CHOICES, "session_id"):
        value = getattr(checked, name)
        if value is not None and getattr(memory, name) != value:
            return False
    low, high = checked.time_from, checked.time_to
    if (low and memory.timestamp < low) or (high and memory.timestamp > high):
        return False
    if checked.as_of is not None:
        in_state = true_at(memory, checked.as_of)
    else:
        in_state = checked.state == "all" or memory.is_valid == (checked.state == "valid")
    content = _folded(memory.content)
    return in_state and (not checked.text or any(_folded(t) in content for t in _texts(checked)))


def true_at(memory: AtomicMemoryRecord | ScoreInputs, as_of: datetime | None) -> bool:
    """True when the memory was true at the moment, or is true where that is None."""
    if as_of is None:
        return memory.valid_to is None
    begins = memory.valid_from or memory.timestamp
    return begins <= as_of and (memory.valid_to is None or as_of < memory.valid_to)


def origin(space: Space, memory_id: str) -> list[StoredMessage]:
    """The messages that a memory is, or was extracted from; empty where that is not known.

    Raises:
        MemoryNotFoundError: no such memory.
        NotOwnerError: another user shares it; what they said stays theirs.
    """
    memory = find_own(space, memory_id)
    conversations = space.store.conversations
    said = conversations.of_memory(space.owner, memory.id)
    if said or memory.app_type != EXTRACTED or memory.session_id is None:
        return said
    history = space.store.history.of_memory(space.owner, memory.id)
    first = history[0].after if history else memory
    messages = conversations.of_session(space.owner, memory.session_id)
    # An extracted memory's id follows from the number of its message.
    found = [
        one
        for one in messages
        if extracted_id(space.owner, memory.session_id, one.id, first.key, first.content)
        == memory.id
    ]
    return found or [
        one for one in messages if one.role == "user" and one.create_time == first.timestamp
    ]


def viewers(space: Space, memory_id: str) -> list[str]:
    """The others in the user's households and groups who may see the memory, by name.

    A public one is seen by everybody else too, as far as no role forbids it.

    Raises:
        MemoryNotFoundError: no such memory.
        NotOwnerError: another user shares it.
    """
    memory = find_own(space, memory_id)
    store = space.store
    circles = store.people.circles_of(space.owner.user_id, None)
    others = {one.user_id for circle in circles for one in circle.members} - {space.owner.user_id}
    return [
        name
        for name in sorted(others)
        if store.memories.seen(store.owner(name), memory.id) is not None
    ]


def growth(space: Space, days: int, now: datetime) -> list[GrowthDay]:
    """What was stored on each of the last days, today included, the oldest first.

    Raises:
        InvalidInputError: no number of days.
    """
    count = int(checked_number(days, "days", 1, MOST_DAYS, whole=True))
    first = now.astimezone().date() - timedelta(days=count - 1)
    counts = {first + timedelta(days=place): dict[str, int]() for place in range(count)}
    begin = datetime.combine(first, time.min).astimezone(UTC)  # of the local calendar
    for added in space.store.pages.added(space.owner, begin):
        of_day = counts.get(added.minute.astimezone().date())
        if of_day is not None:
            name = "turns" if added.memory_type == "short_term" else added.category or "other"
            of_day[name] = of_day.get(name, 0) + added.count
    return [GrowthDay(day=day, **of_day) for day, of_day in counts.items()]


def _moment(value: object, name: str) -> datetime | None:
    if value is None or isinstance(value, datetime):
        return as_utc(value) if value is not None else None
    raise InvalidInputError(f"{name}: got {value!r}, takes a datetime")


def _texts(checked: MemoryFilter) -> tuple[str, ...]:
    return spellings(checked.text) if checked.text else ()


def _folded(text: str) -> bytes:
    """The text without the case of its ASCII letters, as `LIKE` compares."""
    return text.encode().lower()
