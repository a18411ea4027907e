"""A small chat model server on loopback, which answers as it is told to."""

import json
import time
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from types import TracebackType
from typing import Any, Self


@dataclass(frozen=True, slots=True)
class Reply:
    """What the server says once: a text of the model, or a status with a body of its own.

    `wait_seconds` passes before it is said; `hang_up` closes the connection instead.
    """

    text: str = ""
    status: int = 200
    body: bytes | None = None
    wait_seconds: float = 0.0
    hang_up: bool = False


@dataclass(frozen=True, slots=True)
class Question:
    """One request as it arrived."""

    path: str
    authorization: str | None
    model: str
    messages: tuple[dict[str, Any], ...]

    @property
    def system(self) -> str:
        """What stood in its system messages."""
        return "\n".join(one["content"] for one in self.messages if one["role"] == "system")

    @property
    def user(self) -> str:
        """What stood in its user messages."""
        return "\n".join(str(one["content"]) for one in self.messages if one["role"] == "user")


class ChatModelServer:
    """Serves `POST /v1/chat/completions` over real HTTP.

    What is put into `planned` is said first, one entry a request; after that, `otherwise`.
    `received` has every request.
    """

    def __init__(self, otherwise: str = "ok") -> None:
        self.otherwise = otherwise
        self.planned: list[Reply] = []
        self.received: list[Question] = []
        self.closing = Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler_of(self))
        self._thread = Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)

    @property
    def base_url(self) -> str:
        """`http://127.0.0.1:<port>/v1`."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.closing.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def reply(self, question: Question) -> Reply:
        """The next planned reply, else the usual one."""
        self.received.append(question)
        if self.planned:
            return self.planned.pop(0)
        if question.path != "/v1/chat/completions":
            return Reply(status=404, body=b'{"error": {"message": "no such path"}}')
        return Reply(self.otherwise)


def _completion(model: str, text: str) -> bytes:
    choice = {
        "index": 0,
        "finish_reason": "stop",
        "message": {"role": "assistant", "content": text},
    }
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    answer = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": int(time.time()),
        "model": model,
        "choices": [choice],
        "usage": usage,
    }
    return json.dumps(answer).encode()


def _handler_of(server: ChatModelServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            question = Question(
                path=self.path,
                authorization=self.headers.get("Authorization"),
                model=body["model"],
                messages=tuple(body["messages"]),
            )
            reply = server.reply(question)
            if reply.wait_seconds:
                server.closing.wait(reply.wait_seconds)
            if reply.hang_up:
                self.close_connection = True
                return
            self._say(reply.status, reply.body or _completion(question.model, reply.text))

        def _say(self, status: int, body: bytes) -> None:
            try:
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)
            except OSError:
                self.close_connection = True  # who asked has gone

        def log_message(self, format: str, *args: object) -> None:
            """Says nothing: a test's output is for its failures."""

    return Handler
