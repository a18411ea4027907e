"""A small embeddings server on loopback, which answers as it is told to."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from tests.loopback import Loopback, Quiet

from chatmem.testing import FakeEmbedder


@dataclass(frozen=True, slots=True)
class Answer:
    """What the server says once instead of its vectors."""

    status: int = 200
    body: bytes = b"{}"
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Received:
    """One request as it arrived."""

    path: str
    authorization: str | None
    model: str
    texts: tuple[str, ...]


class EmbeddingServer(Loopback):
    """Serves `POST /v1/embeddings` over real HTTP, with the vectors of a `FakeEmbedder`.

    Items come back in reverse order, each with its index, as the form allows. What is put into
    `planned` is answered first, one entry a request; `received` has every request.
    """

    def __init__(self, embedder: FakeEmbedder | None = None) -> None:
        self.embedder = embedder or FakeEmbedder()
        self.planned: list[Answer] = []
        self.received: list[Received] = []
        super().__init__(ThreadingHTTPServer(("127.0.0.1", 0), _handler_of(self)))

    def answer(self, request: Received) -> Answer:
        """The next planned answer, else the vectors of the request's texts."""
        self.received.append(request)
        if self.planned:
            return self.planned.pop(0)
        if request.path != "/v1/embeddings":
            return Answer(404, b'{"error": {"message": "no such path"}}')
        rows = self.embedder.embed(request.texts).tolist()
        items = [{"index": index, "embedding": row} for index, row in enumerate(rows)]
        return Answer(body=json.dumps({"data": items[::-1]}).encode())


def _handler_of(server: EmbeddingServer) -> type[BaseHTTPRequestHandler]:
    class Handler(Quiet):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            answer = server.answer(
                Received(
                    path=self.path,
                    authorization=self.headers.get("Authorization"),
                    model=body["model"],
                    texts=tuple(body["input"]),
                )
            )
            self.say(answer.status, answer.body, answer.headers)

    return Handler
