"""Embedders, local and remote, behind one port."""

from chatmem.providers.cached import CachedEmbedder
from chatmem.providers.ports import Embedder, Vector, Vectors

__all__ = ["CachedEmbedder", "Embedder", "Vector", "Vectors"]
