"""A folder of memory documents."""

from pathlib import Path

import pytest

from chatmem.storage.documents.folder import DocumentFolder


@pytest.fixture
def folder(tmp_path: Path) -> DocumentFolder:
    folder = DocumentFolder(tmp_path / "memory")
    folder.initialise()
    return folder
