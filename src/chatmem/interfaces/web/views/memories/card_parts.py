"""Parts of a memory's card: the form that changes it, and what happened to it.

Of each change is told why, and what it changed. The engine's reasons are English; an unknown one
is shown as it is.
"""

import json
import re
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from typing import Any, Final, Literal, TypeAlias

from nicegui import ui
from nicegui.elements.mixins.text_element import TextElement
from nicegui.elements.mixins.validation_element import ValidationElement

from chatmem.errors import InvalidInputError
from chatmem.interfaces.web.visit import Visit
from chatmem.interfaces.web.widgets import button, decoration, heading, hint, listed
from chatmem.interfaces.web.words import complaint_of, words
from chatmem.model import CATEGORIES, KINDS, Action, AtomicMemoryRecord, HistoryEntry
from chatmem.model.memory import JsonValue
from chatmem.text.languages import UNSPACED_LETTERS

_FIELD: Final = "outlined dense"
_GROWS: Final = "outlined dense hide-bottom-space"
"""What stands below the field pushes others down, however long it is."""
_SEPARATOR: Final = re.compile("[,，、;；\n]")


def edit_form(
    visit: Visit,
    memory: AtomicMemoryRecord,
    on_saved: Callable[[str], Awaitable[None]],
    on_cancel: Callable[[], object],
) -> None:
    """The fields that a person may change, and what happens to them."""

    def choice(name: str, options: Iterable[object]) -> ui.select:
        named = {one: words(f"card.{name}_{one}") for one in options}
        return ui.select(named, label=words(f"card.{name}"), value=getattr(memory, name)).props(
            _FIELD
        )

    def text(name: str, value: str, look: str) -> ui.input:
        field = ui.input(words(f"card.{name}"), value=value).props(look)
        field.props["hint"] = words(f"card.{name}_how")
        return field

    content = ui.textarea(words("card.content"), value=memory.content)
    content.props("outlined autogrow autofocus").classes("w-full")
    with ui.element("div").classes("w-full card-fields"):
        choices = {
            "category": choice("category", CATEGORIES),
            "kind": choice("kind", KINDS),
            "importance": choice("importance", range(1, 6)),
        }
        confidence = ui.number(
            words("card.confidence_percent"), value=round(memory.confidence * 100),
            min=0, max=100, precision=0, suffix="%",
        ).props(_FIELD)  # fmt: skip
    tags = text("tags", words("card.comma").join(memory.tags), _FIELD).classes("w-full")
    with ui.element("div").classes("w-full card-fields card-keyed"):
        key = text("key", memory.key or "", _GROWS)
        value = text("value", value_text(memory.value), _GROWS)
    fields: dict[str, ValidationElement[Any]] = {
        "content": content, "confidence": confidence, "tags": tags, "key": key, "value": value,
    }  # fmt: skip

    async def save() -> None:
        share = memory.confidence  # the exact one, where the percentage was not changed
        if confidence.value is not None and confidence.value != round(share * 100):
            share = confidence.value / 100
        parts = (part.strip() for part in _SEPARATOR.split(tags.value or ""))
        asked: dict[str, Any] = {
            "content": content.value or "",
            **{name: one.value for name, one in choices.items()},
            "confidence": share,
            "tags": tuple(dict.fromkeys(filter(None, parts))),
            "key": (key.value or "").strip() or None,
            "value": read_value(value.value or "", memory.value),
        }
        changes = {name: value for name, value in asked.items() if value != getattr(memory, name)}
        if not changes:
            on_cancel()
            return
        for field in fields.values():
            field.error = None
        try:
            await visit.run_slow(visit.memory.update, memory.id, **changes)
        except InvalidInputError as error:
            refused = fields.get(str(error.facts.get("name")), content)
            refused.error = str(complaint_of(error))
            return
        await on_saved(words("card.saved"))

    content.on("keydown.ctrl.enter", save)
    with ui.row().classes("w-full justify-end gap-2"):
        button(words("frame.cancel"), on_cancel, look="flat")
        button(words("frame.save"), save, icon="check", look="main")


def value_text(value: JsonValue) -> str:
    """A value as it stands in its field: a text as it is, the rest as JSON, nothing as ""."""
    if value is None or isinstance(value, str):
        return value or ""
    return json.dumps(value, ensure_ascii=False)


def read_value(text: str, before: JsonValue) -> JsonValue:
    """What the field says now: of the kind that it was before, where it can be read so."""
    text = text.strip()
    if text == value_text(before).strip():
        return before
    if before is not None and not isinstance(before, str):
        try:
            read: JsonValue = json.loads(text)
        except ValueError:
            return text or None
        return read
    return text or None


Tag: TypeAlias = Literal["span", "del", "ins"]

