"""A small server of models on loopback, which answers, and misbehaves, as it is told to."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any, Self

from chatmem.providers.chat_model import ChatEndpoint as ChatEndpoint
from chatmem.testing import FakeEmbedder

PIECE_CHARS = 4
JSON = {"Content-Type": "application/json"}


@dataclass(frozen=True, slots=True)
class Reply:
    """What the server says once: a text of the model, or a status with a body of its own.

    `tool_calls` are names with their arguments as text. `wait_seconds` passes before anything is
    said; `hang_up` closes the connection instead. Who asks for a stream gets one, unless `streams`
    is False: in `pieces`, or the text a few characters at a time, with `pause_seconds` before each;
    `cut_after` so many of them the connection is closed, `stops_after` so many nothing more comes.
    `lines` are sent as the stream's lines, whatever they are.
    """

    text: str = ""
    status: int = 200
    body: bytes | None = None
    wait_seconds: float = 0.0
    hang_up: bool = False
    headers: Mapping[str, str] = field(default_factory=dict)
    tool_calls: tuple[tuple[str, str], ...] = ()
    streams: bool = True
    pieces: tuple[str, ...] | None = None
    pause_seconds: float = 0.0
    cut_after: int | None = None
    stops_after: int | None = None
    lines: tuple[str, ...] | None = None
    finish_reason: str = "stop"
    usage: tuple[int, int] | None = (1, 1)


@dataclass(frozen=True, slots=True)
class Question:
    """One request as it arrived."""

    path: str
    authorization: str | None
    model: str
    messages: tuple[dict[str, Any], ...]
    body: Mapping[str, Any] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def system(self) -> str:
        """What stood in its system messages."""
        return "\n".join(one["content"] for one in self.messages if one["role"] == "system")

    @property
    def user(self) -> str:
        """What stood in its user messages."""
        return "\n".join(str(one["content"]) for one in self.messages if one["role"] == "user")

    @property
    def texts(self) -> list[str]:
        """Of which it wanted vectors."""
        return list(self.body["input"])

    @property
    def tool_names(self) -> list[str]:
        """The tools that it offered."""
        return [one["function"]["name"] for one in self.body.get("tools", ())]


class ChatModelServer:
    """Serves chat completions, models and embeddings below `/v1`, in a thread of its own.

    What is put into `planned` is said first, one entry a request; after that, `otherwise`, or the
    vectors of `embedder`, the last one first, as the form allows. `received` has every request.
    """

    def __init__(self, otherwise: str = "ok", models: tuple[str, ...] = ("small-model",)) -> None:
        self.otherwise = otherwise
        self.models = models
        self.embedder = FakeEmbedder()
        self.planned: list[Reply] = []
        self.received: list[Question] = []
        self.keeps_connections = False  # after a stream; else with each the client connects anew
        self.closing = Event()
        self._server = _Listener(self)
        self._thread = Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self._server.server_address[1])

    @property
    def base_url(self) -> str:
        """`http://127.0.0.1:<port>/v1`."""
        return f"http://127.0.0.1:{self.port}/v1"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.closing.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    @contextmanager
    def endpoint(self, api_key: str | None = None, **more: Any) -> Iterator[ChatEndpoint]:  # noqa: ANN401
        """The server as a chat pipeline takes it."""
        made = ChatEndpoint("small-model", self.base_url, api_key, **more)
        yield made
        made.close()

    def reply(self, question: Question) -> Reply:
        """The next planned reply, else the usual one."""
        self.received.append(question)
        if self.planned:
            return self.planned.pop(0)
        if question.path == "/v1/embeddings":
            rows = self.embedder.embed(question.texts).tolist()
            items = [{"index": index, "embedding": row} for index, row in enumerate(rows)]
            return Reply(body=json.dumps({"data": items[::-1]}).encode())
        if question.path != "/v1/chat/completions":
            return Reply(status=404, body=b'{"error": {"message": "no such path"}}')
        return Reply(self.otherwise)


def _completion(model: str, reply: Reply) -> bytes:
    message: dict[str, Any] = {"role": "assistant", "content": reply.text}
    if reply.tool_calls:
        message |= {"content": reply.text or None, "tool_calls": _calls(reply)}
    choice = {"index": 0, "finish_reason": _ending(reply), "message": message}
    answer = {**_head(model, "chat.completion"), "choices": [choice]}
    return json.dumps(answer | _usage(reply)).encode()


def _events(model: str, reply: Reply) -> Iterator[str]:
    """The data of each event of a streamed answer, `[DONE]` included."""
    head = _head(model, "chat.completion.chunk")

    def event(delta: Mapping[str, Any], ending: str | None = None) -> str:
        choice = {"index": 0, "delta": delta, "finish_reason": ending}
        return json.dumps({**head, "choices": [choice]})

    yield event({"role": "assistant", "content": ""})
    for piece in _pieces(reply):
        yield event({"content": piece})
    for index, call in enumerate(_calls(reply)):
        arguments = call["function"]["arguments"]
        call["function"]["arguments"] = ""
        yield event({"tool_calls": [{"index": index, **call}]})
        for start in range(0, len(arguments), PIECE_CHARS):
            part = {"arguments": arguments[start : start + PIECE_CHARS]}
            yield event({"tool_calls": [{"index": index, "function": part}]})
    yield event({}, _ending(reply))
    if reply.usage is not None:
        yield json.dumps({**head, "choices": [], **_usage(reply)})
    yield "[DONE]"


def _pieces(reply: Reply) -> tuple[str, ...]:
    if reply.pieces is not None:
        return reply.pieces
    starts = range(0, len(reply.text), PIECE_CHARS)
    return tuple(reply.text[start : start + PIECE_CHARS] for start in starts)


def _calls(reply: Reply) -> list[dict[str, Any]]:
    return [
        {"id": f"call_{index}", "type": "function", "function": {"name": name, "arguments": text}}
        for index, (name, text) in enumerate(reply.tool_calls)
    ]


def _ending(reply: Reply) -> str:
    return "tool_calls" if reply.tool_calls else reply.finish_reason


def _usage(reply: Reply) -> dict[str, Any]:
    if reply.usage is None:
        return {}
    prompt, answer = reply.usage
    counts = {"prompt_tokens": prompt, "completion_tokens": answer, "total_tokens": prompt + answer}
    return {"usage": counts}


def _head(model: str, kind: str) -> dict[str, Any]:
    return {"id": "chatcmpl-1", "object": kind, "created": 1_772_442_000, "model": model}


class _Listener(ThreadingHTTPServer):
    """Knows who decides what is said."""

    def __init__(self, said_by: ChatModelServer) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.said_by = said_by


class _Handler(BaseHTTPRequestHandler):
    server: _Listener
    disable_nagle_algorithm = True

    def log_message(self, format: str, *args: object) -> None:
        """Says nothing: a test's output is for its failures."""

    def say(self, status: int, body: bytes, headers: Mapping[str, str]) -> None:
        """Answers with this."""
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self) -> None:
        models = [{"id": name, "object": "model"} for name in self.server.said_by.models]
        if self.path == "/v1/models":
            self.say(200, json.dumps({"object": "list", "data": models}).encode(), JSON)
        else:
            self.say(404, b'{"error": {"message": "no such path"}}', JSON)

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        question = Question(
            path=self.path,
            authorization=self.headers.get("Authorization"),
            model=body["model"],
            messages=tuple(body.get("messages", ())),
            body=body,
            headers={name.lower(): value for name, value in self.headers.items()},
        )
        reply = self.server.said_by.reply(question)
        if reply.wait_seconds:
            self.server.said_by.closing.wait(reply.wait_seconds)
        if reply.hang_up:
            self.close_connection = True
            return
        try:
            if body.get("stream") and reply.streams and reply.status == 200 and not reply.body:
                self._stream(question.model, reply)
                return
            content = reply.body or _completion(question.model, reply)
            self.say(reply.status, content, {**JSON, **reply.headers})
        except OSError:
            self.close_connection = True  # who asked has gone

    def _stream(self, model: str, reply: Reply) -> None:
        self.protocol_version = "HTTP/1.1"  # chunks, whose end can be told from a cut
        self.close_connection = True
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        if not self.server.said_by.keeps_connections:
            self.send_header("Connection", "close")
        self.end_headers()
        lines = reply.lines
        if lines is None:
            lines = tuple(f"data: {event}" for event in _events(model, reply))
        for number, line in enumerate(lines):
            # The first event only says who speaks.
            if reply.cut_after is not None and number > reply.cut_after:
                return
            if reply.stops_after is not None and number > reply.stops_after:
                self.server.said_by.closing.wait()
                return
            if reply.pause_seconds and number:
                self.server.said_by.closing.wait(reply.pause_seconds)
            data = f"{line}\n\n".encode()
            self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
            self.wfile.flush()
        self.wfile.write(b"0\r\n\r\n")
        self.close_connection = not self.server.said_by.keeps_connections
