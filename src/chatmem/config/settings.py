"""All settings as one frozen value, put together from the file, the environment and arguments.

Nothing else reads `chatmem.toml` or the environment.
"""

import os
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

from pydantic import Field, ValidationError

from chatmem.config.catalogue import SETTINGS, no_such_setting
from chatmem.config.groups import (
    EmbedderSettings,
    LlmSettings,
    MemorySettings,
    PlaceSettings,
    ServerSettings,
)
from chatmem.errors import SettingError, StorageError

CONFIG_FILE = Path("chatmem.toml")
"""Read from the current directory where no other file is named."""
_PASSWORD = re.compile(r"(://[^:/@\s]*:)[^@\s]{0,1000}@")
"""In an address, what stands between the user and the host."""


class _Values(PlaceSettings):
    """The fields alone, read from nowhere."""

    config_file: Path | None = Field(None, description="The file that was read, if any.")
    memory: MemorySettings = MemorySettings()
    server: ServerSettings = ServerSettings()
    llm: LlmSettings = LlmSettings()
    embedder: EmbedderSettings = EmbedderSettings()


class Settings(_Values):
    """What chatmem.toml says, changed by the environment, changed by the arguments.

    `Settings()` reads `chatmem.toml` of the current directory, if there is one, and the
    environment; `config_file` names another file. Arguments are tables,
    `memory={"rag_top_n": 3}`, or dotted names, `**{"memory.rag_top_n": 3}`.

    Raises:
        SettingError: a value that does not fit, or a name that is no setting's; it is named as the
            person wrote it: the variable, or the key and the file, or the argument.

    Source: interfaces, "Settings"; S2.6.
    """

    def __init__(self, config_file: str | Path | None = None, **values: Any) -> None:  # noqa: ANN401
        if config_file is None:
            path = CONFIG_FILE.resolve() if CONFIG_FILE.exists() else None
        else:
            path = Path(config_file).absolute()
        explicit = _nested(values)
        given = _overlaid(
            {} if path is None else _file_values(path), _nested(_environment_values())
        )
        merged: dict[str, Any] = {**_overlaid(given, explicit), "config_file": path}
        try:
            super().__init__(**merged)
        except ValidationError as error:
            raise _explained(error, explicit, path) from None  # pydantic repeats what it got

    def with_overrides(self, changes: Mapping[str, object]) -> Self:
        """The same settings with some changed; neither file nor environment is read again.

        Args:
            changes: by dotted name, for example `{"memory.rag_top_n": 8}`, or by table.

        Raises:
            SettingError: a value that does not fit, or a name that is no setting's.
        """
        explicit = _nested(changes)
        merged: dict[str, Any] = _overlaid(self.model_dump(exclude_unset=True), explicit)
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
    written = _as_written(name, explicit, path)
    if first["type"] == "extra_forbidden":
        return no_such_setting(name, written)
    takes = SETTINGS[name].takes if name in SETTINGS else f"a table, [{name}]"
    return SettingError(written, _without_secrets(name, first["input"]), takes)


def _as_written(name: str, explicit: Mapping[str, object], path: Path | None) -> str:
    """Where the value came from: the last of file, environment and arguments to name it."""
    table, _, key = name.rpartition(".")
    inner = explicit.get(table) if table else explicit
    if isinstance(inner, Mapping) and key in inner:
        return name
    if name in _environment_values():
        return SETTINGS[name].env
    return name if path is None else f"{name} in {path}"


def _without_secrets(name: str, value: object) -> object:
    """The value as an error may repeat it."""
    if name in SETTINGS and SETTINGS[name].secret and name != "database":
        return "(hidden)"
    if isinstance(value, Mapping):
        return "a table"
    if isinstance(value, str):
        return _PASSWORD.sub(r"\1(hidden)@", value)
    return value


def _environment_values() -> dict[str, str]:
    """What the environment sets, by setting; an empty variable counts as not set.

    Variables that chatmem does not know, `MEMORY_LIMIT` say, belong to other programs.
    """
    values = ((name, os.environ.get(setting.env, "")) for name, setting in SETTINGS.items())
    return {name: value for name, value in values if value.strip()}


def _file_values(path: Path) -> dict[str, object]:
    """What the file says, as it stands there, unknown keys too.

    Raises:
        SettingError: there is no such file, or it is not TOML; names the file and the line.
        StorageError: it cannot be read.
    """
    try:
        text = path.read_text("utf-8-sig")
    except FileNotFoundError as error:
        raise SettingError("the configuration file", str(path), "a file that exists") from error
    except UnicodeDecodeError as error:
        raise SettingError(str(path), "bytes that are no UTF-8", "TOML in UTF-8") from error
    except OSError as error:
        raise StorageError(
            f"{path}: cannot be read ({error.strerror}): check its rights"
        ) from error
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        line = _line_of(error, text)
        lines = text.splitlines()
        got = lines[line - 1].strip() if line <= len(lines) else "the end of the file"
        raise SettingError(f"{path}, line {line}", got, f"TOML: {error}") from error


def _nested(values: Mapping[str, object]) -> dict[str, object]:
    """`{"memory.rag_top_n": 3}` as `{"memory": {"rag_top_n": 3}}`; what is nested stays so."""
    tables: dict[str, object] = {}
    for name, value in values.items():
        table, dot, key = name.partition(".")
        tables = _overlaid(tables, {table: {key: value} if dot else value})
    return tables


def _overlaid(below: Mapping[str, object], above: Mapping[str, object]) -> dict[str, object]:
    """Both, tables key by key; where both name a setting, the second has it."""
    both = dict(below)
    for name, value in above.items():
        known = both.get(name)
        if isinstance(known, Mapping) and isinstance(value, Mapping):
            both[name] = {**known, **value}
        else:
            both[name] = value
    return both


def _line_of(error: tomllib.TOMLDecodeError, text: str) -> int:
    """The line that the parser's message names, `(at line 3, column 5)`, or the last one."""
    _, found, rest = str(error).partition("at line ")
    number = rest.split(",", 1)[0]
    return int(number) if found and number.isdigit() else max(1, len(text.splitlines()))
