"""The table of memories: real headers that sort, and a button in each row that opens it."""

from collections.abc import Callable, Sequence
from typing import Any, Final

from nicegui import events, ui

from chatmem.interfaces.web.forgetting import held_of
from chatmem.interfaces.web.saying import day, day_and_clock
from chatmem.interfaces.web.visit import Visit
from chatmem.interfaces.web.words import Words
from chatmem.model import AtomicMemoryRecord, MemorySort

_SORTED_BY: Final[dict[str, MemorySort]] = {
    "content": "content",
    "happened": "timestamp",
    "confidence": "confidence",
    "importance": "importance",
    "used": "access_count",
}
_SHOWN_CHARS: Final = 300
_HEADER: Final = """
<q-tr :props="props">
  <th v-for="col in props.cols" :key="col.name" scope="col" :class="'browse-' + col.name"
      :aria-sort="col.sorted">
    <button v-if="col.sorted" type="button" class="browse-sort"
            @click="$parent.$emit('order', col.name)">
      {{ col.label }}<q-icon :name="col.arrow" size="1rem" aria-hidden="true" />
    </button>
    <span v-else>{{ col.label }}</span>
  </th>
</q-tr>
"""
_BODY: Final = """
<q-tr :props="props" :class="props.row.state">
  <td class="browse-content">
    <button type="button" class="browse-open" @click="$parent.$emit('open', props.row.id)">
      <span class="browse-text">{{ props.row.content }}</span>
    </button>
    <div v-if="props.row.owner" class="browse-owner">{{ props.row.owner }}</div>
    <div class="browse-meta">{{ props.row.meta }}</div>
  </td>
  <td class="browse-what"><span :class="'browse-tag browse-tag-' + props.row.tone">{{
    props.row.what }}</span></td>
  <td class="browse-happened" :title="props.row.moment">{{ props.row.happened }}</td>
  <td class="browse-importance">{{ props.row.importance }}</td>
  <td class="browse-confidence">{{ props.row.confidence }}</td>
  <td class="browse-used">{{ props.row.used }}</td>
</q-tr>
"""


class Rows:
    """The table.

    `on_order` gets the sort of the header that was pressed, `on_open` a memory's id.
    """

    def __init__(
        self,
        visit: Visit,
        on_order: Callable[[MemorySort], object],
        on_open: Callable[[str], object],
    ) -> None:
        self._visit = visit
        self._table = ui.table(rows=[], columns=[], row_key="id").props(
            f'flat separator=horizontal hide-no-data aria-label="{visit.words("browse.table")}"'
        )
        self._table.classes("w-full browse-table")
        self._table.add_slot("header", _HEADER)
        self._table.add_slot("body", _BODY)

        def order(event: events.GenericEventArguments) -> object:
            return on_order(_SORTED_BY[str(event.args)])

        def open_one(event: events.GenericEventArguments) -> object:
            return on_open(str(event.args))

        self._table.on("order", order)
        self._table.on("open", open_one)

    def show(
        self, memories: Sequence[AtomicMemoryRecord], sort: MemorySort, descending: bool
    ) -> None:
        """These memories, in the order in which they come."""
        self._table.set_visibility(bool(memories))
        self._table.columns = self._columns(sort, descending)
        self._table.rows = [self._row(one) for one in memories]

    def _columns(self, sort: MemorySort, descending: bool) -> list[dict[str, Any]]:
        found = []
        for name in ("content", "what", "happened", "importance", "confidence", "used"):
            column = {"name": name, "field": name, "label": self._visit.words(f"browse.{name}")}
            by = _SORTED_BY.get(name)
            if by == sort:
                column["sorted"] = "descending" if descending else "ascending"
                column["arrow"] = "arrow_downward" if descending else "arrow_upward"
            elif by is not None:
                column |= {"sorted": "none", "arrow": "unfold_more"}
            found.append(column)
        return found

    def _row(self, memory: AtomicMemoryRecord) -> dict[str, Any]:
        words = self._visit.words
        what, happened = kind_of(words, memory), day(words, memory.timestamp)
        state = ""
        if held_of(self._visit, memory.id) is not None:
            state = "browse-held"
            happened = words("browse.held")
        elif not memory.is_valid:
            state = "browse-past"
        return {
            "id": memory.id,
            "content": memory.content[:_SHOWN_CHARS],
            "what": what,
            "tone": memory.category or memory.memory_type,
            "happened": happened,
            "moment": day_and_clock(words, memory.timestamp),
            "importance": str(memory.importance),
            "confidence": f"{memory.confidence:.0%}",
            "used": f"{memory.access_count:,}",
            "meta": f"{what} · {happened}",
            "state": state,
            "owner": (
                ""
                if memory.user_id == self._visit.memory.user_id
                else words("browse.of_owner", user=memory.user_id)
            ),
        }


def kind_of(words: Words, memory: AtomicMemoryRecord) -> str:
    """What a memory is in a word: its category, or who said it."""
    if memory.category is not None:
        return words(f"card.category_{memory.category}")
    if memory.role in ("user", "assistant", "system", "tool"):
        return words(f"card.said_by_{memory.role}")
    return words(f"card.type_{memory.memory_type}")
