"""One prompt from everything there is for it, as messages or as one text, never over its budget.

    prompt = compose(material, persona, scenario, budget)
    prompt.messages     at most one system message, the window, the user's message
    prompt.receipt      what went in, its tokens, what was left out and why

Source: S1.8, S4.1, S4.2, S5.6; decisions 5.
"""

import hashlib
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Final

from chatmem.errors import BudgetError
from chatmem.model import Missing
from chatmem.prompt import receipt, sections
from chatmem.prompt.imitations import neutralise
from chatmem.prompt.material import Budget, Material
from chatmem.prompt.receipt import Receipt, ReceiptSection
from chatmem.prompt.sections import Draft, Part
from chatmem.prompt.selection import MESSAGE_TOKENS, Selection
from chatmem.prompt.templates import Persona, Scenario
from chatmem.text.tokens import count_tokens

DEFAULT_BUDGET: Final = Budget()
_ID_CHARS: Final = 32


@dataclass(frozen=True, kw_only=True)
class Prompt:
    """A draft as it reads: `messages` or `text`, whichever was asked for.

    `sections` are the texts of its sections by name.
    """

    messages: tuple[dict[str, str], ...] = ()
    text: str = ""
    sections: Part
    memory_tokens: int
    total_tokens: int
    draft: Draft
    viewer: str

    @cached_property
    def receipt(self) -> Receipt:
        """What went in, and what was left out and why; made when somebody asks for it."""
        counted = [
            ReceiptSection(name, count_tokens(text), self.draft.ids(name))
            for name, text in self.sections.items()
            if text
        ]
        frame = self.total_tokens - sum(section.tokens for section in counted)
        left_out = self.draft.left_out()
        # The same prompt of the same viewer has the same id.
        values = [value for message in self.messages for value in message.values()]
        reasons = [value for one in left_out for value in (one.id, one.reason)]
        identity = "\0".join([self.viewer, self.text, *values, "", *reasons])
        return Receipt(
            id=hashlib.sha256(identity.encode("utf-8", "replace")).hexdigest()[:_ID_CHARS],
            sections=(*counted, ReceiptSection(receipt.FRAME, frame)),
            left_out=left_out,
            total_tokens=self.total_tokens,
        )


class _Composed:
    """What was composed; `missing` says what could not be used for it."""

    prompt: Prompt
    missing: tuple[Missing, ...]

    @property
    def receipt(self) -> Receipt:
        """What went in, its tokens, what was left out and why."""
        return self.prompt.receipt


class ContextMessages(_Composed, list[dict[str, str]]):
    """Messages, each `{"role", "content"}`, with their `receipt` and what is `missing`."""

    def __init__(self, prompt: Prompt, missing: tuple[Missing, ...]) -> None:
        super().__init__(prompt.messages)
        self.prompt, self.missing = prompt, missing


class ContextText(_Composed, str):
    """A prompt as one text; `receipt` says what went in, `missing` what could not be used."""

    def __new__(cls, prompt: Prompt, missing: tuple[Missing, ...]) -> "ContextText":
        """The text with its receipt."""
        made = super().__new__(cls, prompt.text)
        made.prompt, made.missing = prompt, missing
        return made


def compose(
    material: Material,
    persona: Persona,
    scenario: Scenario | None = None,
    budget: Budget = DEFAULT_BUDGET,
    *,
    flat: bool = False,
) -> Prompt:
    """One system message or none, the window as real messages, the user's message unchanged.

    `flat` gives one text, `[SYSTEM] [MEMORY] [RAG] [USER] [TOOL INSTR]`, with the session's history
    inside `[MEMORY]`.

    Raises:
        BudgetError: what a prompt cannot do without is larger than the budget.

    Source: S1.4.1, S1.8, S4.1, S4.2, S5.6.
    """
    required = sections.required_texts(material, persona, scenario)
    render = partial(_rendered, material, persona, required, flat)
    needed, limit = render(Draft()).total_tokens, budget.total_tokens
    if needed > limit:
        sizes = (f"{name} {count_tokens(text):,}" for name, text in required.items())
        raise BudgetError(
            f"the prompt needs {needed:,} tokens for what it cannot do without "
            f"({', '.join(sizes)}), {needed - limit:,} more than total_tokens = {limit:,}; "
            "shorten that or raise the limit"
        )
    filled, left = budget, limit - needed
    # A draft is filled by the sum of its entries, and the whole may have a token more than that: it
    # is then filled anew, with so much less room.
    while True:
        draft = Selection(material, persona, filled, left, flat=flat).fill()
        rendered = render(draft)
        in_memory = max(0, rendered.memory_tokens - budget.memory_tokens)
        in_all = max(0, rendered.total_tokens - limit)
        if not (in_memory or in_all):
            return rendered
        filled = replace(filled, memory_tokens=filled.memory_tokens - in_memory)
        left -= in_all


def _rendered(
    material: Material, persona: Persona, required: Part, flat: bool, draft: Draft
) -> Prompt:
    in_memory = (*persona.memory, receipt.WINDOW) if flat else persona.memory
    in_system = {name: required.get(name) or "".join(draft.texts(name)) for name in persona.system}
    tools = required.get(receipt.TOOLS)
    parts = {
        sections.SYSTEM_MARK: {name: text for name, text in in_system.items() if text},
        sections.MEMORY_MARK: sections.memory_part(draft, in_memory, material),
        sections.RAG_MARK: sections.rag_part(draft, material),
        # Among marks a message may not imitate them.
        sections.USER_MARK: {receipt.MESSAGE: neutralise(material.message)} if flat else {},
        sections.TOOLS_MARK: {receipt.TOOLS: tools} if tools else {},
    }
    memory = parts[sections.MEMORY_MARK]
    # Without the session's history; an introduction to nothing else is no memory.
    remembered = {name: one for name, one in memory.items() if name != receipt.WINDOW}
    is_empty = remembered.keys() <= {receipt.INTRODUCTION}
    counted = "" if is_empty else sections.part_text(sections.MEMORY_MARK, remembered)
    memory_tokens = count_tokens(counted)
    texts = {name: text for part in parts.values() for name, text in part.items()}
    # Date and language alone say nothing.
    if not texts.keys() - {receipt.METADATA, receipt.MESSAGE}:
        texts.pop(receipt.METADATA, None)
        parts[sections.SYSTEM_MARK] = {}
    text = sections.PART_BREAK.join(
        sections.part_text(mark, part) for mark, part in parts.items() if part
    )
    made = partial(
        Prompt, sections=texts, memory_tokens=memory_tokens, draft=draft, viewer=material.viewer
    )
    if flat:
        return made(text=text, total_tokens=count_tokens(text))
    window = [one for entry in draft[receipt.WINDOW] for one in entry.messages]
    messages = [*([("system", text)] if text else ()), *window, ("user", material.message)]
    texts[receipt.WINDOW] = "\n".join(content for _, content in window)
    texts[receipt.MESSAGE] = material.message
    sent = tuple({"role": role, "content": content} for role, content in messages)
    tokens = sum(entry.tokens for entry in draft[receipt.WINDOW])
    for content in (text, material.message) if text else (material.message,):
        tokens += count_tokens(content) + MESSAGE_TOKENS
    return made(messages=sent, total_tokens=tokens)
