"""The form that changes a memory in its card."""

import json
import re
from collections.abc import Awaitable, Callable, Iterable
from typing import Any, Final

from nicegui import ui
from nicegui.elements.mixins.validation_element import ValidationElement

from chatmem.errors import InvalidInputError
from chatmem.interfaces.web.visit import Visit
from chatmem.interfaces.web.widgets import button
from chatmem.interfaces.web.words import complaint_of
from chatmem.model import CATEGORIES, KINDS, AtomicMemoryRecord
from chatmem.model.memory import JsonValue

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
    words = visit.words

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
        asked: dict[str, Any] = {
            "content": content.value or "",
            **{name: one.value for name, one in choices.items()},
            "confidence": _share(confidence.value, memory.confidence),
            "tags": _split(tags.value or ""),
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
            refused.error = str(complaint_of(words, error))
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


def _share(percent: float | None, before: float) -> float:
    """The percentage as a share; the exact one where it was not changed."""
    if percent is None or round(before * 100) == percent:
        return before
    return percent / 100


def _split(text: str) -> tuple[str, ...]:
    parts = (part.strip() for part in _SEPARATOR.split(text))
    return tuple(dict.fromkeys(filter(None, parts)))
