"""A memory changed in its place."""

import json
from collections.abc import Awaitable, Callable
from typing import Any, Final

from nicegui import ui
from nicegui.elements.mixins.validation_element import ValidationElement

from chatmem.errors import InvalidInputError
from chatmem.interfaces.web.complaint import complaint_of
from chatmem.interfaces.web.visit import Visit
from chatmem.model import CATEGORIES, KINDS, AtomicMemoryRecord
from chatmem.model.memory import JsonValue

_FIELD: Final = "outlined dense"
_GROWS: Final = "hide-bottom-space"
"""What stands below the field pushes others down, however long it is."""
_SEPARATORS: Final = ("，", "、", ";", "；", "\n")


def edit_form(
    visit: Visit,
    memory: AtomicMemoryRecord,
    on_saved: Callable[[str], Awaitable[None]],
    on_cancel: Callable[[], object],
) -> None:
    """The fields that a person may change, and what happens to them."""
    words = visit.words
    content = ui.textarea(words("card.content"), value=memory.content)
    content.props("outlined autogrow autofocus").classes("w-full")
    with ui.element("div").classes("w-full card-fields"):
        category = ui.select(
            {one: words(f"card.category_{one}") for one in CATEGORIES},
            label=words("card.category"), value=memory.category, clearable=False,
        ).props(_FIELD)  # fmt: skip
        kind = ui.select(
            {one: words(f"card.kind_{one}") for one in KINDS},
            label=words("card.kind"), value=memory.kind,
        ).props(_FIELD)  # fmt: skip
        importance = ui.select(
            {one: words(f"card.importance_{one}") for one in range(1, 6)},
            label=words("card.importance"), value=memory.importance,
        ).props(_FIELD)  # fmt: skip
        confidence = ui.number(
            words("card.confidence_percent"), value=round(memory.confidence * 100),
            min=0, max=100, precision=0, suffix="%",
        ).props(_FIELD)  # fmt: skip
    tags = ui.input(words("card.tags"), value=words("card.comma").join(memory.tags))
    tags.props(f'{_FIELD} hint="{words("card.tags_how")}"').classes("w-full")
    with ui.element("div").classes("w-full card-fields card-keyed"):
        key = ui.input(words("card.key"), value=memory.key or "").props(f"{_FIELD} {_GROWS}")
        key.props["hint"] = words("card.key_how")
        value = ui.input(words("card.value"), value=value_text(memory.value))
        value.props(f"{_FIELD} {_GROWS}")
        value.props["hint"] = words("card.value_how")
    fields: dict[str, ValidationElement[Any]] = {
        "content": content, "confidence": confidence, "tags": tags, "key": key, "value": value,
    }  # fmt: skip

    async def save() -> None:
        asked: dict[str, Any] = {
            "content": content.value or "",
            "category": category.value,
            "kind": kind.value,
            "importance": importance.value,
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
            await visit.away_for_long(visit.memory.update, memory.id, **changes)
        except InvalidInputError as error:
            refused = fields.get(str(error.facts.get("name")), content)
            refused.error = str(complaint_of(words, error))
            return
        await on_saved(words("card.saved"))

    content.on("keydown.ctrl.enter", save)
    with ui.row().classes("w-full justify-end gap-2"):
        ui.button(words("frame.cancel"), on_click=on_cancel).props("flat no-caps")
        ui.button(words("frame.save"), icon="check", on_click=save).props(
            "unelevated no-caps color=primary"
        )


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
    """The share that a person has typed; the exact one where it was left as it is."""
    if percent is None or round(before * 100) == percent:
        return before
    return percent / 100


def _split(text: str) -> tuple[str, ...]:
    for sign in _SEPARATORS:
        text = text.replace(sign, ",")
    return tuple(dict.fromkeys(part.strip() for part in text.split(",") if part.strip()))
