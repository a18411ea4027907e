"""A page of a longer list."""

from dataclasses import dataclass
from typing import Generic, TypeVar

_Item = TypeVar("_Item")


@dataclass(frozen=True, slots=True)
class Page(Generic[_Item]):
    """Some items, and how many there are in all."""

    items: tuple[_Item, ...]
    total: int
    limit: int
    offset: int
