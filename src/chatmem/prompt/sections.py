"""The sections of a prompt: what is chosen for them, their order, and how they are written.

    [SYSTEM]       persona, scenario, skills, session metadata, household, profile
    ---
    [MEMORY]       ## Long-term Memory, then ## Relevant Past Context
    ---
    [RAG]          documents
    ---
    [TOOL INSTR]   tools

What stays the same between two turns comes first. Flat text has the session's history inside
`[MEMORY]`, and `[USER]` before `[TOOL INSTR]`. The words around data are in `prompt/fence.py`.

Source: S4.1.1, S5.6; decisions 5.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date as Date
from typing import Final

from chatmem.prompt import receipt
from chatmem.prompt.abp import tool_instructions
from chatmem.prompt.budget import PRIORITY
from chatmem.prompt.fence import DOCUMENT_FENCE, INTRODUCTIONS, MEMORY_FENCE, fenced_section
from chatmem.prompt.imitations import neutralise
from chatmem.prompt.material import Material
from chatmem.prompt.receipt import LeftOut
from chatmem.prompt.templates import Persona, Scenario
from chatmem.text.languages import LanguageCode as Language

SYSTEM_MARK: Final = "[SYSTEM]"
MEMORY_MARK: Final = "[MEMORY]"
RAG_MARK: Final = "[RAG]"
USER_MARK: Final = "[USER]"
TOOLS_MARK: Final = "[TOOL INSTR]"
PART_BREAK: Final = "\n---\n"
CHUNK_BREAK: Final = "\n\n"
LONG_TERM_TITLE: Final = "## Long-term Memory"
PAST_CONTEXT_TITLE: Final = "## Relevant Past Context"
PAST_CONTEXT: Final = (receipt.SEMANTIC, receipt.EPISODIC, receipt.SUMMARIES, receipt.SEARCH)
"""The sections below that title."""
_DAYS: Final[Mapping[Language, tuple[str, ...]]] = {
    "en": ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
    "zh": ("星期一", "星期二", "星期三", "星期四", "星期五", "星期六", "星期日"),
}
_TODAY: Final[Mapping[Language, str]] = {"en": "Date: {} ({})", "zh": "日期：{}（{}）"}
_LANGUAGE: Final[Mapping[Language, str]] = {"en": "Language: English", "zh": "语言：中文"}


@dataclass(frozen=True, slots=True)
class DraftEntry:
    """One thing in a section: its text, its tokens, and the ids that it answers for.

    A round of the window has its messages, as `(role, content)`.
    """

    text: str
    tokens: int
    ids: tuple[str, ...] = ()
    messages: tuple[tuple[str, str], ...] = ()


@dataclass(slots=True)
class Draft:
    """Entries by section, in the order in which they were chosen: the last is the first to go.

    The window is chosen newest round first; every other section is written as it was chosen.
    """

    entries: dict[str, list[DraftEntry]] = field(default_factory=dict)
    reasons: dict[str, str] = field(default_factory=dict)

    def __getitem__(self, section: str) -> list[DraftEntry]:
        return self.entries.get(section, [])

    def add(self, section: str, entry: DraftEntry) -> None:
        """One more entry in a section."""
        self.entries.setdefault(section, []).append(entry)

    def leave_out(self, memory_id: str, reason: str) -> None:
        """Note why something is not there; the last reason counts."""
        self.reasons[memory_id] = reason

    def drop(self, tokens: int, sections: tuple[str, ...], reason: str) -> bool:
        """Give back at least `tokens`, from what matters least; False if nothing was left."""
        dropped = False
        for section in reversed(PRIORITY):
            while tokens > 0 and section in sections and self[section]:
                entry = self.entries[section].pop()
                for memory_id in entry.ids:
                    self.leave_out(memory_id, reason)
                tokens -= max(entry.tokens, 1)
                dropped = True
        return dropped

    def ids(self, section: str) -> tuple[str, ...]:
        """Ids of what is in a section, none twice, in the order in which they are written."""
        entries = reversed(self[section]) if section == receipt.WINDOW else self[section]
        return tuple(dict.fromkeys(one for entry in entries for one in entry.ids))

    def left_out(self) -> tuple[LeftOut, ...]:
        """What is not in any section, and why."""
        present = {one for section in self.entries for one in self.ids(section)}
        return tuple(
            LeftOut(one, reason) for one, reason in self.reasons.items() if one not in present
        )


@dataclass(frozen=True, slots=True)
class Chunk:
    """The rendered text of one section."""

    section: str
    text: str


@dataclass(frozen=True, slots=True)
class Part:
    """A mark and the sections below it."""

    mark: str
    chunks: tuple[Chunk, ...] = ()

    @property
    def text(self) -> str:
        """The mark on a line of its own, and the sections."""
        return f"{self.mark}\n{CHUNK_BREAK.join(chunk.text for chunk in self.chunks)}"

    def without(self, section: str) -> "Part":
        """The same part without one section."""
        return replace(self, chunks=tuple(one for one in self.chunks if one.section != section))


def required_texts(
    material: Material, persona: Persona, scenario: Scenario | None
) -> dict[str, str]:
    """What a prompt cannot do without, by section; those without text are missing."""
    language = material.language
    base = persona.words(language) if material.base_prompt is None else material.base_prompt
    texts = {
        receipt.PERSONA: base.strip(),
        receipt.SCENARIO: scenario.words(language) if scenario else "",
        receipt.SKILLS: CHUNK_BREAK.join(one.strip() for one in material.skills if one.strip()),
        receipt.TOOLS: tool_instructions(material.tools, language),
        receipt.MESSAGE: material.message,
    }
    return {section: text for section, text in texts.items() if text}


def system_part(draft: Draft, required: Mapping[str, str], persona: Persona) -> Part:
    """`[SYSTEM]`, in the persona's order."""
    texts = (
        (section, required.get(section) or "".join(entry.text for entry in draft[section]))
        for section in persona.system
    )
    return Part(SYSTEM_MARK, tuple(Chunk(section, text) for section, text in texts if text))


