"""Conversations and memories from other programs' files."""

from chatmem.engine.importing.memories import as_json
from chatmem.engine.importing.run import (
    FORMATS,
    ImportReport,
    detect_format,
    import_file,
    read_items,
)
from chatmem.engine.importing.source_file import Format, ImportedMemory, Note, SourceFile

__all__ = [
    "FORMATS",
    "Format",
    "ImportReport",
    "ImportedMemory",
    "Note",
    "SourceFile",
    "as_json",
    "detect_format",
    "import_file",
    "read_items",
]
