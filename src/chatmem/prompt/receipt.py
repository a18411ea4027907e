"""What a prompt says about itself: what went in, what it costs, what was left out and why.

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
"""The sections whose tokens together are those of the memory section, `INTRODUCTION` its words of
introduction."""


@dataclass(frozen=True, slots=True)
class ReceiptSection:
    """A part of the prompt: its tokens as rendered, and the ids of the memories in it.

    Summaries go by their session's id, documents as `rag[0]`, messages of the window as `window[0]`
    (the oldest that was given). `frame` is what belongs to no part: marks, separators, and what
    each message costs beside its words; with it the tokens add up to the total.
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
