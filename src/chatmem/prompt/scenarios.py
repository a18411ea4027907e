"""Scenarios: what a conversation is for, in words and in limits.

    name = "recall"

    [instructions]
    en = "..."
    zh = "..."

    [budget]
    memory_tokens = 4_000
    semantic_top_k = 6

Source: S4.2.3; decisions 5.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from chatmem.errors import InvalidInputError
from chatmem.prompt.budget import check_limit
from chatmem.prompt.tables import Table, check_keys, in_languages, required_text
from chatmem.text.language import Language

_KEYS = ("name", "instructions", "budget")


@dataclass(frozen=True, slots=True)
class Scenario:
    """A scenario: instructions, which may be empty, and limits by the names of `Budget`."""

    name: str
    instructions: Mapping[Language, str] = field(default_factory=dict)
    budget: Mapping[str, int] = field(default_factory=dict)

    def words(self, language: Language) -> str:
        """Its instructions in this language; in the other one where that is all there is."""
        return self.instructions.get(language) or next(filter(None, self.instructions.values()), "")


def read_scenario(table: Table, place: str) -> Scenario:
    """A scenario from its TOML table; `place` is the file, for errors.

    Raises:
        InvalidInputError: a key that is unknown, missing or of another kind.
    """
    check_keys(table, _KEYS, place)
    budget = table.get("budget", {})
    if not isinstance(budget, Mapping):
        raise InvalidInputError(f"{place}: budget: takes a table of limits")
    limits = {name: check_limit(name, value, f"{place}: budget") for name, value in budget.items()}
    name = required_text(table, "name", place)
    return Scenario(name, in_languages(table, "instructions", place), limits)
