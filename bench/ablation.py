"""What each part of the ranking is worth: the product's own search, one part off at a time.

    python bench/ablation.py SET.corpus.jsonl.xz SET.queries.jsonl.xz [...more pairs] [--only NAME]

Conversations are brought in once a set; every variant then asks all questions. Prints a Markdown
table of turn recall@5 and recall@10, as it stands in docs/scoring.md.
"""

import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from chatmem import MemoryService, Settings
from chatmem.engine.search import ranking
from chatmem.lab.evaluation import EvaluationCorpus, mean_recall, read_corpus, read_questions
from chatmem.retrieval import legs, query, scoring
from chatmem.text.languages import en

Change = tuple[Any, str, object]


def variants() -> dict[str, list[Change]]:
    """By name, what is changed: module that uses it, attribute, value."""
    return {
        "everything": [],
        "no speaker factor": [(scoring, "NAMED_SPEAKER", 0.0)],
        "speaker's name as a term too": [(query, "NAME_WEIGHT", 1.0)],
        "no date factor": [(scoring, "NAMED_DATE", 0.0)],
        "no time cue": [(scoring, "TIME_ASKED", 0.0)],
        "no number cue": [(scoring, "NUMBER_ASKED", 0.0)],
        "no assistant factor": [(scoring, "ASSISTANT", 0.0)],
        "no only-asks factor": [(scoring, "ONLY_A_QUESTION", 0.0)],
        "no bridge": [(ranking, "BRIDGE_WEIGHT", 0.0), (ranking, "LINKED", np.inf)],
        "questions not taken apart": [(query, "questions", lambda _: [])],
        "no window": [
            (legs, "PREVIOUS_WEIGHT", 0.0),
            (legs, "FOLLOWING_WEIGHT", 0.0),
        ],
        "window alike on both sides": [
            (legs, "PREVIOUS_WEIGHT", 0.45),
            (legs, "FOLLOWING_WEIGHT", 0.45),
        ],
        "words: turn only": [(legs, "WINDOW_WEIGHT", 0.0), (legs, "SESSION_WEIGHT", 0.0)],
        "words: no turn": [(legs, "TURN_WEIGHT", 0.0)],
        "words: no window": [(legs, "WINDOW_WEIGHT", 0.0)],
        "words: no session": [(legs, "SESSION_WEIGHT", 0.0)],
        "meaning: no session": [(legs, "SESSION_SHARE", 0.0)],
        "embed the question only": [(ranking, "blend", lambda _, question: question)],
        "embed the statement only": [(ranking, "blend", lambda statement, _: statement)],
        "few words count in full": [(scoring, "TRUSTED_COVERAGE", 1e-9)],
        "stop words dropped": [(query, "STOP_WEIGHT", 0.0)],
        "stop words at full weight": [(query, "STOP_WEIGHT", 1.0)],
        "single characters at full weight": [(query, "SINGLE_HAN_WEIGHT", 1.0)],
        "BM25 with k1 1.2": [(legs, "K1", 1.2)],
        "no irregular forms in questions": [(en, "BASE_FORM", {})],
        "words alone (no embedder)": [(ranking, "_query_vectors", lambda *_: ([], ()))],
        "meaning alone": [(ranking, "lexical_scores", _no_words)],
    }


def _no_words(_: Any, candidates: Any, *_given: Any) -> Any:  # noqa: ANN401
    return np.zeros(len(candidates))


@contextmanager
def changed(changes: Sequence[Change]) -> Iterator[None]:
    """The changes in force, undone at the end."""
    before = [(module, name, getattr(module, name)) for module, name, _ in changes]
    for module, name, value in changes:
        setattr(module, name, value)
    _forget()
    try:
        yield
    finally:
        for module, name, value in before:
            setattr(module, name, value)
        _forget()


def _forget() -> None:
    """What functions keep was made with the values before."""
    modules = [one for name, one in sys.modules.items() if name.startswith("chatmem.")]
    for kept in [one for module in modules for one in vars(module).values()]:
        if (clear := getattr(kept, "cache_clear", None)) and not isinstance(kept, type):
            clear()


def prepared(corpus_file: Path, query_file: Path, folder: str) -> Callable[[], tuple[float, float]]:
    """A set brought in; calling it asks every question and gives recall@5 and recall@10."""
    conversations = read_corpus(corpus_file)
    questions = read_questions(query_file, conversations)
    memory = MemoryService.open(folder, settings=Settings(), background=False)
    corpus = EvaluationCorpus(memory)
    corpus.ingest(conversations)
    evidence = {one.id: one.evidence for one in questions}

    def ask() -> tuple[float, float]:
        ranked = {one.id: corpus.ask(replace(one), 20)[0] for one in questions}
        found = mean_recall(ranked, evidence)
        return found[5], found[10]

    return ask


def main(arguments: Sequence[str]) -> None:
    """Print the table."""
    only = arguments[arguments.index("--only") + 1] if "--only" in arguments else None
    files = [Path(one) for one in arguments if one.endswith((".jsonl", ".xz"))]
    if not files or len(files) % 2:
        sys.exit(__doc__)
    pairs = list(zip(files[::2], files[1::2], strict=True))
    with tempfile.TemporaryDirectory() as folder:
        sets = [
            prepared(corpus, queries, f"{folder}/{place}")
            for place, (corpus, queries) in enumerate(pairs)
        ]
        names = [corpus.name.split(".")[0] for corpus, _ in pairs]
        print("| | " + " | ".join(f"{name} @5 / @10" for name in names) + " |")
        print("|---" * (len(names) + 1) + "|")
        for name, changes in variants().items():
            if only is not None and only != name:
                continue
            with changed(changes):
                cells = [f"{at5:.3f} / {at10:.3f}" for at5, at10 in (ask() for ask in sets)]
            print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
