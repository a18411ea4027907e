"""One session: what was said, what it was about, what came of it, and its end."""

from functools import partial
from typing import Final
from urllib.parse import quote

from fastapi import Request
from nicegui import ui

from chatmem.engine.remember.extract import SESSION_END
from chatmem.engine.service import MemoryService
from chatmem.errors import SessionNotFoundError
from chatmem.interfaces.web.views.memories.card import memory_list, open_card
from chatmem.interfaces.web.visit import Visit
from chatmem.interfaces.web.widgets import (
    QuestionDialog,
    button,
    empty,
    heading,
    hint,
    icon_button,
    named,
    section,
)
from chatmem.model import JobReport, Session, WorkingMemory
from chatmem.model.search import MemoryFilter
from chatmem.model.time import utc_now
from chatmem.storage.values import StoredMessage

AT_ONCE: Final = 100
"""Messages that are shown before older ones are asked for."""
MOST_LEARNED: Final = 30
_LONGEST_TITLE: Final = 200
_MOST: Final = 1_000
_ASKS: Final = 60
"""How often is looked for what comes of a session that has ended, a second apart."""
_AT_THE_END: Final = frozenset(("summary", SESSION_END))
_ROLES: Final = frozenset({"user", "assistant", "system", "tool"})


async def show(visit: Visit, request: Request) -> None:
    """The session that the address names, or that there is none."""
    session_id = request.path_params["session_id"]
    ui.link(visit.words("sessions.back"), "/sessions").classes("frame-link text-sm")
    try:
        session = await visit.run(visit.memory.sessions.get, session_id)
    except SessionNotFoundError:
        with ui.card().classes("w-full"):
            empty("search_off", visit.words("sessions.none_of_it"), "")
        return
    await OpenSession(visit, session).show()


class OpenSession:
    """The view of one session."""

    def __init__(self, visit: Visit, session: Session) -> None:
        self._visit = visit
        self._session = session
        self._about = SessionAbout(visit, session.session_id)

    async def show(self) -> None:
        """The head, the transcript, and beside it what the session was about."""
        self._head()
        with ui.element("div").classes("session-columns w-full"):
            with ui.column().classes("w-full min-w-0"):
                await Transcript(self._visit, self._session).show()
            with ui.column().classes("w-full gap-4 min-w-0"):
                await self._about.show()

    @ui.refreshable_method
    def _head(self) -> None:
        words, session = self._visit.words, self._session
        with ui.row().classes("w-full items-start gap-3"):
            with ui.column().classes("gap-1 grow min-w-0 basis-80"):
                title = session.title or words("sessions.untitled")
                heading(title, classes="text-xl font-semibold break-words max-w-full")
                state = words("sessions.running")
                if session.ended_at is not None:
                    state = words("sessions.ended", when=words.moment(session.ended_at))
                messages = words.counted("sessions.messages", session.message_count)
                begun = words("sessions.begun", when=words.moment(session.created_at))
                hint(f"{messages} · {begun} · {state}")
                query = f"?session={quote(session.session_id, safe='')}"
                with ui.row().classes("gap-x-4 gap-y-1 text-sm"):
                    ui.link(words("sessions.go_on"), f"/chat{query}").classes("frame-link")
                    ui.link(words("sessions.to_prompt"), f"/prompt{query}").classes("frame-link")
            with ui.row().classes("gap-2"):
                button(words("sessions.rename"), self._rename, icon="edit")
                if session.ended_at is None:
                    button(words("sessions.end"), self._end, icon="stop_circle")
                button(words("sessions.delete"), self._delete, icon="delete", look="danger")

    async def _again(self) -> None:
        """Draw the head anew; the button that was pressed goes with it, so this comes last."""
        sessions = self._visit.memory.sessions
        self._session = await self._visit.run(sessions.get, self._session.session_id)
        self._head.refresh()

    async def _rename(self) -> None:
        words, sessions = self._visit.words, self._visit.memory.sessions
        with QuestionDialog(words, words("sessions.rename")) as dialog:
            field = ui.input(words("sessions.title"), value=self._session.title or "")
            field.props(f"outlined autofocus maxlength={_LONGEST_TITLE}").classes("w-full")
            field.on("keydown.enter", lambda: dialog.submit(field.value))
            hint(words("sessions.title_how"))
            dialog.answers(
                ("frame.cancel", None, "flat"), ("frame.save", lambda: field.value, "main")
            )
        title = await dialog.answer()
        if not isinstance(title, str):
            return
        session_id = self._session.session_id
        await self._visit.run_slow(sessions.rename, session_id, title.strip() or None)
        ui.notify(words("sessions.renamed"), type="positive")
        await self._again()

    async def _end(self) -> None:
        await self._visit.run_slow(self._visit.memory.sessions.end, self._session.session_id)
        ui.notify(self._visit.words("sessions.was_ended"), type="positive")
        self._about.expect_summary()
        await self._again()

    async def _delete(self) -> None:
        visit, words, session = self._visit, self._visit.words, self._session
        learned = MemoryFilter(session_id=session.session_id, memory_type="long_term", state="all")
        found = await visit.run(visit.memory.browse, learned, limit=0)
        with QuestionDialog(words, words("sessions.delete_title")) as dialog:
            title = session.title or words("sessions.untitled")
            ui.label(title).classes("font-semibold break-words max-w-full")
            with ui.element("ul").classes("list-disc pl-5"):
                for text in (
                    words.counted("sessions.messages", session.message_count),
                    words.counted("sessions.memories", found.total),
                    words("sessions.delete_rest"),
                ):
                    with ui.element("li"):
                        ui.label(text)
            hint(words("sessions.for_good"))
            cancel, _ = dialog.answers(
                ("frame.cancel", None, "flat"), ("sessions.delete_yes", True, "danger")
            )
            cancel.props("autofocus")
        if await dialog.answer():
            gone = await visit.run_slow(visit.memory.sessions.delete, session.session_id)
            ui.navigate.to(f"/sessions?deleted={gone}")


