"""The card of a memory: a dialog that every view opens with `open_card`.

What is done here is done at once, but forgetting waits ten seconds.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial
from typing import Final, NamedTuple

from nicegui import events, ui

from chatmem.engine.remember.lifecycle import in_doubt_with, last_change
from chatmem.engine.remember.settling import since
from chatmem.engine.service import MemoryService
from chatmem.errors import ChatmemError, MemoryNotFoundError
from chatmem.extraction.settle import MAYBE_TAG
from chatmem.interfaces.web import widgets
from chatmem.interfaces.web.undo import OnChange, forget, notify, pending_forget
from chatmem.interfaces.web.views.memories import card_parts
from chatmem.interfaces.web.visit import SignedOutError, Visit, notify_error, session_address
from chatmem.interfaces.web.words import words
from chatmem.model import VISIBILITIES, AtomicMemoryRecord, Circle, HistoryEntry, Visibility
from chatmem.storage.values import StoredMessage

_TITLE: Final = "memory-card-title"


class MemoryDetails(NamedTuple):
    """A memory with its past, its messages, and who else sees it; of another user's, itself alone.

    `successor` superseded it; `doubted` is a valid memory that may be about the same.
    """

    memory: AtomicMemoryRecord
    is_own: bool
    history: tuple[HistoryEntry, ...] = ()
    origin: tuple[StoredMessage, ...] = ()
    viewers: tuple[str, ...] = ()
    circles: tuple[Circle, ...] = ()
    successor: AtomicMemoryRecord | None = None
    doubted: AtomicMemoryRecord | None = None


def read_all(service: MemoryService, memory_id: str) -> MemoryDetails:
    """The memory with all that belongs to it.

    Raises:
        MemoryNotFoundError: there is none that this user may see.
    """
    memory = service.get(memory_id)
    if memory.user_id != service.user_id:
        return MemoryDetails(memory, is_own=False)
    history = tuple(service.history(memory.id))
    doubted = _found(service, in_doubt_with(memory, history)) if memory.is_valid else None
    return MemoryDetails(
        memory,
        is_own=True,
        history=history,
        origin=tuple(service.origin(memory.id)),
        viewers=tuple(service.viewers(memory.id)),
        circles=tuple(service.people.circles()),
        successor=_found(service, memory.superseded_by),
        doubted=doubted if doubted is not None and doubted.is_valid else None,
    )


def _found(service: MemoryService, memory_id: str | None) -> AtomicMemoryRecord | None:
    with suppress(MemoryNotFoundError):
        return service.get(memory_id) if memory_id is not None else None
    return None


async def open_card(visit: Visit, memory_id: str, on_change: OnChange | None = None) -> None:
    """Show the memory; `on_change` is called whenever it was changed here, or is gone."""
    client = ui.context.client
    try:
        details = await visit.run(read_all, visit.memory, memory_id)
    except (ChatmemError, SignedOutError) as error:
        with client.content:
            notify_error(error)
        return
    with client.content:
        _Card(visit, details, on_change)


def memory_button(
    visit: Visit, memory_id: str, text: str, on_change: OnChange | None = None
) -> ui.button:
    """A memory in a list, which opens its card."""
    opened = widgets.button(
        text, partial(open_card, visit, memory_id, on_change), look="flat", dense=True
    )
    return opened.props("align=left").classes("session-memory text-left break-words max-w-full")


def memory_list(
    visit: Visit,
    memories: Iterable[AtomicMemoryRecord],
    on_change: OnChange | None = None,
    icon: str | None = None,
) -> None:
    """Memories as a list, each of which opens its card."""
    for one in widgets.listed(memories, "w-full flex flex-col gap-1 session-learned"):
        memory_button(visit, one.id, one.content, on_change).set_icon(icon)


def kind_of(memory: AtomicMemoryRecord) -> str:
    """What a memory is in a word: its category, or who said it."""
    if memory.category is not None:
        return words(f"card.category_{memory.category}")
    memory_type = words(f"card.memory_type_{memory.memory_type}")
    return words.get(f"card.said_by_{memory.role}", memory_type)


class _Card:
    def __init__(self, visit: Visit, details: MemoryDetails, on_change: OnChange | None) -> None:
        self._visit = visit
        self._details = details
        self._on_change = on_change
        self._client = ui.context.client
        self._dialog = ui.dialog().props(f'aria-labelledby="{_TITLE}"')
        self._dialog.on("hide", self._dialog.delete)
        with self._dialog, ui.card().classes("memory-card p-0 gap-0 no-wrap"):
            self._place = ui.column().classes("w-full gap-0 no-wrap memory-card-inner")
        self._build()
        self._dialog.open()

    def _build(self, *, editing: bool = False) -> None:
        visit, details = self._visit, self._details
        if self._dialog.is_deleted:
            return
        with widgets.redrawn(self._place):
            self._head()
            with ui.column().classes("w-full gap-4 px-4 py-4 sm:px-6 memory-card-body"):
                if editing:
                    card_parts.edit_form(
                        visit, details.memory, self._changed, lambda: self._build()
                    )
                    return
                self._content()
                self._doubt()
                self._facts()
                if not details.is_own:
                    return
                self._sharing()
                self._origin()
                card_parts.show_history(details.history)
            self._actions()

    def _head(self) -> None:
        memory = self._details.memory
        row = ui.row(wrap=False)
        with row.classes("w-full items-center gap-2 px-4 py-2 sm:px-6 memory-card-head"):
            title = widgets.heading(words("card.title"), classes="text-lg font-semibold shrink-0")
            title.props(f'id="{_TITLE}"')
            tone = memory.category or memory.memory_type
            ui.label(kind_of(memory)).classes(f"browse-tag browse-tag-{tone}")
            if not memory.is_valid:
                ui.label(words("card.past")).classes("browse-tag")
            ui.space()
            widgets.icon_button("close", words("frame.close"), self._dialog.close)

    def _content(self) -> None:
        details = self._details
        if not details.is_own:
            widgets.hint(words("card.shared_by", user=details.memory.user_id))
        with ui.row(wrap=False).classes("w-full items-start gap-2"):
            ui.label(details.memory.content).classes(
                "text-base whitespace-pre-wrap break-words min-w-0 grow memory-card-content"
            )
            if details.is_own:
                edit = widgets.button(words("card.edit"), icon="edit", look="flat", dense=True)
                edit.on_click(lambda: self._build(editing=True))
                widgets.named(edit, words("card.edit")).classes("shrink-0 card-edit")

    def _doubt(self) -> None:
        """The other memory that may be about the same, and what to make of both."""
        memory, other = self._details.memory, self._details.doubted
        if other is None:
            return
        update, supersede = self._visit.memory.update, self._visit.memory.supersede

        async def keep_both() -> None:
            tags = tuple(tag for tag in memory.tags if tag != MAYBE_TAG)
            await self._do("doubt_both_kept", lambda: update(memory.id, tags=tags))

        async def retire_older() -> None:
            older, newer = (memory, other) if since(memory) < since(other) else (other, memory)
            await self._do("doubt_replaced", lambda: supersede(older.id, newer.id))

        with ui.column().classes("w-full gap-1 card-quote").props("role=note"):
            widgets.hint(words("card.doubt"))
            self._other(other)
            widgets.hint(words.moment(since(other)))
            with ui.row().classes("gap-2"):
                for name, decide in (("doubt_both", keep_both), ("doubt_older", retire_older)):
                    decision = widgets.button(words(f"card.{name}"), decide, dense=True)
                    decision.classes("px-2")

    def _facts(self) -> None:
        """When, how sure, how often used, where it is written."""
        details = self._details
        known = _facts(details.memory)
        widgets.facts(((words(f"card.{name}"), text) for name, text in known), "card-facts")
        if details.successor is not None:
            with ui.row().classes("items-center gap-2 w-full card-successor"):
                widgets.hint(words("card.replaced_by"))
                self._other(details.successor)

    def _other(self, memory: AtomicMemoryRecord) -> None:
        """A button that shows another memory in this card."""
        show = partial(self._read, memory.id)
        other = widgets.button(memory.content, show, look="flat", dense=True)
        other.props("align=left").classes("max-w-full card-link")

    def _sharing(self) -> None:
        memory = self._details.memory
        update = self._visit.memory.update

        async def choose(event: events.ValueChangeEventArguments[Visibility]) -> None:
            await self._do("shared_now", lambda: update(memory.id, visibility=event.value))

        with card_parts.card_part(words("card.who"), "visibility"):
            choices = {one: words(f"card.visibility_{one}") for one in VISIBILITIES}
            select = ui.select(choices, value=memory.visibility, on_change=choose)
            select.props("outlined dense").classes("w-full sm:w-80")
            widgets.named(select, words("card.visibility"))
            widgets.hint(_seen_by(self._details))

    def _origin(self) -> None:
        """The messages that it came from, or how it came without one."""
        details = self._details
        with card_parts.card_part(words("card.origin"), "format_quote"):
            for message in details.origin:
                who = message.speaker or words(f"card.said_by_{message.role}")
                with ui.element("figure").classes("w-full card-quote"):
                    with ui.element("blockquote"):
                        ui.label(message.content).classes("whitespace-pre-wrap break-words")
                    with ui.element("figcaption"):
                        widgets.hint(f"{who} · {words.moment(message.create_time)}")
            if not details.origin:
                lost = words("card.origin_session") if details.memory.session_id else ""
                why = [card_parts.reason_of(one.reason) for one in details.history[:1]]
                widgets.hint(lost or "".join(why) or words("card.origin_unknown"))
            session = details.origin[0].session_id if details.origin else details.memory.session_id
            if session is not None:
                link = ui.link(words("card.to_session"), session_address(session))
                link.classes("frame-link text-sm")

    def _actions(self) -> None:
        details, memory = self._details, self._visit.memory
        one, change, newer = details.memory.id, last_change(details.history), details.successor
        row = ui.row()
        with row.classes("w-full items-center gap-2 px-4 py-3 sm:px-6 memory-card-actions"):
            if details.memory.memory_type == "short_term":
                promote = partial(self._do, "promoted", partial(memory.promote, one))
                widgets.button(words("card.promote"), promote, icon="push_pin", look="main")
            if change is not None:
                restore = partial(memory.restore, one)
                swaps = change.action == "supersede" and newer is not None and newer.is_valid
                undo = partial(self._do, "restored_swapped" if swaps else "restored", restore)
                widgets.button(
                    words("card.restore_swap" if swaps else "card.restore"), undo, icon="restore"
                )
                if swaps:
                    both = partial(self._do, "restored_both", partial(restore, keep_both=True))
                    widgets.button(words("card.restore_both"), both, icon="join_full")
            ui.space()
            if pending_forget(self._visit, one) is not None:
                widgets.button(words("card.keep_it"), self._keep, icon="undo", look="main")
            else:
                widgets.button(
                    words("card.forget"), self._forget, icon="delete_forever", look="danger"
                )

    async def _do(self, done: str, call: Callable[[], object]) -> None:
        """Make a call, and notify with the card's text `done`."""
        await self._visit.run_slow(call)
        await self._changed(words(f"card.{done}"))

    async def _forget(self) -> None:
        """Begin the ten seconds in which it can be taken back."""
        forget(self._visit, self._details.memory, self._on_change)
        self._dialog.props("no-refocus")  # the bar has the focus now
        self._dialog.close()
        with self._client.content:
            await notify(self._on_change)

    async def _keep(self) -> None:
        held = pending_forget(self._visit, self._details.memory.id)
        if held is not None:
            await held.take_back()
        await self._changed(words("card.kept"))

    async def _changed(self, message: str) -> None:
        """Notify, tell the list behind, and draw the card anew, if it is open."""
        with self._client.content:
            ui.notify(message, type="positive")
            await notify(self._on_change)
        if not self._dialog.is_deleted:
            await self._read(self._details.memory.id)

    async def _read(self, memory_id: str) -> None:
        """Draw this memory as it is now."""
        self._details = await self._visit.run(read_all, self._visit.memory, memory_id)
        self._build()


