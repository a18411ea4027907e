"""Personas: who the model is, and which sections its prompt has, in which order.

    name = "general"
    system = ["persona", "scenario", "skills", "metadata", "household", "profile"]
    memory = ["main", "semantic", "episodic", "summaries", "search"]

    [prompt]
    en = "..."
    zh = "..."

The structure above the sections is the same for all. Source: S4.1.2; decisions 5.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from chatmem.errors import InvalidInputError
from chatmem.prompt.receipt import (
    EPISODIC,
    HOUSEHOLD,
    MAIN,
    METADATA,
    PERSONA,
    PROFILE,
    SCENARIO,
    SEARCH,
    SEMANTIC,
    SKILLS,
    SUMMARIES,
)
from chatmem.prompt.tables import Table, check_keys, chosen, in_languages, required_text
from chatmem.text.language import Language

DEFAULT_PERSONA = "general"
INSTRUCTING = (PERSONA, SCENARIO, SKILLS)
SYSTEM_SECTIONS = (*INSTRUCTING, METADATA, HOUSEHOLD, PROFILE)
MEMORY_ORDER = (MAIN, SEMANTIC, EPISODIC, SUMMARIES, SEARCH)
_KEYS = ("name", "system", "memory", "prompt")


@dataclass(frozen=True, slots=True)
class Persona:
    """A persona: its words, and the sections of `[SYSTEM]` and `[MEMORY]` in order."""

    name: str
    prompt: Mapping[Language, str]
    system: tuple[str, ...] = SYSTEM_SECTIONS
    memory: tuple[str, ...] = MEMORY_ORDER

    def words(self, language: Language) -> str:
        """Its prompt in this language; in the other one where that is all there is."""
        return self.prompt.get(language) or next(filter(None, self.prompt.values()), "")

    def shows(self, section: str) -> bool:
        """False for a section that this persona does without."""
        known = section in SYSTEM_SECTIONS or section in MEMORY_ORDER
        return not known or section in self.system or section in self.memory


def read_persona(table: Table, place: str) -> Persona:
    """A persona from its TOML table; `place` is the file, for errors.

    Raises:
        InvalidInputError: a key that is unknown, missing or of another kind.
    """
    check_keys(table, _KEYS, place)
    system = chosen(table, "system", SYSTEM_SECTIONS, place)
    memory = chosen(table, "memory", MEMORY_ORDER, place)
    for section in INSTRUCTING:
        if section not in system:
            raise InvalidInputError(f"{place}: system: lacks {section!r}, which every prompt has")
    if MAIN in memory[1:]:
        reason = "it stays the same between turns, and what changes comes behind it"
        raise InvalidInputError(f"{place}: memory: {MAIN!r} comes first: {reason}")
    prompt = in_languages(table, "prompt", place)
    if not any(prompt.values()):
        raise InvalidInputError(f"{place}: prompt: takes a text for en, zh or both")
    return Persona(required_text(table, "name", place), prompt, system, memory)
