"""All settings as one frozen value, put together from the file, the environment and arguments."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

from pydantic import Field, ValidationError
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)

from chatmem.config.catalogue import SETTINGS, nearest
from chatmem.config.groups import (
    EmbedderSettings,
    LlmSettings,
    MemorySettings,
    PlaceSettings,
    ServerSettings,
)
from chatmem.config.sources import (
    CONFIG_FILE,
    EnvironmentSource,
    FileSource,
    environment_values,
    nested,
    overlaid,
)
from chatmem.errors import SettingError

_PASSWORD = re.compile(r"(://[^:/@\s]*:)[^@\s]{0,1000}@")
"""In an address, what stands between the user and the host."""


class _Values(PlaceSettings):
    """The fields alone, without a source."""

    config_file: Path | None = Field(None, description="The file that was read, if any.")
    memory: MemorySettings = MemorySettings()
    server: ServerSettings = ServerSettings()
    llm: LlmSettings = LlmSettings()
    embedder: EmbedderSettings = EmbedderSettings()


class Settings(_Values, BaseSettings):
    """What chatmem.toml says, changed by the environment, changed by the arguments.

    `Settings()` reads `chatmem.toml` of the current directory, if there is one, and the
    environment; `config_file` names another file. Arguments are tables,
    `memory={"rag_top_n": 3}`, or dotted names, `**{"memory.rag_top_n": 3}`.

    Raises:
        SettingError: a value that does not fit, or a name that is no setting's; it is named as the
            person wrote it: the variable, or the key and the file, or the argument.

    Source: interfaces, "Settings"; S2.6.
    """

    model_config = SettingsConfigDict(frozen=True, extra="forbid")

    def __init__(self, config_file: str | Path | None = None, **values: Any) -> None:  # noqa: ANN401
        if config_file is None:
            path = CONFIG_FILE.resolve() if CONFIG_FILE.exists() else None
        else:
            path = Path(config_file).absolute()
        explicit = nested(values)
        given: dict[str, Any] = {**explicit, "config_file": path}
        try:
            super().__init__(**given)
        except ValidationError as error:
            raise _explained(error, explicit, path) from None  # pydantic repeats what it got

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Arguments, then the environment, then the file: the first that names a setting wins."""
        path = init_settings().get("config_file")
        return (init_settings, EnvironmentSource(settings_cls), FileSource(settings_cls, path))

    def with_overrides(self, changes: Mapping[str, object]) -> Self:
        """The same settings with some changed; neither file nor environment is read again.

        Args:
            changes: by dotted name, for example `{"memory.rag_top_n": 8}`, or by table.

        Raises:
            SettingError: a value that does not fit, or a name that is no setting's.
        """
        explicit = nested(changes)
        merged: dict[str, Any] = overlaid(self.model_dump(exclude_unset=True), explicit)
        try:
            settled = _Values(**merged)
        except ValidationError as error:
            raise _explained(error, explicit, None) from None
        return self.model_copy(
            update={name: getattr(settled, name) for name in settled.model_fields_set}
        )

    def embedding_endpoint(self) -> tuple[str | None, str | None]:
        """Address and key for an `openai:<model>` embedder: its own, else those of `[llm]`.

        A key goes only to the address it was given for.
        """
        own = self.embedder.base_url is not None
        address = self.embedder.base_url if own else self.llm.base_url
        key = self.embedder.api_key or (None if own else self.llm.api_key)
        return address, key.get_secret_value() if key else None


def _explained(
    error: ValidationError, explicit: Mapping[str, object], path: Path | None
) -> SettingError:
    """The first thing that is wrong, named as the person wrote it."""
    first = error.errors(include_url=False, include_context=False)[0]
    name = ".".join(str(part) for part in first["loc"][:2])
    said = _as_written(name, explicit, path)
    if first["type"] == "extra_forbidden":
        close = nearest(name)
        hint = f", did you mean {close}?" if close else ""
        got = _shown(close or name, first["input"])
        return SettingError(said, got, f"nothing: there is no such setting{hint}")
    takes = SETTINGS[name].takes if name in SETTINGS else f"a table, [{name}]"
    return SettingError(said, _shown(name, first["input"]), takes)


def _as_written(name: str, explicit: Mapping[str, object], path: Path | None) -> str:
    """Where the value came from: the last of file, environment and arguments to name it."""
    table, _, key = name.rpartition(".")
    inner = explicit.get(table) if table else explicit
    if isinstance(inner, Mapping) and key in inner:
        return name
    if name in environment_values():
        return SETTINGS[name].env
    return name if path is None else f"{name} in {path}"


def _shown(name: str, value: object) -> object:
    """The value as an error may repeat it: without keys and passwords."""
    if name in SETTINGS and SETTINGS[name].secret and name != "database":
        return "(hidden)"
    if isinstance(value, Mapping):
        return "a table"
    if isinstance(value, str):
        return _PASSWORD.sub(r"\1(hidden)@", value)
    return value
