"""Two changed versions of one text brought together, line by line.

    for stretch in merge(base, mine, theirs):
        ...  # "same", changed by one side, by "both" alike, or a "conflict"

Whoever shows a conflict lets a person choose; `rebased` needs nobody, for changes that a program
made while a person went on typing.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import accumulate, chain
from typing import Literal, NamedTuple, TypeAlias

Changed: TypeAlias = Literal["same", "mine", "theirs", "both", "conflict"]
_Versions: TypeAlias = tuple[Sequence[str], Sequence[str], Sequence[str]]
MOST_CHARS = 4_000
"""Of a stretch that is compared character by character: it takes time by their square."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Lines of the three versions that belong to one another, and who has changed them."""

    changed: Changed
    base: tuple[str, ...]
    mine: tuple[str, ...]
    theirs: tuple[str, ...]

    @property
    def only_added(self) -> bool:
        """True for a conflict in which nobody changed what was there: there is room for both."""
        return self.changed == "conflict" and not any(line.strip() for line in self.base)


class _Change(NamedTuple):
    """What a side has in the place of a stretch of the base; an empty stretch is an addition."""

    start: int
    end: int
    side: int
    new: Sequence[str]


class Edit(NamedTuple):
    """Replace the characters from `start` to `end` by `text`."""

    start: int
    end: int
    text: str


def merge(base: str, mine: str, theirs: str) -> list[Stretch]:
    """The three versions side by side, in order; joined by line ends, each gives its text again."""
    found = _stretches(base.split("\n"), mine.split("\n"), theirs.split("\n"))
    return [Stretch(_who(*versions), *map(tuple, versions)) for versions in found]


def rebased(before: str, after: str, current: str) -> str:
    """What `current`, typed on from `before`, becomes when `before` became `after`.

    Where both changed the same place, what was typed stays, and what came to it stands behind it.
    """
    lines: list[str] = []
    for stretch in merge(before, current, after):
        if stretch.changed == "theirs":
            lines += stretch.theirs
        elif stretch.changed == "conflict" and not stretch.base:
            lines += stretch.mine + stretch.theirs
        elif stretch.changed == "conflict" and stretch.mine and stretch.theirs:
            versions = map("\n".join, (stretch.base, stretch.mine, stretch.theirs))
            lines += _rebased_line(*versions).split("\n")
        else:
            lines += stretch.mine
    return "\n".join(lines)


def edits(before: str, after: str) -> list[Edit]:
    """What has to be replaced in `before` to make it `after`, in order, and no more than that."""
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    starts = list(accumulate(map(len, old), initial=0))
    found: list[Edit] = []
    for one in _changes(old, new, 0, by_line=True):
        start, was, now = starts[one.start], "".join(old[one.start : one.end]), "".join(one.new)
        if one.end - one.start == len(one.new) or len(was) + len(now) > MOST_CHARS:
            found.append(Edit(start, start + len(was), now))
        else:
            fine = _differing(was, now)
            found += [Edit(start + i1, start + i2, now[j1:j2]) for i1, i2, j1, j2 in fine]
    return [_narrowed(before, one) for one in found]


def _differing(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[int, int, int, int]]:
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            yield i1, i2, j1, j2


def _narrowed(before: str, edit: Edit) -> Edit:
    """The same edit without what it would replace by itself: cursors beside it stay in place."""
    start, end, text = edit
    while start < end and text and before[start] == text[0]:
        start, text = start + 1, text[1:]
    while start < end and text and before[end - 1] == text[-1]:
        end, text = end - 1, text[:-1]
    return Edit(start, end, text)


def _rebased_line(before: str, current: str, after: str) -> str:
    if len(before) + len(current) + len(after) > MOST_CHARS:
        return current
    pieces: list[str] = []
    for base, mine, theirs in _stretches(before, current, after, by_line=False):
        changed = _who("".join(base), "".join(mine), "".join(theirs))
        if changed == "theirs":
            pieces += theirs
        elif changed == "conflict" and not base:
            pieces.append(_interleaved("".join(mine), "".join(theirs)))
        else:
            pieces += mine
    return "".join(pieces)


def _interleaved(mine: str, theirs: str) -> str:
    """Both at one place; what came to the end of a line stays on it when a new line was begun."""
    line, mine_end, mine_rest = mine.partition("\n")
    note, their_end, their_rest = theirs.partition("\n")
    return line + note + mine_end + mine_rest + their_end + their_rest


def _who(base: Sequence[str], mine: Sequence[str], theirs: Sequence[str]) -> Changed:
    if mine == theirs:
        return "same" if base == mine else "both"
    if base == mine:
        return "theirs"
    return "mine" if base == theirs else "conflict"


def _stretches(
    base: Sequence[str], mine: Sequence[str], theirs: Sequence[str], *, by_line: bool = True
) -> Iterator[_Versions]:
    """What was changed, and between that what was not, in order.

    Changes beside one another stay apart, as each bullet is a memory of its own; only those that
    overlap belong together. What both added at one place is one stretch.
    """
    sides = (_changes(base, one, side, by_line) for side, one in enumerate((mine, theirs)))
    rest = deque(sorted(chain(*sides), key=lambda one: one[:2]))
    at = 0
    while rest:
        taken = [rest.popleft()]
        start, end = taken[0].start, taken[0].end
        while rest and (rest[0].end == start if start == end else rest[0].start < end):
            taken.append(rest.popleft())
            end = max(end, taken[-1].end)
        if at < start:
            yield base[at:start], base[at:start], base[at:start]
        one, other = (_applied(base, start, end, taken, side) for side in (0, 1))
        yield base[start:end], one, other
        at = end
    if at < len(base):
        yield base[at:], base[at:], base[at:]


def _changes(
    base: Sequence[str], other: Sequence[str], side: int, by_line: bool
) -> Iterator[_Change]:
    for i1, i2, j1, j2 in _differing(base, other):
        if by_line and i2 - i1 == j2 - j1:
            for n in range(i2 - i1):
                yield _Change(i1 + n, i1 + n + 1, side, other[j1 + n : j1 + n + 1])
        else:
            yield _Change(i1, i2, side, other[j1:j2])


def _applied(
    base: Sequence[str], start: int, end: int, changes: Iterable[_Change], side: int
) -> Sequence[str]:
    """The base from `start` to `end` as a side has it."""
    pieces: list[str] = []
    for one in changes:
        if one.side == side:
            pieces += [*base[start : one.start], *one.new]
            start = one.end
    return [*pieces, *base[start:end]]
