"""The page at `/ui`: a NiceGUI application; `pages.mount_page` mounts it on the server."""

import os

# NiceGUI reads it when it is imported: it must not write files of its own.
os.environ.setdefault("NICEGUI_STORAGE_PATH", os.devnull)
