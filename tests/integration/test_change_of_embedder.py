"""Another embedder: the old index serves words until the new one has taken its place."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from chatmem import MemoryService
from chatmem.testing import FakeEmbedder


class Rotated(FakeEmbedder):
    """The same embedder in another space."""

    def embed(self, texts: Sequence[str]) -> Any:  # noqa: ANN401
        return np.roll(super().embed(texts), 7, axis=1)

    def embed_query(self, text: str) -> Any:  # noqa: ANN401
        return self.embed([text])[0]


def test_vectors_of_two_embedders_are_never_compared(tmp_path: Path) -> None:
    with MemoryService.open(
        tmp_path, embedder=FakeEmbedder(name="one"), background=False
    ) as memory:
        memory.save_conversation_turn("The cat sleeps on the piano", "Noted.", "s1")
        memory.wait_until_indexed()

    with MemoryService.open(tmp_path, embedder=Rotated(name="two"), background=False) as memory:
        before = memory.search_memories("The cat sleeps on the piano")
        assert before[0].memory.content == "The cat sleeps on the piano"
        assert before[0].parts.vector is None
        assert "being made again for two" in str(before.missing)

        memory.wait_until_indexed()

        after = memory.search_memories("The cat sleeps on the piano")
        assert after.missing == ()
        assert after[0].parts.vector is not None and after[0].parts.vector > 0.5
