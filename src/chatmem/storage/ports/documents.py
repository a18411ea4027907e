"""The ports of what is kept about documents, and of settings kept with the data."""

from collections.abc import Mapping
from typing import Protocol

from chatmem.model import ProfileDocument
from chatmem.storage.ports.values import KnownDocument, Owner


class DocumentTable(Protocol):
    """The state in which each Markdown file was last folded in."""

    def known(self, owner: Owner) -> Mapping[str, KnownDocument]:
        """By path."""

    def put(self, owner: Owner, document: KnownDocument) -> None:
        """Insert or replace."""

    def delete(self, owner: Owner, path: str) -> None:
        """Forget about the file."""


class ProfileTable(Protocol):
    """USER.md and HOUSEHOLD.md as they were last read. Source: S2.2."""

    def get(self, owner: Owner, path: str) -> ProfileDocument | None:
        """The cached document, or None."""

    def put(self, owner: Owner, path: str, document: ProfileDocument) -> None:
        """Insert or replace."""


class SettingTable(Protocol):
    """Settings that were changed from inside; they stay with the data."""

    def stored(self) -> Mapping[str, object]:
        """By dotted name, as JSON knows them."""

    def put(self, name: str, value: object) -> None:
        """Insert or replace."""

    def delete(self, name: str) -> None:
        """The file, the environment or the default counts again."""

    def version(self) -> int:
        """Changes whenever a setting was stored or deleted, by whatever process."""
