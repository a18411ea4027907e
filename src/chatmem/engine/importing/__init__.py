"""Conversations and memories from other programs' files. One module per format."""

from chatmem.engine.importing.detect import detect_format
from chatmem.engine.importing.items import Format, ImportedMemory
from chatmem.engine.importing.records import as_json
from chatmem.engine.importing.run import FORMATS, ImportReport, import_file
from chatmem.engine.importing.source_file import SourceFile

__all__ = [
    "FORMATS",
    "Format",
    "ImportReport",
    "ImportedMemory",
    "SourceFile",
    "as_json",
    "detect_format",
    "import_file",
]
