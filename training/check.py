"""How well the reader reads: python training/check.py FILE.jsonl ... [--weights W] [--show N].

A statement found is right if it and a labelled one that is to be kept overlap by half of the
shorter one; a labelled one is found if half of it is.
"""

import argparse
import random
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from dataset import MOST_TOKENS, messages_of
from markup import Message, Span

from chatmem.extraction.reader.labels import ATTRIBUTES, STANDINGS, SUBJECTS, is_kept
from chatmem.extraction.reader.network import Marked, Networks, networks
from chatmem.extraction.reader.reading import SURE
from chatmem.extraction.reader.tokens import fold, tokens_of

BARS: Final = (0.0, 0.5, 0.6, 0.7, 0.8, 0.9)


@dataclass(frozen=True, slots=True)
class Found:
    """A statement that was found, with its first and past-last character."""

    start: int
    end: int
    marked: Marked

    def common(self, span: Span) -> int:
        """How many characters it shares with a labelled one."""
        return min(self.end, span.end) - max(self.start, span.start)

    def is_right(self, wanted: Sequence[Span]) -> bool:
        """Whether it is half of a labelled one, or a labelled one is half of it."""
        own = self.end - self.start
        return any(2 * self.common(one) >= min(own, one.end - one.start) for one in wanted)


@dataclass(slots=True)
class Counts:
    """Of the messages of one writer, from one certainty on."""

    found: int = 0
    right: int = 0
    labelled: int = 0
    told: int = 0
    empty: int = 0
    stored: int = 0

    def add(self, wanted: Sequence[Span], taken: Sequence[Found]) -> None:
        """One more message."""
        self.found += len(taken)
        self.right += sum(one.is_right(wanted) for one in taken)
        self.labelled += len(wanted)
        self.told += sum(is_told(one, taken) for one in wanted)
        self.empty += not wanted
        self.stored += not wanted and bool(taken)

    def __str__(self) -> str:
        return (
            f"precision {self.right / max(self.found, 1):.3f}, "
            f"recall {self.told / max(self.labelled, 1):.3f}, "
            f"stored where nothing is {self.stored / max(self.empty, 1):.3f} of {self.empty}"
        )


def is_told(span: Span, taken: Sequence[Found]) -> bool:
    """Whether half of a labelled statement was found."""
    return any(2 * one.common(span) >= span.end - span.start for one in taken)


def read(asked: Networks, message: Message) -> list[Found]:
    """The statements found in a message, whatever their certainty."""
    folded = fold(message.text)
    tokens = tokens_of(folded, message.asked, group=message.group).part(0, MOST_TOKENS)
    places = tokens.places
    marked = asked.marked(asked.look([(folded, tokens)]))[0] if len(tokens) else []
    return [Found(int(places[one.start, 0]), int(places[one.end - 1, 1]), one) for one in marked]


def labels_right(message: Message, found: Sequence[Found]) -> list[tuple[bool, bool, bool]]:
    """Of each statement that was found: attribute, standing and subject are the labelled ones."""
    return [
        (
            ATTRIBUTES[int(one.marked.heads["attribute"].argmax())] == span.attribute,
            STANDINGS[int(one.marked.heads["standing"].argmax())] == span.standing,
            SUBJECTS[int(one.marked.heads["subject"].argmax())] == span.subject,
        )
        for span in message.spans
        for one in found
        if is_kept(span.subject, span.standing) and is_told(span, [one])
    ]


def report(asked: Networks, path: Path) -> list[str]:
    """Print the figures of one writer; the messages in which something is wrong."""
    shown: list[str] = []
    counts = {bar: Counts() for bar in BARS}
    right: list[tuple[bool, bool, bool]] = []
    for message in messages_of(path):
        found = read(asked, message)
        wanted = [one for one in message.spans if is_kept(one.subject, one.standing)]
        for bar, count in counts.items():
            count.add(wanted, [one for one in found if one.marked.sure >= bar])
        right += labels_right(message, found)
        taken = [one for one in found if one.marked.sure >= SURE]
        wrong = [message.text[one.start : one.end] for one in taken if not one.is_right(wanted)]
        lost = [message.text[one.start : one.end] for one in wanted if not is_told(one, taken)]
        if wrong or lost:
            shown.append(f"{path.stem} | {message.text[:160]!r} | NOT {wrong} | MISSED {lost}")
    for bar, count in counts.items():
        sys.stdout.write(f"{path.stem} from {bar}: {count}\n")
    attribute, standing, subject = np.mean(right, axis=0) if right else (0.0, 0.0, 0.0)
    sys.stdout.write(
        f"of what is found: attribute right {attribute:.3f}, standing {standing:.3f}, "
        f"subject {subject:.3f}\n"
    )
    return shown


def main() -> int:
    """0, when all files are read."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--weights", type=Path, help="others than the package's")
    parser.add_argument("--show", type=int, default=0, help="so many messages with mistakes")
    given = parser.parse_args()
    asked = networks()
    if given.weights:
        with np.load(given.weights, allow_pickle=False) as kept:
            asked = Networks({name: kept[name] for name in kept.files})
    shown = [line for path in given.files for line in report(asked, path)]
    for line in random.Random(0).sample(shown, min(given.show, len(shown))):
        sys.stdout.write(line + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