def memory_part(draft: Draft, persona: Persona, language: Language, *, with_history: bool) -> Part:
    """`[MEMORY]`, in the persona's order; empty where nothing is remembered."""
    chunks: list[Chunk] = []
    title = f"{PAST_CONTEXT_TITLE}\n"
    for section in persona.memory:
        if not (lines := [entry.text for entry in draft[section]]):
            continue
        if section == receipt.MAIN:
            text = "\n".join([LONG_TERM_TITLE, *lines])
        else:
            text = title + fenced_section(section, lines, language)
            title = ""  # once for all of them
        chunks.append(Chunk(section, text))
    if with_history and draft[receipt.WINDOW]:
        rounds = [entry.text for entry in reversed(draft[receipt.WINDOW])]
        chunks.append(Chunk(receipt.WINDOW, fenced_section(receipt.WINDOW, rounds, language)))
    if chunks:
        chunks.insert(0, Chunk(receipt.INTRODUCTION, INTRODUCTIONS[MEMORY_FENCE][language]))
    return Part(MEMORY_MARK, tuple(chunks))


def rag_part(draft: Draft, language: Language) -> Part:
    """`[RAG]`; empty without documents."""
    if not (documents := [entry.text for entry in draft[receipt.RAG]]):
        return Part(RAG_MARK)
    text = "\n".join([INTRODUCTIONS[DOCUMENT_FENCE][language], *documents])
    return Part(RAG_MARK, (Chunk(receipt.RAG, text),))


def user_part(message: str) -> Part:
    """`[USER]`, for flat text: there the message stands among marks, so it may not imitate them."""
    return Part(USER_MARK, (Chunk(receipt.MESSAGE, neutralise(message)),))


def tools_part(required: Mapping[str, str]) -> Part:
    """`[TOOL INSTR]`; empty without tools."""
    text = required.get(receipt.TOOLS)
    return Part(TOOLS_MARK, (Chunk(receipt.TOOLS, text),) if text else ())


def metadata(day: Date | None, language: Language) -> str:
    """Date and language: coarse, so that it is the same for every turn of a day."""
    if day is None:
        return _LANGUAGE[language]
    name = _DAYS[language][day.weekday()]
    return f"{_TODAY[language].format(day, name)}\n{_LANGUAGE[language]}"


def frame(section: str, language: Language) -> str:
    """About what a section costs beside its entries."""
    if section == receipt.MAIN:
        return f"{LONG_TERM_TITLE}\n{CHUNK_BREAK}"
    if section == receipt.WINDOW or section in PAST_CONTEXT:
        return f"{fenced_section(section, [], language)}{CHUNK_BREAK}"
    if section == receipt.RAG:
        return f"{PART_BREAK}{RAG_MARK}\n{INTRODUCTIONS[DOCUMENT_FENCE][language]}\n"
    if section == receipt.INTRODUCTION:
        introduction = INTRODUCTIONS[MEMORY_FENCE][language]
        return f"{PART_BREAK}{MEMORY_MARK}\n{introduction}{CHUNK_BREAK}{PAST_CONTEXT_TITLE}\n"
    return CHUNK_BREAK
