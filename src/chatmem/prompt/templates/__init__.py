"""Personas and scenarios by name, read from TOML: those that come with chatmem, and a user's own.

A persona is who the model is, and the sections of its prompt in their order:

    name = "general"
    system = ["persona", "scenario", "skills", "metadata", "household", "profile"]
    memory = ["main", "semantic", "episodic", "summaries", "search"]
    prompt = { en = "...", zh = "..." }

A scenario is what a conversation is for, in words and in limits:

    name = "recall"
    instructions = { en = "...", zh = "..." }
    budget = { memory_tokens = 4_000, semantic_top_k = 6 }

Source: S4.1.2, S4.2.3; decisions 5.
"""

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from chatmem.errors import InvalidInputError, TemplateNotFoundError
from chatmem.prompt import receipt
from chatmem.prompt.material import check_limits
from chatmem.text.languages import LANGUAGES, LanguageCode

DEFAULT_PERSONA = "general"
REQUIRED_SECTIONS = (receipt.PERSONA, receipt.SCENARIO, receipt.SKILLS)
SYSTEM_SECTIONS = (*REQUIRED_SECTIONS, receipt.METADATA, receipt.HOUSEHOLD, receipt.PROFILE)
MEMORY_ORDER = tuple(one for one in receipt.MEMORY_SECTIONS if one != receipt.INTRODUCTION)
_FOLDER = Path(__file__).parent
_LANGUAGES = tuple(language.code for language in LANGUAGES)

Texts: TypeAlias = Mapping[LanguageCode, str]
_Table: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Persona:
    """A persona: its words, and the sections of `[SYSTEM]` and `[MEMORY]` in order."""

    name: str
    prompt: Texts
    system: tuple[str, ...] = SYSTEM_SECTIONS
    memory: tuple[str, ...] = MEMORY_ORDER

    def words(self, language: LanguageCode) -> str:
        """Its prompt in this language, or in the other one where that is all there is."""
        return _in_language(self.prompt, language)

    def shows(self, section: str) -> bool:
        """False for a section that this persona does without."""
        return section in self.system or section in self.memory


@dataclass(frozen=True, slots=True)
class Scenario:
    """A scenario: instructions, which may be empty, and limits by the names of `Budget`."""

    name: str
    instructions: Texts = field(default_factory=dict)
    budget: Mapping[str, int] = field(default_factory=dict)

    def words(self, language: LanguageCode) -> str:
        """Its instructions in this language, or in the other one where that is all there is."""
        return _in_language(self.instructions, language)


_Template = TypeVar("_Template", Persona, Scenario)


@dataclass(frozen=True, slots=True)
class Templates:
    """The personas and scenarios that there are, by name."""

    personas: Mapping[str, Persona]
    scenarios: Mapping[str, Scenario]

    def persona(self, name: str) -> Persona:
        """The persona of this name; raises `TemplateNotFoundError`, which lists those there are."""
        return _named(self.personas, name, "persona")

    def scenario(self, name: str) -> Scenario:
        """The scenario of this name; raises as `persona` does."""
        return _named(self.scenarios, name, "scenario")


def load_templates(folder: Path | None = None) -> Templates:
    """Ours, and those of `folder/personas/*.toml` and `folder/scenarios/*.toml`, which win by name.

    Raises:
        InvalidInputError: a file that cannot be read, is no TOML, or has a key that is unknown,
            missing or of another kind; the message names file and key.
    """
    folders = [_FOLDER] if folder is None else [_FOLDER, folder]

    def read(kind: str, make: Callable[[_Table, str], _Template]) -> dict[str, _Template]:
        paths = [path for one in folders for path in sorted((one / kind).glob("*.toml"))]
        return {one.name: one for one in (make(_table(path), str(path)) for path in paths)}

    return Templates(read("personas", _persona), read("scenarios", _scenario))


def _table(path: Path) -> _Table:
    try:
        return tomllib.loads(path.read_text("utf-8-sig"))
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInputError(f"{path}: cannot be read as UTF-8 text ({error})") from error
    except tomllib.TOMLDecodeError as error:
        raise InvalidInputError(f"{path}: is no TOML ({error})") from error


def _persona(table: _Table, file: str) -> Persona:
    _check_keys(table, ("name", "system", "memory", "prompt"), file)
    system = _sections(table, "system", SYSTEM_SECTIONS, file)
    memory = _sections(table, "memory", MEMORY_ORDER, file)
    for section in REQUIRED_SECTIONS:
        if section not in system:
            raise InvalidInputError(f"{file}: system: lacks {section!r}, which every prompt has")
    if receipt.MAIN in memory[1:]:
        reason = "it stays the same between turns, and what changes comes behind it"
        raise InvalidInputError(f"{file}: memory: {receipt.MAIN!r} comes first: {reason}")
    prompt = _texts(table, "prompt", file)
    if not any(prompt.values()):
        raise InvalidInputError(f"{file}: prompt: takes a text for en, zh or both")
    return Persona(_name(table, file), prompt, system, memory)


def _scenario(table: _Table, file: str) -> Scenario:
    _check_keys(table, ("name", "instructions", "budget"), file)
    budget = table.get("budget", {})
    if not isinstance(budget, Mapping):
        raise InvalidInputError(f"{file}: budget: takes a table of limits")
    check_limits(budget, f"{file}: budget")
    return Scenario(_name(table, file), _texts(table, "instructions", file), budget)


def _check_keys(table: _Table, known: Sequence[str], place: str) -> None:
    for key in table:
        if key not in known:
            raise InvalidInputError(f"{place}: {key}: no such key; there are {', '.join(known)}")


def _name(table: _Table, file: str) -> str:
    name = table.get("name")
    if not isinstance(name, str) or not name.strip():
        raise InvalidInputError(f"{file}: name: got {name!r}, takes a text")
    return name.strip()


def _texts(table: _Table, key: str, file: str) -> Texts:
    """`[key]` by language; "" for one that is missing."""
    value = table.get(key, {})
    if not isinstance(value, Mapping):
        raise InvalidInputError(f"{file}: {key}: takes a table with en and zh")
    _check_keys(value, _LANGUAGES, f"{file}: {key}")
    texts: dict[LanguageCode, str] = {}
    for language in _LANGUAGES:
        text = value.get(language, "")
        if not isinstance(text, str):
            raise InvalidInputError(f"{file}: {key}.{language}: got {text!r}, takes a text")
        texts[language] = text.strip()
    return texts


def _sections(table: _Table, key: str, known: Sequence[str], file: str) -> tuple[str, ...]:
    """A list of known sections, none twice; all of them if the key is absent."""
    value = table.get(key, list(known))
    fits = isinstance(value, list) and all(isinstance(one, str) and one in known for one in value)
    if not fits or len(set(value)) != len(value):
        takes = f"a list of {', '.join(known)}, none twice"
        raise InvalidInputError(f"{file}: {key}: got {value!r}, takes {takes}")
    return tuple(value)


def _in_language(texts: Texts, language: LanguageCode) -> str:
    return texts.get(language) or next(filter(None, texts.values()), "")


def _named(templates: Mapping[str, _Template], name: str, kind: str) -> _Template:
    if name not in templates:
        there_are = ", ".join(sorted(templates))
        raise TemplateNotFoundError(f"no {kind} {name!r}; there are {there_are}")
    return templates[name]
