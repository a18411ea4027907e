"""A prompt in the making: what goes into each section, and how much room there is."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from chatmem.prompt.budget import PRIORITY
from chatmem.prompt.receipt import WINDOW, LeftOut


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing in a section: what it shows, what it costs, and the ids that it answers for.

    A round of the window has its messages, as `(role, content)`.
    """

    text: str
    tokens: int
    ids: tuple[str, ...] = ()
    messages: tuple[tuple[str, str], ...] = ()


@dataclass(slots=True)
class Room:
    """Tokens that are left of a limit, whose name it bears."""

    name: str
    left: int

    def take(self, tokens: int) -> None:
        """Less is left."""
        self.left -= tokens


@dataclass(slots=True)
class Draft:
    """Entries by section, in the order in which they were chosen: the last is the first to go.

    The window is chosen newest round first; every other section is shown as it was chosen.
    """

    entries: dict[str, list[Entry]] = field(default_factory=dict)
    reasons: dict[str, str] = field(default_factory=dict)

    def __getitem__(self, section: str) -> list[Entry]:
        return self.entries.get(section, [])

    def add(self, section: str, entry: Entry) -> None:
        """One more entry in a section."""
        self.entries.setdefault(section, []).append(entry)

    def leave_out(self, memory_id: str, reason: str) -> None:
        """Note why something is not there; the last word counts."""
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
        """Ids of what is in a section, none twice, in the order in which they are shown."""
        entries = reversed(self[section]) if section == WINDOW else self[section]
        return tuple(dict.fromkeys(one for entry in entries for one in entry.ids))

    def left_out(self) -> tuple[LeftOut, ...]:
        """What is not in any section, and why."""
        there = set(self._every_id())
        return tuple(
            LeftOut(one, reason) for one, reason in self.reasons.items() if one not in there
        )

    def _every_id(self) -> Iterator[str]:
        for section in self.entries:
            yield from self.ids(section)
