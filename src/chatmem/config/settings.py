"""All settings as one frozen value, put together from the file, the environment and arguments.

Nothing else reads `chatmem.toml` or the environment. `SETTINGS` describes each by the name that
people use: in errors, in `chatmem config`, in the docs.
"""

import importlib
import json
import os
import re
import sys
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from difflib import get_close_matches
from getpass import getpass
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, NamedTuple, Self

from pydantic import BaseModel, Field, ValidationError

from chatmem.config import groups
from chatmem.errors import SettingError, StorageError, UnknownSettingError
from chatmem.providers.optional import is_installed

CONFIG_FILE = Path("chatmem.toml")
"""Read from the current directory where no other file is named."""
_PASSWORD = re.compile(r"(://[^:/@\s]*:)[^@\s]{0,256}@")
"""In an address, what stands between the user and the host."""
_MOST_QUOTED = 80
_ENV_PREFIXES = {"memory": "MEMORY_", "llm": "CHATMEM_LLM_", "embedder": "CHATMEM_EMBEDDER_"}
"""How variables of a table begin; those of others with `CHATMEM_`."""
_ENV_EXCEPTIONS = {"embedder.name": "CHATMEM_EMBEDDER"}


class _Values(groups.PlaceSettings, defer_build=False):
    """The fields alone, read from nowhere."""

    config_file: Path | None = Field(None, description="The file that was read, if any.")
    memory: groups.MemorySettings = groups.MemorySettings()
    server: groups.ServerSettings = groups.ServerSettings()
    llm: groups.LlmSettings = groups.LlmSettings()
    embedder: groups.EmbedderSettings = groups.EmbedderSettings()


class DescribedSetting(NamedTuple):
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


def no_such_setting(name: str, written: str) -> UnknownSettingError:
    """The error for a name that no setting has, `written` so; it says which one may be meant."""
    in_table = next((one for one in SETTINGS if one.startswith(f"{name}.")), None)
    if in_table is not None:
        return UnknownSettingError(
            written, f"is a table of settings; name one of them, such as {in_table}"
        )
    key = name.rpartition(".")[2]
    likely = [  # its variable, or a right name under a wrong table
        one.name
        for one in SETTINGS.values()
        if name.upper() == one.env or key == one.name.rpartition(".")[2]
    ]
    known = [*SETTINGS, *(one.partition(".")[0] for one in SETTINGS)]
    meant = next(iter(likely or get_close_matches(name, known, n=1)), None)
    why = "there is no such setting"
    return UnknownSettingError(written, f"{why}, did you mean {meant}?" if meant else why)


def _described() -> Iterator[DescribedSetting]:
    tables: dict[str, type[BaseModel]] = {"": groups.PlaceSettings}
    for name, field in _Values.model_fields.items():
        if isinstance(field.default, BaseModel):
            tables[name] = type(field.default)
    for table, model in tables.items():
        for key, field in model.model_fields.items():
            name = f"{table}.{key}" if table else key
            extra = field.json_schema_extra
            takes = extra["takes"] if isinstance(extra, dict) else ""
            variable = _ENV_PREFIXES.get(table, "CHATMEM_") + key.upper()
            yield DescribedSetting(
                name=name,
                env=_ENV_EXCEPTIONS.get(name, variable),
                takes=str(takes),
                default="" if field.default is None else json.dumps(field.default, default=str),
                meaning=field.description or "",
                secret=not field.repr,
            )


SETTINGS: Final[Mapping[str, DescribedSetting]] = MappingProxyType(
    {setting.name: setting for setting in _described()}
)
"""Every setting by name, in the order of the docs. Source: S2.6."""


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

    def data_keys(self, folder: Path | None = None) -> Iterator[str]:
        """Keys that may open this encrypted folder; without a folder those that settings give.

        First the password that the system's keyring (the package `keyring`, where it is installed)
        has for the service `chatmem` and the folder's whole path; then those of `key`, those in
        `key_file`, and what is typed at a terminal.

        Raises:
            SettingError: what should be a key is none.
            StorageError: a file that cannot be read, or that others may read.
        """
        if folder and is_installed("keyring"):
            keyring = importlib.import_module("keyring")
            with suppress(keyring.errors.KeyringError):
                if found := keyring.get_password("chatmem", str(folder.resolve())):
                    yield from _keys("the system's keyring", found)
        if self.key is not None:
            yield from _keys(SETTINGS["key"].env, self.key.get_secret_value())
        if "key_file" in self.model_fields_set or (folder and self._key_file().exists()):
            file = self._key_file()
            try:
                yield from _keys(str(file), file.read_text("ascii", "replace"))
            except OSError as error:
                raise StorageError(f"{file}: cannot be read ({error.strerror})") from error
        if folder and sys.stdin.isatty():
            with suppress(EOFError):
                yield from _keys("the key", getpass(f"Key of {folder}: "))

    def keep_key(self, key: str) -> Path:
        """The file that has the new key now, behind older ones, which backups need.

        Raises:
            OSError: it cannot be written, or others may read it.
        """
        file = self._key_file()
        file.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        with open(handle, "wb", buffering=0) as keys:
            keys.write(f"{key}\n".encode())
            os.fsync(handle)
        return file

    def _key_file(self) -> Path:
        file = Path(os.path.expanduser(self.key_file))  # does not raise where nobody is at home
        own = "key_file" not in self.model_fields_set
        if own and os.name == "posix" and file.exists() and file.stat().st_mode & 0o077:
            raise StorageError(f"{file} may be read by others: run `chmod 600 {file}`")
        return file


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
    except (ValueError, RecursionError) as error:  # no TOML, or thousands of digits or brackets
        place = re.search(r"at line (\d+),", str(error))
        line = int(place[1]) if place else max(1, len(text.splitlines()))  # or the last one
        got = "".join(text.splitlines()[line - 1 : line]).strip() or "the end of the file"
        got = got if len(got) <= _MOST_QUOTED else f"{got[:_MOST_QUOTED]}…"
        raise SettingError(f"{path}, line {line}", got, f"TOML: {error}") from error


def _keys(name: str, text: str) -> list[str]:
    found = text.split()
    if not found or any(re.fullmatch("[0-9a-fA-F]{64}", one) is None for one in found):
        raise SettingError(name, "(hidden)", SETTINGS["key"].takes)
    return found


def _nested(values: Mapping[str, object]) -> dict[str, object]:
    """`{"memory.rag_top_n": 3}` as `{"memory": {"rag_top_n": 3}}`; what is nested stays so."""
    tables: dict[str, object] = {}
    for name, value in values.items():
        table, dot, key = name.partition(".")
        tables = _overlaid(tables, {table: {key: value} if dot else value})
    return tables


def _overlaid(below: Mapping[str, object], above: Mapping[str, object]) -> dict[str, object]:
    """Both, tables key by key; where both name a setting, or its alias, the second has it."""
    both = dict(below)
    for name, value in above.items():
        known = both.get(name)
        if isinstance(known, Mapping) and isinstance(value, Mapping):
            said = {groups.ALIASES.get(key, key) for key in value}
            kept = {
                key: one for key, one in known.items() if groups.ALIASES.get(key, key) not in said
            }
            both[name] = {**kept, **value}
        else:
            both[name] = value
    return both
