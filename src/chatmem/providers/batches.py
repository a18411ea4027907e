"""What every embedder does around its model: tidy the text, cut batches, normalise rows."""

from collections.abc import Callable, Sequence

import numpy as np

from chatmem.providers.ports import Vectors

MAX_CHARS = 1_500
"""Where a text is cut. The first 1,500 characters say what it is about; 20,000 take seconds."""


def embeddable(text: str) -> str:
    """The text as a model can take it: no NUL, no lone surrogate, at most `MAX_CHARS` long.

    A NUL ends the input of a model written in C, and a lone surrogate has no UTF-8 form. Both
    become harmless characters; blank text becomes the empty string.
    """
    head = text.lstrip()[:MAX_CHARS]
    return head.replace("\0", " ").encode("utf-8", "replace").decode("utf-8").strip()


def embed_in_batches(
    texts: Sequence[str],
    encode: Callable[[list[str]], Vectors],
    *,
    dimension: int,
    batch_size: int,
) -> Vectors:
    """Normalised rows, (len(texts), dimension), in the order given; zeros for a blank text.

    Args:
        texts: any strings, of any length.
        encode: gives (n, dimension) for n tidied texts, n >= 1.
        dimension: columns of the result.
        batch_size: how many texts `encode` gets at a time.
    """
    vectors = np.zeros((len(texts), dimension), dtype=np.float32)
    tidied = [embeddable(text) for text in texts]
    speaking = [place for place, text in enumerate(tidied) if text]
    for start in range(0, len(speaking), batch_size):
        places = speaking[start : start + batch_size]
        vectors[places] = encode([tidied[place] for place in places])
    return normalised(vectors)


def normalised(vectors: Vectors) -> Vectors:
    """The rows at length 1; a row of zeros stays one."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    lengths[lengths == 0] = 1
    rows: Vectors = (vectors / lengths).astype(np.float32, copy=False)
    return rows
