"""Hand-written stand-ins for the clock and the embedder, for tests of chatmem and its users."""

from chatmem.testing.clock import FakeClock
from chatmem.testing.embedder import FakeEmbedder

__all__ = ["FakeClock", "FakeEmbedder"]
