"""What happened to a memory: each change, why, and what it changed."""

from nicegui import ui

from chatmem.interfaces.web.saying import day_and_clock
from chatmem.interfaces.web.views.card_about import Known
from chatmem.interfaces.web.views.card_differences import Difference, differences, marked
from chatmem.interfaces.web.views.card_part import part
from chatmem.interfaces.web.views.card_reasons import reason_of
from chatmem.interfaces.web.visit import Visit
from chatmem.interfaces.web.words import Words
from chatmem.model import Action, HistoryEntry

_ICONS: dict[Action, str] = {
    "add": "add_circle_outline",
    "edit": "edit",
    "promote": "push_pin",
    "supersede": "update",
    "rotate": "archive",
    "evict": "archive",
    "restore": "restore",
}


def show_history(visit: Visit, known: Known) -> None:
    """The changes, the newest first."""
    words = visit.words
    with part(words("card.history"), "history"):
        if not known.history:
            ui.label(words("card.no_history")).classes("muted text-sm")
            return
        with ui.element("ol").classes("w-full card-history"):
            for entry in reversed(known.history):
                with ui.element("li"):
                    _entry(words, entry)


def _entry(words: Words, entry: HistoryEntry) -> None:
    with ui.row(wrap=False).classes("items-start gap-2 w-full"):
        ui.icon(_ICONS[entry.action], size="xs").classes("muted mt-1").props("aria-hidden=true")
        with ui.column().classes("gap-1 min-w-0 grow"):
            with ui.row().classes("items-baseline gap-x-2 gap-y-0"):
                ui.label(words(f"card.did_{entry.action}")).classes("font-medium")
                ui.label(day_and_clock(words, entry.at)).classes("muted text-sm")
            why = reason_of(words, entry.reason)
            if why:
                ui.label(why).classes("muted text-sm break-words")
            if entry.before is not None:
                for difference in differences(words, entry.before, entry.after):
                    _shown(words, difference)


def _shown(words: Words, difference: Difference) -> None:
    if difference.name == "content":
        with ui.element("p").classes("card-difference break-words whitespace-pre-wrap"):
            marked(difference.before, difference.after)
        return
    with ui.element("p").classes("text-sm break-words"):
        ui.label(
            words(
                "card.changed", what=words(f"card.{difference.name}"),
                before=difference.before, after=difference.after,
            )
        )  # fmt: skip
