"""Packages that only some providers need, imported where they are used."""

import importlib
from importlib import metadata
from importlib.util import find_spec
from types import ModuleType

from chatmem.errors import ProviderError


def optional_module(name: str, *, needed_for: str, install: str) -> ModuleType:
    """The module, imported now.

    Raises:
        ProviderError: it is not installed, or cannot be loaded here; says what to install.
    """
    try:
        return importlib.import_module(name)
    except ImportError as error:
        reason = "is not installed" if error.name == name else f"cannot be loaded ({error})"
        raise _missing(name, reason, needed_for, install) from error


def require_installed(name: str, *, needed_for: str, install: str) -> None:
    """Nothing, where the top-level module is there: it is not imported, which may take a second.

    Raises:
        ProviderError: it is not installed; says what to install.
    """
    if not is_installed(name):
        raise _missing(name, "is not installed", needed_for, install)


def is_installed(name: str) -> bool:
    """True where the top-level module is there; it is not imported."""
    return find_spec(name) is not None


def _missing(name: str, reason: str, needed_for: str, install: str) -> ProviderError:
    return ProviderError(
        f"{needed_for} needs the package {name!r}, which {reason}: run `{install}`"
    )


def minor_version(distribution: str) -> str | None:
    """`0.2` for an installed 0.2.1: a patch release must not re-embed everything; None for none."""
    try:
        return ".".join(metadata.version(distribution).split(".")[:2])
    except metadata.PackageNotFoundError:
        return None
