"""Where settings come from: `chatmem.toml` and the environment. Nothing else reads them."""

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import TypeAlias, cast

from pydantic.fields import FieldInfo
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource

from chatmem.config.catalogue import SETTINGS
from chatmem.errors import SettingError, StorageError

_Table: TypeAlias = Mapping[str, object]

CONFIG_FILE = Path("chatmem.toml")
"""Read from the current directory where no other file is named."""


class _ReadSource(PydanticBaseSettingsSource):
    """A source that has been read: nested values, by table and key."""

    def __init__(self, settings_class: type[BaseSettings], values: Mapping[str, object]) -> None:
        super().__init__(settings_class)
        self._values = values

    def get_field_value(self, field: FieldInfo, field_name: str) -> tuple[object, str, bool]:
        """Unused by `__call__`, which gives the nested values as they are."""
        return self._values.get(field_name), field_name, False

    def __call__(self) -> dict[str, object]:
        """The values, as pydantic-settings merges them."""
        return dict(self._values)


class EnvironmentSource(_ReadSource):
    """The variables that chatmem knows. Others, `MEMORY_LIMIT` say, belong to other programs."""

    def __init__(self, settings_class: type[BaseSettings]) -> None:
        super().__init__(settings_class, nested(environment_values()))


class FileSource(_ReadSource):
    """`chatmem.toml`."""

    def __init__(self, settings_class: type[BaseSettings], path: Path | None) -> None:
        super().__init__(settings_class, {} if path is None else file_values(path))


def environment_values() -> dict[str, str]:
    """What the environment sets, by setting; an empty variable counts as not set."""
    values = ((name, os.environ.get(setting.env, "")) for name, setting in SETTINGS.items())
    return {name: value for name, value in values if value.strip()}


def file_values(path: Path) -> dict[str, object]:
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


def nested(values: Mapping[str, object]) -> dict[str, object]:
    """`{"memory.rag_top_n": 3}` as `{"memory": {"rag_top_n": 3}}`; what is nested stays so."""
    tables: dict[str, object] = {}
    for name, value in values.items():
        table, dot, key = name.partition(".")
        tables = overlaid(tables, {table: {key: value} if dot else value})
    return tables


def overlaid(below: Mapping[str, object], above: Mapping[str, object]) -> dict[str, object]:
    """Both, tables key by key; where both name a setting, the second has it."""
    both = dict(below)
    for name, value in above.items():
        known = both.get(name)
        tables = isinstance(known, Mapping) and isinstance(value, Mapping)
        both[name] = {**cast(_Table, known), **cast(_Table, value)} if tables else value
    return both


def _line_of(error: tomllib.TOMLDecodeError, text: str) -> int:
    """The line that the parser's message names, `(at line 3, column 5)`, or the last one."""
    _, found, rest = str(error).partition("at line ")
    number = rest.split(",", 1)[0]
    return int(number) if found and number.isdigit() else max(1, len(text.splitlines()))
