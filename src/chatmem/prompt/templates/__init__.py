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
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, TypeAlias, TypeVar

from pydantic import AfterValidator, ConfigDict, StringConstraints

from chatmem.errors import InvalidInputError, TemplateNotFoundError
from chatmem.prompt import receipt
from chatmem.prompt.material import make_budget, validated
from chatmem.text.languages import LanguageCode

DEFAULT_PERSONA = "general"
REQUIRED_SECTIONS = (receipt.PERSONA, receipt.SCENARIO, receipt.SKILLS)
SYSTEM_SECTIONS = (*REQUIRED_SECTIONS, receipt.METADATA, receipt.HOUSEHOLD, receipt.PROFILE)
MEMORY_ORDER = tuple(one for one in receipt.MEMORY_SECTIONS if one != receipt.INTRODUCTION)
_FOLDER = Path(__file__).parent


def _known(names: tuple[str, ...], known: tuple[str, ...]) -> tuple[str, ...]:
    if len(set(names)) != len(names) or not set(names) <= set(known):
        raise ValueError(f"got {', '.join(names)}, takes a list of {', '.join(known)}, none twice")
    return names


def _of_system(names: tuple[str, ...]) -> tuple[str, ...]:
    for section in REQUIRED_SECTIONS:
        if section not in names:
            raise ValueError(f"lacks {section!r}, which every prompt has")
    return _known(names, SYSTEM_SECTIONS)


def _of_memory(names: tuple[str, ...]) -> tuple[str, ...]:
    if receipt.MAIN in names[1:]:
        reason = "it stays the same between turns, and what changes comes behind it"
        raise ValueError(f"{receipt.MAIN!r} comes first: {reason}")
    return _known(names, MEMORY_ORDER)


def _some(texts: Mapping[LanguageCode, str]) -> Mapping[LanguageCode, str]:
    if not any(texts.values()):
        raise ValueError("takes a text for en, zh or both")
    return texts


def _limits(limits: Mapping[str, int]) -> Mapping[str, int]:
    make_budget(limits, place="limits")
    return limits


_Name: TypeAlias = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
_Text: TypeAlias = Annotated[str, StringConstraints(strip_whitespace=True)]
Texts: TypeAlias = Mapping[LanguageCode, _Text]


@dataclass(frozen=True, slots=True)
class Persona:
    """A persona: its words, and the sections of `[SYSTEM]` and `[MEMORY]` in order."""

    __pydantic_config__ = ConfigDict(extra="forbid")

    name: _Name
    prompt: Annotated[Texts, AfterValidator(_some)]
    system: Annotated[tuple[str, ...], AfterValidator(_of_system)] = SYSTEM_SECTIONS
    memory: Annotated[tuple[str, ...], AfterValidator(_of_memory)] = MEMORY_ORDER

    def shows(self, section: str) -> bool:
        """False for a section that this persona does without."""
        return section in self.system or section in self.memory


@dataclass(frozen=True, slots=True)
class Scenario:
    """A scenario: instructions, which may be empty, and limits by the names of `Budget`."""

    __pydantic_config__ = ConfigDict(extra="forbid")

    name: _Name
    instructions: Texts = field(default_factory=dict)
    budget: Annotated[Mapping[str, int], AfterValidator(_limits)] = field(default_factory=dict)


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

    def read(kind: str, shape: type[_Template]) -> dict[str, _Template]:
        paths = [path for one in folders for path in sorted((one / kind).glob("*.toml"))]
        found = [validated(shape, _table(path), str(path)) for path in paths]
        return {one.name: one for one in found}

    return Templates(read("personas", Persona), read("scenarios", Scenario))


def _table(path: Path) -> Mapping[str, object]:
    try:
        return tomllib.loads(path.read_text("utf-8-sig"))
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInputError(f"{path}: cannot be read as UTF-8 text ({error})") from error
    except tomllib.TOMLDecodeError as error:
        raise InvalidInputError(f"{path}: is no TOML ({error})") from error


def in_language(texts: Texts, language: LanguageCode) -> str:
    """The text in this language, or in the other one where that is all there is."""
    return texts.get(language) or next(filter(None, texts.values()), "")


def _named(templates: Mapping[str, _Template], name: str, kind: str) -> _Template:
    if name not in templates:
        there_are = ", ".join(sorted(templates))
        raise TemplateNotFoundError(f"no {kind} {name!r}; there are {there_are}")
    return templates[name]
