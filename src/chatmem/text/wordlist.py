"""How word lists are written down: as blocks of words with spaces between them."""

import tomllib
from collections.abc import Mapping
from importlib.resources import files
from typing import Any, TypeAlias

Words: TypeAlias = tuple[str, ...]


def listed(block: str) -> Words:
    """The words of `block`, in order."""
    return tuple(block.split())


def toml_of(package: str, name: str) -> dict[str, Any]:
    """What stands in `name`.toml beside the modules of the package."""
    return tomllib.loads((files(package) / f"{name}.toml").read_text(encoding="utf-8"))


def word_lists(package: str, name: str) -> Mapping[str, Mapping[str, Words]]:
    """The lists of `name`.toml in the package, by table and key; a list may also hold phrases."""
    return {
        table: {
            key: listed(one) if isinstance(one, str) else tuple(one) for key, one in said.items()
        }
        for table, said in toml_of(package, name).items()
    }
