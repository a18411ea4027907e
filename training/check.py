"""How well the reader reads: python training/check.py FILE.jsonl ... [--weights W] [--show N].

A statement found is right if it and a labelled one that is to be kept overlap by half of the shorter
one; a labelled one is found if half of it is.
"""

import argparse
import random
import sys
from collections import Counter
from pathlib import Path
from typing import Final

import numpy as np
from dataset import messages_of
from markup import Message, Span

from chatmem.extraction.reader.labels import ATTRIBUTES, STANDINGS, SUBJECTS, is_kept
from chatmem.extraction.reader.meaning import network
from chatmem.extraction.reader.network import Marked, Networks, networks, unpacked
from chatmem.extraction.reader.tokens import fold, tokens_of

BARS: Final = (0.0, 0.5, 0.6, 0.7, 0.8, 0.9)


def read(asked: Networks, message: Message) -> list[tuple[int, int, Marked]]:
    """The statements found, with first and past-last character."""
    folded = fold(message.text)
    tokens = tokens_of(folded, message.asked, group=message.group)
    tokens = tokens.first(MOST_TOKENS)
    meaning = network().read(folded, tokens.places)
    return [
        (int(tokens.places[one.start, 0]), int(tokens.places[one.end - 1, 1]), one)
        for one in asked.marked(tokens, meaning)
    ]


def overlap(one: tuple[int, int], other: Span) -> int:
    return min(one[1], other.end) - max(one[0], other.start)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--weights", type=Path)
    parser.add_argument("--show", type=int, default=0)
    given = parser.parse_args()
    if given.weights:
        with np.load(given.weights, allow_pickle=False) as packed_:
            asked = unpacked({name: packed_[name] for name in packed_.files})
    else:
        asked = networks()
    shown: list[str] = []
    for path in given.files:
        messages = messages_of(path)
        found = [read(asked, one) for one in messages]
        heads: Counter[str] = Counter()
        for bar in BARS:
            right = said = labels = told = empty = stored = 0
            for message, marked in zip(messages, found, strict=True):
                wanted = [one for one in message.spans if is_kept(one.subject, one.standing)]
                taken = [one for one in marked if one[2].sure >= bar]
                said += len(taken)
                labels += len(wanted)
                good = [
                    any(
                        2 * overlap((a, b), one) >= min(b - a, one.end - one.start)
                        for one in wanted
                    )
                    for a, b, _ in taken
                ]
                right += sum(good)
                missed = [
                    one
                    for one in wanted
                    if not any(2 * overlap((a, b), one) >= one.end - one.start for a, b, _ in taken)
                ]
                told += len(wanted) - len(missed)
                if not wanted:
                    empty += 1
                    stored += bool(taken)
                if bar == 0.6 and (missed or not all(good)):
                    wrong = [message.text[a:b] for (a, b, _), ok in zip(taken, good, strict=True) if not ok]
                    lost = [message.text[one.start : one.end] for one in missed]
                    shown.append(f"{path.stem} | {message.text[:160]!r} | NOT {wrong} | MISSED {lost}")
                if bar == 0:
                    for a, b, one in taken:
                        for span in wanted:
                            if 2 * overlap((a, b), span) >= span.end - span.start:
                                heads["n"] += 1
                                heads["attribute"] += ATTRIBUTES[int(one.heads["attribute"].argmax())] == span.attribute
                                heads["standing"] += STANDINGS[int(one.heads["standing"].argmax())] == span.standing
                                heads["subject"] += SUBJECTS[int(one.heads["subject"].argmax())] == span.subject
                                if span.value:
                                    heads["values"] += 1
            sys.stdout.write(
                f"{path.stem} {bar}: precision {right / max(said, 1):.3f}, recall {told / max(labels, 1):.3f}, "
                f"stored where nothing is {stored / max(empty, 1):.3f} of {empty}\n"
            )
        n = max(heads["n"], 1)
        sys.stdout.write("; ".join(f"{k} {heads[k] / n:.3f}" for k in ("attribute", "standing", "subject")) + "\n")
    for line in random.Random(0).sample(shown, min(given.show, len(shown))):
        sys.stdout.write(line + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
