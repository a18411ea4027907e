from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from chatmem import MemoryService, Settings
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


def test_an_embedder_elsewhere_is_not_asked(tmp_path: Path) -> None:
    settings = Settings(embedder={"name": "openai:small", "base_url": "http://127.0.0.1:9"})
    with MemoryService.open(tmp_path, settings=settings, background=False) as memory:
        memory.warm_up()  # nobody listens on that port: asking would take a while, and fail
