"""What comes back from an OpenAI-compatible server, read with suspicion."""

import json
import math
from urllib.parse import urlsplit

import numpy as np

from chatmem.providers.ports import Vectors

LONGEST_REASON_CHARS = 200


def vectors_in(body: bytes, count: int) -> Vectors:
    """The rows of `{"data": [{"index", "embedding"}]}` in the order of their indexes.

    Raises:
        ValueError: not that form, not `count` rows of equal length, or numbers that are not finite.
    """
    try:
        items = json.loads(body)["data"]
        ordered = sorted(items, key=lambda item: int(item["index"]))
        indexes = [int(item["index"]) for item in ordered]
        vectors = np.array([item["embedding"] for item in ordered], dtype=np.float32)
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{type(error).__name__}: {error}") from error
    if indexes != list(range(count)):
        raise ValueError(f"{len(indexes)} vectors for {count} texts")
    if vectors.ndim != 2 or vectors.shape[1] == 0 or not np.isfinite(vectors).all():
        raise ValueError("the vectors are not rows of finite numbers")
    return vectors


def reason_given(body: str) -> str:
    """The server's own words, `error.message` or the body's beginning, on one line."""
    text = body
    try:
        error = json.loads(body)["error"]
        text = error["message"] if isinstance(error, dict) else str(error)
    except (KeyError, TypeError, ValueError):
        pass  # not of that form: the body itself has to say it
    return " ".join(str(text).split())[:LONGEST_REASON_CHARS]


def retry_after(header: str | None) -> float | None:
    """Seconds that the server asks to wait, or None where it gives a date or nothing."""
    try:
        seconds = float(header or "")
    except ValueError:
        return None
    return seconds if math.isfinite(seconds) and seconds >= 0 else None


def plain_address(address: str) -> str:
    """The address without a name, a password or a query, which may be secret."""
    try:
        parts = urlsplit(address)
        host = parts.hostname or ""
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return "the embedder's address"
    return f"{parts.scheme}://{host}{port}{parts.path}"
