"""What an agent's model is told once and for all: the system prompts of planning and of a step.

They hold nothing of a request, so that they are the same, byte for byte, from step to step and
from run to run: a provider's prompt cache holds.

Source: S1.7; decisions 5 (stable parts first; memory is data).
"""

from collections.abc import Mapping
from functools import cache

from chatmem.text.language import Language
from chatmem.text.wordlist import toml_of


@cache
def _told(language: Language) -> Mapping[str, str]:
    told: Mapping[str, str] = toml_of("chatmem.agent", "instructions")[language]
    return told


def planning_instructions(language: Language, tools: str, most_steps: int, chars: int) -> str:
    """The system prompt of planning: what a plan is, its form, and the tools. Source: S1.7.1."""
    told = _told(language)
    values = {"steps": most_steps, "chars": chars, "data": told["data"]}
    return f"{told['planning'] % values}\n\n{_documented(told, tools)}"


def step_instructions(language: Language, tools: str) -> str:
    """The system prompt of every step. Source: S1.7.2."""
    told = _told(language)
    return f"{told['stepping'] % {'data': told['data']}}\n\n{_documented(told, tools)}"


def repair_note(problem: str, answer: str, language: Language) -> str:
    """What is added to a request whose answer could not be used."""
    return _told(language)["repair"] % (problem, answer)


def _documented(told: Mapping[str, str], tools: str) -> str:
    return f"{told['tools']}\n{tools}" if tools else told["no_tools"]
