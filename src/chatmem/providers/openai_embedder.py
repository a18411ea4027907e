"""An embedder behind OpenAI's `/embeddings`.

Source: decisions 7; interfaces, "Settings" (`CHATMEM_EMBEDDER=openai:<model>`).
"""

import json
import time
from collections.abc import Callable, Sequence
from threading import Lock

import numpy as np

from chatmem.errors import ProviderError
from chatmem.providers.embedding import (
    CALIBRATION_SENTENCES,
    Calibration,
    Vector,
    Vectors,
    calibrated,
    embed_in_batches,
    embeddable,
    normalised,
)
from chatmem.providers.openai_client import Attempts, OpenAIServer, RequestFailure

BATCH_SIZE = 64
TIMEOUT_SECONDS = 30.0
"""For one attempt."""
MAX_ATTEMPTS = 4
MAX_ATTEMPTS_FOR_A_QUERY = 2


class OpenAICompatibleEmbedder:
    """Vectors of a model behind an address (`http://127.0.0.1:11434/v1`); thread-safe.

    Its dimension and calibration are measured when first asked for, by one request with
    `embedding.CALIBRATION_SENTENCES`. A failure that may pass (429, 5xx, no connection, a
    timeout) is tried again. The key appears in no error.

    Raises:
        ProviderError: the client is not installed, or the address or the key cannot be used.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str,
        api_key: str | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """Prepares; nothing is sent yet."""
        self.identity = f"openai:{model}"
        """The same model at another address has the same vectors."""
        self._model = model
        self._server = OpenAIServer(base_url, api_key, f"embedder openai:{model}", TIMEOUT_SECONDS)
        self._sleep = sleep
        self._lock = Lock()
        self._measured: tuple[int, Calibration] | None = None

    @property
    def dimension(self) -> int:
        """Components of a vector, as the server answers."""
        return self._measure()[0]

    @property
    def calibration(self) -> Calibration:
        """What cosines of this model are worth."""
        return self._measure()[1]

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Normalised rows, (len(texts), dimension); zeros for a blank text, which is not sent."""
        return self._embed(texts, MAX_ATTEMPTS)

    def embed_query(self, text: str) -> Vector:
        """The same as `embed` of one text, with fewer attempts: somebody waits for the answer."""
        vector: Vector = self._embed([text], MAX_ATTEMPTS_FOR_A_QUERY)[0]
        return vector

    def close(self) -> None:
        """Close the connections to the server."""
        self._server.close()

    def _embed(self, texts: Sequence[str], attempts: int) -> Vectors:
        return embed_in_batches(
            texts,
            lambda batch: self._request(batch, attempts),
            dimension=self._measure(attempts)[0],
            batch_size=BATCH_SIZE,
        )

    def _measure(self, attempts: int = MAX_ATTEMPTS) -> tuple[int, Calibration]:
        """The dimension and the calibration."""
        with self._lock:
            if self._measured is None:
                sentences = [embeddable(text) for text in CALIBRATION_SENTENCES]
                vectors = normalised(self._request(sentences, attempts))
                self._measured = vectors.shape[1], calibrated(vectors)
            return self._measured

    def _request(self, texts: list[str], most_attempts: int) -> Vectors:
        """Rows as the server gives them, in the order of the texts."""
        body = {"model": self._model, "input": texts, "encoding_format": "float"}
        attempts = Attempts(most_attempts, self._sleep, is_stubborn=True)
        vectors = None
        while vectors is None:
            try:
                vectors = _vectors_in(self._server.post("/embeddings", body).content, len(texts))
            except RequestFailure as failure:
                if not attempts.another(failure):
                    problem = self._server.problem(failure.reason + failure.attempts)
                    raise ProviderError(problem) from failure
            except ValueError as error:
                problem = f"the answer is not of OpenAI's form: {error}"
                raise ProviderError(self._server.problem(problem)) from error
        if self._measured is not None and vectors.shape[1] != self._measured[0]:
            problem = (
                f"vectors of {vectors.shape[1]} components, where {self._measured[0]} came before: "
                "the model has changed; run `chatmem reindex`"
            )
            raise ProviderError(self._server.problem(problem))
        return vectors


def _vectors_in(body: bytes, count: int) -> Vectors:
    """The rows of `{"data": [{"index", "embedding"}]}` by their indexes; else ValueError."""
    try:
        rows = {int(item["index"]): item["embedding"] for item in json.loads(body)["data"]}
        vectors = np.array([rows[index] for index in range(count)], dtype=np.float32)
    except (KeyError, TypeError) as error:
        raise ValueError(f"{type(error).__name__}: {error}") from error
    if len(rows) != count:
        raise ValueError(f"{len(rows)} vectors for {count} texts")
    if vectors.ndim != 2 or vectors.shape[1] == 0 or not np.isfinite(vectors).all():
        raise ValueError("the vectors are not rows of finite numbers")
    return vectors
