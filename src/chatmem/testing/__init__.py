"""Hand-written stand-ins for the clock and the embedder, for tests of chatmem and its users."""

from chatmem.testing.clock import FakeClock
from chatmem.testing.embedder import FakeEmbedder
from chatmem.testing.embedding_server import Answer, EmbeddingServer

__all__ = ["Answer", "EmbeddingServer", "FakeClock", "FakeEmbedder"]
