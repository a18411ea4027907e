"""The first visit: nothing is kept yet, so the page says what it is and offers a beginning."""

from nicegui import ui

from chatmem.engine.importing import ImportReport
from chatmem.interfaces.web.layout import address
from chatmem.interfaces.web.views.settings_import import ImportPanel, ProgressBar
from chatmem.interfaces.web.visit import Visit
from chatmem.interfaces.web.waiting import away_for_long
from chatmem.lab.demo import play

_STEPS = (("forum", "talk"), ("auto_awesome", "remember"), ("edit_note", "change"))


def is_empty(visit: Visit) -> bool:
    """True where nothing of this user is kept: no message, no memory. To be called away."""
    stats = visit.memory.stats()
    return stats.messages == 0 and stats.short_term == 0 and stats.long_term == 0


async def welcome(visit: Visit) -> None:
    """Explain the page, and offer a made-up conversation or a file; both lead on from here."""
    words = visit.words
    with ui.card().classes("w-full gap-4 p-4"):
        title = ui.label(words("first_run.title")).classes("text-xl font-semibold")
        title.props("role=heading aria-level=2")
        ui.label(words("first_run.about")).classes("muted")
        with ui.element("ol").classes("first-run-steps w-full"):
            for icon, step in _STEPS:
                with ui.element("li").classes("gap-1 flex flex-col"):
                    ui.icon(icon, size="md", color="primary").props("aria-hidden=true")
                    ui.label(words(f"first_run.{step}")).classes("font-medium")
                    ui.label(words(f"first_run.{step}_about")).classes("muted text-sm")
    with ui.element("div").classes("first-run-ways w-full"):
        with _way(words("first_run.demo"), words("first_run.demo_about")):
            _demo(visit)
        with _way(words("first_run.import"), words("first_run.import_about")):
            ImportPanel(visit, _go_on)
        with _way(words("first_run.connect"), words("first_run.connect_about")):
            chat = ui.button(words("first_run.chat"), icon="chat_bubble").props("outline no-caps")
            chat.on_click(lambda: ui.navigate.to(address("/chat")))
            for command in ("chatmem chat", "chatmem mcp"):
                ui.label(command).classes("font-mono text-sm settings-key px-2 py-1")


def _way(title: str, about: str) -> ui.card:
    card = ui.card().classes("w-full gap-3 p-4")
    with card:
        heading = ui.label(title).classes("text-lg font-semibold")
        heading.props("role=heading aria-level=2")
        ui.label(about).classes("muted text-sm")
    return card


def _demo(visit: Visit) -> None:
    words = visit.words

    async def fill() -> None:
        button.disable()
        progress = bar.begin(words("first_run.playing"))
        try:
            await away_for_long(visit, play, visit.memory, progress.note)
        finally:
            bar.end()
            button.enable()
        ui.navigate.reload()

    button = ui.button(words("first_run.play"), icon="play_arrow", on_click=fill)
    button.props("unelevated no-caps")
    bar = ProgressBar(visit)


async def _go_on(report: ImportReport) -> None:
    """The page again, now with something on it."""
    if report.messages or report.memories:
        ui.navigate.reload()
