"""Whether chatmem knows what it does not know: scores of questions with and without an answer.

    python bench/answerable.py questions SET.corpus.jsonl.xz SET.queries.jsonl.xz
    python bench/answerable.py off OFF.json SET.corpus.jsonl.xz
    python bench/answerable.py memories PERSON.json ...

`questions` asks each conversation its own questions and as many of other conversations, and prints
what separates them, with the curve of the floor below which nothing speaks of a question. `off`
asks every conversation nonsense and special subjects, a JSON object of lists by language.
`memories` appends the memories of a person, `{"memories": [{"id", "text"}], "questions": [{"text",
"related": [ids]}]}`, and counts what recall brings.
"""

import json
import random
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from chatmem import MemoryService, SearchResults, Settings
from chatmem.lab.evaluation import EvaluationCorpus, read_corpus, read_questions
from chatmem.retrieval.scoring import LOOKED_AT, SPEAKS_FROM

FLOORS = (0.3, 0.34, 0.38, 0.4, 0.42, 0.44, 0.46, 0.5)
MOST_CONVERSATIONS = 60
"""Of sets with many small ones, a sample."""


@contextmanager
def _service() -> Iterator[MemoryService]:
    with (
        tempfile.TemporaryDirectory() as folder,
        MemoryService.open(folder, settings=Settings(), background=False) as memory,
    ):
        yield memory


@contextmanager
def _ingested(path: Path) -> Iterator[tuple[MemoryService, list[str]]]:
    conversations = read_corpus(path)
    drawn = sorted(conversations)
    if len(drawn) > MOST_CONVERSATIONS:
        drawn = sorted(random.Random(1).sample(drawn, MOST_CONVERSATIONS))
    with _service() as memory:
        EvaluationCorpus(memory).ingest({name: conversations[name] for name in drawn})
        memory.wait_until_idle()
        yield memory, drawn


def _relevances(found: SearchResults) -> list[float]:
    """Those of the first hits, also of those that only come nearest."""
    return [hit.score for hit in (found.hits or found.nearest)[:LOOKED_AT]]


def separation(own: Sequence[float], foreign: Sequence[float]) -> float:
    """The share of pairs in which the own question has the higher score: the area under ROC."""
    wins = sum((one > other) + 0.5 * (one == other) for one in own for other in foreign)
    return wins / (len(own) * len(foreign))


def measure_questions(corpus_path: Path, questions_path: Path) -> None:
    """Own questions against those of other conversations."""
    questions = read_questions(questions_path, read_corpus(corpus_path))
    own: list[SearchResults] = []
    foreign: list[SearchResults] = []
    with _ingested(corpus_path) as (memory, names):
        for name in names:
            user = memory.for_user(name)
            mine = [one for one in questions if one.conversation == name]
            others = [one for one in questions if one.conversation != name]
            own += [user.search_memories(one.text) for one in mine]
            drawn = random.Random(name).sample(others, len(mine))
            foreign += [user.search_memories(one.text) for one in drawn]
    own_first, foreign_first = (
        [next(iter(_relevances(found)), 0.0) for found in asked] for asked in (own, foreign)
    )
    print(f"{len(own)} own questions, {len(foreign)} of other conversations")
    print(f"area under ROC of the first hit's score: {separation(own_first, foreign_first):.3f}")
    high = _share(own_first, 0.5), _share(foreign_first, 0.5)
    print("first hit at .5 or more: own {}, foreign {}".format(*high))
    answered = sum(bool(found.hits) for found in own) / len(own)
    wrongly = sum(bool(found.hits) for found in foreign) / len(foreign)
    print(f"answered: own {answered:.1%}, foreign {wrongly:.1%} (floor {SPEAKS_FROM})")
    print("\nfloor | own above | foreign above\n---|---|---")
    best = [max(_relevances(found), default=0.0) for found in own]
    best_foreign = [max(_relevances(found), default=0.0) for found in foreign]
    for floor in FLOORS:
        print(f"{floor} | {_share(best, floor)} | {_share(best_foreign, floor)}")


def measure_off(off_path: Path, corpus_path: Path) -> None:
    """Nonsense and special subjects, asked of every conversation."""
    asked = [text for texts in json.loads(off_path.read_text("utf-8")).values() for text in texts]
    with _ingested(corpus_path) as (memory, names):
        found = [memory.for_user(name).search_memories(text) for name in names for text in asked]
        recalled = [
            memory.for_user(name).get_relevant_memories(text) for name in names for text in asked
        ]
    high = sum(any(hit.score >= 0.5 for hit in (*one.hits, *one.nearest)) for one in found)
    print(f"{len(found)} questions: with a hit of .5 or more {high}")
    print(f"search answers {sum(map(bool, found)) / len(found):.1%}", end=", ")
    print(f"recall {sum(map(bool, recalled)) / len(recalled):.1%}")


def measure_memories(paths: Sequence[Path]) -> None:
    """What recall brings of a person's memories."""
    for path in paths:
        person = json.loads(path.read_text("utf-8"))
        with _service() as memory:
            ids = {memory.append_memory(one["text"]).id: one["id"] for one in person["memories"]}
            memory.wait_until_idle()
            unrelated = related = wanted = 0
            for question in person["questions"]:
                brought = {
                    ids[hit.memory.id] for hit in memory.get_relevant_memories(question["text"])
                }
                unrelated += len(brought - set(question["related"]))
                related += len(brought & set(question["related"]))
                wanted += len(question["related"])
        each = unrelated / len(person["questions"])
        print(f"{path.name}: unrelated a question {each:.2f}, found {related / wanted:.3f}")


def _share(values: Sequence[float], least: float) -> str:
    return f"{sum(value >= least for value in values) / len(values):.1%}"


def main() -> None:
    """Runs one of the measurements."""
    match sys.argv[1:]:
        case ["questions", corpus, questions]:
            measure_questions(Path(corpus), Path(questions))
        case ["off", off, corpus]:
            measure_off(Path(off), Path(corpus))
        case ["memories", person, *more]:
            measure_memories([Path(one) for one in (person, *more)])
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main()
