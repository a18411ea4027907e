"""A search that comes before the vectors of what was just saved."""

import time
from collections.abc import Sequence
from pathlib import Path

from chatmem import MemoryService
from chatmem.providers.ports import Vector, Vectors
from chatmem.testing import FakeEmbedder


class Slow(FakeEmbedder):
    """Takes its time for rows, and none for questions."""

    seconds = 0.0

    def embed(self, texts: Sequence[str]) -> Vectors:
        time.sleep(self.seconds)
        return super().embed(texts)

    def embed_query(self, text: str) -> Vector:
        vector: Vector = super().embed([text])[0]
        return vector


def test_what_was_just_saved_is_found_by_meaning_or_it_is_said(tmp_path: Path) -> None:
    embedder = Slow()
    with MemoryService.open(tmp_path, embedder=embedder) as memory:
        for number in range(5):
            memory.save_conversation_turn(f"拉小提琴 {number}", "好的", f"s{number}")
            found = memory.search_memories("拉小提琴")
            assert found[0].memory.content.startswith("拉小提琴")
            assert all(hit.parts.vector is not None for hit in found)
            assert found.missing == ()
        embedder.seconds = 2.0
        memory.append_memory("Plays the violin")
        began = time.monotonic()
        found = memory.search_memories("violin")
        assert time.monotonic() - began < 1.5
        assert [(one.what, one.code) for one in found.missing] == [("vectors", "waiting")]
        assert "your newest rows" in found.missing[0].why
