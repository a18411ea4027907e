"""Any server that speaks OpenAI's `/embeddings`: OpenAI's own, Ollama, vLLM, LM Studio, llama.cpp.

Source: decisions 7; interfaces, "Settings" (`CHATMEM_EMBEDDER=openai:<model>`).
"""

import random
import re
import time
from collections.abc import Callable, Mapping, Sequence
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple, Self

from chatmem.errors import ProviderError
from chatmem.providers.batches import embed_in_batches, embeddable, normalised
from chatmem.providers.calibration import UNRELATED, unrelated_floor
from chatmem.providers.openai_answers import plain_address, reason_given, retry_after, vectors_in
from chatmem.providers.optional import optional_module
from chatmem.providers.ports import Vector, Vectors

if TYPE_CHECKING:
    import httpx

BATCH_SIZE = 64
MAX_ATTEMPTS = 4
MAX_ATTEMPTS_FOR_A_QUESTION = 2
FIRST_PAUSE_SECONDS = 0.5
LONGEST_PAUSE_SECONDS = 20.0
CONNECT_TIMEOUT_SECONDS = 5.0
PASSING = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
"""Statuses that another attempt may change; every other one is the server's last word."""

_SENDABLE = re.compile(r"[!-~]+")


class _PassingError(Exception):
    """A failure that another attempt may cure."""

    def __init__(self, problem: str, wait_seconds: float | None) -> None:
        super().__init__(problem)
        self.wait_seconds = wait_seconds


class _Measured(NamedTuple):
    dimension: int
    floor: float


class OpenAICompatibleEmbedder:
    """Vectors of a model behind an address.

    Its dimension and floor are measured when first asked for, by one request with the sentences of
    `calibration.UNRELATED`. A passing failure (429, 5xx, no connection, a timeout) is tried again
    with growing pauses, or after the pause that the server asks for.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str,
        api_key: str | None = None,
        timeout_seconds: float = 30.0,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """Prepares; nothing is sent yet.

        Args:
            model: the model's name, as the server knows it.
            base_url: up to and without `/embeddings`, for example `http://127.0.0.1:11434/v1`.
            api_key: sent as a bearer token; appears in no error.
            timeout_seconds: for one answer, not for all attempts.
            sleep: what waits between attempts.

        Raises:
            ProviderError: `httpx` is not installed, or the address or the key cannot be used.
        """
        self._httpx = optional_module(
            "httpx",
            needed_for=f"the embedder openai:{model}",
            install="pip install 'chatmem[llm]'",
        )
        self._model = model
        self._api_key = api_key
        self._address = f"{base_url.rstrip('/')}/embeddings"
        self._sleep = sleep
        self._lock = Lock()
        self._measured: _Measured | None = None
        self._client = self._connect(timeout_seconds)

    @property
    def identity(self) -> str:
        """`openai:<model>`: the same model at another address has the same vectors."""
        return f"openai:{self._model}"

    @property
    def dimension(self) -> int:
        """Components of a vector, as the server answers."""
        return self._measure().dimension

    @property
    def floor(self) -> float:
        """What 95 % of unrelated pairs stay below, with this model."""
        return self._measure().floor

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Normalised rows, (len(texts), dimension); zeros for a blank text, which is not sent."""
        return self._embed(texts, MAX_ATTEMPTS)

    def embed_query(self, text: str) -> Vector:
        """The same as `embed` of one text, with fewer attempts: somebody waits for the answer."""
        vector: Vector = self._embed([text], MAX_ATTEMPTS_FOR_A_QUESTION)[0]
        return vector

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """The same of several questions, in one request."""
        return self._embed(texts, MAX_ATTEMPTS_FOR_A_QUESTION)

    def close(self) -> None:
        """Closes the connections that were kept open."""
        self._client.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _connect(self, timeout_seconds: float) -> "httpx.Client":
        try:
            url = self._httpx.URL(self._address)
        except self._httpx.InvalidURL as error:
            raise ProviderError(self._problem(f"the address cannot be used ({error})")) from error
        if url.scheme not in ("http", "https") or not url.host:
            raise ProviderError(self._problem("the address must be http://... or https://..."))
        if self._api_key and not _SENDABLE.fullmatch(self._api_key):
            raise ProviderError(self._problem("the key holds characters that cannot be sent"))
        headers = {"Authorization": f"Bearer {self._api_key}"} if self._api_key else {}
        timeout = self._httpx.Timeout(timeout_seconds, connect=CONNECT_TIMEOUT_SECONDS)
        client: httpx.Client = self._httpx.Client(headers=headers, timeout=timeout)
        return client

    def _embed(self, texts: Sequence[str], attempts: int) -> Vectors:
        return embed_in_batches(
            texts,
            lambda batch: self._request(batch, attempts),
            dimension=self._measure(attempts).dimension,
            batch_size=BATCH_SIZE,
        )

    def _measure(self, attempts: int = MAX_ATTEMPTS) -> _Measured:
        with self._lock:
            if self._measured is None:
                sentences = [embeddable(text) for text in UNRELATED]
                vectors = normalised(self._request(sentences, attempts))
                self._measured = _Measured(vectors.shape[1], unrelated_floor(vectors))
            return self._measured

    def _request(self, texts: list[str], attempts: int) -> Vectors:
        """Rows as the server gives them, in the order of the texts."""
        body = {"model": self._model, "input": texts, "encoding_format": "float"}
        pause = FIRST_PAUSE_SECONDS
        for _ in range(attempts - 1):
            try:
                return self._read(self._post(body), len(texts))
            except _PassingError as failure:
                # Clients that were refused together should not come back together.
                wanted = failure.wait_seconds or pause * random.uniform(0.8, 1.2)
                self._sleep(min(wanted, LONGEST_PAUSE_SECONDS))
                pause *= 2
        try:
            return self._read(self._post(body), len(texts))
        except _PassingError as failure:
            raise ProviderError(f"{failure}, after {attempts} attempts") from failure

    def _post(self, body: Mapping[str, object]) -> "httpx.Response":
        """The server's answer, when it is a good one."""
        try:
            answer: httpx.Response = self._client.post(self._address, json=body)
        except self._httpx.RequestError as error:
            raise _PassingError(
                self._problem(f"no answer ({type(error).__name__}: {error})"), None
            ) from error
        if answer.is_success:
            return answer
        reason = reason_given(answer.text)
        problem = self._problem(f"status {answer.status_code}" + (f": {reason}" if reason else ""))
        if answer.status_code in PASSING:
            raise _PassingError(problem, retry_after(answer.headers.get("Retry-After")))
        raise ProviderError(problem)

    def _read(self, answer: "httpx.Response", count: int) -> Vectors:
        try:
            vectors = vectors_in(answer.content, count)
        except ValueError as error:
            raise ProviderError(
                self._problem(f"the answer is not of OpenAI's form: {error}")
            ) from error
        known = self._measured
        if known is not None and vectors.shape[1] != known.dimension:
            raise ProviderError(
                self._problem(
                    f"vectors of {vectors.shape[1]} components, where {known.dimension} came "
                    "before: the model has changed; run `chatmem reindex`"
                )
            )
        return vectors

    def _problem(self, what: str) -> str:
        """The address and what is wrong, without the key, which a server may have repeated."""
        told = what.replace(self._api_key, "(key)") if self._api_key else what
        return f"{plain_address(self._address)}: {told}"