def _facts(memory: AtomicMemoryRecord) -> Iterator[tuple[str, str]]:
    """Each fact's name among the card's words, and its value."""
    yield "happened", words.moment(memory.timestamp)
    if memory.create_time != memory.timestamp:
        yield "stored", words.moment(memory.create_time)
    if memory.kind is not None:
        yield "kind", card_parts.in_words(memory, "kind")
    yield "source", card_parts.in_words(memory, "source")
    yield "importance", words("card.of_five", number=memory.importance)
    yield "confidence", card_parts.in_words(memory, "confidence")
    if memory.access_count and memory.last_accessed is not None:
        when = words.moment(memory.last_accessed)
        yield "used", words.counted("card.used_times", memory.access_count, when=when)
    else:
        yield "used", words("card.never_used")
    if memory.key is not None:
        text = card_parts.value_text(memory.value)
        yield "key", memory.key if memory.value is None else f"{memory.key} = {text}"
    if memory.tags:
        yield "tags", card_parts.in_words(memory, "tags")
    if memory.valid_from is not None and memory.valid_from != memory.timestamp:
        yield "valid_from", words.moment(memory.valid_from)
    for name in ("valid_to", "document", "id"):
        if getattr(memory, name) is not None:
            yield name, card_parts.in_words(memory, name)


def _seen_by(details: MemoryDetails) -> str:
    """Who else sees the memory, with their roles."""
    visibility = details.memory.visibility
    if visibility == "private":
        return words("card.seen_by_nobody")
    circles = [one for one in details.circles if visibility in (one.kind, "public")]
    roles = {one.user_id: one.role for circle in reversed(circles) for one in circle.members}
    names = words("card.comma").join(
        words("card.person", user=one, role=roles[one]) if one in roles else one
        for one in details.viewers
    )
    if visibility == "public":
        return words("card.seen_by_all_and", names=names) if names else words("card.seen_by_all")
    if not circles:
        return words(f"card.no_{visibility}")
    return words("card.seen_by", names=names) if names else words("card.hidden_from_others")
