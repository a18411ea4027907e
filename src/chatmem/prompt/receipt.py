"""The sections of a prompt by name, and the receipt: what went in, its tokens, what was left out.

Source: decisions 5; interfaces.md (receipt).
"""

from dataclasses import dataclass
from typing import Any

PERSONA = "persona"
SCENARIO = "scenario"
SKILLS = "skills"
METADATA = "metadata"
HOUSEHOLD = "household"
PROFILE = "profile"
INTRODUCTION = "memory"
MAIN = "main"
SEMANTIC = "semantic"
EPISODIC = "episodic"
SUMMARIES = "summaries"
SEARCH = "search"
RAG = "rag"
WINDOW = "window"
MESSAGE = "message"
TOOLS = "tools"
FRAME = "frame"

MEMORY_SECTIONS = (INTRODUCTION, MAIN, SEMANTIC, EPISODIC, SUMMARIES, SEARCH)
"""Their tokens together are those of the memory section."""


@dataclass(frozen=True, slots=True)
class ReceiptSection:
    """A section as rendered: its tokens, and the ids of the memories in it.

    Summaries have their session's id, documents `rag[0]`, messages of the window `window[0]`, the
    oldest that was given. `frame` has the tokens of marks, separators and message roles: with it
    the sections add up to the total.
    """

    name: str
    tokens: int
    items: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Something that is not in the prompt, or only in part, and the reason."""

    id: str
    reason: str


@dataclass(frozen=True, slots=True)
class Receipt:
    """What went into one prompt, by section, and what was left out and why."""

    id: str
    sections: tuple[ReceiptSection, ...]
    left_out: tuple[LeftOut, ...]
    total_tokens: int

    def as_json(self) -> dict[str, Any]:
        """`{"id", "sections": [...], "left_out": [...], "total_tokens"}`. Source: interfaces.md."""
        return {
            "id": self.id,
            "sections": [
                {"name": one.name, "tokens": one.tokens, "items": list(one.items)}
                for one in self.sections
            ],
            "left_out": [{"id": one.id, "reason": one.reason} for one in self.left_out],
            "total_tokens": self.total_tokens,
        }
