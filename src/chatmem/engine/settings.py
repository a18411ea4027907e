"""The settings in force: those stored with the data over those that were given.

Only `memory.*` can be stored: the rest must be known before the data is found.

Source: S2.6.1; interfaces.md (`/api/memory/config`).
"""

from collections.abc import Iterable, Mapping
from threading import Lock
from typing import Final, Literal, TypeAlias

from pydantic.alias_generators import to_snake

from chatmem.config import Settings
from chatmem.config.groups import ALIASES
from chatmem.config.settings import SETTINGS, no_such_setting
from chatmem.errors import InvalidInputError, SettingError, UnknownSettingError
from chatmem.model.time import utc_now
from chatmem.storage.tables.store import Store

TABLE: Final = "memory."
LIMITS: Final = frozenset({"memory.eviction_threshold", "memory.main_max_tokens"})
EVICTION: Final = "eviction"
"""The kind of job that keeps them where one was changed."""
STORABLE: Final = tuple(name for name in SETTINGS if name.startswith(TABLE))
"""The settings that can be kept with the data, by dotted name."""
_ALIASES: Final = {TABLE + alias: TABLE + name for alias, name in ALIASES.items()}
Origin: TypeAlias = Literal["stored", "set", "default"]


class StoredSettings:
    """`memory.config`: the settings stored with the data, over those given. Thread-safe.

    `in_force` are those that count, as of the last `refresh`.
    """

    def __init__(self, store: Store, given: Settings) -> None:
        self._given = given
        self._store = store
        self._lock = Lock()
        self._version: int | None = None
        self.in_force = given
        self._rejected: tuple[str, ...] = ()
        self.refresh()

    def refresh(self, version: int | None = None) -> Settings:
        """The settings in force now, put together again only if `version` says that one changed."""
        version = self._store.settings.version() if version is None else version
        with self._lock:
            if version != self._version:
                settings, rejected = self._given, list[str]()
                stored = self._store.settings.stored()
                for name, value in stored.items():
                    if _ALIASES.get(name) in stored:
                        continue  # kept before both names were one
                    try:
                        settings = settings.with_overrides({setting_name(name): value})
                    except SettingError as error:
                        rejected.append(
                            f"stored with the data and ignored: {error}; `chatmem config --unset "
                            f"{name}` forgets it"
                        )
                self.in_force, self._rejected = settings, tuple(rejected)
                self._version = version
            return self.in_force

    def rejected(self) -> tuple[str, ...]:
        """Stored values that this version does not take, a sentence each; they are ignored."""
        self.refresh()
        return self._rejected

    def get(self) -> Mapping[str, object]:
        """Every `memory.*` setting in force, by dotted name."""
        memory = self.refresh().memory
        return {name: getattr(memory, name.removeprefix(TABLE)) for name in STORABLE}

    def origin(self, name: str) -> Origin:
        """`stored` with the data, `set` by file, environment or argument, or `default`.

        Raises:
            SettingError: no `memory.*` setting has this name.
        """
        own = _own_name(setting_name(name))
        if own in map(_own_name, self._store.settings.stored()):
            return "stored"
        given = self._given.memory.model_fields_set
        return "set" if own in (_own_name(TABLE + one) for one in given) else "default"

    def set(self, changes: Mapping[str, object]) -> None:
        """Store settings, all of them or none; every process obeys them from its next call on.

        A name may be `memory.rag_top_n`, `rag_top_n` or `ragTopN`. Of two names of one value that
        counts which changes it.

        Raises:
            SettingError: a value that does not fit, or a name that is no `memory.*` setting's.
        """
        if not isinstance(changes, Mapping):
            raise InvalidInputError(f"config: got {type(changes).__name__}, takes names and values")
        wanted = {setting_name(name): value for name, value in changes.items()}
        before = self.refresh()
        before.with_overrides(wanted)  # as they are written, so that errors name them so
        for alias in wanted.keys() & _ALIASES:
            value, name = wanted.pop(alias), _ALIASES[alias]
            if wanted.get(name) in (None, getattr(before.memory, name.removeprefix(TABLE))):
                wanted[name] = value
        settled = before.with_overrides(wanted).memory
        with self._store.transaction():
            for name in wanted:
                value = getattr(settled, name.removeprefix(TABLE))
                self._store.settings.put(name, value)
        self._settle(wanted)

    def unset(self, names: Iterable[str]) -> None:
        """Let file, environment or default count again for these.

        Raises:
            SettingError: a name that is no `memory.*` setting's, and none that is stored.
        """
        stored = self._store.settings.stored()
        given = [names] if isinstance(names, str) else list(names)
        known = [name if name in stored else setting_name(name) for name in given]
        with self._store.transaction():
            for name in stored:
                if _own_name(name) in map(_own_name, known):
                    self._store.settings.delete(name)
        self._settle(known)

    def _settle(self, changed: Iterable[str]) -> None:
        """Obey what was changed; a limit is acted upon for every user in the background."""
        self.refresh()
        for owner in self._store.owners.everybody() if LIMITS & set(changed) else ():
            with self._store.transaction():
                self._store.jobs.put(owner, EVICTION, "", utc_now())


def _own_name(name: str) -> str:
    """The name by which the value of the setting is stored."""
    return _ALIASES.get(name, name)


def setting_name(name: object) -> str:
    """The dotted name of a `memory.*` setting.

    Raises:
        SettingError: there is none of this name, or it is one that is not kept with the data; the
            message says how that is set.
    """
    written = str(name).strip()
    dotted = to_snake(written)
    if "." not in dotted and TABLE + dotted in SETTINGS:
        return TABLE + dotted
    if dotted in STORABLE:
        return dotted
    if dotted in SETTINGS:
        raise UnknownSettingError(
            dotted,
            "is not kept with the data, where only memory.* is; set it in chatmem.toml or by "
            f"{SETTINGS[dotted].env}",
        )
    raise no_such_setting(dotted, written or "''")
