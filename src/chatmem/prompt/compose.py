"""One prompt from everything there is for it, as messages or as one text, never over its budget.

    prompt = compose_messages(material, persona, scenario, budget)
    prompt.messages     at most one system message, the window, the user's message
    prompt.receipt      what went in, its tokens, what was left out and why

Source: S1.8, S4.1, S4.2, S5.6; decisions 5.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from chatmem.errors import BudgetError
from chatmem.prompt import sections
from chatmem.prompt.budget import PRIORITY, Budget
from chatmem.prompt.draft import Draft, Room
from chatmem.prompt.filling import MESSAGE_TOKENS, Filling
from chatmem.prompt.material import Material
from chatmem.prompt.personas import Persona
from chatmem.prompt.receipt import (
    FRAME,
    MEMORY_SECTIONS,
    MESSAGE,
    METADATA,
    WINDOW,
    LeftOut,
    Receipt,
    ReceiptSection,
)
from chatmem.prompt.scenarios import Scenario
from chatmem.prompt.sections import Chunk, Part, Words
from chatmem.text.tokens import count_tokens

DEFAULT_BUDGET = Budget()
_ID_CHARS = 32
_AS_BYTES = ("utf-8", "replace")


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """A composed prompt: `messages` or `text`, whichever was asked for, and its receipt."""

    messages: tuple[dict[str, str], ...] = ()
    text: str = ""
    receipt: Receipt


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rendered:
    """A draft as it reads: what a prompt gives, the sections in it, and what it costs."""

    messages: tuple[dict[str, str], ...] = ()
    text: str = ""
    chunks: tuple[Chunk, ...]
    memory_tokens: int
    total_tokens: int


_Render: TypeAlias = Callable[[Draft], _Rendered]


def compose_messages(
    material: Material,
    persona: Persona,
    scenario: Scenario | None = None,
    budget: Budget = DEFAULT_BUDGET,
) -> Prompt:
    """One system message or none, the window as real messages, the user's message unchanged.

    Raises:
        BudgetError: what a prompt cannot do without is larger than the budget.

    Source: S1.4.1, S1.8, S4.1, S4.2, S5.6.
    """
    return _composed(_messages, material, persona, scenario, budget)


def compose_text(
    material: Material,
    persona: Persona,
    scenario: Scenario | None = None,
    budget: Budget = DEFAULT_BUDGET,
) -> Prompt:
    """`[SYSTEM] [MEMORY] [RAG] [USER] [TOOL INSTR]`, the session's history inside `[MEMORY]`.

    Raises:
        BudgetError: what a prompt cannot do without is larger than the budget.

    Source: S4.1.1, S4.2, S5.6.
    """
    return _composed(_text, material, persona, scenario, budget)


def _composed(
    form: Callable[[Draft, Material, Persona, Words], _Rendered],
    material: Material,
    persona: Persona,
    scenario: Scenario | None,
    budget: Budget,
) -> Prompt:
    words = sections.words_of(material, persona, scenario)

    def render(draft: Draft) -> _Rendered:
        return form(draft, material, persona, words)

    room = _room(words, render(Draft()), budget)
    draft = Filling(material, persona, budget, flat=form is _text, total=room).fill()
    return _prompt(draft, _within(draft, render, budget), material)


def _room(words: Words, bare: _Rendered, budget: Budget) -> Room:
    """What is left beside the words that a prompt cannot do without."""
    left = budget.total_tokens - bare.total_tokens
    if left < 0:
        sizes = ", ".join(f"{name} {count_tokens(text):,}" for name, text in words.items())
        raise BudgetError(
            f"the prompt needs {bare.total_tokens:,} tokens for what it cannot do without "
            f"({sizes}), {-left:,} more than total_tokens = {budget.total_tokens:,}; "
            "shorten that or raise the limit"
        )
    return Room("total_tokens", left)


def _within(draft: Draft, render: _Render, budget: Budget) -> _Rendered:
    """The draft, rendered; what matters least goes until it keeps every limit.

    A draft is filled by the sum of its entries, and the whole may have a token more than that.
    """
    while True:
        rendered = render(draft)
        over = rendered.memory_tokens - budget.memory_tokens
        if over > 0 and draft.drop(over, MEMORY_SECTIONS, "memory_tokens"):
            continue
        over = rendered.total_tokens - budget.total_tokens
        if over > 0 and draft.drop(over, PRIORITY, "total_tokens"):
            continue
        return rendered


def _messages(draft: Draft, material: Material, persona: Persona, words: Words) -> _Rendered:
    language = material.language
    memory = sections.memory_part(draft, persona, language, with_history=False)
    parts = [sections.system_part(draft, words, persona), memory]
    parts += [sections.rag_part(draft, language), sections.tools_part(words)]
    shown = _shown(parts)
    system = sections.PART_BREAK.join(part.text for part in shown)
    told = [("system", system)] if system else []
    told += [one for entry in reversed(draft[WINDOW]) for one in entry.messages]
    told.append(("user", words.message))
    said = "\n".join(content for _, content in told[bool(system) : -1])
    return _Rendered(
        messages=tuple({"role": role, "content": content} for role, content in told),
        chunks=(*_chunks(shown), Chunk(WINDOW, said), Chunk(MESSAGE, words.message)),
        memory_tokens=_tokens(memory),
        total_tokens=sum(count_tokens(content) + MESSAGE_TOKENS for _, content in told),
    )


def _text(draft: Draft, material: Material, persona: Persona, words: Words) -> _Rendered:
    language = material.language
    memory = sections.memory_part(draft, persona, language, with_history=True)
    parts = [sections.system_part(draft, words, persona), memory]
    parts += [sections.rag_part(draft, language)]
    parts += [sections.user_part(words), sections.tools_part(words)]
    shown = _shown(parts)
    text = sections.PART_BREAK.join(part.text for part in shown)
    return _Rendered(
        text=text,
        chunks=tuple(_chunks(shown)),
        memory_tokens=_tokens(memory.without(WINDOW)),
        total_tokens=count_tokens(text),
    )


def _shown(parts: Sequence[Part]) -> list[Part]:
    """The parts that hold something; date and language alone are nothing to say."""
    shown = [part for part in parts if part.chunks]
    telling = {chunk.section for part in shown for chunk in part.chunks} - {METADATA, MESSAGE}
    return shown if telling else [part for part in shown if part.mark != sections.SYSTEM_MARK]


def _chunks(parts: Iterable[Part]) -> Iterable[Chunk]:
    return (chunk for part in parts for chunk in part.chunks)


def _tokens(memory: Part) -> int:
    """Tokens of the memory section; an introduction to nothing but the session is none."""
    return count_tokens(memory.text) if len(memory.chunks) > 1 else 0


def _told(viewer: str, rendered: _Rendered, left_out: Sequence[LeftOut]) -> Iterator[str]:
    """What tells one prompt from another: the same prompt of the same viewer has the same id."""
    yield viewer
    yield rendered.text
    for message in rendered.messages:
        yield from message.values()
    yield ""
    for one in left_out:
        yield from (one.id, one.reason)


def _prompt(draft: Draft, rendered: _Rendered, material: Material) -> Prompt:
    counted = [
        ReceiptSection(chunk.section, count_tokens(chunk.text), draft.ids(chunk.section))
        for chunk in rendered.chunks
        if chunk.text
    ]
    frame = rendered.total_tokens - sum(section.tokens for section in counted)
    left_out = draft.left_out()
    mark = hashlib.sha256("\0".join(_told(material.viewer, rendered, left_out)).encode(*_AS_BYTES))
    receipt = Receipt(
        id=mark.hexdigest()[:_ID_CHARS],
        sections=(*counted, ReceiptSection(FRAME, frame)),
        left_out=left_out,
        total_tokens=rendered.total_tokens,
    )
    return Prompt(messages=rendered.messages, text=rendered.text, receipt=receipt)
