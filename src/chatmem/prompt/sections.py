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

Source: S4.1.1, S5.6, S5.7; decisions 5.
"""

import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date as Date
from typing import Final, TypeAlias

from chatmem.prompt import receipt
from chatmem.prompt.fence import DOCUMENT_FENCE, MEMORY_FENCE, fenced_section, introduction
from chatmem.prompt.imitations import ANY_MARK, neutralise
from chatmem.prompt.material import Material, Tool
from chatmem.prompt.receipt import LeftOut
from chatmem.prompt.templates import Persona, Scenario, in_language
from chatmem.text.languages import LanguageCode, phrases

SYSTEM_MARK: Final = "[SYSTEM]"
MEMORY_MARK: Final = "[MEMORY]"
RAG_MARK: Final = "[RAG]"
USER_MARK: Final = "[USER]"
TOOLS_MARK: Final = "[TOOL INSTR]"
PART_BREAK: Final = "\n---\n"
SECTION_BREAK: Final = "\n\n"
LONG_TERM_TITLE: Final = "## Long-term Memory"
PAST_CONTEXT_TITLE: Final = "## Relevant Past Context"
_DAYS: Final = {code: days.split() for code, days in phrases("prompt.days").items()}
_TODAY: Final = phrases("prompt.today")
_LANGUAGE: Final = phrases("prompt.language")
_TOOL_FORMAT: Final = phrases("prompt.tools")

Part: TypeAlias = dict[str, str]
"""Texts of sections by name, in order; a mark stands above them."""


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
    """Entries by section, in the order in which they were chosen.

    The window is chosen newest round first; every other section is written as it was chosen.
    """

    entries: defaultdict[str, list[DraftEntry]] = field(default_factory=lambda: defaultdict(list))
    reasons: dict[str, str] = field(default_factory=dict)

    def __getitem__(self, section: str) -> list[DraftEntry]:
        """The entries of a section in the order in which they are written."""
        entries = self.entries[section]
        return entries[::-1] if section == receipt.WINDOW else entries

    def texts(self, section: str) -> list[str]:
        """The texts of a section's entries."""
        return [entry.text for entry in self[section]]

    def ids(self, section: str) -> tuple[str, ...]:
        """Ids of what is in a section, none twice."""
        return tuple(dict.fromkeys(one for entry in self[section] for one in entry.ids))

    def left_out(self) -> tuple[LeftOut, ...]:
        """What is not in any section, and the last reason for it."""
        there = self.present()
        return tuple(LeftOut(*one) for one in self.reasons.items() if one[0] not in there)

    def present(self) -> set[str]:
        """Ids of what is in any section."""
        return {one for section in self.entries for one in self.ids(section)}


def required_texts(material: Material, persona: Persona, scenario: Scenario | None) -> Part:
    """What a prompt cannot do without, by section; those without text are missing."""
    language = material.language
    own = in_language(persona.prompt, language)
    base = own if material.base_prompt is None else material.base_prompt
    part = {
        receipt.PERSONA: base.strip(),
        receipt.SCENARIO: in_language(scenario.instructions, language) if scenario else "",
        receipt.SKILLS: SECTION_BREAK.join(one.strip() for one in material.skills if one.strip()),
        receipt.TOOLS: tool_instructions(material.tools, language),
        receipt.MESSAGE: material.message,
    }
    return {section: text for section, text in part.items() if text}


def memory_part(draft: Draft, sections: Sequence[str], material: Material) -> Part:
    """`[MEMORY]` with these sections in order; empty where nothing is remembered."""
    language, mark = material.language, material.mark
    part: Part = {}
    title = f"{PAST_CONTEXT_TITLE}\n"  # once for all of them
    for section in sections:
        if not (lines := draft.texts(section)):
            continue
        if section == receipt.MAIN:
            part[section] = "\n".join([LONG_TERM_TITLE, *lines])
        elif section == receipt.WINDOW:
            part[section] = fenced_section(section, lines, language, mark)
        else:
            part[section] = title + fenced_section(section, lines, language, mark)
            title = ""
    first = introduction(MEMORY_FENCE, language, mark)
    return {receipt.INTRODUCTION: first, **part} if part else {}


def rag_part(draft: Draft, material: Material) -> Part:
    """`[RAG]`; empty without documents."""
    documents = draft.texts(receipt.RAG)
    first = introduction(DOCUMENT_FENCE, material.language, material.mark)
    return {receipt.RAG: "\n".join([first, *documents])} if documents else {}


def part_text(mark: str, part: Part) -> str:
    """The mark on a line of its own, and the sections."""
    return f"{mark}\n{SECTION_BREAK.join(part.values())}"


def metadata(day: Date | None, language: LanguageCode) -> str:
    """Date and language: coarse, so that it is the same for every turn of a day."""
    if day is None:
        return _LANGUAGE[language]
    name = _DAYS[language][day.weekday()]
    return f"{_TODAY[language].format(day, name)}\n{_LANGUAGE[language]}"


def tool_instructions(tools: Sequence[Tool], language: LanguageCode) -> str:
    """How to call a tool (ABP), and the tools; "" without tools."""
    return f"{_TOOL_FORMAT[language]}\n{tool_lines(tools, 'parameters')}" if tools else ""


def tool_lines(tools: Sequence[Tool], schema_title: str) -> str:
    """Each tool with its description on a line, and its schema below; the same for the same."""
    lines: list[str] = []
    for tool in tools:
        description = " ".join(neutralise(tool.description).split())
        schema = json.dumps(tool.parameters, ensure_ascii=False, default=str)
        lines.append(f"- {tool.name}: {description}" if description else f"- {tool.name}")
        lines.append(f"  {schema_title}: {schema}")
    return "\n".join(lines)


def frame(section: str, language: LanguageCode) -> str:
    """About what a section costs beside its entries."""
    if section == receipt.MAIN:
        return f"{LONG_TERM_TITLE}\n{SECTION_BREAK}"
    if section == receipt.WINDOW or section in receipt.PAST_CONTEXT:
        return f"{fenced_section(section, [], language, ANY_MARK)}{SECTION_BREAK}"
    if section == receipt.RAG:
        return f"{PART_BREAK}{RAG_MARK}\n{introduction(DOCUMENT_FENCE, language, ANY_MARK)}\n"
    if section == receipt.INTRODUCTION:
        first = introduction(MEMORY_FENCE, language, ANY_MARK)
        return f"{PART_BREAK}{MEMORY_MARK}\n{first}{SECTION_BREAK}{PAST_CONTEXT_TITLE}\n"
    return SECTION_BREAK
