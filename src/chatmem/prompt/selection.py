"""Which memories come first, and which are already there.

Source: S4.2.1; decisions 3, 5.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from chatmem.model import Hit
from chatmem.model.memory import NEUTRAL_IMPORTANCE
from chatmem.prompt.main_memory import MainMemory, plain
from chatmem.prompt.material import WindowMessage

IMPORTANCE_WEIGHT = 0.1
"""Each step of importance above or below the neutral 3 is worth a tenth of the score."""


def weighed(hit: Hit) -> float:
    """The score with its importance: score * (1 + 0.1 * (importance - 3)). Source: S4.2.1."""
    return hit.score * (1 + IMPORTANCE_WEIGHT * (hit.memory.importance - NEUTRAL_IMPORTANCE))


def by_weight(hits: Iterable[Hit]) -> list[Hit]:
    """The hits, the weightiest first; equal ones stay in order."""
    return sorted(hits, key=weighed, reverse=True)


@dataclass(slots=True)
class Seen:
    """What a prompt holds already, by id and by text, without regard to case and blanks."""

    ids: set[str] = field(default_factory=set)
    texts: set[str] = field(default_factory=set)

    def has(self, memory_id: str) -> bool:
        """True if the memory with this id is in the prompt."""
        return memory_id in self.ids

    def says(self, text: str) -> bool:
        """True if something in the prompt says just this."""
        return plain(text) in self.texts

    def note(self, memory_id: str, text: str) -> None:
        """This memory is in the prompt now."""
        self.ids.add(memory_id)
        self.texts.add(plain(text))

    def note_messages(self, messages: Iterable[WindowMessage], message: str) -> None:
        """What is being said in the conversation itself."""
        self.texts.update(plain(one.content) for one in messages)
        self.texts.add(plain(message))

    def note_main(self, main: MainMemory) -> None:
        """MEMORY.md, as far as it is in the prompt."""
        self.ids |= main.ids
        self.texts |= main.said
