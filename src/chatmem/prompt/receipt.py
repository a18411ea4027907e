"""The sections of a prompt by name, and the receipt: what went in, its tokens, what was left out.

Source: S4.2.2; decisions 5; interfaces.md (receipt).
"""

from dataclasses import dataclass
from typing import Any

from pydantic_core import to_jsonable_python

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

PAST_CONTEXT = (SEMANTIC, EPISODIC, SUMMARIES, SEARCH)
"""The sections of memory that depend on the message."""
MEMORY_SECTIONS = (INTRODUCTION, MAIN, *PAST_CONTEXT)
"""Their tokens together are those of the memory section."""
PRIORITY = (
    *(METADATA, HOUSEHOLD, PROFILE, MAIN, SEMANTIC),
    *(EPISODIC, WINDOW, RAG, SUMMARIES, SEARCH),
)
"""S4's Profile > Semantic > Episodic > Session, then documents, which somebody chose for this very
message, before summaries and search results."""


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
        found: dict[str, Any] = to_jsonable_python(self)
        return found
