"""Taking everything along: one file, made while it is sent."""

from typing import Final

from fastapi import APIRouter, Request
from fastapi.responses import StreamingResponse
from nicegui import ui

from chatmem.interfaces.rest.page_sessions import PAGE
from chatmem.interfaces.rest.routers import operation
from chatmem.interfaces.web.visit import Visit

EXPORT: Final = f"{PAGE}/export"
router = APIRouter(include_in_schema=False)


@router.get(EXPORT)
def export(request: Request) -> StreamingResponse:
    """Everything of the user whose page this is, as the REST interface exports it."""
    return operation.export(request.state.memory)


def export_panel(visit: Visit) -> None:
    """What is in the file, and the way to it."""
    words = visit.words
    ui.label(words("settings.export_about")).classes("muted text-sm")
    button = ui.button(words("settings.export"), icon="download").props("outline no-caps")
    button.props(f'tag=a href="{EXPORT}" download="chatmem.jsonl"')
