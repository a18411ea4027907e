"""Embedders, local and remote, behind one port; chat models behind OpenAI's API."""

from chatmem.providers.ports import Embedder, Vector, Vectors

__all__ = ["Embedder", "Vector", "Vectors"]
