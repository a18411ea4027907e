"""Embedders, local and remote, behind one port, and language models behind another."""

from chatmem.providers.ports import ChatModel, Embedder, Vector, Vectors
from chatmem.providers.queries import CachedEmbedder

__all__ = ["CachedEmbedder", "ChatModel", "Embedder", "Vector", "Vectors"]
