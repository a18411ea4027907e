"""The settings in force: those that were given, with those stored with the data over them.

Only `memory.*` can be stored: the rest says where the data is and who may reach it, and has to be
known before.

Source: S2.6.1; interfaces.md (`/api/memory/config`).
"""

import re
from collections.abc import Mapping
from threading import Lock
from typing import Final

from chatmem.config import Settings
from chatmem.config.described import SETTINGS, nearest
from chatmem.errors import SettingError
from chatmem.storage.tables.store import Store

TABLE: Final = "memory."
_CAPITAL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
STORABLE: Final = tuple(name for name in SETTINGS if name.startswith(TABLE))
"""The settings that can be kept with the data, by dotted name."""


class LiveSettings:
    """The settings in force: those given, with the stored ones over them. Thread-safe."""

    def __init__(self, store: Store, given: Settings) -> None:
        self.given = given
        self._store = store
        self._lock = Lock()
        self._version: int | None = None
        self._in_force = given
        self._rejected: tuple[str, ...] = ()

    def refresh(self) -> Settings:
        """The settings in force now; they are put together again only when one was changed."""
        version = self._store.settings.version()
        with self._lock:
            if version != self._version:
                stored = self._store.settings.stored()
                self._in_force, self._rejected = _laid_over(self.given, stored)
                self._version = version
            return self._in_force

    def rejected(self) -> tuple[str, ...]:
        """Stored values that this version does not take, a sentence each; they are ignored."""
        self.refresh()
        return self._rejected


def setting_name(name: object, value: object = None) -> str:
    """The dotted name of a `memory.*` setting.

    Raises:
        SettingError: there is none of this name, or it is one that is not kept with the data; the
            message says how that is set.
    """
    written = str(name)
    dotted = _CAPITAL.sub("_", written).lower()
    if "." not in dotted and TABLE + dotted in SETTINGS:
        return TABLE + dotted
    if dotted in STORABLE:
        return dotted
    if dotted in SETTINGS:
        other = SETTINGS[dotted]
        got = "(hidden)" if other.secret else value
        raise SettingError(
            dotted,
            got,
            "nothing here, where only memory.* is kept with the data; set it in chatmem.toml or by "
            f"{other.env}",
        )
    close = nearest(dotted)
    hint = f", did you mean {close}?" if close else ""
    raise SettingError(written, value, f"nothing: there is no such setting{hint}")


def _laid_over(given: Settings, stored: Mapping[str, object]) -> tuple[Settings, tuple[str, ...]]:
    """The settings in force, and what of the stored ones does not fit."""
    rejected: list[str] = []
    settings = given
    for name, value in stored.items():
        try:
            settings = settings.with_overrides({setting_name(name, value): value})
        except SettingError as error:
            rejected.append(
                f"stored with the data and ignored: {error}; `chatmem config --unset {name}` "
                "forgets it"
            )
    return settings, tuple(rejected)
