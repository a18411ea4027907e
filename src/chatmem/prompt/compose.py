"""One prompt from everything there is for it, as messages or as one text, never over its budget.

    prompt = compose_messages(material, persona, scenario, budget)
    prompt.messages     at most one system message, the window, the user's message
    prompt.receipt      what went in, its tokens, what was left out and why

Source: S1.8, S4.1, S4.2, S5.6; decisions 5.
"""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from chatmem.errors import BudgetError
from chatmem.prompt import sections
from chatmem.prompt.budget import PRIORITY, Budget, Room
from chatmem.prompt.material import Material
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
from chatmem.prompt.sections import Chunk, Draft, Part
from chatmem.prompt.selection import MESSAGE_TOKENS, Selection
from chatmem.prompt.templates import Persona, Scenario
from chatmem.text.tokens import count_tokens

DEFAULT_BUDGET: Final = Budget()
_ID_CHARS: Final = 32


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
    return _compose(material, persona, scenario, budget, flat=False)


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
    return _compose(material, persona, scenario, budget, flat=True)


def _compose(
    material: Material, persona: Persona, scenario: Scenario | None, budget: Budget, *, flat: bool
) -> Prompt:
    required = sections.required_texts(material, persona, scenario)

    def render(draft: Draft) -> _Rendered:
        return _rendered(draft, material, persona, required, flat=flat)

    room = _room(required, render(Draft()).total_tokens, budget)
    draft = Selection(material, persona, budget, flat=flat, total=room).draft_of_all()
    return _prompt(draft, _within(draft, render, budget), material.viewer)


def _room(required: Mapping[str, str], tokens: int, budget: Budget) -> Room:
    """What is left beside the texts that a prompt cannot do without, and their `tokens`."""
    left = budget.total_tokens - tokens
    if left < 0:
        sizes = ", ".join(f"{name} {count_tokens(text):,}" for name, text in required.items())
        raise BudgetError(
            f"the prompt needs {tokens:,} tokens for what it cannot do without "
            f"({sizes}), {-left:,} more than total_tokens = {budget.total_tokens:,}; "
            "shorten that or raise the limit"
        )
    return Room("total_tokens", left)


def _within(draft: Draft, render: Callable[[Draft], _Rendered], budget: Budget) -> _Rendered:
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


def _rendered(
    draft: Draft, material: Material, persona: Persona, required: Mapping[str, str], *, flat: bool
) -> _Rendered:
    language = material.language
    memory = sections.memory_part(draft, persona, language, with_history=flat)
    parts = _telling(
        sections.system_part(draft, required, persona),
        memory,
        sections.rag_part(draft, language),
        *([sections.user_part(material.message)] if flat else ()),
        sections.tools_part(required),
    )
    chunks = tuple(chunk for part in parts for chunk in part.chunks)
    text = sections.PART_BREAK.join(part.text for part in parts)
    remembered = memory.without(WINDOW)
    # An introduction to nothing but the session is no memory.
    memory_tokens = count_tokens(remembered.text) if len(remembered.chunks) > 1 else 0
    if flat:
        return _Rendered(
            text=text,
            chunks=chunks,
            memory_tokens=memory_tokens,
            total_tokens=count_tokens(text),
        )
    window = [one for entry in reversed(draft[WINDOW]) for one in entry.messages]
    messages = [*([("system", text)] if text else ()), *window, ("user", material.message)]
    history = Chunk(WINDOW, "\n".join(content for _, content in window))
    return _Rendered(
        messages=tuple({"role": role, "content": content} for role, content in messages),
        chunks=(*chunks, history, Chunk(MESSAGE, material.message)),
        memory_tokens=memory_tokens,
        total_tokens=sum(count_tokens(content) + MESSAGE_TOKENS for _, content in messages),
    )


def _telling(*parts: Part) -> list[Part]:
    """The parts that hold something; date and language alone are nothing to say."""
    full = [part for part in parts if part.chunks]
    if {chunk.section for part in full for chunk in part.chunks} - {METADATA, MESSAGE}:
        return full
    return [part for part in full if part.mark != sections.SYSTEM_MARK]


def _prompt(draft: Draft, rendered: _Rendered, viewer: str) -> Prompt:
    counted = [
        ReceiptSection(chunk.section, count_tokens(chunk.text), draft.ids(chunk.section))
        for chunk in rendered.chunks
        if chunk.text
    ]
    frame = rendered.total_tokens - sum(section.tokens for section in counted)
    left_out = draft.left_out()
    identity = "\0".join(_identity(viewer, rendered, left_out)).encode("utf-8", "replace")
    receipt = Receipt(
        id=hashlib.sha256(identity).hexdigest()[:_ID_CHARS],
        sections=(*counted, ReceiptSection(FRAME, frame)),
        left_out=left_out,
        total_tokens=rendered.total_tokens,
    )
    return Prompt(messages=rendered.messages, text=rendered.text, receipt=receipt)


def _identity(viewer: str, rendered: _Rendered, left_out: Sequence[LeftOut]) -> Iterator[str]:
    """What tells one prompt from another: the same prompt of the same viewer has the same id."""
    yield viewer
    yield rendered.text
    for message in rendered.messages:
        yield from message.values()
    yield ""
    for one in left_out:
        yield from (one.id, one.reason)
