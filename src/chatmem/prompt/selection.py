"""Which memories, messages and documents go into a prompt: what matters most first, as it fits.

Source: S4.2.1, S4.2.2; decisions 3, 5.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import cache, partial
from itertools import groupby
from typing import Final

from chatmem.model import Hit
from chatmem.model.memory import NEUTRAL_IMPORTANCE
from chatmem.prompt import receipt, sections
from chatmem.prompt.fence import (
    MEMORY_FENCE,
    cut_at_lines,
    fenced,
    fenced_document,
    fenced_section,
    fits,
    memory_line,
    message_line,
    passage,
    summary_line,
)
from chatmem.prompt.imitations import ANY_MARK, MARGIN, neutralise, quoted
from chatmem.prompt.material import Budget, Material, Round, WindowMessage, plain, rounds, visible
from chatmem.prompt.sections import Draft, DraftEntry
from chatmem.prompt.templates import Persona
from chatmem.text.languages import LanguageCode, phrases
from chatmem.text.tokens import count_tokens

MESSAGE_TOKENS: Final = 4
"""What a message costs beside its content: its role and the marks around it."""
IMPORTANCE_WEIGHT: Final = 0.1
"""Each step of importance above or below the neutral 3 is worth a tenth of the score."""
MIN_ENTRY_TOKENS: Final = 12
"""Where less is left, nothing more is tried."""
_MIN_DOCUMENT_TOKENS: Final = 40
_MARGIN_TOKENS: Final = 2
_TOTAL: Final = "total_tokens"
_MEMORY: Final = "memory_tokens"
_RAG: Final = "rag_tokens"
_CUT: Final = phrases("prompt.cut")


class Selection:
    """Fills a draft from the material, within `total_tokens`; `flat` for the text rendering."""

    def __init__(
        self, material: Material, persona: Persona, budget: Budget, total_tokens: int, *, flat: bool
    ) -> None:
        self._material = material
        self._persona = persona
        self._budget = budget
        self._flat = flat
        self._left = {_TOTAL: total_tokens, _MEMORY: budget.memory_tokens, _RAG: budget.rag_tokens}
        self._entries_left = budget.max_entries
        self._draft = Draft()
        self._ids: set[str] = set()
        self._texts = {plain(one.content) for one in material.window} | {plain(material.message)}

    def fill(self) -> Draft:
        """The draft, filled in the order of `receipt.PRIORITY`."""
        material, budget = self._material, self._budget
        if self._persona.shows(receipt.METADATA):
            text = sections.metadata(material.date, material.language)
            tokens = count_tokens(text + sections.SECTION_BREAK)
            self._add(receipt.METADATA, DraftEntry(text, tokens), _TOTAL)
        self._document(receipt.HOUSEHOLD, material.household, budget.household_tokens)
        self._document(receipt.PROFILE, material.profile, budget.profile_tokens)
        self._main()
        self._hits(receipt.SEMANTIC, _by_weight(material.semantic), budget.semantic_top_k)
        self._hits(receipt.EPISODIC, _by_weight(material.episodic), budget.episodic_top_k)
        self._window()
        self._rag()
        self._summaries()
        self._hits(receipt.SEARCH, material.found, None)
        return self._draft

    def _document(self, section: str, text: str, max_tokens: int) -> None:
        shown = visible(text).strip("\n")
        if not shown.strip() or not self._persona.shows(section):
            return
        whole = quoted(shown)
        language = self._material.language
        left = min(max_tokens, self._left[_TOTAL]) - _fence_tokens(section, language)
        cut = cut_at_lines(whole, left, _CUT[language])
        if cut:
            entry = _entry(fenced_section(section, [cut], language, self._material.mark))
            self._add(section, entry, _TOTAL)
        if cut != whole:
            limit = self._tightest(f"{section}_tokens", max_tokens)
            self._draft.reasons[section] = f"{limit}: {'cut' if cut else 'no room'}"

    def _main(self) -> None:
        section, language = receipt.MAIN, self._material.language
        if not self._persona.shows(section):
            return
        frame = _fence_tokens(section, language) + self._frame(section)
        left = min(self._left[_MEMORY], self._left[_TOTAL]) - frame
        main = self._material.main.within(min(self._budget.main_tokens, left))
        if main.text:
            text = fenced_section(section, [quoted(main.text)], language, self._material.mark)
            self._add(section, _entry(text, *main.ids), _TOTAL, _MEMORY)
            self._ids.update(main.ids)
            self._texts |= main.texts
        self._draft.reasons |= dict.fromkeys(main.left_out, "main_tokens: MEMORY.md is cut")

    def _hits(self, section: str, hits: Iterable[Hit], top_k: int | None) -> None:
        count = 0
        for hit in hits if self._persona.shows(section) else ():
            memory, text = hit.memory, plain(hit.memory.content)
            if memory.id in self._ids:
                continue
            if text in self._texts:
                self._draft.reasons[memory.id] = "the same text is there already"
            elif top_k is not None and count >= top_k:
                self._draft.reasons[memory.id] = f"{section}_top_k: {top_k} are better"
            elif self._add_line(section, memory.id, partial(memory_line, hit, self._material)):
                self._texts.add(text)
                count += 1

    def _summaries(self) -> None:
        section = receipt.SUMMARIES
        for summary in self._material.summaries if self._persona.shows(section) else ():
            empty = not (summary.title.strip() or summary.snippet.strip())
            if empty or summary.session_id in self._ids:
                continue
            line = partial(summary_line, summary, self._material)
            self._add_line(section, summary.session_id, line)

    def _window(self) -> None:
        is_full = False
        for messages in reversed(rounds(self._material.window)):
            ids = tuple(f"window[{index}]" for index, _ in messages)
            if is_full:  # a conversation with a hole in it misleads: older ones go too
                self._draft.reasons |= dict.fromkeys(ids, _TOTAL)
            else:
                is_full = not self._add(receipt.WINDOW, self._round(ids, messages), _TOTAL)

    def _round(self, ids: tuple[str, ...], messages: Round) -> DraftEntry:
        if self._flat:
            lines = (message_line(one, self._material.language) for _, one in messages)
            return _entry("\n".join(lines), *ids)
        sent = tuple(_as_messages([one for _, one in messages], self._material.mark))
        tokens = sum(count_tokens(content) + MESSAGE_TOKENS for _, content in sent)
        return DraftEntry("", tokens, ids, sent)

    def _rag(self) -> None:
        material = self._material
        for number, document in enumerate(material.rag):
            left = min(self._left[_RAG], self._left[_TOTAL]) - self._frame(receipt.RAG)
            left -= count_tokens(fenced_document(document, MARGIN, ANY_MARK)) + 1
            content = neutralise(document.content).strip()
            if left < min(_MIN_DOCUMENT_TOKENS, len(content)):
                self._draft.reasons[f"rag[{number}]"] = self._tightest(_RAG, self._left[_RAG])
            elif content:
                text = quoted(content)
                if not fits(text, left):
                    text = quoted(passage(content, left - _MARGIN_TOKENS, material.message))
                entry = _entry(fenced_document(document, text, material.mark), f"rag[{number}]")
                self._add(receipt.RAG, entry, _TOTAL, _RAG)

    def _full(self, section: str) -> str | None:
        """The limit that leaves no room for any line of the section, None where there may be."""
        if self._entries_left <= 0:
            return "max_entries"
        least = MIN_ENTRY_TOKENS + self._frame(section)
        return next((one for one in (_MEMORY, _TOTAL) if self._left[one] < least), None)

    def _add_line(self, section: str, memory_id: str, line: Callable[[int], str]) -> bool:
        """True where there is room for the line; else notes the limit that leaves none for it."""
        if (full := self._full(section)) is not None:
            self._draft.reasons[memory_id] = full
            return False
        entry = _entry(line(self._budget.entry_tokens), memory_id)
        if not self._add(section, entry, _MEMORY, _TOTAL):
            return False
        self._entries_left -= 1
        self._ids.add(memory_id)
        return True

    def _add(self, section: str, entry: DraftEntry, *limits: str) -> bool:
        """True where these limits leave the tokens for it; else notes which does not."""
        cost = entry.tokens + self._frame(section)
        for limit in limits:
            if cost > self._left[limit]:
                self._draft.reasons |= dict.fromkeys(entry.ids or (section,), limit)
                return False
        for limit in limits:
            self._left[limit] -= cost
        self._draft.entries[section].append(entry)
        return True

    def _frame(self, section: str) -> int:
        """What the first entry of a section costs beside itself."""
        entries, language = self._draft.entries, self._material.language
        if entries[section] or (section == receipt.WINDOW and not self._flat):
            return 0
        cost = _frame_tokens(section, language)
        history = (receipt.WINDOW,) if self._flat else ()
        in_memory = (receipt.MAIN, *receipt.PAST_CONTEXT, *history)
        if section in in_memory and not any(entries[one] for one in in_memory):
            cost += _frame_tokens(receipt.INTRODUCTION, language)
        return cost

    def _tightest(self, limit: str, left: int) -> str:
        return limit if left <= self._left[_TOTAL] else _TOTAL


def _entry(text: str, *ids: str) -> DraftEntry:
    return DraftEntry(text, count_tokens(text) + 1, ids)  # and a line break


def _by_weight(hits: Iterable[Hit]) -> list[Hit]:
    """The weightiest first, by score * (1 + 0.1 * (importance - 3)). Source: S4.2.1."""

    def weight(hit: Hit) -> float:
        return hit.score * (1 + IMPORTANCE_WEIGHT * (hit.memory.importance - NEUTRAL_IMPORTANCE))

    return sorted(hits, key=weight, reverse=True)


def _as_messages(messages: Sequence[WindowMessage], mark: str) -> list[tuple[str, str]]:
    """Roles and contents as a provider takes them.

    A tool's result needs the id of its call there, which a stored conversation does not have, so
    it goes as what it is to the model: data from outside. Several become one message.
    """
    sent: list[tuple[str, str]] = []
    for is_tool, group in groupby(messages, lambda message: message.role == "tool"):
        if is_tool:
            results = [fenced(MEMORY_FENCE, "tool result", one.content, mark) for one in group]
            sent.append(("user", "\n".join(results)))
        else:
            sent += [(one.role, one.content) for one in group]
    return sent


@cache
def _frame_tokens(section: str, language: LanguageCode) -> int:
    return count_tokens(sections.frame(section, language))


@cache
def _fence_tokens(section: str, language: LanguageCode) -> int:
    """What the fence around a text costs, with its line break."""
    return count_tokens(fenced_section(section, [""], language, ANY_MARK)) + 1
