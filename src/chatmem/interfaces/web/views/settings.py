"""Settings: what memory does and how much, keys, taking things along, and starting afresh."""

from fastapi import Request
from nicegui import ui

from chatmem.interfaces.web.views.section import section
from chatmem.interfaces.web.views.settings_danger import danger_panel
from chatmem.interfaces.web.views.settings_export import export_panel
from chatmem.interfaces.web.views.settings_import import ImportPanel
from chatmem.interfaces.web.views.settings_keys import KeysPanel
from chatmem.interfaces.web.views.settings_list import SettingsList
from chatmem.interfaces.web.visit import Visit


async def show(visit: Visit, request: Request) -> None:
    """The view."""
    words = visit.words
    ui.label(words("settings.about")).classes("muted")
    await SettingsList(visit).load()
    if visit.is_operator:
        with section(words("settings.keys"), "vpn_key"):
            await KeysPanel(visit).load()
    with section(words("settings.export_title"), "download"):
        export_panel(visit)
    with section(words("settings.import_title"), "upload_file"):
        ui.label(words("settings.import_about")).classes("muted text-sm")
        ImportPanel(visit)
    with section(words("settings.danger"), "warning").classes("settings-danger"):
        danger_panel(visit)
