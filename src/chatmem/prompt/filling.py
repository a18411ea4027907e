"""Filling a draft: what matters most first, each as far as there is room.

Source: S4.2.1, S4.2.2; decisions 5.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache

from chatmem.model import Hit
from chatmem.prompt import sections
from chatmem.prompt.budget import Budget
from chatmem.prompt.draft import Draft, Entry, Room
from chatmem.prompt.entries import memory_line, message_line, summary_line
from chatmem.prompt.excerpt import Wanted, cut_at_lines, excerpt, wanted
from chatmem.prompt.fence import MEMORY_FENCE, fenced, harmless
from chatmem.prompt.material import Material, WindowMessage
from chatmem.prompt.personas import Persona
from chatmem.prompt.receipt import (
    EPISODIC,
    HOUSEHOLD,
    INTRODUCTION,
    MAIN,
    METADATA,
    PROFILE,
    RAG,
    SEARCH,
    SEMANTIC,
    SUMMARIES,
    WINDOW,
)
from chatmem.prompt.selection import Seen, by_weight
from chatmem.prompt.window import rounds
from chatmem.text.language import Language
from chatmem.text.tokens import count_tokens

MESSAGE_TOKENS = 4
"""What a message costs beside its content: its role and the marks around it."""
LEAST_ENTRY_TOKENS = 12
"""Where less is left, nothing more is tried."""
_LEAST_DOCUMENT_TOKENS = 40
_CUT = {"en": "(Cut: the rest does not fit here.)", "zh": "（已截断，其余内容放不下。）"}
_SAID_TWICE = "the same text is there already"


@dataclass(slots=True)
class Filling:
    """Fills a draft from the material; `flat` for the text rendering."""

    material: Material
    persona: Persona
    budget: Budget
    flat: bool
    total: Room
    draft: Draft = field(default_factory=Draft)
    seen: Seen = field(default_factory=Seen)
    memory: Room = field(init=False)
    entries_left: int = field(init=False)
    _want: Wanted | None = None

    def __post_init__(self) -> None:
        self.memory = Room("memory_tokens", self.budget.memory_tokens)
        self.entries_left = self.budget.max_entries

    def fill(self) -> Draft:
        """The draft, filled in the order of `budget.PRIORITY`."""
        material, budget = self.material, self.budget
        self.seen.note_messages(material.window, material.message)
        self._metadata()
        self._document(HOUSEHOLD, material.household, budget.household_tokens)
        self._document(PROFILE, material.profile, budget.profile_tokens)
        self._main()
        self._hits(SEMANTIC, by_weight(material.semantic), budget.semantic_top_k)
        self._hits(EPISODIC, by_weight(material.episodic), budget.episodic_top_k)
        self._window()
        self._rag()
        self._summaries()
        self._hits(SEARCH, material.found, None)
        return self.draft

    def _metadata(self) -> None:
        if not self.persona.shows(METADATA):
            return
        text = sections.metadata(self.material.date, self.material.language)
        self._add(METADATA, Entry(text, count_tokens(text + sections.CHUNK_BREAK)), [self.total])

    def _document(self, section: str, text: str, max_tokens: int) -> None:
        told = harmless(text).strip("\n")
        if not told.strip() or not self.persona.shows(section):
            return
        language = self.material.language
        bare = count_tokens(sections.document(section, "", language)) + 1
        left = min(max_tokens, self.total.left) - bare
        shown = cut_at_lines(told, left, _CUT[language])
        if shown:
            rendered = sections.document(section, shown, language)
            self._add(section, Entry(rendered, count_tokens(rendered) + 1), [self.total])
        if shown != told:
            room = Room(f"{section}_tokens", max_tokens)
            self.draft.leave_out(
                section, f"{self._tightest(room)}: {'cut' if shown else 'no room'}"
            )

    def _main(self) -> None:
        if not self.persona.shows(MAIN):
            return
        frame = self._frame(MAIN)
        bare = count_tokens(sections.long_term("")) + 1
        left = min(
            self.budget.main_tokens, self.memory.left - frame - bare, self.total.left - frame - bare
        )
        main = self.material.main.within(left)
        if main.text:
            rendered = sections.long_term(main.text)
            ids = tuple(
                one for piece in main.pieces for one in piece.ids if one in main.ids
            ) or tuple(sorted(main.ids))
            self._add(
                MAIN, Entry(rendered, count_tokens(rendered) + 1, ids), [self.total, self.memory]
            )
            self.seen.note_main(main)
        for memory_id in main.left_out:
            self.draft.leave_out(memory_id, "main_tokens: MEMORY.md is cut")

    def _hits(self, section: str, hits: Iterable[Hit], top_k: int | None) -> None:
        shown = 0
        for hit in hits if self.persona.shows(section) else ():
            memory = hit.memory
            if self.seen.has(memory.id):
                continue
            if self.seen.says(memory.content):
                self.draft.leave_out(memory.id, _SAID_TWICE)
            elif top_k is not None and shown >= top_k:
                self.draft.leave_out(memory.id, f"{section}_top_k: {top_k} are better")
            elif (lacks := self._lacks(section)) is not None:
                self.draft.leave_out(memory.id, lacks)
            else:
                line = memory_line(hit, self.material, self.budget.entry_tokens, self._wanted())
                if self._add_line(section, memory.id, line):
                    self.seen.note(memory.id, memory.content)
                    shown += 1

    def _summaries(self) -> None:
        for summary in self.material.summaries if self.persona.shows(SUMMARIES) else ():
            empty = not (summary.title.strip() or summary.snippet.strip())
            if empty or self.seen.has(summary.session_id):
                continue
            if (lacks := self._lacks(SUMMARIES)) is not None:
                self.draft.leave_out(summary.session_id, lacks)
                continue
            line = summary_line(
                summary, self.material.language, self.budget.entry_tokens, self._wanted()
            )
            if self._add_line(SUMMARIES, summary.session_id, line):
                self.seen.ids.add(summary.session_id)

    def _window(self) -> None:
        left = self.budget.window_messages
        reason = None
        for one in reversed(rounds(self.material.window)):
            ids = tuple(f"window[{index}]" for index, _ in one)
            entry = self._round(ids, [message for _, message in one])
            left -= len(one)
            if reason is None and left < 0:
                reason = "window_messages"
            if reason is None and entry.tokens + self._frame(WINDOW) > self.total.left:
                reason = "total_tokens"
            if reason is None:
                self._add(WINDOW, entry, [self.total])
            else:  # a conversation with a hole in it misleads: what is older goes too
                for message_id in ids:
                    self.draft.leave_out(message_id, reason)

    def _round(self, ids: tuple[str, ...], messages: Sequence[WindowMessage]) -> Entry:
        if self.flat:
            lines = "\n".join(message_line(one, self.material.language) for one in messages)
            return Entry(lines, count_tokens(lines) + 1, ids)
        told = tuple(_as_messages(messages))
        tokens = sum(count_tokens(content) + MESSAGE_TOKENS for _, content in told)
        return Entry("", tokens, ids, told)

    def _rag(self) -> None:
        room = Room("rag_tokens", self.budget.rag_tokens)
        for number, given in enumerate(self.material.rag):
            left = min(room.left, self.total.left) - self._frame(RAG)
            left -= count_tokens(sections.rag_document(given, "")) + 1
            content = given.content.strip()
            if left < min(_LEAST_DOCUMENT_TOKENS, len(content)):
                self.draft.leave_out(f"rag[{number}]", self._tightest(room))
                continue
            shown = excerpt(content, left, self._wanted())
            if shown:
                rendered = sections.rag_document(given, shown)
                entry = Entry(rendered, count_tokens(rendered) + 1, (f"rag[{number}]",))
                self._add(RAG, entry, [self.total, room])

    def _add_line(self, section: str, memory_id: str, line: str) -> bool:
        entry = Entry(line, count_tokens(line) + 1, (memory_id,))
        cost = entry.tokens + self._frame(section)
        for room in (self.memory, self.total):
            if cost > room.left:
                self.draft.leave_out(memory_id, room.name)
                return False
        self._add(section, entry, [self.total, self.memory])
        self.entries_left -= 1
        return True

    def _lacks(self, section: str) -> str | None:
        """The limit that leaves no room for another entry, or None."""
        if self.entries_left <= 0:
            return "max_entries"
        least = LEAST_ENTRY_TOKENS + self._frame(section)
        for room in (self.memory, self.total):
            if room.left < least:
                return room.name
        return None

    def _add(self, section: str, entry: Entry, rooms: Sequence[Room]) -> None:
        cost = entry.tokens + self._frame(section)
        if all(cost <= room.left for room in rooms):
            for room in rooms:
                room.take(cost)
            self.draft.add(section, entry)
        else:
            for memory_id in entry.ids or (section,):
                self.draft.leave_out(memory_id, "total_tokens")

    def _frame(self, section: str) -> int:
        """What the first entry of a section costs beside itself."""
        if self.draft[section]:
            return 0
        language = self.material.language
        if section == WINDOW and not self.flat:
            return 0
        cost = _frame_tokens(section, language)
        in_memory = (MAIN, *sections.PAST_CONTEXT, *((WINDOW,) if self.flat else ()))
        if section in in_memory and not any(self.draft[one] for one in in_memory):
            cost += _frame_tokens(INTRODUCTION, language)
        return cost

    def _tightest(self, room: Room) -> str:
        return room.name if room.left <= self.total.left else self.total.name

    def _wanted(self) -> Wanted:
        if self._want is None:
            self._want = wanted(self.material.message)
        return self._want


def _as_messages(messages: Sequence[WindowMessage]) -> list[tuple[str, str]]:
    """Roles and contents as a provider takes them.

    A tool's result needs the id of its call there, which a kept conversation does not have, so it
    goes as what it is to the model: data, handed in from outside. Several become one message.
    """
    told: list[tuple[str, str]] = []
    for message, before in zip(messages, (None, *messages), strict=False):
        if message.role != "tool":
            told.append((message.role, message.content))
            continue
        result = fenced(MEMORY_FENCE, "tool result", message.content)
        if before is not None and before.role == "tool":
            result = f"{told.pop()[1]}\n{result}"
        told.append(("user", result))
    return told


@cache
def _frame_tokens(section: str, language: Language) -> int:
    return count_tokens(sections.frame(section, language))
