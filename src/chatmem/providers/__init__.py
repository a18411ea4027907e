"""Embedders, local and remote, behind one port; chat models behind OpenAI's API."""

from chatmem.providers.embedding import Embedder, Vector, Vectors

__all__ = ["Embedder", "Vector", "Vectors"]
