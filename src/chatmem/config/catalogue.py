"""All settings by the names that people use: in errors, in `chatmem config`, in the docs."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from types import MappingProxyType
from typing import Final

from pydantic import BaseModel

from chatmem.config.groups import (
    EmbedderSettings,
    LlmSettings,
    MemorySettings,
    PlaceSettings,
    ServerSettings,
)
from chatmem.errors import UnknownSettingError

_TABLES: Final[Mapping[str, tuple[type[BaseModel], str]]] = {
    "": (PlaceSettings, "CHATMEM_"),
    "memory": (MemorySettings, "MEMORY_"),
    "server": (ServerSettings, "CHATMEM_"),
    "llm": (LlmSettings, "CHATMEM_LLM_"),
    "embedder": (EmbedderSettings, "CHATMEM_EMBEDDER_"),
}
"""The tables of `chatmem.toml`, and how their variables begin; the first stands above them."""
_ENV_EXCEPTIONS = {"embedder.name": "CHATMEM_EMBEDDER"}


@dataclass(frozen=True, slots=True)
class DescribedSetting:
    """One setting as a person meets it.

    `name` is its name in `chatmem.toml` with the table before the dot, `env` in the environment;
    `default` is as it would be written in the file, or empty where there is none.
    """

    name: str
    env: str
    takes: str
    default: str
    meaning: str
    secret: bool


def describe_settings() -> tuple[DescribedSetting, ...]:
    """Every setting, in the order of the docs. Source: S2.6."""
    return tuple(SETTINGS.values())


def no_such_setting(name: str, written: str) -> UnknownSettingError:
    """The error for a name that no setting has, `written` so; it says which one may be meant."""
    in_table = next((one for one in SETTINGS if one.startswith(f"{name}.")), None)
    if in_table is not None:
        return UnknownSettingError(
            written, f"is a table of settings; name one of them, such as {in_table}"
        )
    meant = _nearest(name)
    why = "there is no such setting"
    return UnknownSettingError(written, f"{why}, did you mean {meant}?" if meant else why)


def _nearest(name: str) -> str | None:
    """The setting, or the table, whose name is most like this one, or None where none is."""
    key = name.rpartition(".")[2]
    for setting in SETTINGS.values():  # its variable, or a right name under a wrong table
        if name.upper() == setting.env or key == setting.name.rpartition(".")[2]:
            return setting.name
    known = [*SETTINGS, *(table for table in _TABLES if table)]
    return next(iter(get_close_matches(name, known, n=1)), None)


def _described() -> Iterator[DescribedSetting]:
    for table, (model, prefix) in _TABLES.items():
        for key, field in model.model_fields.items():
            name = f"{table}.{key}" if table else key
            extra = field.json_schema_extra
            takes = extra["takes"] if isinstance(extra, dict) else ""
            yield DescribedSetting(
                name=name,
                env=_ENV_EXCEPTIONS.get(name, prefix + key.upper()),
                takes=str(takes),
                default=_written(field.default),
                meaning=field.description or "",
                secret=not field.repr,
            )


def _written(default: object) -> str:
    if default is None:
        return ""
    if isinstance(default, bool):
        return str(default).lower()
    return str(default) if isinstance(default, int | float) else f'"{default}"'


SETTINGS: Final[Mapping[str, DescribedSetting]] = MappingProxyType(
    {setting.name: setting for setting in _described()}
)
"""By name."""
