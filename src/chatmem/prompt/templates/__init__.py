"""Personas and scenarios by name: those that come with chatmem, and a user's own.

Source: S4.1.2, S4.2.3.
"""

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from chatmem.errors import InvalidInputError, TemplateNotFoundError
from chatmem.prompt.personas import Persona, read_persona
from chatmem.prompt.scenarios import Scenario, read_scenario
from chatmem.prompt.tables import Table

_OURS = Path(__file__).parent
_Template = TypeVar("_Template", Persona, Scenario)


@dataclass(frozen=True, slots=True)
class Templates:
    """The personas and scenarios that there are, by name."""

    personas: Mapping[str, Persona]
    scenarios: Mapping[str, Scenario]

    def persona(self, name: str) -> Persona:
        """The persona of this name.

        Raises:
            TemplateNotFoundError: there is none; the message lists those there are.
        """
        return _named(self.personas, name, "persona")

    def scenario(self, name: str) -> Scenario:
        """The scenario of this name.

        Raises:
            TemplateNotFoundError: there is none; the message lists those there are.
        """
        return _named(self.scenarios, name, "scenario")


def load_templates(folder: Path | None = None) -> Templates:
    """Ours, and those of `folder/personas/*.toml` and `folder/scenarios/*.toml`, which win by name.

    Raises:
        InvalidInputError: a file that cannot be read, is no TOML, or has a key that does not fit.
    """
    folders = [_OURS] if folder is None else [_OURS, folder]
    return Templates(
        _read_all(folders, "personas", read_persona), _read_all(folders, "scenarios", read_scenario)
    )


def _read_all(
    folders: list[Path], kind: str, read: Callable[[Table, str], _Template]
) -> dict[str, _Template]:
    found: dict[str, _Template] = {}
    for folder in folders:
        for path in sorted((folder / kind).glob("*.toml")):
            template = read(_table(path), str(path))
            found[template.name] = template
    return found


def _table(path: Path) -> Table:
    try:
        return tomllib.loads(path.read_text("utf-8-sig"))
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInputError(f"{path}: cannot be read as UTF-8 text ({error})") from error
    except tomllib.TOMLDecodeError as error:
        raise InvalidInputError(f"{path}: is no TOML ({error})") from error


def _named(templates: Mapping[str, _Template], name: str, kind: str) -> _Template:
    if name not in templates:
        there_are = ", ".join(sorted(templates))
        raise TemplateNotFoundError(f"no {kind} {name!r}; there are {there_are}")
    return templates[name]