_ICONS: Final[dict[Action, str]] = {
    "add": "add_circle_outline",
    "edit": "edit",
    "promote": "push_pin",
    "supersede": "update",
    "rotate": "archive",
    "evict": "archive",
    "restore": "restore",
}
_COMPARED: Final = (
    "content", "category", "kind", "memory_type", "visibility", "source", "importance",
    "confidence", "key", "value", "tags", "valid_to", "document",
)  # fmt: skip
_NAMED: Final = frozenset({"category", "kind", "memory_type", "visibility", "source"})
"""Columns whose values have words."""
_PIECES: Final = re.compile(rf"[{UNSPACED_LETTERS}]|[^\W{UNSPACED_LETTERS}]+|\s+|.", re.DOTALL)
_UNDONE: Final = "undone: "
_BETWEEN: Final = re.compile("; (?=extracted from session |asked to remember|settled against )")
_OF_COURSE: Final = frozenset({"edited", "marked as important", "settled against what is near it"})
"""What the name of the change has said already."""
_REASONS: Final = tuple(
    (re.compile(pattern), name)
    for pattern, name in (
        (r"asked to remember", "asked"),
        (r"written into the daily log", "daily"),
        (r"extracted from session .* by rules", "extracted"),
        (r"extracted from session .* by reader", "extracted_by_reader"),
        (r"extracted from session .* by (?P<by>.+)", "extracted_by"),
        (r"said again", "said_again"),
        (r"superseded: near in meaning", "newer"),
        (r"superseded: (?P<what>.+)", "newer_key"),
        (r"conflict: .+", "conflict"),
        (r"maybe about .+", "maybe"),
        (r"said to be out of date", "out_of_date"),
        (r"said before what is known: .+", "older"),
        (r"says the same as .+", "same"),
        (r"MEMORY\.md was full", "full"),
        (r"evicted: more than (?P<count>\d+) memories", "evicted"),
        (r"written in (?P<file>.+)", "written_in"),
        (r"edited in (?P<file>.+)", "edited_in"),
        (r"moved to (?P<file>.+)", "moved_to"),
        (r"\b\w++ was restored", "other_restored"),
    )
)


def card_part(title: str, icon: str) -> ui.column:
    """A part of a memory's card with its heading, to be filled."""
    place = ui.column().classes("w-full gap-2 card-part")
    with place, ui.row(wrap=False).classes("items-center gap-2"):
        decoration(icon)
        heading(title, 3, "font-semibold")
    return place


def show_history(history: Sequence[HistoryEntry]) -> None:
    """The changes, the newest first."""
    with card_part(words("card.history"), "history"):
        if not history:
            hint(words("card.no_history"))
            return
        for entry in listed(reversed(history), "w-full card-history", "ol", each=""):
            with ui.row(wrap=False).classes("items-start gap-2 w-full"):
                decoration(_ICONS[entry.action]).classes("mt-1")
                with ui.column().classes("gap-1 min-w-0 grow"):
                    _entry(entry)


def _entry(entry: HistoryEntry) -> None:
    with ui.row().classes("items-baseline gap-x-2 gap-y-0"):
        ui.label(words(f"card.did_{entry.action}")).classes("font-medium")
        hint(words.moment(entry.at))
    if why := reason_of(entry.reason):
        hint(why)
    if entry.before is None:
        return
    for name in _COMPARED:
        if getattr(entry.before, name) == getattr(entry.after, name):
            continue
        before, after = (in_words(one, name) for one in (entry.before, entry.after))
        if name == "content":
            with ui.element("p").classes("card-difference break-words whitespace-pre-wrap"):
                for tag, text in pieces(before, after):
                    TextElement(tag=tag, text=text)
            continue
        with ui.element("p").classes("text-sm break-words"):
            ui.label(words("card.changed", what=words(f"card.{name}"), before=before, after=after))


def in_words(memory: AtomicMemoryRecord, name: str) -> str:
    """The value of a column as the visitor reads it."""
    value = getattr(memory, name)
    if value is None or value == ():
        return words("card.nothing")
    if name in _NAMED:
        return words(f"card.{name}_{value}")
    if name == "confidence":
        return f"{value:.0%}"
    if name == "tags":
        return words("card.comma").join(value)
    if name == "valid_to":
        return words.moment(value)
    return value_text(value)


def pieces(before: str, after: str) -> Iterator[tuple[Tag, str]]:
    """Both texts as one: what stayed, what went and what came, a word or a character at a time."""
    old, new = _PIECES.findall(before), _PIECES.findall(after)
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    for what, begin, end, new_begin, new_end in matcher.get_opcodes():
        if what == "equal":
            yield "span", "".join(old[begin:end])
            continue
        if end > begin:
            yield "del", "".join(old[begin:end])
        if new_end > new_begin:
            yield "ins", "".join(new[new_begin:new_end])


def reason_of(reason: str) -> str:
    """The reason as the visitor reads it; "" where there is nothing to add."""
    if reason.startswith(_UNDONE):
        rest = reason_of(reason.removeprefix(_UNDONE))
        return words("card.reason_undone", reason=rest) if rest else ""
    parts = [_reason(part) for part in _BETWEEN.split(reason) if part not in _OF_COURSE]
    return words("card.between").join(dict.fromkeys(part for part in parts if part))


def _reason(part: str) -> str:
    for pattern, name in _REASONS:
        if found := pattern.fullmatch(part):
            return words(f"card.reason_{name}", **found.groupdict())
    return part
