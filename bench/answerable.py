"""Whether chatmem knows what it does not know: scores of questions with and without an answer.

    python bench/answerable.py questions SET.corpus.jsonl.xz SET.queries.jsonl.xz
    python bench/answerable.py off OFF.json FILE ...
    python bench/answerable.py memories PERSON.json ...
    python bench/answerable.py fit PERSON.json ...

`questions` asks each conversation its own questions and as many of other conversations, and prints
what separates them, with the curve of the floor below which nothing speaks of a question. `off`
asks nonsense and special subjects, a JSON object of lists by language, of every conversation of a
set, and of what else `chatmem import` reads. `memories` appends the memories of a person,
`{"memories": [{"id", "text"}], "questions": [{"text", "related": [ids]}]}`, and counts what recall
brings. `fit` prints the rule that persons teach (`retrieval.scoring.speaking`).
"""

import json
import random
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from chatmem import ChatContextBuilder, MemoryService, SearchResults, Settings
from chatmem.engine.importing import import_file
from chatmem.lab.evaluation import EvaluationCorpus, read_corpus, read_questions
from chatmem.model import Hit
from chatmem.prompt.receipt import EPISODIC
from chatmem.retrieval.scoring import LOOKED_AT

FLOORS = (0.5, 0.55, 0.6, 0.62, 0.64, 0.66, 0.7, 0.75)
MOST_CONVERSATIONS = 600
"""Of sets with many small ones, a sample; with 60 the area under ROC is known to .02 only."""


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


@contextmanager
def _users(path: Path) -> Iterator[list[MemoryService]]:
    """Whom the conversations of a file belong to: of a set one user each, else one for all."""
    if ".corpus." in path.name:
        with _ingested(path) as (memory, names):
            yield [memory.for_user(name) for name in names]
    else:
        with _service() as memory:
            import_file(memory, path)
            memory.wait_until_idle()
            yield [memory]


def _first(found: SearchResults) -> tuple[Hit, ...]:
    """The first hits, also of those that only come nearest."""
    return (found.hits or found.nearest)[:LOOKED_AT]


def _said(hit: Hit) -> float:
    """What `speaking` compares with its floor, of the best hit."""
    return (hit.parts.vector or 0.0) + (hit.parts.bm25 or 0.0)


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
        [next((hit.score for hit in _first(found)), 0.0) for found in asked]
        for asked in (own, foreign)
    )
    print(f"{len(own)} own questions, {len(foreign)} of other conversations")
    print(f"area under ROC of the first hit's score: {separation(own_first, foreign_first):.3f}")
    high = _share(own_first, 0.5), _share(foreign_first, 0.5)
    print("first hit at .5 or more: own {}, foreign {}".format(*high))
    answered = sum(bool(found.hits) for found in own) / len(own)
    wrongly = sum(bool(found.hits) for found in foreign) / len(foreign)
    print(f"answered: own {answered:.1%}, foreign {wrongly:.1%}")
    print("\nfloor | own above | foreign above\n---|---|---")
    best, best_foreign = (
        [max(map(_said, _first(found)), default=0.0) for found in asked] for asked in (own, foreign)
    )
    for floor in FLOORS:
        print(f"{floor} | {_share(best, floor)} | {_share(best_foreign, floor)}")


def measure_off(off_path: Path, paths: Sequence[Path]) -> None:
    """Nonsense and special subjects, asked of every conversation."""
    asked = [text for texts in json.loads(off_path.read_text("utf-8")).values() for text in texts]
    for path in paths:
        with _users(path) as users:
            found = [user.search_memories(text) for user in users for text in asked]
            recalled = [user.get_relevant_memories(text) for user in users for text in asked]
            episodes = [_brings_episode(user, text) for user in users for text in asked]
        high = sum(any(hit.score >= 0.5 for hit in (*one.hits, *one.nearest)) for one in found)
        print(f"{path.name}: {len(found)} questions, with a hit of .5 or more {high}", end="; ")
        for what, those in ("search", found), ("recall", recalled), ("episode", episodes):
            print(f"{what} {sum(map(bool, those)) / len(those):.1%}", end=" ")
        print(flush=True)


def _brings_episode(user: MemoryService, text: str) -> bool:
    """Whether a prompt for the text tells of an episode."""
    receipt = ChatContextBuilder(user, counts_access=False).build_messages(text).receipt
    return any(one.name == EPISODIC and one.items for one in receipt.sections)


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


def fit(paths: Sequence[Path]) -> None:
    """A logistic regression over all pairs of message and memory, and the rule that it makes."""
    rows: list[tuple[float, float, bool]] = []
    for path in paths:
        person = json.loads(path.read_text("utf-8"))
        with _service() as memory:
            ids = {memory.append_memory(one["text"]).id: one["id"] for one in person["memories"]}
            memory.wait_until_idle()
            for question in person["questions"]:
                found = memory.search_memories(question["text"], limit=len(ids))
                hits = found.hits or found.nearest
                best = max((hit.score for hit in hits), default=0.0)
                rows += [
                    (_said(hit), best - hit.score, ids[hit.memory.id] in question["related"])
                    for hit in hits
                ]
    said, behind, related = np.array(rows, np.float64).T
    constant, weight, loss = _logistic(np.column_stack([np.ones(len(said)), said, behind]), related)
    print(f"log odds = {constant:.2f} + {weight:.2f} * ((vector + bm25) - ", end="")
    print(f"{-loss / weight:.2f} * behind)")
    for odds in (0.15, 0.2, 0.25, 0.3):
        floor = (np.log(odds / (1 - odds)) - constant) / weight
        print(f"a probability of {odds} is a floor of {floor:.2f}")


def _logistic(features: NDArray[np.float64], labels: NDArray[np.float64]) -> NDArray[np.float64]:
    """The weights that make the labels likeliest, by Newton's method."""
    weights = np.zeros(features.shape[1])
    for _ in range(30):
        likely = 1 / (1 + np.exp(-features @ weights))
        slope = features.T @ (likely - labels)
        weights -= np.linalg.solve((features.T * (likely * (1 - likely))) @ features, slope)
    return weights


def _share(values: Sequence[float], least: float) -> str:
    return f"{sum(value >= least for value in values) / len(values):.1%}"


def main() -> None:
    """Runs one of the measurements."""
    match sys.argv[1:]:
        case ["questions", corpus, questions]:
            measure_questions(Path(corpus), Path(questions))
        case ["off", off, path, *more]:
            measure_off(Path(off), [Path(one) for one in (path, *more)])
        case ["memories", person, *more]:
            measure_memories([Path(one) for one in (person, *more)])
        case ["fit", person, *more]:
            fit([Path(one) for one in (person, *more)])
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main()
