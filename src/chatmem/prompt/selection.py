"""Which memories, messages and documents go into a prompt: what matters most first, as it fits.

Source: S4.2.1, S4.2.2; decisions 3, 5.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Final

from chatmem.model import Hit
from chatmem.model.memory import NEUTRAL_IMPORTANCE
from chatmem.prompt import receipt, sections
from chatmem.prompt.budget import Budget, Room
from chatmem.prompt.excerpt import QueryTerms, cut_at_lines, excerpt, query_terms
from chatmem.prompt.fence import (
    MEMORY_FENCE,
    fenced,
    fenced_document,
    fenced_section,
    harmless,
    memory_line,
    message_line,
    summary_line,
)
from chatmem.prompt.main_memory import plain
from chatmem.prompt.material import Material, WindowMessage
from chatmem.prompt.sections import Draft, DraftEntry
from chatmem.prompt.templates import Persona
from chatmem.prompt.window import rounds
from chatmem.text.languages import LanguageCode as Language
from chatmem.text.tokens import count_tokens

MESSAGE_TOKENS: Final = 4
"""What a message costs beside its content: its role and the marks around it."""
IMPORTANCE_WEIGHT: Final = 0.1
"""Each step of importance above or below the neutral 3 is worth a tenth of the score."""
LEAST_ENTRY_TOKENS: Final = 12
"""Where less is left, nothing more is tried."""
_LEAST_DOCUMENT_TOKENS: Final = 40
_CUT: Final = {"en": "(Cut: the rest does not fit here.)", "zh": "（已截断，其余内容放不下。）"}


class Selection:
    """Fills a draft from the material; `flat` for the text rendering, `total` all there is room."""

    def __init__(
        self, material: Material, persona: Persona, budget: Budget, *, flat: bool, total: Room
    ) -> None:
        self._material = material
        self._persona = persona
        self._budget = budget
        self._flat = flat
        self._total = total
        self._memory = Room("memory_tokens", budget.memory_tokens)
        self._entries_left = budget.max_entries
        self._draft = Draft()
        self._ids: set[str] = set()
        self._texts = {plain(one.content) for one in material.window} | {plain(material.message)}
        self._terms: QueryTerms | None = None

    def draft_of_all(self) -> Draft:
        """The draft, filled in the order of `budget.PRIORITY`."""
        material, budget = self._material, self._budget
        self._metadata()
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

    def _metadata(self) -> None:
        if self._persona.shows(receipt.METADATA):
            text = sections.metadata(self._material.date, self._material.language)
            tokens = count_tokens(text + sections.CHUNK_BREAK)
            self._add(receipt.METADATA, DraftEntry(text, tokens), [self._total])

    def _document(self, section: str, text: str, max_tokens: int) -> None:
        whole = harmless(text).strip("\n")
        if not whole.strip() or not self._persona.shows(section):
            return
        language = self._material.language
        bare = count_tokens(fenced_section(section, [""], language)) + 1
        left = min(max_tokens, self._total.left) - bare
        cut = cut_at_lines(whole, left, _CUT[language])
        if cut:
            entry = _entry(fenced_section(section, [harmless(cut)], language))
            self._add(section, entry, [self._total])
        if cut != whole:
            limit = self._tightest(Room(f"{section}_tokens", max_tokens))
            self._draft.leave_out(section, f"{limit}: {'cut' if cut else 'no room'}")

    def _main(self) -> None:
        if not self._persona.shows(receipt.MAIN):
            return
        language = self._material.language
        bare = count_tokens(fenced_section(receipt.MAIN, [""], language)) + 1
        bare += self._frame(receipt.MAIN)
        room = min(self._memory.left, self._total.left) - bare
        main = self._material.main.within(min(self._budget.main_tokens, room))
        if main.text:
            text = fenced_section(receipt.MAIN, [harmless(main.text)], language)
            ids = [one for piece in main.pieces for one in piece.ids if one in main.ids]
            entry = _entry(text, *(ids or sorted(main.ids)))
            self._add(receipt.MAIN, entry, [self._total, self._memory])
            self._ids |= main.ids
            self._texts |= main.texts
        for memory_id in main.left_out:
            self._draft.leave_out(memory_id, "main_tokens: MEMORY.md is cut")

    def _hits(self, section: str, hits: Iterable[Hit], top_k: int | None) -> None:
        count = 0
        for hit in hits if self._persona.shows(section) else ():
            memory = hit.memory
            if memory.id in self._ids:
                continue
            if plain(memory.content) in self._texts:
                self._draft.leave_out(memory.id, "the same text is there already")
            elif top_k is not None and count >= top_k:
                self._draft.leave_out(memory.id, f"{section}_top_k: {top_k} are better")
            elif (limit := self._full(section)) is not None:
                self._draft.leave_out(memory.id, limit)
            else:
                terms = self._query_terms()
                line = memory_line(hit, self._material, self._budget.entry_tokens, terms)
                if self._add_line(section, memory.id, line):
                    self._texts.add(plain(memory.content))
                    count += 1

    def _summaries(self) -> None:
        section = receipt.SUMMARIES
        for summary in self._material.summaries if self._persona.shows(section) else ():
            empty = not (summary.title.strip() or summary.snippet.strip())
            if empty or summary.session_id in self._ids:
                continue
            if (limit := self._full(section)) is not None:
                self._draft.leave_out(summary.session_id, limit)
                continue
            terms, max_tokens = self._query_terms(), self._budget.entry_tokens
            line = summary_line(summary, self._material.language, max_tokens, terms)
            self._add_line(section, summary.session_id, line)

    def _window(self) -> None:
        left = self._budget.window_messages
        limit = None
        for messages in reversed(rounds(self._material.window)):
            ids = tuple(f"window[{index}]" for index, _ in messages)
            entry = self._round(ids, [message for _, message in messages])
            left -= len(messages)
            if limit is None and left < 0:
                limit = "window_messages"
            if limit is None and entry.tokens + self._frame(receipt.WINDOW) > self._total.left:
                limit = "total_tokens"
            if limit is None:
                self._add(receipt.WINDOW, entry, [self._total])
            else:  # a conversation with a hole in it misleads: what is older goes too
                for message_id in ids:
                    self._draft.leave_out(message_id, limit)

    def _round(self, ids: tuple[str, ...], messages: Sequence[WindowMessage]) -> DraftEntry:
        if self._flat:
            lines = (message_line(one, self._material.language) for one in messages)
            return _entry("\n".join(lines), *ids)
        sent = tuple(_as_messages(messages))
        tokens = sum(count_tokens(content) + MESSAGE_TOKENS for _, content in sent)
        return DraftEntry("", tokens, ids, sent)

    def _rag(self) -> None:
        room = Room("rag_tokens", self._budget.rag_tokens)
        for number, given in enumerate(self._material.rag):
            left = min(room.left, self._total.left) - self._frame(receipt.RAG)
            left -= count_tokens(fenced_document(given, "")) + 1
            content = given.content.strip()
            if left < min(_LEAST_DOCUMENT_TOKENS, len(content)):
                self._draft.leave_out(f"rag[{number}]", self._tightest(room))
            elif passage := excerpt(content, left, self._query_terms()):
                entry = _entry(fenced_document(given, passage), f"rag[{number}]")
                self._add(receipt.RAG, entry, [self._total, room])

    def _add_line(self, section: str, memory_id: str, line: str) -> bool:
        entry = _entry(line, memory_id)
        cost = entry.tokens + self._frame(section)
        for room in (self._memory, self._total):
            if cost > room.left:
                self._draft.leave_out(memory_id, room.name)
                return False
        self._add(section, entry, [self._total, self._memory])
        self._entries_left -= 1
        self._ids.add(memory_id)
        return True

    def _full(self, section: str) -> str | None:
        """The limit that leaves no room for another entry, or None."""
        if self._entries_left <= 0:
            return "max_entries"
        least = LEAST_ENTRY_TOKENS + self._frame(section)
        rooms = (self._memory, self._total)
        return next((room.name for room in rooms if room.left < least), None)

    def _add(self, section: str, entry: DraftEntry, rooms: Sequence[Room]) -> None:
        cost = entry.tokens + self._frame(section)
        if all(cost <= room.left for room in rooms):
            for room in rooms:
                room.left -= cost
            self._draft.add(section, entry)
        else:
            for memory_id in entry.ids or (section,):
                self._draft.leave_out(memory_id, "total_tokens")

    def _frame(self, section: str) -> int:
        """What the first entry of a section costs beside itself."""
        is_messages = section == receipt.WINDOW and not self._flat
        if self._draft[section] or is_messages:
            return 0
        language = self._material.language
        cost = _frame_tokens(section, language)
        history = (receipt.WINDOW,) if self._flat else ()
        in_memory = (receipt.MAIN, *sections.PAST_CONTEXT, *history)
        if section in in_memory and not any(self._draft[one] for one in in_memory):
            cost += _frame_tokens(receipt.INTRODUCTION, language)
        return cost

    def _tightest(self, room: Room) -> str:
        return room.name if room.left <= self._total.left else self._total.name

    def _query_terms(self) -> QueryTerms:
        if self._terms is None:
            self._terms = query_terms(self._material.message)
        return self._terms


def _entry(text: str, *ids: str) -> DraftEntry:
    return DraftEntry(text, count_tokens(text) + 1, ids)  # and a line break


def _by_weight(hits: Iterable[Hit]) -> list[Hit]:
    """The weightiest first, by score * (1 + 0.1 * (importance - 3)). Source: S4.2.1."""

    def weight(hit: Hit) -> float:
        return hit.score * (1 + IMPORTANCE_WEIGHT * (hit.memory.importance - NEUTRAL_IMPORTANCE))

    return sorted(hits, key=weight, reverse=True)


def _as_messages(messages: Sequence[WindowMessage]) -> list[tuple[str, str]]:
    """Roles and contents as a provider takes them.

    A tool's result needs the id of its call there, which a kept conversation does not have, so it
    goes as what it is to the model: data, handed in from outside. Several become one message.
    """
    sent: list[tuple[str, str]] = []
    for message, before in zip(messages, (None, *messages), strict=False):
        if message.role != "tool":
            sent.append((message.role, message.content))
            continue
        result = fenced(MEMORY_FENCE, "tool result", message.content)
        if before is not None and before.role == "tool":
            result = f"{sent.pop()[1]}\n{result}"
        sent.append(("user", result))
    return sent


@cache
def _frame_tokens(section: str, language: Language) -> int:
    return count_tokens(sections.frame(section, language))
