"""Two changed versions of one text brought together.

A change that meets none of the other side's is taken over. Lines are told apart one by one, also
beside one another: each bullet is a memory of its own.
"""

from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import accumulate
from typing import Final, Literal, NamedTuple, TypeAlias, get_args

Side: TypeAlias = Literal["both", "mine", "theirs"]
SIDES: Final[tuple[Side, ...]] = get_args(Side)


class Edit(NamedTuple):
    """Replace the characters, or lines, from `start` to `end`; an empty stretch is an addition."""

    start: int
    end: int
    new: Sequence[str]


def merged(base: str, mine: str, theirs: str, keep: Side = "both") -> str:
    """The changes of both; where both changed the same line, those of `keep`.

    Of both mine stands first. What both added at one place has room there.
    """
    lines = base.split("\n")
    ours, others = (list(_changes(lines, one.split("\n"))) for one in (mine, theirs))
    if keep == "theirs":
        ours, others = others, ours
    return "\n".join(_combined(lines, ours, others, keeps_both=keep == "both"))


def rebased(before: str, after: str, current: str) -> str:
    """What `current`, typed on from `before`, becomes when `before` became `after`.

    Where both changed the same place, what was typed stays. What both added at one place stands
    side by side: what came to the end of a line stays on it when a new line was begun.
    """
    ours, others = (
        [part for one in edits(before, text) for part in _by_line_end(before, one)]
        for text in (current, after)
    )
    return "".join(_combined(before, ours, others))


def edits(before: str, after: str) -> list[Edit]:
    """What has to be replaced in `before` to make it `after`, in order: cursors beside it stay."""
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    starts = list(accumulate(map(len, old), initial=0))
    found: list[Edit] = []
    for one in _changes(old, new):
        was, now = "".join(old[one.start : one.end]), "".join(one.new)
        same = _alike(was, now)
        same_end = _alike(was[same:][::-1], now[same:][::-1])
        start = starts[one.start]
        found.append(
            Edit(start + same, start + len(was) - same_end, now[same : len(now) - same_end])
        )
    return found


def _alike(one: str, other: str) -> int:
    """How many characters both begin with."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((n for n, (a, b) in pairs if a != b), min(len(one), len(other)))


def _by_line_end(before: str, edit: Edit) -> Iterator[Edit]:
    """What it brings to the line in which it begins, and apart from that the lines behind it."""
    if before[edit.start - 1 : edit.start] in ("", "\n"):  # whole lines
        yield edit
        return
    line, end, rest = str(edit.new).partition("\n")
    yield edit._replace(new=line)
    yield Edit(edit.end, edit.end, end + rest)


def _changes(old: Sequence[str], new: Sequence[str]) -> Iterator[Edit]:
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal" and j2 - j1 in (0, i2 - i1):
            for n in range(i2 - i1):
                yield Edit(i1 + n, i1 + n + 1, new[j1:j2][n : n + 1])
        elif tag != "equal":
            yield Edit(i1, i2, new[j1:j2])


def _combined(
    base: Sequence[str], ours: Sequence[Edit], others: Iterable[Edit], *, keeps_both: bool = False
) -> Iterator[str]:
    """The base with our edits, and with those of the others that meet none of ours."""
    taken = list(ours)
    for one in others:
        met = [mine for mine in ours if mine.start < one.end and one.start < mine.end]
        if not met and one not in ours:
            taken.append(one)
        elif keeps_both and one not in ours:
            taken.append(Edit(met[-1].end, met[-1].end, one.new))
    at = 0
    for start, end, new in sorted(taken, key=lambda one: (*one[:2], one.new[:1] == "\n")):
        yield from base[at:start]
        yield from new
        at = end
    yield from base[at:]
