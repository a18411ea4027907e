"""What views share: cards, buttons, lists, dialogs, notes, names for screen readers."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Any, Final, Literal, TypeAlias, TypeVar

from nicegui import ui

from chatmem.errors import ChatmemError
from chatmem.interfaces.web.words import complaint_of, missing_of, words
from chatmem.model import Missing

Named = TypeVar("Named", bound=ui.element)
T = TypeVar("T")
Look: TypeAlias = Literal["outline", "flat", "main", "danger"]
_LOOKS: Final[dict[Look, str]] = {
    "outline": "outline",
    "flat": "flat",
    "main": "unelevated",
    "danger": "outline color=negative",
}


def named(element: Named, name: str) -> Named:
    """The element with this name for screen readers.

    `props` cannot be used for it: it reads quotes and backslashes as further properties.
    """
    element.props["aria-label"] = name
    return element


def heading(text: str, level: int = 2, classes: str = "text-lg font-semibold") -> ui.label:
    """A heading of the page's outline."""
    return ui.label(text).classes(classes).props(f"role=heading aria-level={level}")


def section(title: str, icon: str) -> ui.card:
    """A card with a heading, to be filled."""
    card = ui.card().classes("w-full gap-3 p-4")
    with card, ui.row().classes("items-center gap-2 w-full no-wrap"):
        decoration(icon, "sm")
        heading(title)
    return card


def decoration(icon: str, size: str = "xs") -> ui.icon:
    """An icon that screen readers pass over."""
    return ui.icon(icon, size=size).classes("muted").props("aria-hidden=true")


def hint(text: str, classes: str = "") -> ui.label:
    """A small grey line of text."""
    return ui.label(text).classes(f"muted text-sm break-words {classes}")


def one_line(text: str, most: int = 60) -> str:
    """The text in a line of at most so many characters."""
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 1]}…"


@contextmanager
def redrawn(place: ui.element) -> Iterator[None]:
    """Empty the place; the `with` block fills it again."""
    place.clear()
    with place:
        yield


def listed(items: Iterable[T], classes: str, tag: str = "ul", each: str = "w-full") -> Iterator[T]:
    """The items, one by one, each to be drawn inside its entry of a new list."""
    with ui.element(tag).classes(classes):
        for one in items:
            with ui.element("li").classes(each):
                yield one


def facts(pairs: Iterable[tuple[str, str]], classes: str) -> None:
    """Names and their values, as a description list."""
    with ui.element("dl").classes(f"w-full {classes}"):
        for name, value in pairs:
            with ui.element("div"):
                with ui.element("dt"):
                    ui.label(name)
                with ui.element("dd"):
                    ui.label(value).classes("break-words")


@contextmanager
def table(titles: Mapping[str, str], classes: str = "") -> Iterator[None]:
    """A plain table under titles with their classes; the `with` block adds its rows."""
    with ui.element("table").classes(f"plain-table w-full {classes}"):
        with ui.element("thead"), ui.element("tr"):
            for title, look in titles.items():
                with ui.element("th").props("scope=col"):
                    ui.label(title).classes(look)
        with ui.element("tbody"):
            yield


def toggle(options: dict[Any, str], value: object, look: str = "") -> ui.toggle:
    """Buttons of which one is chosen."""
    made = ui.toggle(options, value=value).classes("choice")
    return made.props(f"no-caps unelevated toggle-color=primary {look}")


def button(
    text: str,
    on_click: Callable[..., object] | None = None,
    *,
    icon: str | None = None,
    look: Look = "outline",
    dense: bool = False,
) -> ui.button:
    """A button with a text."""
    made = ui.button(text, icon=icon).props(f"no-caps {_LOOKS[look]} {'dense' if dense else ''}")
    return made.on_click(on_click) if on_click else made


def icon_button(
    icon: str, label: str, on_click: Callable[..., object] | None = None, look: str = ""
) -> ui.button:
    """A round button; the label is its name and its tooltip."""
    made = named(ui.button(icon=icon).props(f"flat round dense {look}"), label).tooltip(label)
    return made.on_click(on_click) if on_click else made


def empty(icon: str, title: str, about: str) -> ui.column:
    """What stands where there is nothing to show."""
    with ui.column().classes("w-full items-center text-center p-8 gap-2") as place:
        decoration(icon, "lg")
        ui.label(title).classes("font-semibold break-words max-w-full")
        if about:
            ui.label(about).classes("muted max-w-prose")
    return place


def note_missing(missing: Missing) -> None:
    """A line that says what could not be used, and why where that is not all of it."""
    complaint = missing_of(missing)
    with ui.row(wrap=False).classes("w-full items-start gap-2 muted text-sm"):
        ui.icon("info", size="xs").classes("mt-0.5").props("aria-hidden=true")
        with ui.column().classes("gap-0 min-w-0"):
            ui.label(complaint.text).classes("break-words")
            if complaint.detail:
                ui.label(complaint.detail).classes("text-xs break-words")


def complain(error: ChatmemError) -> None:
    """What went wrong, where it belongs, and the engine's own sentence below it."""
    complaint = complaint_of(error)
    with ui.column().classes("w-full gap-1").props("role=alert"):
        ui.label(complaint.text).classes("field-error break-words")
        if complaint.detail:
            hint(complaint.detail)


@contextmanager
def question(title: str, classes: str = "max-w-md") -> Iterator[ui.dialog]:
    """A dialog below its title, filled by the `with` block; `answer_of` waits for its answer."""
    dialog = named(ui.dialog(), title).props("role=dialog aria-modal=true")
    with dialog, ui.card().classes(f"w-full gap-3 p-4 {classes}"):
        heading(title, classes="text-lg font-semibold break-words max-w-full")
        yield dialog


def answers(dialog: ui.dialog, *choices: tuple[str, object, Look]) -> list[ui.button]:
    """The buttons at the foot: the name of a text, what is submitted, and the look."""
    with ui.row().classes("w-full justify-end gap-2"):
        return [
            button(words(text), partial(dialog.submit, value), look=look)
            for text, value, look in choices
        ]


async def answer_of(dialog: ui.dialog) -> object:
    """What was chosen, None where the dialog was closed; then the dialog is gone."""
    try:
        return await dialog
    finally:
        if not dialog.is_deleted:  # it is when the window was closed
            dialog.delete()


async def is_sure(title: str, about: str, yes: str) -> bool:
    """True when the person says `yes`, the name of a text, to what the title says."""
    with question(title) as dialog:
        ui.label(about)
        answers(dialog, ("frame.cancel", False, "flat"), (yes, True, "danger"))
    return bool(await answer_of(dialog))
