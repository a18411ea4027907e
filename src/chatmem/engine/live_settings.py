"""Settings that are changed while the memory is in use, and stay with the data.

What is stored wins over the file, the environment and the arguments, for every process that has
this memory open or opens it later.

Source: S2.6.1; interfaces.md (`/api/memory/config`).
"""

from collections.abc import Iterable, Mapping
from typing import Literal, TypeAlias

from chatmem.engine.settings_in_force import STORABLE, TABLE, setting_name
from chatmem.engine.state import Engine
from chatmem.errors import InvalidInputError

Origin: TypeAlias = Literal["stored", "set", "default"]


class StoredSettings:
    """`memory.config`: what a person changes from inside."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def get(self) -> Mapping[str, object]:
        """Every `memory.*` setting by its dotted name, with the value in force.

        `memory.rag_top_n` is what counts, under whichever of its two names it was set.
        """
        memory = self._engine.obey_settings().memory
        values = {name: getattr(memory, name.removeprefix(TABLE)) for name in STORABLE}
        return values | {"memory.rag_top_n": memory.recall_limit}

    def origin(self, name: str) -> Origin:
        """Where the value comes from: stored with the data, set by file, environment or argument,
        or the default.

        Raises:
            SettingError: no `memory.*` setting has this name.
        """  # noqa: D205
        known = setting_name(name)
        if known in self._engine.store.settings.stored():
            return "stored"
        given = self._engine.live.given.memory.model_fields_set
        return "set" if known.removeprefix(TABLE) in given else "default"

    def set(self, changes: Mapping[str, object]) -> None:
        """Store settings, all of them or none; every process obeys them from its next call on.

        Args:
            changes: by dotted name, by its last part, or by the name that the REST interface has
                for it: `memory.rag_top_n`, `rag_top_n`, `ragTopN`.

        Raises:
            SettingError: a value that does not fit, or a name that is no `memory.*` setting's.
        """
        if not isinstance(changes, Mapping):
            raise InvalidInputError(f"config: got {type(changes).__name__}, takes names and values")
        wanted = {setting_name(name, value): value for name, value in changes.items()}
        settled = self._engine.obey_settings().with_overrides(wanted).memory
        with self._engine.store.transaction():
            for name in wanted:
                value = getattr(settled, name.removeprefix(TABLE))
                self._engine.store.settings.put(name, value)
        self._engine.obey_settings()

    def unset(self, names: Iterable[str]) -> None:
        """Let file, environment or default count again for these.

        Raises:
            SettingError: a name that is no `memory.*` setting's, and none that is stored.
        """
        stored = self._engine.store.settings.stored()
        given = [names] if isinstance(names, str) else list(names)
        known = [name if name in stored else setting_name(name) for name in given]
        with self._engine.store.transaction():
            for name in known:
                self._engine.store.settings.delete(name)
        self._engine.obey_settings()
