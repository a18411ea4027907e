from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from chatmem import MemoryService
from chatmem.testing import FakeEmbedder


class Counting(FakeEmbedder):
    asked = 0

    def embed_query(self, text: str) -> NDArray[np.float32]:
        Counting.asked += 1
        return super().embed_query(text)


def test_the_embedder_is_asked_once_and_nothing_is_kept(tmp_path: Path) -> None:
    with MemoryService.open(tmp_path, embedder=Counting(), background=False) as memory:
        memory.warm_up()
        assert Counting.asked == 1
        assert memory.list_memories(None).total == 0