class Transcript:
    """The messages of one session: the newest first loaded, older ones as they are asked for."""

    def __init__(self, visit: Visit, session: Session) -> None:
        self._visit = visit
        self._session = session
        self._shown = AT_ONCE

    async def show(self) -> None:
        """The messages in a card."""
        with section(self._visit.words("sessions.transcript"), "forum"):
            await self._messages()

    @ui.refreshable_method
    async def _messages(self) -> None:
        words, visit = self._visit.words, self._visit
        found = await visit.run(
            visit.memory.sessions.messages, self._session.session_id, self._shown
        )
        if not found:
            ui.label(words("sessions.nothing_said")).classes("muted")
            return
        earlier = self._session.message_count - len(found)
        if earlier > 0 and self._shown < _MOST:
            more = words.counted("sessions.earlier", earlier)
            button(more, self._show_more, icon="expand_less", look="flat")
        before = ""
        with ui.element("ol").classes("w-full flex flex-col gap-3 session-messages"):
            for one in found:
                today = words.day(one.create_time)
                with ui.element("li").classes("w-full"):
                    if today != before:
                        hint(today, "session-day")
                        before = today
                    self._message(one)

    async def _show_more(self) -> None:
        self._shown = min(_MOST, self._shown * 4)
        self._messages.refresh()

    def _message(self, message: StoredMessage) -> None:
        words = self._visit.words
        role = message.role if message.role in _ROLES else "system"
        with ui.element("div").classes(f"session-message session-{role}"):
            with ui.row(wrap=False).classes("w-full items-center gap-2"):
                who = message.speaker or words(f"sessions.role_{role}")
                ui.label(who).classes("font-semibold text-sm break-words")
                hint(words.clock(message.create_time))
                ui.space()
                if message.memory_id:
                    opens = partial(self._open, message.memory_id)
                    icon_button("psychology", words("sessions.open_memory"), opens, "size=sm")
                _star(self._visit, message)
            ui.label(message.content).classes("break-words whitespace-pre-wrap w-full")

    async def _open(self, memory_id: str) -> None:
        await open_card(self._visit, memory_id, self._messages.refresh)


def _star(visit: Visit, message: StoredMessage) -> None:
    """The button that collects a message, and lets it go."""
    words, collect = visit.words, visit.memory.sessions.collect
    is_on = message.is_collected

    def draw() -> None:
        label = words("sessions.let_go" if is_on else "sessions.collect")
        named(star, label).props(f"aria-pressed={'true' if is_on else 'false'}")
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


