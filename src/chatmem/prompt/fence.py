"""Data in a prompt: between a fence's two lines, saying where it is from, unable to leave it.

    <memory source="MEMORY.md">
    - Drinks oolong
    </memory>

The words that introduce data to the model are phrases of its language.

Source: decisions 5; lessons.md, "stored text acts as instructions".
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from chatmem.model import Hit, SessionSummary
from chatmem.prompt import receipt
from chatmem.prompt.excerpt import QueryTerms, excerpt
from chatmem.prompt.imitations import DOCUMENT_FENCE as DOCUMENT_FENCE
from chatmem.prompt.imitations import MEMORY_FENCE as MEMORY_FENCE
from chatmem.prompt.imitations import neutralise
from chatmem.prompt.material import Material, RagDocument, WindowMessage
from chatmem.text.languages import BY_CODE, LanguageCode, phrases

INTRODUCTIONS: Final = {
    MEMORY_FENCE: phrases("prompt.introduction.memory"),
    DOCUMENT_FENCE: phrases("prompt.introduction.document"),
}
"""What the model is told before the first fence of each kind."""
ORIGINS: Final = {
    receipt.HOUSEHOLD: "HOUSEHOLD.md",
    receipt.PROFILE: "USER.md",
    receipt.MAIN: "MEMORY.md",
    receipt.SEMANTIC: "memories",
    receipt.EPISODIC: "episodes",
    receipt.SUMMARIES: "earlier sessions",
    receipt.SEARCH: "search",
    receipt.WINDOW: "this session",
}
"""The `source` of each section's fence."""
_TITLES: Final = {
    receipt.HOUSEHOLD: phrases("prompt.title.household"),
    receipt.PROFILE: phrases("prompt.title.profile"),
    receipt.WINDOW: phrases("prompt.title.window"),
}
_ROLES: Final = {
    name: phrases(f"prompt.role.{name}") for name in ("user", "assistant", "tool", "system")
}
_SHARED: Final = phrases("prompt.shared")
_UNTIL: Final = phrases("prompt.until")
_MAX_LABEL_CHARS: Final = 80
_UNLABELLED: Final = str.maketrans(
    {'"': "'", "<": "(", ">": ")", "[": "(", "]": ")", "＜": "(", "＞": ")"}
)
_BLANK_LINES: Final = re.compile(r"\n\s*\n")
harmless = lru_cache(maxsize=64)(neutralise)
"""The same as `neutralise`, cached: documents are the same from turn to turn."""


def fenced(name: str, origin: str, body: str) -> str:
    """`<name source="origin">`, the neutralised body, `</name>`, each on lines of its own."""
    return fenced_items(name, origin, [harmless(body)])


def fenced_items(name: str, origin: str, items: Iterable[str]) -> str:
    """The same around lines that `item` made: each is harmless, and so they are together."""
    source = label(origin)
    opening = f'<{name} source="{source}">' if source else f"<{name}>"
    return "\n".join([opening, *items, f"</{name}>"])


def fenced_section(section: str, lines: Iterable[str], language: LanguageCode) -> str:
    """The lines of a section of memory between its fence, below its title if it has one."""
    fence = fenced_items(MEMORY_FENCE, ORIGINS[section], lines)
    title = _TITLES.get(section)
    return f"{title[language]}\n{fence}" if title else fence


def fenced_document(document: RagDocument, content: str) -> str:
    """This content of a document, labelled with its title and source."""
    origin = ", ".join(one for one in (document.title, document.source) if one and one.strip())
    return fenced(DOCUMENT_FENCE, origin, content)


def label(text: str) -> str:
    """A name or title on one line, at most 80 characters, without anything that ends a label."""
    line = " ".join(neutralise(text).translate(_UNLABELLED).split())
    return line if len(line) <= _MAX_LABEL_CHARS else line[: _MAX_LABEL_CHARS - 1] + "…"


def item(origin: str, text: str) -> str:
    """`- (origin) text`; further lines are indented, blank ones go.

    The text is neutralised by itself first: at the beginning of a line of its own it may be taken
    for something that it is not behind the origin.
    """
    safe = neutralise(text).strip()
    if "\n" in safe:
        safe = _BLANK_LINES.sub("\n", safe).replace("\n", "\n  ")
    return f"- ({origin}) {safe}" if origin else f"- {safe}"


def memory_line(hit: Hit, material: Material, max_tokens: int, query: QueryTerms) -> str:
    """`- (2023-05-08, Caroline) text`: when, who or what kind, who shared it, what."""
    memory = hit.memory
    language = material.language
    origin = [memory.timestamp.date().isoformat()]
    if memory.memory_type == "short_term" and memory.role:
        speaker = material.speakers.get(memory.id)
        origin.append(label(speaker) if speaker else _role(memory.role, language))
    elif memory.category:
        origin.append(memory.category)
    if memory.valid_to is not None:
        origin.append(_UNTIL[language].format(memory.valid_to.date().isoformat()))
    if memory.user_id != material.viewer:
        origin.append(_SHARED[language].format(label(memory.user_id)))
    return item(", ".join(origin), excerpt(memory.content, max_tokens, query))


def summary_line(
    summary: SessionSummary, language: LanguageCode, max_tokens: int, query: QueryTerms
) -> str:
    """`- (2026-11-02) title: snippet`, without a title that the snippet begins with."""
    title, snippet = summary.title.strip(), summary.snippet.strip()
    begun = snippet.startswith(title.rstrip("…. "))
    parts = [part for part in ("" if begun else title, snippet) if part]
    text = BY_CODE[language].colon.join(parts)
    return item(summary.updated_at.date().isoformat(), excerpt(text, max_tokens, query))


def message_line(message: WindowMessage, language: LanguageCode) -> str:
    """`- (user) text`: a message of the running session in flat text."""
    return item(_role(message.role, language), message.content)


def _role(role: str, language: LanguageCode) -> str:
    return _ROLES[role][language] if role in _ROLES else label(role)
