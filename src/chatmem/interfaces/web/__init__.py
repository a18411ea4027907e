"""The page at `/ui`: a NiceGUI application, mounted on the server.

The library keeps one application in a process, so a process serves one page.
"""

import os
from pathlib import Path
from typing import Final

from fastapi import FastAPI

from chatmem.interfaces.rest.page_sessions import PAGE

_STYLE: Final = Path(__file__).with_name("style.css")
_RECONNECT_SECONDS: Final = 30.0
"""How long a phone may sleep, or a restart take, before unsaved text is lost."""


def mount_page(app: FastAPI) -> None:
    """Serve the page, its assets and its sign-in with this application."""
    # Read when the library is imported: it must not write files of its own.
    os.environ.setdefault("NICEGUI_STORAGE_PATH", os.devnull)
    from nicegui import app as nicegui_app  # noqa: PLC0415 - needs the path above
    from nicegui import ui  # noqa: PLC0415

    from chatmem.interfaces.web import login, pages  # noqa: PLC0415
    from chatmem.interfaces.web.views import settings  # noqa: PLC0415

    app.include_router(login.router)
    app.include_router(settings.router)
    pages.register()
    # A bar above the page for each upload has no name, and the page shows one of its own.
    nicegui_app.config.quasar_config["loadingBar"]["skipHijack"] = True
    ui.add_css(_STYLE.read_text(encoding="utf-8"), shared=True)
    ui.run_with(
        app,
        title="chatmem",
        mount_path=PAGE,
        reconnect_timeout=_RECONNECT_SECONDS,
        gzip_middleware_factory=None,
        show_welcome_message=False,
    )
