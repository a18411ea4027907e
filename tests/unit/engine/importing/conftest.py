"""Files to import, written for each test."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from chatmem.engine.importing import SourceFile

NOW = datetime(2026, 1, 2, 3, 4, tzinfo=UTC)
SourceOf = Callable[..., SourceFile]


@pytest.fixture
def source_of(tmp_path: Path) -> SourceOf:
    """Writes text, bytes or anything JSON can hold to a file, and opens it for import."""

    def write(content: object, name: str = "chat.json", user_id: str = "mei") -> SourceFile:
        path = tmp_path / name
        if isinstance(content, bytes):
            path.write_bytes(content)
        elif isinstance(content, str):
            path.write_text(content, encoding="utf-8", newline="")
        else:
            path.write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")
        return SourceFile(path, user_id=user_id, now=NOW)

    return write
