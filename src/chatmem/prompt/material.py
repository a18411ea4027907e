"""What a prompt is made of: plain values, gathered by the caller, who decided who may see them.

Memory that is switched off is memory that is not here.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date as Date
from typing import Any

from chatmem.model import Hit, SessionSummary
from chatmem.prompt.main_memory import MainMemory
from chatmem.text.languages import DEFAULT
from chatmem.text.languages import LanguageCode as Language


@dataclass(frozen=True, slots=True)
class WindowMessage:
    """A message of the running session; `role` is user, assistant, tool or system."""

    role: str
    content: str


@dataclass(frozen=True, slots=True)
class RagDocument:
    """A document that the caller found for this message."""

    content: str
    title: str | None = None
    source: str | None = None


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool that the model may call; `parameters` is its JSON schema."""

    name: str
    description: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """Everything that may go into one prompt.

    `base_prompt` None takes the persona's own words, "" neither. `semantic` and `episodic` are
    recalled memories, `found` those of a search beside them, each best first; `window` has the
    oldest message first. Memories of others than `viewer` are marked as shared. `speakers` are
    names of who said a turn, by the memory's id.
    """

    message: str
    base_prompt: str | None = None
    skills: Sequence[str] = ()
    date: Date | None = None
    language: Language = DEFAULT.code
    household: str = ""
    profile: str = ""
    main: MainMemory = field(default_factory=MainMemory)
    semantic: Sequence[Hit] = ()
    episodic: Sequence[Hit] = ()
    summaries: Sequence[SessionSummary] = ()
    found: Sequence[Hit] = ()
    window: Sequence[WindowMessage] = ()
    rag: Sequence[RagDocument] = ()
    tools: Sequence[Tool] = ()
    viewer: str = "default"
    speakers: Mapping[str, str] = field(default_factory=dict)