class SessionAbout:
    """The cards beside the transcript: summary, what was learned, working memory."""

    def __init__(self, visit: Visit, session_id: str) -> None:
        self._visit = visit
        self._session_id = session_id
        self._is_waiting = False
        self._asked = 0

    async def show(self) -> None:
        """All of them."""
        await self._summary()
        await self._learned()
        await self._working()
        self._timer = ui.timer(1.0, self._look, active=False)

    def expect_summary(self) -> None:
        """The session was ended: its summary and its memories are on their way."""
        self._is_waiting, self._asked = True, 0
        self._summary.refresh()
        self._timer.activate()

    async def _look(self) -> None:
        self._asked += 1
        busy = await self._visit.run(_is_busy, self._visit.memory, self._session_id)
        if not busy or self._asked >= _ASKS:
            self._is_waiting = False
            self._timer.deactivate()
            self._summary.refresh()
            self._learned.refresh()

    @ui.refreshable_method
    async def _summary(self) -> None:
        words, visit = self._visit.words, self._visit
        found = await visit.run(visit.memory.sessions.summary, self._session_id)
        with section(words("sessions.summary"), "notes"):
            if self._is_waiting or found is None:
                name = "summary_coming" if self._is_waiting else "no_summary"
                ui.label(words(f"sessions.{name}")).classes("muted")
                return
            ui.label(found.title).classes("font-semibold break-words max-w-full")
            ui.label(found.snippet).classes("break-words whitespace-pre-wrap max-w-full")
            by = words("sessions.by_rules")
            if found.made_by != "rules":
                by = words("sessions.by_model", model=found.made_by)
            hint(f"{by} · {words.moment(found.updated_at)}", "max-w-full")

    @ui.refreshable_method
    async def _learned(self) -> None:
        words, visit = self._visit.words, self._visit
        wanted = MemoryFilter(session_id=self._session_id, memory_type="long_term")
        found = await visit.run(visit.memory.browse, wanted, limit=MOST_LEARNED)
        with section(words("sessions.learned"), "psychology"):
            if not found.items:
                ui.label(words("sessions.nothing_learned")).classes("muted")
                return
            memory_list(visit, found.items, self._learned.refresh)
            if found.total > len(found.items):
                left = found.total - len(found.items)
                hint(words.counted("sessions.more_learned", left))

    @ui.refreshable_method
    async def _working(self) -> None:
        words, visit = self._visit.words, self._visit
        found = await visit.run(visit.memory.sessions.working_memory, self._session_id)
        settings = await visit.run(lambda: visit.memory.settings)
        with section(words("sessions.working"), "bolt"):
            if found is None:
                minutes = f"{settings.memory.working_memory_minutes:g}"
                ui.label(words("sessions.no_working", minutes=minutes)).classes("muted")
                return
            with ui.element("dl").classes("session-facts w-full"):
                for name, value in self._facts(found):
                    with ui.element("dt").classes("muted text-sm"):
                        ui.label(name)
                    with ui.element("dd").classes("break-words min-w-0"):
                        ui.label(value).classes("break-words")

    def _facts(self, working: WorkingMemory) -> list[tuple[str, str]]:
        words = self._visit.words
        facts = [
            (words("sessions.topic"), working.current_topic or words("sessions.no_topic")),
            (words("sessions.turns"), f"{working.turn_count:,}"),
        ]
        if working.last_emotion:
            facts.append((words("sessions.mood"), words(f"sessions.mood_{working.last_emotion}")))
        facts += [
            (words.get(f"sessions.variable_{name}", name), str(value))
            for name, value in working.context_variables.items()
        ]
        facts.append((words("sessions.active"), words.moment(working.updated_at)))
        return facts


def _is_busy(memory: MemoryService, session_id: str) -> bool:
    """True while something is still to be made of the session."""
    return any(
        one.session_id == session_id and one.kind in _AT_THE_END and _is_at_hand(one)
        for one in memory.jobs.list()
    )


def _is_at_hand(job: JobReport) -> bool:
    """False for one that was given up, or is tried again only later."""
    return job.state == "running" or (job.state == "waiting" and job.due_at <= utc_now())
