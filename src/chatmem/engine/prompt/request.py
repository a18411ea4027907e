"""A request for a prompt, as a caller gives it, and its checks.

Source: interfaces.md (`POST /api/sessions/{id}/context`); decisions 5.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, get_args

from chatmem.engine.checks import checked_choice, checked_text, checked_texts
from chatmem.errors import InvalidInputError
from chatmem.prompt.material import RagDocument, Tool, read_tool
from chatmem.text.clean import without_surrogates
from chatmem.text.languages import LanguageCode

LANGUAGES: tuple[LanguageCode, ...] = get_args(LanguageCode)


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextRequest:
    """A message and everything else that the caller decides about its prompt.

    `base_system_prompt` takes the place of the persona's own words; "" means none of either.
    `session_messages` is for applications that keep the conversation; None reads the session's.
    `budget` changes single limits by the names of `prompt.budget.Budget`. `use_memory` False leaves
    out everything remembered; `counts_access` False counts no memory as used. The methods raise
    `InvalidInputError` for a value that does not fit.
    """

    message: str
    session_id: str | None = None
    base_system_prompt: str | None = None
    persona: str | None = None
    scenario: str | None = None
    skills: Sequence[str] = ()
    session_messages: Sequence[Mapping[str, Any]] | None = None
    rag: Sequence[str | Mapping[str, Any]] = ()
    tools: Sequence[Mapping[str, Any]] = ()
    language: str | None = None
    budget: Mapping[str, int] | None = None
    use_memory: bool = True
    counts_access: bool = True
    now: datetime | None = None

    def checked_message(self) -> str:
        """The message as it goes into the prompt: its own words, in whole characters."""
        checked_text(self.message, "message")
        return without_surrogates(self.message)

    def documents(self) -> tuple[RagDocument, ...]:
        """The caller's documents: text, or `{"content", "title"?, "source"?}`."""
        if isinstance(self.rag, (str, Mapping)):
            raise InvalidInputError("rag: takes a list of documents")
        return tuple(_document(one, f"rag[{index}]") for index, one in enumerate(self.rag))

    def described_tools(self) -> tuple[Tool, ...]:
        """The caller's tools: each has a name, and a JSON schema as parameters."""
        if isinstance(self.tools, (str, Mapping)):
            raise InvalidInputError("tools: takes a list of tools")
        return tuple(read_tool(one) for one in self.tools)

    def checked_skills(self) -> tuple[str, ...]:
        """Instructions of the application's skills."""
        return checked_texts(self.skills, "skills") if self.skills else ()

    def checked_language(self) -> LanguageCode | None:
        """`zh`, `en`, or None where the conversation says it."""
        if self.language is None:
            return None
        return checked_choice(self.language, "language", LANGUAGES)


def _document(value: object, place: str) -> RagDocument:
    if isinstance(value, str):
        return RagDocument(content=checked_text(value, place), title=None, source=None)
    if not isinstance(value, Mapping):
        kind = type(value).__name__
        raise InvalidInputError(f'{place}: got {kind}, takes text or {{"content", "title"?}}')
    return RagDocument(
        content=checked_text(value.get("content"), f"{place}.content"),
        title=_optional(value.get("title"), f"{place}.title"),
        source=_optional(value.get("source"), f"{place}.source"),
    )


def _optional(value: object, place: str) -> str | None:
    return None if value is None or value == "" else checked_text(value, place)
