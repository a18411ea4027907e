"""All sessions, the one that was active last first, and the messages that were collected.

And each one: what was said, what it was about, what came of it, and its end.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Final
from urllib.parse import quote

from fastapi import Request
from nicegui import ui

from chatmem.engine.remember.extract import SESSION_END
from chatmem.engine.service import MemoryService
from chatmem.errors import SessionNotFoundError
from chatmem.interfaces.web import widgets
from chatmem.interfaces.web.views.memories.card import memory_list, open_card
from chatmem.interfaces.web.visit import Visit, session_address
from chatmem.interfaces.web.words import words
from chatmem.model import Session, WorkingMemory
from chatmem.model.search import MemoryFilter
from chatmem.model.time import utc_now
from chatmem.storage.values import StoredMessage

PER_PAGE: Final = 20
_LONGEST_BEGINNING: Final = 80
_ALL: Final = "all"
_COLLECTED: Final = "collected"
_LIST: Final = "w-full flex flex-col gap-2 sessions-list"
AT_ONCE: Final = 100
"""Messages that are shown before older ones are asked for."""
MOST_LEARNED: Final = 30
_LONGEST_TITLE: Final = 200
_MOST: Final = 1_000
_MOST_LOOKS: Final = 60
"""How often is looked for what comes of a session that has ended, a second apart."""
_AT_THE_END: Final = frozenset(("summary", SESSION_END))


async def show_list(visit: Visit, request: Request) -> None:
    """The list."""
    if (deleted := _number(request.query_params.get("deleted"))) is not None:
        ui.notify(words.counted("sessions.deleted", deleted), type="positive")
    with ui.tabs().props("dense no-caps align=left inline-label").classes("w-full") as tabs:
        ui.tab(_ALL, label=words("sessions.all"), icon="forum")
        ui.tab(_COLLECTED, label=words("sessions.collected"), icon="star")
    lists = _Lists(visit)
    tabs.set_value(_ALL)
    tabs.on_value_change(lambda: lists.sessions() if tabs.value == _ALL else lists.collected())
    await lists.sessions(_number(request.query_params.get("page")) or 1)


class _Lists:
    """One page at a time of sessions, or of collected messages."""

    def __init__(self, visit: Visit) -> None:
        self._visit = visit
        self._place = ui.column().classes("w-full gap-3")

    async def sessions(self, page: int = 1) -> None:
        """Show this page of the sessions; the first where there is none."""
        found = await self._visit.run(
            self._visit.memory.sessions.list, PER_PAGE, (page - 1) * PER_PAGE
        )
        if page > 1 and not found.items:
            await self.sessions()
            return
        begun = await self._visit.run(_beginnings, self._visit.memory, found.items)
        with widgets.redrawn(self._place):
            if not found.total:
                with ui.card().classes("w-full"):
                    widgets.empty("forum", words("sessions.empty"), words("sessions.empty_how"))
                return
            widgets.hint(words.counted("sessions.count", found.total))
            for one in widgets.listed(found.items, _LIST, each=""):
                _entry(one, begun.get(one.session_id))
            pages = -(-found.total // PER_PAGE)
            if pages > 1:
                turner = ui.pagination(1, pages, direction_links=True, value=page)
                turner.props(f'max-pages=6 boundary-numbers aria-label="{words("sessions.pages")}"')
                turner.on_value_change(lambda event: self.sessions(int(event.value)))

    async def collected(self, page: int = 1) -> None:
        """Show this page of the collected messages."""
        # One more than fits says whether there is another page.
        some = await self._visit.run(
            self._visit.memory.sessions.collected, PER_PAGE + 1, (page - 1) * PER_PAGE
        )
        with widgets.redrawn(self._place):
            if not some and page == 1:
                how = words("sessions.none_collected_how")
                with ui.card().classes("w-full"):
                    widgets.empty("star_outline", words("sessions.none_collected"), how)
                return
            for one in widgets.listed(some[:PER_PAGE], _LIST, each=""):
                with ui.card().classes("w-full p-4 gap-1"):
                    ui.label(one.content).classes("w-full break-words whitespace-pre-wrap")
                    with ui.row().classes("items-center gap-2 text-sm muted"):
                        ui.label(words.moment(one.create_time))
                        address = session_address(one.session_id)
                        ui.link(words("sessions.to_session"), address).classes("frame-link")
            with ui.row().classes("gap-2"):
                if page > 1:
                    widgets.button(words("sessions.newer"), lambda: self.collected(page - 1))
                if len(some) > PER_PAGE:
                    widgets.button(words("sessions.older"), lambda: self.collected(page + 1))


def _beginnings(memory: MemoryService, sessions: Iterable[Session]) -> Mapping[str, str]:
    """The last message of sessions without a title, by session."""
    begun = {}
    for one in sessions:
        if one.title is None and one.message_count:
            messages = memory.sessions.messages(one.session_id, 2)
            begun[one.session_id] = widgets.one_line(messages[0].content, _LONGEST_BEGINNING)
    return begun


def _entry(session: Session, begun: str | None) -> None:
    with ui.card().classes("w-full p-4 gap-1 sessions-entry"):
        with ui.row(wrap=False).classes("w-full items-start gap-2"):
            title = session.title or begun or words("sessions.untitled")
            link = ui.link(title, session_address(session.session_id))
            link.classes("sessions-link font-semibold break-words min-w-0 grow")
            if session.ended_at is None:
                ui.label(words("sessions.running")).classes("sessions-running")
        if session.snippet:
            ui.label(session.snippet).classes("muted w-full break-words line-clamp-2")
        messages = words.counted("sessions.messages", session.message_count)
        widgets.hint(f"{messages} · {words.moment(session.updated_at)}")


def _number(text: str | None) -> int | None:
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 7 else None


async def show_one(visit: Visit, request: Request) -> None:
    """The session that the address names, or that there is none."""
    session_id = request.path_params["session_id"]
    ui.link(words("sessions.back"), "/sessions").classes("frame-link text-sm")
    try:
        session = await visit.run(visit.memory.sessions.get, session_id)
    except SessionNotFoundError:
        with ui.card().classes("w-full"):
            widgets.empty("search_off", words("sessions.none_of_it"), "")
        return
    await _SessionView(visit, session).show()


class _SessionView:
    """A session: its head, its messages (`_loaded` of them), and cards of what came of it."""

    def __init__(self, visit: Visit, session: Session) -> None:
        self._visit = visit
        self._session = session
        self._id = session.session_id
        self._loaded = AT_ONCE
        self._is_waiting = False
        self._looks = 0

    async def show(self) -> None:
        """The head, the transcript, and beside it what the session was about."""
        self._head()
        with ui.element("div").classes("session-columns w-full"):
            transcript = words("sessions.transcript")
            with ui.column().classes("w-full min-w-0"), widgets.section(transcript, "forum"):
                await self._messages()
            with ui.column().classes("w-full gap-4 min-w-0"):
                await self._summary()
                await self._learned()
                await self._working()
                self._timer = ui.timer(1.0, self._look, active=False)

    @ui.refreshable_method
    def _head(self) -> None:
        session = self._session
        with ui.row().classes("w-full items-start gap-3"):
            with ui.column().classes("gap-1 grow min-w-0 basis-80"):
                title = session.title or words("sessions.untitled")
                widgets.heading(title, classes="text-xl font-semibold break-words max-w-full")
                state = words("sessions.running")
                if session.ended_at is not None:
                    state = words("sessions.ended", when=words.moment(session.ended_at))
                messages = words.counted("sessions.messages", session.message_count)
                begun = words("sessions.begun", when=words.moment(session.created_at))
                widgets.hint(f"{messages} · {begun} · {state}")
                query = f"?session={quote(self._id, safe='')}"
                with ui.row().classes("gap-x-4 gap-y-1 text-sm"):
                    ui.link(words("sessions.go_on"), f"/chat{query}").classes("frame-link")
                    ui.link(words("sessions.to_prompt"), f"/prompt{query}").classes("frame-link")
            with ui.row().classes("gap-2"):
                widgets.button(words("sessions.rename"), self._rename, icon="edit")
                if session.ended_at is None:
                    widgets.button(words("sessions.end"), self._end, icon="stop_circle")
                widgets.button(words("sessions.delete"), self._delete, icon="delete", look="danger")

    async def _again(self) -> None:
        """Draw the head anew. It removes the button that was pressed: call it last."""
        self._session = await self._visit.run(self._visit.memory.sessions.get, self._id)
        self._head.refresh()

    async def _rename(self) -> None:
        sessions = self._visit.memory.sessions
        with widgets.question(words("sessions.rename")) as dialog:
            field = ui.input(words("sessions.title"), value=self._session.title or "")
            field.props(f"outlined autofocus maxlength={_LONGEST_TITLE}").classes("w-full")
            field.on("keydown.enter", lambda: dialog.submit(True))
            widgets.hint(words("sessions.title_how"))
            widgets.answers(dialog, ("frame.cancel", False, "flat"), ("frame.save", True, "main"))
        if not await widgets.answer_of(dialog):
            return
        rename = partial(sessions.rename, self._id, str(field.value or "").strip() or None)
        await self._visit.carry_out(rename, "sessions.renamed")
        await self._again()

    async def _end(self) -> None:
        end = partial(self._visit.memory.sessions.end, self._id)
        await self._visit.carry_out(end, "sessions.was_ended")
        self._is_waiting, self._looks = True, 0
        self._summary.refresh()
        self._timer.activate()
        await self._again()

    async def _delete(self) -> None:
        visit, session = self._visit, self._session
        learned = MemoryFilter(session_id=self._id, memory_type="long_term", state="all")
        found = await visit.run(visit.memory.browse, learned, limit=0)
        with widgets.question(words("sessions.delete_title")) as dialog:
            title = session.title or words("sessions.untitled")
            ui.label(title).classes("font-semibold break-words max-w-full")
            lost = (
                words.counted("sessions.messages", session.message_count),
                words.counted("sessions.memories", found.total),
                words("sessions.delete_rest"),
            )
            for text in widgets.listed(lost, "list-disc pl-5", each=""):
                ui.label(text)
            widgets.hint(words("sessions.for_good"))
            cancel, _ = widgets.answers(
                dialog, ("frame.cancel", None, "flat"), ("sessions.delete_yes", True, "danger")
            )
            cancel.props("autofocus")
        if await widgets.answer_of(dialog):
            gone = await visit.run_slow(visit.memory.sessions.delete, self._id)
            ui.navigate.to(f"/sessions?deleted={gone}")

    @ui.refreshable_method
    async def _messages(self) -> None:
        """The newest messages; older ones on request."""
        found = await self._visit.run(self._visit.memory.sessions.messages, self._id, self._loaded)
        if not found:
            ui.label(words("sessions.nothing_said")).classes("muted")
            return
        earlier = self._session.message_count - len(found)
        if earlier > 0 and self._loaded < _MOST:
            more = words.counted("sessions.earlier", earlier)
            widgets.button(more, self._load_more, icon="expand_less", look="flat")
        before = ""
        for one in widgets.listed(found, "w-full flex flex-col gap-3 session-messages", "ol"):
            if (day := words.day(one.create_time)) != before:
                widgets.hint(day, "session-day")
                before = day
            self._message(one)

    async def _load_more(self) -> None:
        self._loaded = min(_MOST, self._loaded * 4)
        self._messages.refresh()

    def _message(self, message: StoredMessage) -> None:
        role = words.get(f"sessions.role_{message.role}", words("sessions.role_system"))
        with ui.element("div").classes(f"session-message session-{message.role}"):
            with ui.row(wrap=False).classes("w-full items-center gap-2"):
                ui.label(message.speaker or role).classes("font-semibold text-sm break-words")
                widgets.hint(words.clock(message.create_time))
                ui.space()
                if message.memory_id:
                    refresh = self._messages.refresh
                    opens = partial(open_card, self._visit, message.memory_id, refresh)
                    widgets.icon_button(
                        "psychology", words("sessions.open_memory"), opens, "size=sm"
                    )
                _star(self._visit, message)
            ui.label(message.content).classes("break-words whitespace-pre-wrap w-full")

    async def _look(self) -> None:
        """Draw summary and memories once no background work on the session is due any more."""
        self._looks += 1
        jobs = await self._visit.run(self._visit.memory.jobs.list)
        due = [
            one.state == "running" or (one.state == "waiting" and one.due_at <= utc_now())
            for one in jobs
            if one.session_id == self._id and one.kind in _AT_THE_END
        ]
        if not any(due) or self._looks >= _MOST_LOOKS:
            self._is_waiting = False
            self._timer.deactivate()
            self._summary.refresh()
            self._learned.refresh()

    @ui.refreshable_method
    async def _summary(self) -> None:
        found = await self._visit.run(self._visit.memory.sessions.summary, self._id)
        with widgets.section(words("sessions.summary"), "notes"):
            if self._is_waiting or found is None:
                name = "summary_coming" if self._is_waiting else "no_summary"
                ui.label(words(f"sessions.{name}")).classes("muted")
                return
            ui.label(found.title).classes("font-semibold break-words max-w-full")
            ui.label(found.snippet).classes("break-words whitespace-pre-wrap max-w-full")
            by = words("sessions.by_rules")
            if found.made_by != "rules":
                by = words("sessions.by_model", model=found.made_by)
            widgets.hint(f"{by} · {words.moment(found.updated_at)}", "max-w-full")

    @ui.refreshable_method
    async def _learned(self) -> None:
        wanted = MemoryFilter(session_id=self._id, memory_type="long_term")
        found = await self._visit.run(self._visit.memory.browse, wanted, limit=MOST_LEARNED)
        with widgets.section(words("sessions.learned"), "psychology"):
            if not found.items:
                ui.label(words("sessions.nothing_learned")).classes("muted")
                return
            memory_list(self._visit, found.items, self._learned.refresh)
            if found.total > len(found.items):
                left = found.total - len(found.items)
                widgets.hint(words.counted("sessions.more_learned", left))

    @ui.refreshable_method
    async def _working(self) -> None:
        found = await self._visit.run(self._visit.memory.sessions.working_memory, self._id)
        settings = await self._visit.run(lambda: self._visit.memory.settings)
        with widgets.section(words("sessions.working"), "bolt"):
            if found is None:
                minutes = f"{settings.memory.working_memory_minutes:g}"
                ui.label(words("sessions.no_working", minutes=minutes)).classes("muted")
                return
            widgets.facts(_working_facts(found), "session-facts")


def _star(visit: Visit, message: StoredMessage) -> None:
    """The button that collects a message, or lets it go."""
    collect = visit.memory.sessions.collect
    is_on = message.is_collected

    def draw() -> None:
        label = words("sessions.let_go" if is_on else "sessions.collect")
        widgets.named(star, label).props(f"aria-pressed={'true' if is_on else 'false'}")
        star.set_icon("star" if is_on else "star_outline")
        tooltip.set_text(label)

    async def turn() -> None:
        nonlocal is_on
        await visit.run_slow(collect, message.session_id, message.id, not is_on)
        is_on = not is_on
        draw()
        ui.notify(words("sessions.was_collected" if is_on else "sessions.was_let_go"))

    with ui.button(on_click=turn).props("flat round dense size=sm") as star:
        tooltip = ui.tooltip()
    draw()


def _working_facts(working: WorkingMemory) -> Iterator[tuple[str, str]]:
    yield words("sessions.topic"), working.current_topic or words("sessions.no_topic")
    yield words("sessions.turns"), f"{working.turn_count:,}"
    if working.last_emotion:
        yield words("sessions.mood"), words(f"sessions.mood_{working.last_emotion}")
    for name, value in working.context_variables.items():
        yield words.get(f"sessions.variable_{name}", name), str(value)
    yield words("sessions.active"), words.moment(working.updated_at)
