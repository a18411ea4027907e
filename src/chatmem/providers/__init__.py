"""Embedders, local and remote, behind one port, and language models behind another."""

from chatmem.providers.embedding import CachedEmbedder
from chatmem.providers.ports import ChatModel, Embedder, Vector, Vectors

__all__ = ["CachedEmbedder", "ChatModel", "Embedder", "Vector", "Vectors"]
