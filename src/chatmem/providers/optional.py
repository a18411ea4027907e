"""Packages that only some providers need."""

import importlib
from functools import cache
from importlib import metadata
from importlib.util import find_spec
from types import ModuleType

from chatmem.errors import ProviderError


def optional_module(name: str, *, needed_for: str, install: str) -> ModuleType:
    """The module, imported now: who does not use the provider does not pay for its import.

    Raises:
        ProviderError: it is not installed, or cannot be loaded here; says what to install.
    """
    try:
        return importlib.import_module(name)
    except ImportError as error:
        reason = "is not installed" if error.name == name else f"cannot be loaded ({error})"
        raise ProviderError(
            f"{needed_for} needs the package {name!r}, which {reason}: run `{install}`"
        ) from error


def is_installed(name: str) -> bool:
    """True where the top-level module is there; it is not imported."""
    return find_spec(name) is not None


def require_installed(name: str, *, needed_for: str, install: str) -> None:
    """Nothing, where the top-level module is there: it is not imported, which may take a second.

    Raises:
        ProviderError: it is not installed; says what to install.
    """
    if not is_installed(name):
        raise ProviderError(
            f"{needed_for} needs the package {name!r}, which is not installed: run `{install}`"
        )


@cache
def minor_version(distribution: str) -> str | None:
    """`0.2` for an installed 0.2.1, or None where it is not installed.

    A patch release must not make an index re-embed everything.
    """
    try:
        version = metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return None
    return ".".join(version.split(".")[:2])
