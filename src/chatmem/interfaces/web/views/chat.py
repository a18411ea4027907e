"""Talking to the configured model, with memory; or how to configure one."""

import uuid
from collections.abc import Awaitable, Callable
from typing import Final, TypeAlias

from fastapi import Request
from nicegui import ui

from chatmem.chat.discover import choose_endpoint
from chatmem.chat.pipeline import ChatPipeline
from chatmem.engine.service import MemoryService
from chatmem.errors import ChatmemError
from chatmem.interfaces.web.views.chat_room import ChatRoom
from chatmem.interfaces.web.views.section import section
from chatmem.interfaces.web.visit import Visit
from chatmem.providers.chat_model import ChatEndpoint

_Talk: TypeAlias = Callable[[ChatEndpoint | None, str], Awaitable[None]]
_VARIABLES: Final = """\
CHATMEM_LLM_BASE_URL=http://127.0.0.1:11434/v1
CHATMEM_LLM_MODEL=qwen3:4b
CHATMEM_LLM_API_KEY=..."""
_TABLE: Final = """\
[llm]
base_url = "http://127.0.0.1:11434/v1"
model = "qwen3:4b\""""


async def show(visit: Visit, request: Request) -> None:
    """The conversation, a new one unless an address names it."""
    session_id = request.query_params.get("session") or uuid.uuid4().hex
    place = ui.column().classes("w-full gap-4 grow")

    async def talk(endpoint: ChatEndpoint | None, name: str) -> None:
        place.clear()
        with place:
            room = ChatRoom(visit, ChatPipeline(visit.memory, endpoint), name, session_id)
            await room.show()

    name = await visit.away(_configured, visit.memory)
    if name is not None:
        await talk(None, name)
        return
    with place, section(visit.words("chat.no_model"), "power_off"):
        _how(visit)
        if visit.is_operator:
            _search(visit, talk)


def _configured(memory: MemoryService) -> str | None:
    """The name of the model that the settings name; None where there is none."""
    llm = memory.settings.llm
    return llm.model if llm.base_url is not None else None


def _how(visit: Visit) -> None:
    words = visit.words
    ui.label(words("chat.no_model_how")).classes("max-w-prose")
    for title, text in ((words("chat.variables"), _VARIABLES), (words("chat.table"), _TABLE)):
        ui.label(title).classes("muted text-sm")
        ui.label(text).classes("chat-code whitespace-pre-wrap break-words w-full")
    ui.label(words("chat.then")).classes("muted text-sm")


def _search(visit: Visit, talk: _Talk) -> None:
    words = visit.words
    ui.label(words("chat.local_about")).classes("max-w-prose pt-2")

    async def look() -> None:
        button.props("loading")
        try:
            endpoint = await visit.away(choose_endpoint, None, None)
        except ChatmemError:
            ui.notify(words("chat.none_local"), type="warning", multi_line=True)
            return
        finally:
            button.props(remove="loading")
        await talk(endpoint, endpoint.name)

    button = ui.button(words("chat.look"), icon="travel_explore", on_click=look)
    button.props("unelevated no-caps")
