"""One session: what was said, what it was about, what came from it, and its end."""

from typing import Final
from urllib.parse import quote

from nicegui import ui

from chatmem.interfaces.web.layout import address
from chatmem.interfaces.web.saying import counted, day_and_clock
from chatmem.interfaces.web.views.question import answer_to, question
from chatmem.interfaces.web.views.session_about import SessionAbout
from chatmem.interfaces.web.views.session_transcript import Transcript
from chatmem.interfaces.web.visit import Visit
from chatmem.model import Session
from chatmem.model.filter import MemoryFilter

_LONGEST_TITLE: Final = 200


class OpenSession:
    """The view of one session."""

    def __init__(self, visit: Visit, session: Session) -> None:
        self._visit = visit
        self._session = session
        self._about = SessionAbout(visit, session.session_id)

    async def show(self) -> None:
        """All of it."""
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
                title = ui.label(session.title or words("sessions.untitled"))
                title.props("role=heading aria-level=2").classes(
                    "text-xl font-semibold break-words max-w-full"
                )
                told = [
                    counted(words, "sessions.messages", session.message_count),
                    words("sessions.begun", when=day_and_clock(words, session.created_at)),
                    words("sessions.running")
                    if session.ended_at is None
                    else words("sessions.ended", when=day_and_clock(words, session.ended_at)),
                ]
                ui.label(" · ".join(told)).classes("muted text-sm")
                named = f"?session={quote(session.session_id, safe='')}"
                with ui.row().classes("gap-x-4 gap-y-1 text-sm"):
                    ui.link(words("sessions.go_on"), address(f"/chat{named}")).classes("frame-link")
                    ui.link(words("sessions.to_prompt"), address(f"/prompt{named}")).classes(
                        "frame-link"
                    )
            with ui.row().classes("gap-2"):
                ui.button(words("sessions.rename"), icon="edit", on_click=self._rename).props(
                    "outline no-caps"
                )
                if session.ended_at is None:
                    ui.button(words("sessions.end"), icon="stop_circle", on_click=self._end).props(
                        "outline no-caps"
                    )
                ui.button(words("sessions.delete"), icon="delete", on_click=self._delete).props(
                    "outline no-caps color=negative"
                )

    async def _again(self) -> None:
        """Draw the head anew; the button that was pressed goes with it, so this comes last."""
        sessions = self._visit.memory.sessions
        self._session = await self._visit.away(sessions.get, self._session.session_id)
        self._head.refresh()

    async def _rename(self) -> None:
        words, sessions = self._visit.words, self._visit.memory.sessions
        with question(words("sessions.rename")) as dialog:
            field = ui.input(words("sessions.title"), value=self._session.title or "").props(
                f"outlined autofocus maxlength={_LONGEST_TITLE}"
            )
            field.classes("w-full").on("keydown.enter", lambda: dialog.submit(field.value))
            ui.label(words("sessions.title_how")).classes("muted text-sm")
            with ui.row().classes("w-full justify-end gap-2"):
                ui.button(words("frame.cancel"), on_click=dialog.close).props("flat no-caps")
                ui.button(words("frame.save"), on_click=lambda: dialog.submit(field.value)).props(
                    "unelevated no-caps"
                )
        chosen = await answer_to(dialog)
        if not isinstance(chosen, str):
            return
        title = chosen.strip() or None
        await self._visit.away_for_long(sessions.rename, self._session.session_id, title)
        ui.notify(words("sessions.renamed"), type="positive")
        await self._again()

    async def _end(self) -> None:
        await self._visit.away_for_long(self._visit.memory.sessions.end, self._session.session_id)
        ui.notify(self._visit.words("sessions.was_ended"), type="positive")
        self._about.expect_summary()
        await self._again()

    async def _delete(self) -> None:
        visit, words, session = self._visit, self._visit.words, self._session
        learned = MemoryFilter(session_id=session.session_id, memory_type="long_term", state="all")
        found = await visit.away(visit.memory.browse, learned, limit=0)
        with question(words("sessions.delete_title")) as dialog:
            ui.label(session.title or words("sessions.untitled")).classes(
                "font-semibold break-words max-w-full"
            )
            with ui.element("ul").classes("list-disc pl-5"):
                for text in (
                    counted(words, "sessions.messages", session.message_count),
                    counted(words, "sessions.memories", found.total),
                    words("sessions.delete_rest"),
                ):
                    with ui.element("li"):
                        ui.label(text)
            ui.label(words("sessions.for_good")).classes("muted text-sm")
            with ui.row().classes("w-full justify-end gap-2"):
                ui.button(words("frame.cancel"), on_click=dialog.close).props(
                    "flat no-caps autofocus"
                )
                ui.button(words("sessions.delete_yes"), on_click=lambda: dialog.submit(True)).props(
                    "outline no-caps color=negative"
                )
        sure = await answer_to(dialog)
        if sure:
            gone = await visit.away_for_long(visit.memory.sessions.delete, session.session_id)
            ui.navigate.to(address(f"/sessions?deleted={gone}"))
