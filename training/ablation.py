"""What each part of the reader is worth, and what more messages are worth.

    .venv-reader/bin/python training/ablation.py [--share 0.3] [--rounds 6]
    .venv-reader/bin/python training/ablation.py --curve 0.125 0.25 0.5 1

One network a row learns from a share of the messages and reads the writers that are kept back; a
part is taken away from both. The figures are lower than those of the package's two networks, which
learn from all messages for longer.
"""

import argparse
import random
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np
from check import Counts, read
from dataset import Example, example_of, messages_of
from learn import learn, packed, say, screens_of, training_messages
from markup import Message
from numpy.typing import NDArray

from chatmem.extraction.reader.labels import is_kept
from chatmem.extraction.reader.network import Networks
from chatmem.extraction.reader.reading import SURE
from chatmem.extraction.reader.tokens import DIMENSION

KEPT_BACK: Final = Path(__file__).parent / "kept_back"
PARTS: Final[dict[str, tuple[str, ...]]] = {
    "all of it": (),
    "without the clause's and the message's vector": ("clauses", "whole"),
    "without the statement's own vector": ("span_vectors",),
    "without neighbours in the embedder": ("neighbours",),
    "without the embedder": ("features", "clauses", "whole", "span_vectors"),
    "without words": ("words",),
}
_WEIGHTS: Final = {
    "features": "features",
    "clauses": "clauses",
    "whole": "whole",
    "span_vectors": "span_vector",
    "words": "words",
}


def without(example: Example, parts: Sequence[str]) -> Example:
    """The example with these parts blank."""
    changes: dict[str, NDArray[Any]] = {}
    for part in parts:
        if part == "neighbours":
            features = example.features.copy()
            features[:, DIMENSION:] = 0
            changes["features"] = features
        else:
            changes[part] = np.zeros_like(getattr(example, part))
    return replace(example, **changes)


def figures(
    examples: Sequence[Example], kept_back: Sequence[Message], parts: Sequence[str], rounds: int
) -> Counts:
    """What a network that learned so does on the messages of the writers kept back."""
    learned = learn([without(one, parts) for one in examples], seed=1, rounds=rounds)
    for part in parts:
        if part == "neighbours":
            features = learned["features"].copy()
            features[DIMENSION:] = 0
            learned["features"] = features
        else:
            learned[_WEIGHTS[part]] = np.zeros_like(learned[_WEIGHTS[part]])
    asked = Networks(packed([learned], screens_of(examples), ()))
    counts = Counts()
    for message in kept_back:
        wanted = [one for one in message.spans if is_kept(one.subject, one.standing)]
        counts.add(wanted, [one for one in read(asked, message) if one.marked.sure >= SURE])
    return counts


def main() -> int:
    """0, when all rows are printed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--share", type=float, default=0.3)
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--curve", type=float, nargs="+", help="these shares, with all parts")
    given = parser.parse_args()
    kept_back = [one for path in sorted(KEPT_BACK.glob("*.jsonl")) for one in messages_of(path)]
    messages = training_messages()
    random.Random(0).shuffle(messages)
    most = max(given.curve) if given.curve else given.share
    examples = [example_of(one) for one in messages[: int(len(messages) * most)]]
    if given.curve:
        for share in given.curve:
            some = examples[: int(len(messages) * share)]
            say(f"{len(some)} messages: {figures(some, kept_back, (), given.rounds)}")
        return 0
    for name, parts in PARTS.items():
        say(f"{name}: {figures(examples, kept_back, parts, given.rounds)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
